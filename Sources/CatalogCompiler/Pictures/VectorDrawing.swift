// The sizes of the bitmaps of vector files, for commands that read a catalogue without compiling
// it.

import Bytes
import Host
import Imaging

/// Returns the size of a vector file's bitmap in pixels; nil if the file cannot be drawn.
package func drawnSize(
  of path: ByteString, _ scale: DrawingScale, in tree: FileTree
) -> (width: Int, height: Int)? {
  guard let bytes = try? tree.read(path, 1 << 30), let picture = try? VectorPicture(bytes),
    let placement = try? picture.placement(scale: scale.factor)
  else { return nil }
  return (placement.width, placement.height)
}
