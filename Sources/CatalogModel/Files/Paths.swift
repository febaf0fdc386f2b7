// Paths as text: joining and taking apart. Nothing here touches a disk.

func joined(_ folder: String, _ name: String) -> String {
  folder.isEmpty
    ? name : folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
}

public func lastComponent(_ path: String) -> String {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
  return String(path[path.utf8.index(after: slash)...])
}

/// What follows the last dot of a name, in lower case; empty where there is none.
func pathExtension(_ name: String) -> String {
  guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
    return ""
  }
  return name[name.utf8.index(after: dot)...].lowercased()
}

/// What precedes the last dot of a name.
func withoutExtension(_ name: String) -> String {
  guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
    return name
  }
  return String(name[..<dot])
}
