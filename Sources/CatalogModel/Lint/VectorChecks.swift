// Reports PDFs and SVGs that cannot be drawn, or of which a drawing lacks parts.

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
  guard let bytes = try? tree.read(path, FileLimit.source) else { return [] }
  do throws(VectorError) {
    let (drawing, source) = try VectorFile.read(bytes)
    // Every platform has bitmaps at scale 2.
    _ = try PagePlacement(source, width: drawing.width, height: drawing.height, scale: 2 / slot)
    return undrawn(drawing.unsupported, file: path)
  } catch {
    return [undrawable(error, file: path)]
  }
}
