// Paths as text: joining and taking apart. Nothing here touches a disk.

package func joined(_ folder: String, _ name: String) -> String {
  folder.isEmpty
    ? name : folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
}

package func lastComponent(_ path: String) -> String {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
  return String(path[path.utf8.index(after: slash)...])
}

/// What follows the last dot of a name, in lower case; empty where there is none.
package func pathExtension(_ name: String) -> String {
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
