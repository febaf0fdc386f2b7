// Finds the lines of entries in their files, for commands that print them.

import Bytes
import Documents
import Host

/// Returns the lines, from 1, on which the values of some pointers begin in a Contents.json. Leaves
/// out pointers that are not found. Returns nothing for a file that cannot be read.
package func sourceLines(
  of pointers: some Sequence<ByteString>, in file: ByteString, tree: FileTree
) -> [ByteString: Int] {
  guard let bytes = try? tree.read(file, JSONDocument.sizeLimit) else { return [:] }
  let wanted = Set(pointers)
  let places = JSONPlaces(of: wanted, in: bytes)
  var lines: [ByteString: Int] = [:]
  for pointer in wanted {
    lines[pointer] = places.place(of: pointer, isKey: false)?.line
  }
  return lines
}
