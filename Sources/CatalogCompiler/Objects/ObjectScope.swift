// What one object holds: a catalogue, or one group of it, perhaps without some groups below; and the name
// by which it knows the catalogue, which is the same in whatever folder it is compiled.

import CatalogModel
import Documents
import Host

package struct ObjectScope: Sendable, Hashable {
  /// The path of the catalogue, as the user gave it.
  package let catalog: String
  /// The same from the folder in which the tool runs: no object has a path from the root of a disk.
  package let name: String
  /// The folders from the catalogue to the group; none for all of it.
  package let group: [String]
  /// The groups that others hold, from the catalogue on.
  package let without: [[String]]
}

/// Why nothing can be compiled into an object, or linked from some.
package struct ObjectError: Error, Sendable, Hashable {
  package let message: String
  /// Whether a file could not be read, and not what is in it.
  package var isAboutFile = false

  package init(_ message: String) { self.message = message }
}

extension ObjectScope {
  /// Of a path to a catalogue, or through one to a group; `without` are paths of the same kind.
  /// `here` is the folder in which the tool runs.
  package init(
    _ path: String, without: [String] = [], in tree: FileTree, here: String = absolutePath(".")
  ) throws(ObjectError) {
    let path = ObjectScope.plain(path)
    let (catalog, group) = try ObjectScope.divided(path, in: tree)
    self.catalog = catalog
    self.group = group
    name = ObjectScope.relative(catalog, to: here)
    try ObjectScope.check(group, of: catalog)
    let isThere = group.isEmpty || (try? tree.status(path))?.kind == .folder
    if !isThere { throw ObjectScope.noGroup(path, of: catalog) }
    var left: [[String]] = []
    for word in without {
      let other = ObjectScope.plain(word)
      let folders = other.split(separator: "/").map(String.init)
      let own = path.split(separator: "/").map(String.init)
      guard other.hasPrefix("/") == path.hasPrefix("/"), folders.count > own.count,
        Array(folders.prefix(own.count)) == own
      else {
        throw ObjectError(
          "--without \(word): it is no folder below \(path); it is named as an object of it would be, "
            + "as in --without \(path)/Group")
      }
      let inner = group + folders.dropFirst(own.count)
      // In a sandbox it is not there. Where its name is wrong, no object at the link holds it.
      try ObjectScope.check(inner, of: catalog)
      if !left.contains(inner) { left.append(inner) }
    }
    self.without = left.sorted { $0.joined(separator: "/") < $1.joined(separator: "/") }
  }

  /// Without "." and empty parts.
  private static func plain(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }
    let text = parts.joined(separator: "/")
    return path.hasPrefix("/") ? "/" + text : text.isEmpty ? "." : text
  }

  private static func divided(
    _ path: String, in tree: FileTree
  ) throws(ObjectError) -> (catalog: String, group: [String]) {
    let parts = path.split(separator: "/").map(String.init)
    if let place = parts.firstIndex(where: { catalogEndings.contains(pathExtension($0)) }) {
      let root = path.hasPrefix("/") ? "/" : ""
      return (
        root + parts[...place].joined(separator: "/"), Array(parts[(place + 1)...])
      )
    }
    // A folder of another name is a catalogue, unless it lies in one.
    let real = ((try? tree.realPath(path)) ?? path).split(separator: "/").map(String.init)
    if let place = real.dropLast().lastIndex(where: {
      catalogEndings.contains(pathExtension($0))
    }) {
      throw ObjectError(
        "\(path) lies in \(real[place]); name a group by a path through its catalogue, such as "
          + real[place...].joined(separator: "/"))
    }
    return (path, [])
  }

  private static func noGroup(_ path: String, of catalog: String) -> ObjectError {
    ObjectError("\(path) is no group: it is not a folder of \(catalog)")
  }

  /// Whether folders can be groups, by their names.
  private static func check(_ group: [String], of catalog: String) throws(ObjectError) {
    if group.isEmpty { return }
    let path = joined(catalog, group.joined(separator: "/"))
    let isOdd = group.contains { $0 == ".." || $0.hasPrefix(".") }
    let set = ([lastComponent(catalog)] + group).first {
      FolderRole.setType(pathExtension($0)) != nil
    }
    if let set {
      throw ObjectError(
        "\(path) is no group: \(set) is compiled as a whole, in the object of its catalogue or group"
      )
    }
    if isOdd { throw noGroup(path, of: catalog) }
  }

  /// A path from one folder on; both are taken as they are written.
  static func relative(_ path: String, to here: String) -> String {
    guard path.hasPrefix("/"), here.hasPrefix("/") else { return path }
    let parts = path.split(separator: "/")
    let base = here.split(separator: "/")
    let common = zip(parts, base).prefix { $0 == $1 }.count
    let words = base.dropFirst(common).map { _ in ".." } + parts.dropFirst(common).map(String.init)
    return words.isEmpty ? "." : words.joined(separator: "/")
  }
}

extension ObjectScope {
  /// What the object holds, in words: the path by which it was named.
  package var label: String { joined(name, group.joined(separator: "/")).trimmingSlash }

  /// The name of its file where none is given.
  package var fileName: String {
    let last = lastComponent(label)
    return (last == "." || last == ".." ? "Assets" : withoutExtension(last)) + ".caro"
  }

  /// Whether others hold parts of a folder, of which this object has the names on the way alone.
  func isOnTheWay(_ folders: [String]) -> Bool {
    folders.count < group.count && group.starts(with: folders)
  }

  /// The folders from the catalogue to a path; nil for what does not lie in it.
  func folders(of path: String) -> [String]? {
    if path == catalog { return [] }
    guard path.hasPrefix(catalog + "/") else { return nil }
    return path.dropFirst(catalog.utf8.count + 1).split(separator: "/").map(String.init)
  }

  /// A path by the name of the catalogue.
  func known(_ path: String) -> String {
    if path == catalog { return name }
    guard path.hasPrefix(catalog + "/") else { return path }
    return name + path.dropFirst(catalog.count)
  }

  /// The files of the object and nothing else.
  func tree(over tree: FileTree) -> FileTree {
    var part = tree
    // Build systems lay out trees of links: where such links lead says nothing about the catalogue.
    let isForest = laysOutLinks((try? tree.list(catalog)) ?? [])
    part.list = { (folder) throws(FileError) in
      var entries = try tree.list(folder)
      if isForest {
        for place in entries.indices where entries[place].kind == .file {
          entries[place].isLink = false
        }
      }
      guard let folders = folders(of: folder) else { return entries }
      if isOnTheWay(folders) {
        let next = group[folders.count]
        return entries.filter { $0.name == next || $0.name == "Contents.json" }
      }
      if without.isEmpty { return entries }
      return entries.filter { !without.contains(folders + [$0.name]) }
    }
    return part
  }
}

extension String {
  fileprivate var trimmingSlash: String {
    hasSuffix("/") && utf8.count > 1 ? String(dropLast()) : self
  }
}
