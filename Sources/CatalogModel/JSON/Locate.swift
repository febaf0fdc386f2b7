// Finds the lines and columns of findings that name a JSON value, and the lines of entries for
// commands that print them. Only this file searches a text for places, and only if it is asked to.

import Bytes
import Documents
import Host

/// Returns the findings about one file with their lines and columns.
func located(_ diagnostics: [Diagnostic], in bytes: [UInt8]) -> [Diagnostic] {
  let pointers = Set(diagnostics.filter { $0.line == nil }.compactMap(\.pointer))
  guard !pointers.isEmpty, !bytes.isEmpty else { return diagnostics }
  let places = JSONPlaces(of: pointers, in: bytes)
  return diagnostics.map { diagnostic in
    guard diagnostic.line == nil, let pointer = diagnostic.pointer,
      let place = places.place(of: pointer, isKey: diagnostic.isAboutKey)
    else { return diagnostic }
    var diagnostic = diagnostic
    (diagnostic.line, diagnostic.column) = (place.line, place.column)
    return diagnostic
  }
}

/// Returns the findings with the lines and columns of their own pointers and of their notes'
/// pointers. Reads each file with such pointers once.
package func located(_ diagnostics: [Diagnostic], in tree: FileTree) -> [Diagnostic] {
  var wanted: [ByteString: Set<ByteString>] = [:]
  for diagnostic in diagnostics {
    if diagnostic.line == nil, let pointer = diagnostic.pointer {
      wanted[diagnostic.file, default: []].insert(pointer)
    }
    for note in diagnostic.notes where note.line == nil {
      if let pointer = note.pointer { wanted[note.file, default: []].insert(pointer) }
    }
  }
  var texts: [ByteString: JSONPlaces] = [:]
  for (file, pointers) in wanted {
    guard let bytes = try? tree.read(file, FileLimit.contents) else { continue }
    texts[file] = JSONPlaces(of: pointers, in: bytes)
  }
  func place(_ file: ByteString, _ pointer: ByteString?, isKey: Bool) -> TextPlace? {
    pointer.flatMap { texts[file]?.place(of: $0, isKey: isKey) }
  }
  return diagnostics.map { diagnostic in
    var diagnostic = diagnostic
    if diagnostic.line == nil,
      let found = place(diagnostic.file, diagnostic.pointer, isKey: diagnostic.isAboutKey)
    {
      (diagnostic.line, diagnostic.column) = (found.line, found.column)
    }
    for index in diagnostic.notes.indices where diagnostic.notes[index].line == nil {
      let note = diagnostic.notes[index]
      if let found = place(note.file, note.pointer, isKey: false) {
        (diagnostic.notes[index].line, diagnostic.notes[index].column) = (found.line, found.column)
      }
    }
    return diagnostic
  }
}

/// Returns the lines, from 1, on which the values of some pointers begin in a Contents.json. Leaves
/// out pointers that are not found. Returns nothing for a file that cannot be read.
package func sourceLines(
  of pointers: some Sequence<ByteString>, in file: ByteString, tree: FileTree
) -> [ByteString: Int] {
  guard let bytes = try? tree.read(file, FileLimit.contents) else { return [:] }
  let wanted = Set(pointers)
  let places = JSONPlaces(of: wanted, in: bytes)
  var lines: [ByteString: Int] = [:]
  for pointer in wanted {
    lines[pointer] = places.place(of: pointer, isKey: false)?.line
  }
  return lines
}
