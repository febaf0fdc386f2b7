// Draws a layered icon as pictures of its own, for `carve icon render` and for the files that
// Apple's build step writes beside an archive. The passes are those of a compilation: read, plan,
// draw.

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

  /// The sides that pictures can have, in pixels.
  package static let possibleSides = 16...2048
  /// The words for looks.
  package static let lookWords = GlassLook.allCases.map(\.rawValue)

  /// Creates a request. `looks` are words, of which each counts once; an empty list means every
  /// look.
  package init(
    _ icon: ByteString, for platform: TargetPlatform, looks: [String], sides: [Int], hasGlass: Bool
  ) {
    self.icon = icon
    self.platform = platform
    self.looks =
      looks.isEmpty ? GlassLook.allCases : GlassLook.allCases.filter { looks.contains($0.rawValue) }
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

/// Draws a layered icon in its light look, in squares of these sides, as files beside an archive
/// show it. Returns no bitmaps if it cannot be drawn; the compilation reports the reason.
package func bitmaps(
  of asset: AssetSet, for options: CompileOptions, sides: Set<Int>, in tree: FileTree
) -> [Int: Bitmap] {
  guard case .iconBundle(let icon) = asset.contents, icon.isRead, options.drawsIcons else {
    return [:]
  }
  let parts = IconParts(icon, named: asset.name, options.target.platform.system)
  let encoder = RenditionEncoder(drawing: options, in: tree)
  var bitmaps: [Int: Bitmap] = [:]
  for side in sides {
    let drawing = parts.glass(
      .light, isMac: options.target.platform == .macOS, side: side, hasGlass: options.drawsGlass)
    bitmaps[side] = try? encoder.drawn(drawing)
  }
  return bitmaps.count == sides.count ? bitmaps : [:]
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
  let file = asset.contentsFile
  if let obstacle = parts.obstacle(
    Set(request.looks.map(\.drawn)), side: request.sides.max() ?? 0)
  {
    var finding = Diagnostic(
      .brokenImage, "\(quoted(asset.name)) cannot be drawn: \(obstacle.reason)", file: file,
      pointer: obstacle.pointer)
    finding.severity = .error
    result.diagnostics += located([finding], in: tree)
    return result
  }
  let encoder = RenditionEncoder(
    drawing: CompileOptions(target: target, icons: .all), in: tree)
  for look in request.looks {
    for side in request.sides {
      var drawing = parts.glass(
        look.drawn, isMac: isMac, side: side, hasGlass: request.hasGlass)
      if look == .clearLight || look == .clearDark { drawing.icon.show(look) }
      let planned = PlannedRendition(
        facet: asset.name, kind: .icon, part: Part.icon, key: VariantKey(),
        content: .glass(drawing), jsonFile: file, pointer: "")
      do throws(EncodingFailure) {
        let bitmap = try encoder.drawn(drawing)
        let name: ByteString = "\(withoutFolders(asset.name))-\(look.rawValue)-\(side).png"
        result.files.append((name, bitmap.pngFile()))
      } catch {
        result.diagnostics.append(error.diagnostic(about: planned))
        result.files = []
        return result
      }
    }
  }
  if request.hasGlass {
    let words = parts.approximation(isMac: isMac, looks: request.looks)
    result.diagnostics.append(
      Diagnostic(
        .iconGlassApproximated, "the pictures of \(quoted(asset.name)) are \(words)", file: file))
  }
  return result
}

extension RenditionEncoder {
  /// Creates an encoder that only draws.
  fileprivate convenience init(drawing options: CompileOptions, in tree: FileTree) {
    let plan = RenditionPlan(of: [], for: options.target, icons: .all)
    self.init(
      EncodingSettings(
        plan, in: tree, options, numbers: NameNumbers(), cache: nil, for: .archive))
  }

  /// Draws a layered icon with a share of the memory.
  fileprivate func drawn(_ drawing: GlassDrawing) throws(EncodingFailure) -> Bitmap {
    try share(memory(of: drawing)) { () throws(EncodingFailure) in try bitmap(of: drawing) }
  }
}
