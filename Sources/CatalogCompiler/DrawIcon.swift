// Draws a layered icon as pictures of its own, without an archive, for `carve icon render`. The
// passes are those of a compilation: read, plan, draw.

import Archive
import Bytes
import CatalogModel
import Documents
import Host
import Imaging
import Traits

/// The icon to draw, and how.
package struct IconRequest: Sendable {
  package var icon: ByteString
  package var platform: TargetPlatform
  package var looks: [GlassLook]
  package var sides: [Int]
  package var hasGlass: Bool

  /// The sides of pictures, in pixels.
  package static let sides = 16...2048
  /// The words for looks.
  package static let looks = GlassLook.allCases.map(\.rawValue)

  /// Creates a request. `looks` are words; an empty list means every look.
  package init(
    _ icon: ByteString, for platform: TargetPlatform, looks: [String], sides: [Int], hasGlass: Bool
  ) {
    self.icon = icon
    self.platform = platform
    self.looks = looks.isEmpty ? GlassLook.allCases : looks.compactMap(GlassLook.init)
    self.sides = sides
    self.hasGlass = hasGlass
  }
}

/// The pictures of a layered icon.
package struct DrawnIcon: Sendable {
  /// The files with their names: "AppIcon-dark-512.png".
  package var files: [(name: ByteString, png: [UInt8])] = []
  package var diagnostics: [Diagnostic] = []
}

/// Draws a layered icon in each look and size. There are no files if a finding is an error.
package func drawIcon(_ request: IconRequest, in tree: FileTree) -> DrawnIcon {
  let contents = readCatalogs([request.icon], in: tree)
  var result = DrawnIcon()
  result.diagnostics = contents.diagnostics
  let target = CompileTarget(platform: request.platform)
  let hasErrors = contents.diagnostics.contains { $0.severity == .error }
  guard !hasErrors, let asset = contents.assets.first(where: { $0.type == .iconBundle }),
    case .iconBundle(let icon) = asset.contents, icon.isRead
  else { return result }
  let parts = IconParts(icon, named: asset.name, request.platform.system)
  let isMac = request.platform == .macOS
  let file = joined(asset.folder, "icon.json")
  if request.hasGlass {
    let words = parts.approximation(isMac: isMac, looks: request.looks)
    result.diagnostics.append(
      Diagnostic(
        .iconGlassApproximated, "the pictures of \(quoted(asset.name)) are \(words)", file: file))
  }
  let options = CompileOptions(target: target, icons: .all)
  let plan = RenditionPlan(of: [], for: target, icons: .all)
  let encoder = RenditionEncoder(
    EncodingSettings(plan, in: tree, options, numbers: NameNumbers(), cache: nil, for: .archive))
  for look in request.looks {
    for side in request.sides {
      var drawing = parts.glass(look.drawn, isMac: isMac, side: side)
      if look == .clearLight || look == .clearDark { drawing.icon.show(look) }
      drawing.icon.hasGlass = request.hasGlass
      let planned = PlannedRendition(
        facet: asset.name, kind: .icon, part: Part.icon, key: VariantKey(),
        content: .glass(drawing), file: file, pointer: "")
      do throws(EncodingFailure) {
        let bitmap = try encoder.share(encoder.memory(of: drawing)) {
          () throws(EncodingFailure) in try encoder.bitmap(of: drawing)
        }
        let name: ByteString = "\(withoutFolders(asset.name))-\(look.rawValue)-\(side).png"
        result.files.append((name, bitmap.pngFile()))
      } catch {
        result.diagnostics.append(error.diagnostic(about: planned))
        result.files = []
        return result
      }
    }
  }
  return result
}

extension GlassLook {
  /// The look whose layers are shown. Clear icons have those of the tinted one.
  fileprivate var drawn: IconLook {
    switch self {
    case .light: .light
    case .dark: .dark
    case .tinted, .clearLight, .clearDark: .tinted
    }
  }
}
