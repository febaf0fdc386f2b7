// Paths as text: joining and taking apart. Nothing here touches a disk.

/// A path of just the room that it needs: a catalogue has as many as it has files.
package func joined(_ folder: String, _ name: String) -> String {
  guard let last = folder.utf8.last else { return name }
  let slash = UInt8(ascii: "/")
  let length = folder.utf8.count + (last == slash ? 0 : 1)
  return String(unsafeUninitializedCapacity: length + name.utf8.count) { bytes in
    _ = bytes.initialize(from: folder.utf8)
    if last != slash { bytes.initializeElement(at: length - 1, to: slash) }
    _ = UnsafeMutableBufferPointer(rebasing: bytes[length...]).initialize(from: name.utf8)
    return length + name.utf8.count
  }
}

package func lastComponent(_ path: String) -> String {
  String(Substring(lastPart(of: path)))
}

/// What follows the last slash.
package func lastPart(of path: String) -> Substring.UTF8View {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path[...].utf8 }
  return path[path.utf8.index(after: slash)...].utf8
}

/// What follows the last dot of a path's last name, in lower case; empty where there is none.
package func pathExtension(_ path: String) -> String {
  let name = Substring(lastPart(of: path))
  guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
    return ""
  }
  return name[name.utf8.index(after: dot)...].lowercased()
}

/// What precedes the last dot of a name.
package func withoutExtension(_ name: String) -> String {
  guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
    return name
  }
  return String(name[..<dot])
}
