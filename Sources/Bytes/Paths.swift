// Functions that join and divide paths, and that find out whether a path lies in a folder. They
// read no disk.

/// Returns the path of a name in a folder. It allocates exactly the memory that it needs, because a
/// catalogue has as many paths as files.
package func joined(_ folder: ByteString, _ name: ByteString) -> ByteString {
  guard let last = folder.utf8.last else { return name }
  let slash = UInt8(ascii: "/")
  let length = folder.utf8.count + (last == slash ? 0 : 1)
  return ByteString(capacity: length + name.utf8.count) { bytes in
    _ = bytes.initialize(from: folder.utf8)
    if last != slash { bytes.initializeElement(at: length - 1, to: slash) }
    _ = UnsafeMutableBufferPointer(rebasing: bytes[length...]).initialize(from: name.utf8)
    return length + name.utf8.count
  }
}

/// Returns the part after the last slash.
package func lastComponent(_ path: ByteString) -> ByteString {
  path.afterLast(UInt8(ascii: "/")) ?? path
}

/// Returns the part after the last dot of a path's last name, in lower case; empty if there is no
/// dot.
package func pathExtension(_ path: ByteString) -> ByteString {
  // A dot at the beginning of the name hides the file.
  guard let dot = path.utf8.lastPlace(of: UInt8(ascii: ".")),
    dot > path.utf8.lastPlace(of: UInt8(ascii: "/")).map({ $0 + 1 }) ?? 0
  else { return "" }
  return path.droppingUTF8(dot + 1).lowercased()
}

/// Returns the part before the last dot of a name.
package func withoutExtension(_ name: ByteString) -> ByteString {
  guard let start = name.beforeLast(UInt8(ascii: ".")), !start.isEmpty else { return name }
  return start
}

/// Returns the folder of a path, as the path states it: "." for a name alone.
package func parentFolder(_ path: ByteString) -> ByteString {
  guard let folder = path.beforeLast(UInt8(ascii: "/")) else { return "." }
  return folder.isEmpty ? "/" : folder
}

/// Returns a path, the folder that contains it, and so on up to "/" or ".".
package func withFoldersAround(_ path: ByteString) -> UnfoldFirstSequence<ByteString> {
  sequence(first: path) { $0 == "/" || $0 == "." ? nil : parentFolder($0) }
}

/// Returns a path without the slashes at its end.
package func withoutTrailingSlashes(_ path: ByteString) -> ByteString {
  var path = path
  while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
  return path
}

/// Returns the path from a folder to a file or folder, of the names of both from one root.
package func relativePath(from folder: [ByteString], to target: [ByteString]) -> ByteString {
  let common = zip(folder, target).prefix { $0 == $1 }.count
  let up = Array(repeating: ByteString(".."), count: folder.count - common)
  let names = up + target[common...]
  return names.isEmpty ? "." : names.joined(separator: "/")
}

extension ByteString {
  package var isAbsolute: Bool { utf8.first == UInt8(ascii: "/") }

  package var isHidden: Bool { utf8.first == UInt8(ascii: ".") }

  package var endsWithSlash: Bool { utf8.last == UInt8(ascii: "/") }

  /// The names in a path, without slashes.
  package var components: [ByteString] { split(separator: "/") }

  /// The names in a path without "." and "..", according to its text.
  package var plainComponents: [ByteString] {
    components.reduce(into: []) { names, name in
      if name == ".." {
        _ = names.popLast()
      } else if name != "." {
        names.append(name)
      }
    }
  }

  /// Returns whether the path lies inside a folder, according to the text of both.
  package func isInside(_ folder: ByteString) -> Bool { relative(to: folder) != nil }

  /// Returns the rest of a path that lies inside a folder; nil if it does not.
  package func relative(to folder: ByteString) -> ByteString? {
    guard hasPrefix(folder) else { return nil }
    if folder.endsWithSlash {
      return utf8.count > folder.utf8.count ? droppingUTF8(folder.utf8.count) : nil
    }
    let rest = utf8.dropFirst(folder.utf8.count)
    guard rest.first == UInt8(ascii: "/") else { return nil }
    return droppingUTF8(folder.utf8.count + 1)
  }
}
