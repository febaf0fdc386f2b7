// What one object holds: a catalogue, or one group of it, perhaps without some groups below; and the name
// by which it knows the catalogue, which is the same in whatever folder it is compiled.

import Bytes
import CatalogModel
import Documents
import Host

package struct ObjectScope: Sendable, Hashable {
  /// The path of the catalogue, as the user gave it.
  package let catalog: ByteString
  /// The same from the folder in which the tool runs: no object has a path from the root of a disk.
  package let name: ByteString
  /// The folders from the catalogue to the group; none for all of it.
  package let group: [ByteString]
  /// The groups that others hold, from the catalogue on.
  package let without: [[ByteString]]
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
  /// `folder` is the one in which the tool runs; nil asks the system.
  package init(
    _ path: ByteString, without: [ByteString] = [], in tree: FileTree,
    here folder: ByteString? = nil
  ) throws(ObjectError) {
    let here: ByteString
    do throws(FileError) { here = if let folder { folder } else { try currentFolder() } } catch {
      throw ObjectError("cannot read .: \(error.reason)")
    }
    let path = ObjectScope.plain(path)
    let (catalog, group) = try ObjectScope.divided(path, in: tree)
    self.catalog = catalog
    self.group = group
    name = ObjectScope.relative(catalog, to: here)
    try ObjectScope.check(group, of: catalog)
    let isThere = group.isEmpty || (try? tree.status(path))?.kind == .folder
    if !isThere { throw ObjectScope.noGroup(path, of: catalog) }
    var left: [[ByteString]] = []
    for word in without {
      let other = ObjectScope.plain(word)
      let folders = other.components
      let own = path.components
      guard other.isAbsolute == path.isAbsolute, folders.count > own.count,
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
  private static func plain(_ path: ByteString) -> ByteString {
    let parts = path.components.filter { $0 != "." }
    let text = parts.joined(separator: "/")
    return path.isAbsolute ? "/" + text : text.isEmpty ? "." : text
  }

  private static func divided(
    _ path: ByteString, in tree: FileTree
  ) throws(ObjectError) -> (catalog: ByteString, group: [ByteString]) {
    let parts = path.components
    if let place = parts.firstIndex(where: { catalogEndings.contains(pathExtension($0)) }) {
      let root: ByteString = path.isAbsolute ? "/" : ""
      return (
        root + parts[...place].joined(separator: "/"), Array(parts[(place + 1)...])
      )
    }
    // A folder of another name is a catalogue, unless it lies in one.
    let real = ((try? tree.realPath(path)) ?? path).components
    if let place = real.dropLast().lastIndex(where: {
      catalogEndings.contains(pathExtension($0))
    }) {
      throw ObjectError(
        "\(path) lies in \(real[place]); name a group by a path through its catalogue, such as "
          + real[place...].joined(separator: "/").text)
    }
    return (path, [])
  }

  private static func noGroup(_ path: ByteString, of catalog: ByteString) -> ObjectError {
    ObjectError("\(path) is no group: it is not a folder of \(catalog)")
  }

  /// Whether folders can be groups, by their names.
  private static func check(_ group: [ByteString], of catalog: ByteString) throws(ObjectError) {
    if group.isEmpty { return }
    let path = joined(catalog, group.joined(separator: "/"))
    let isOdd = group.contains { $0 == ".." || $0.isHidden }
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
  static func relative(_ path: ByteString, to here: ByteString) -> ByteString {
    guard path.isAbsolute, here.isAbsolute else { return path }
    let parts = path.components
    let base = here.components
    let common = zip(parts, base).prefix { $0 == $1 }.count
    let words: [ByteString] = base.dropFirst(common).map { _ in ".." } + parts.dropFirst(common)
    return words.isEmpty ? "." : words.joined(separator: "/")
  }
}

extension ObjectScope {
  /// What the object holds, in words: the path by which it was named.
  package var label: ByteString {
    group.isEmpty ? withoutTrailingSlashes(name) : joined(name, group.joined(separator: "/"))
  }

  /// The name of its file where none is given.
  package var fileName: ByteString {
    let last = lastComponent(label)
    return (last == "." || last == ".." ? "Assets" : withoutExtension(last)) + ".caro"
  }

  /// Whether others hold parts of a folder, of which this object has the names on the way alone.
  func isOnTheWay(_ folders: [ByteString]) -> Bool {
    folders.count < group.count && group.starts(with: folders)
  }

  /// The folders from the catalogue to a path; nil for what does not lie in it.
  func folders(of path: ByteString) -> [ByteString]? {
    if path == catalog { return [] }
    return path.relative(to: catalog)?.components
  }

  /// A path by the name of the catalogue.
  func known(_ path: ByteString) -> ByteString {
    if path == catalog { return name }
    return path.relative(to: catalog).map { joined(name, $0) } ?? path
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
