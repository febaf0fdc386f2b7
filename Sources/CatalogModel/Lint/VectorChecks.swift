// Reports PDFs and SVGs that cannot be drawn, or of which a drawing lacks parts.

import Bytes
import Host
import Traits
import Vectors

extension Platform {
  /// The scales of the bitmaps that the compiler draws of a vector.
  package var vectorScales: [UInt8] {
    switch self {
    case .iOS, .iPadOS: [1, 2, 3]
    case .macOS, .tvOS: [1, 2]
    case .watchOS, .visionOS: [2]
    }
  }
}

/// The entries that name one vector.
private struct VectorUse: Sendable {
  /// The largest scale of the entries.
  var slot: UInt8 = 1
  /// The entries with insets or slices, and the files that have them.
  var cut: [(file: ByteString, entry: ImageEntry)] = []
}

func checkVectors(
  of assets: [AssetSet], _ survey: PictureSurvey, in tree: FileTree, _ options: LintOptions
) -> [Diagnostic] {
  var uses: [ByteString: VectorUse] = [:]
  for asset in assets.flatMap({ withParts($0) }) {
    guard case .images(let set) = asset.contents else { continue }
    for entry in set.entries where !entry.slot.isUnassigned {
      // The name decides whether a file is drawn; another check reports a vector that is named as a
      // bitmap.
      guard let file = entry.file, file.isVector, survey.header(of: file)?.kind.isVector == true
      else { continue }
      uses[file.path, default: VectorUse()].add(entry, of: asset)
    }
  }
  let scales = options.platform?.vectorScales ?? [2]
  return parallelMap(uses.sorted { $0.key < $1.key }, jobs: options.jobs) { path, use in
    findings(about: path, use, scales, in: tree)
  }.flatMap { $0 }
}

extension VectorUse {
  fileprivate mutating func add(_ entry: ImageEntry, of asset: AssetSet) {
    slot = max(slot, entry.slot.scale ?? 1)
    if entry.insets != nil || entry.resizing != nil { cut.append((asset.contentsFile, entry)) }
  }
}

private func findings(
  about path: ByteString, _ use: VectorUse, _ scales: [UInt8], in tree: FileTree
) -> [Diagnostic] {
  // Another check has already reported a file that cannot be read.
  guard let bytes = try? tree.read(path, FileLimit.source) else { return [] }
  do throws(VectorError) {
    let (drawing, source) = try VectorFile.read(bytes)
    let page = VectorPage(source, of: drawing)
    // Every platform has bitmaps at scale 2.
    _ = try page.placement(scale: 2 / Double(use.slot))
    var found = undrawn(drawing.unsupported, file: path)
    for (file, entry) in use.cut {
      let slot = entry.slot.scale ?? 1
      for scale in scales {
        let factor = Double(scale) / Double(slot)
        let size = try page.placement(scale: factor)
        let misfits = misfits(
          entry.insets?.scaled(by: factor), entry.resizing?.scaled(by: factor),
          width: size.width, height: size.height, drawn: scale, file: file,
          pointer: entry.slot.pointer)
        found += misfits
        if !misfits.isEmpty { break }
      }
    }
    return found
  } catch {
    return [undrawable(error, file: path)]
  }
}
