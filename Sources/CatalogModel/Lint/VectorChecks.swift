// Reports findings about PDFs and SVGs of image sets: files that cannot be drawn, and features that
// a drawing would not show. It reads the files as the compiler does, but does not draw them.

import Bytes
import Host
import Vectors

func checkVectors(of assets: [AssetSet], _ survey: PictureSurvey, in tree: FileTree, jobs: Int)
  -> [Diagnostic]
{
  // If several slots name a file, the slot with the largest scale counts.
  var slots: [ByteString: UInt8] = [:]
  for asset in assets.flatMap({ withParts($0) }) {
    guard case .images(let set) = asset.contents else { continue }
    for entry in set.entries where !entry.slot.isUnassigned {
      guard let file = entry.file, survey.header(of: file)?.kind.isVector == true else { continue }
      slots[file.path] = max(slots[file.path] ?? 1, entry.slot.scale ?? 1)
    }
  }
  let files = slots.sorted { $0.key < $1.key }
  return parallelMap(files, jobs: jobs) { findings(about: $0.key, Double($0.value), in: tree) }
    .flatMap { $0 }
}

private func findings(
  about path: ByteString, _ slot: Double, in tree: FileTree
) -> [Diagnostic] {
  // Another check has already reported a file that cannot be read.
  guard let bytes = try? tree.read(path, 1 << 30) else { return [] }
  do throws(VectorError) {
    let (drawing, source) = try VectorFile.read(bytes)
    // Every platform has bitmaps at scale 2.
    _ = try PagePlacement(source, width: drawing.width, height: drawing.height, scale: 2 / slot)
    return undrawn(drawing.unsupported, of: "the file", file: path)
  } catch {
    return [Diagnostic(.brokenImage, "the file cannot be drawn: \(error.words)", file: path)]
  }
}

/// Returns findings about a vector whose drawing does not show everything, for the checks and the
/// compiler. `subject` names the vector in a sentence.
package func undrawn(
  _ features: [UnsupportedFeature], of subject: ByteString, file: ByteString,
  pointer: ByteString? = nil
) -> [Diagnostic] {
  var found: [Diagnostic] = []
  let names = features.filter { $0 != .outsidePage }.map { "\($0.name)" }
  if !names.isEmpty {
    found.append(
      Diagnostic(
        .vectorFeature,
        "\(subject) has features that Carve does not draw, or does not draw exactly: "
          + "\(names.joined(separator: ", "))",
        file: file, pointer: pointer))
  }
  if features.contains(.outsidePage) {
    found.append(
      Diagnostic(
        .vectorCut, "\(subject) has no viewBox, and its shapes outside the page are cut off",
        file: file, pointer: pointer))
  }
  return found
}
