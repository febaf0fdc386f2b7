// How large the bitmaps of vector files become, for who asks about a catalogue that is not compiled.

import ArchiveTools
import Bytes
import Host

/// How many pixels the bitmap of a vector file has; nil where it cannot be drawn.
package func drawnSize(
  of path: ByteString, _ scale: DrawingScale, in tree: FileTree
) -> (width: Int, height: Int)? {
  guard let bytes = try? tree.read(path, 1 << 30), let picture = try? VectorPicture(bytes),
    let placement = try? picture.placement(scale: scale.factor)
  else { return nil }
  return (placement.width, placement.height)
}
