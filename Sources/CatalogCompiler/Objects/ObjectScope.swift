// The scope of an object: a catalogue or one group of it, perhaps without some inner groups. It
// contains the name of the catalogue in the object, which does not depend on the folder in which
// the tool runs. The settings of an object are at the end.

import Bytes
import CatalogModel
import Documents
import Host
import Traits

package struct ObjectScope: Sendable, Hashable {
  /// The path of the catalogue as the user gave it.
  package let catalog: ByteString
  /// The path of the catalogue relative to the folder in which the tool runs. Objects contain no
  /// absolute paths.
  package let name: ByteString
  /// The folders from the catalogue to the group; empty for the whole catalogue.
  package let group: [ByteString]
  /// The groups that other objects hold, as folders from the catalogue on.
  package let without: [[ByteString]]
}

/// The reason why an object cannot be made, read or linked.
package struct ObjectError: Error, Sendable, Hashable {
  package let message: String

  package init(_ message: String) { self.message = message }
}

extension ObjectScope {
  /// Creates the scope of a path to a catalogue, or through a catalogue to a group. `without`
  /// contains paths of the same kind. `folder` is the folder in which the tool runs; if it is nil,
  /// the system is asked.
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
          "--without \(word): it is not a folder below \(path); name the group with the path of "
            + "the catalogue, as in --without \(path)/Group"
        )
      }
      let inner = group + folders.dropFirst(own.count)
      // In a sandbox the group is not there, so its existence is not checked. If its name is wrong,
      // the link reports that no object holds it.
      try ObjectScope.check(inner, of: catalog)
      if !left.contains(inner) { left.append(inner) }
    }
    self.without = left.sorted { $0.joined(separator: "/") < $1.joined(separator: "/") }
  }

  /// Returns a path without "." and empty components.
  private static func plain(_ path: ByteString) -> ByteString {
    let parts = path.components.filter { $0 != "." }
    let text = parts.joined(separator: "/")
    return path.isAbsolute ? "/" + text : text.isEmpty ? "." : text
  }

  private static func divided(
    _ path: ByteString, in tree: FileTree
  ) throws(ObjectError) -> (catalog: ByteString, group: [ByteString]) {
    let parts = path.components
    if let index = parts.firstIndex(where: { catalogEndings.contains(pathExtension($0)) }) {
      let root: ByteString = path.isAbsolute ? "/" : ""
      return (
        root + parts[...index].joined(separator: "/"), Array(parts[(index + 1)...])
      )
    }
    // A folder with another ending is a catalogue itself, unless it is inside of a catalogue.
    let real = ((try? tree.realPath(path)) ?? path).components
    if let index = real.dropLast().lastIndex(where: {
      catalogEndings.contains(pathExtension($0))
    }) {
      throw ObjectError(
        "\(path) lies in \(real[index]); name a group by a path through its catalogue, such as "
          + real[index...].joined(separator: "/").text)
    }
    return (path, [])
  }

  private static func noGroup(_ path: ByteString, of catalog: ByteString) -> ObjectError {
    ObjectError("\(path) is not a group: it is not a folder of \(catalog)")
  }

  /// Checks by the names of the folders that they can be groups.
  private static func check(_ group: [ByteString], of catalog: ByteString) throws(ObjectError) {
    if group.isEmpty { return }
    let path = joined(catalog, group.joined(separator: "/"))
    let isOdd = group.contains { $0 == ".." || $0.isHidden }
    let set = ([lastComponent(catalog)] + group).first {
      FolderRole.setType(pathExtension($0)) != nil
    }
    if let set {
      throw ObjectError(
        "\(path) is not a group: \(set) is compiled as a whole, in the object of its catalogue "
          + "or group"
      )
    }
    if isOdd { throw noGroup(path, of: catalog) }
  }

  /// Returns a path relative to a folder. No link in either path is resolved.
  static func relative(_ path: ByteString, to here: ByteString) -> ByteString {
    guard path.isAbsolute, here.isAbsolute else { return path }
    return relativePath(from: here.components, to: path.components)
  }
}

extension ObjectScope {
  /// The description of the scope: the path by which it was named.
  package var label: ByteString {
    group.isEmpty ? withoutTrailingSlashes(name) : joined(name, group.joined(separator: "/"))
  }

  /// The name of the object's file if the user gives none.
  package var fileName: ByteString {
    let last = lastComponent(label)
    return (last == "." || last == ".." ? "Assets" : withoutExtension(last)) + ".caro"
  }

  /// Returns whether a folder is on the way to the group. The object then holds only the next
  /// folder on the way and the Contents.json; other objects hold the rest.
  func isOnTheWay(_ folders: [ByteString]) -> Bool {
    folders.count < group.count && group.starts(with: folders)
  }

  /// Returns the folders from the catalogue to a path; nil if the path is not in the catalogue.
  func folders(of path: ByteString) -> [ByteString]? {
    if path == catalog { return [] }
    return path.relative(to: catalog)?.components
  }

  /// Returns the path with the name of the catalogue in place of the catalogue's path.
  func known(_ path: ByteString) -> ByteString {
    if path == catalog { return name }
    return path.relative(to: catalog).map { joined(name, $0) } ?? path
  }

  /// Returns a tree with only the files of the object.
  func tree(over tree: FileTree) -> FileTree {
    var part = tree
    // Build systems lay out catalogues as trees of links. The targets of such links say nothing
    // about the catalogue.
    let isForest = laysOutLinks((try? tree.list(catalog)) ?? [])
    part.list = { (folder) throws(FileError) in
      var entries = try tree.list(folder)
      if isForest {
        for index in entries.indices where entries[index].kind == .file {
          entries[index].isLink = false
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

// MARK: - Settings

// The settings that affect the bytes of an object. Only objects with equal settings can be linked.

package struct ObjectSettings: Sendable, Equatable {
  /// The names of options and their values, always in the same order.
  private var values: [(name: String, value: JSONOutput)]

  package static func == (a: ObjectSettings, b: ObjectSettings) -> Bool { a.stored == b.stored }

  package init(_ options: CompileOptions) {
    let target = options.target
    func words(_ list: [String]) -> JSONOutput { .array(list.map { .string($0) }) }
    values = [
      ("platform", .string(target.platform.rawValue)),
      ("minimum-deployment-target", .string("\(target.minimum)")),
      ("target-device", words(target.families.map(\.rawValue))),
      ("app-icon", .array(options.icons.names.map { .name($0) })),
      ("include-all-app-icons", .bool(options.icons.includesAll)),
      ("optimization", .string(options.optimization.rawValue)),
      ("exact-pixels", .bool(options.keepsExactPixels)),
      ("no-packing", .bool(!options.packsSprites)),
      ("no-rasters", .bool(!options.rasterizesVectors)),
      ("keep-vectors", .bool(options.keepsVectors)),
      ("no-icon-bitmaps", .bool(!options.drawsIcons)),
      ("plain-icons", .bool(!options.drawsGlass)),
      ("allow-incomplete", words(options.allowsIncomplete.map(\.rawValue).sorted())),
    ]
  }

  var stored: JSONOutput { .object(values.map { JSONOutput.Member($0.name, $0.value) }) }

  /// Returns the options with these settings; nil if a value is not valid for its option.
  package static func options(stored value: JSONValue) -> CompileOptions? {
    guard let platform = value.text("platform").flatMap(TargetPlatform.init),
      let minimum = value.text("minimum-deployment-target").flatMap({ OSVersion($0) }),
      let families = value.names("target-device")?.map(\.text),
      let optimization = value.text("optimization").flatMap(OptimizationGoal.init),
      let exact = value.flag("exact-pixels"), let unpacked = value.flag("no-packing"),
      let undrawn = value.flag("no-rasters"), let kept = value.flag("keep-vectors"),
      let stacks = value.flag("no-icon-bitmaps"),
      let incomplete = value.names("allow-incomplete")?.map(\.text),
      let icons = value.names("app-icon"), let all = value.flag("include-all-app-icons")
    else { return nil }
    let target = CompileTarget(
      platform: platform, minimum: minimum, families: families.compactMap(DeviceFamily.init))
    if target.tooOld != nil { return nil }
    var options = CompileOptions(target: target, icons: all ? .all(with: icons) : .named(icons))
    options.optimization = optimization
    options.keepsExactPixels = exact
    options.packsSprites = !unpacked
    options.rasterizesVectors = !undrawn
    options.keepsVectors = kept
    options.drawsIcons = !stacks
    // Objects of older versions do not state it.
    options.drawsGlass = value.flag("plain-icons") == false
    options.allowsIncomplete = Set(incomplete.compactMap(SetType.init))
    return options
  }

  /// Returns the first setting that differs, as it is here and there: "--platform macosx".
  func difference(from other: ObjectSettings) -> (here: String, there: String)? {
    for (own, their) in zip(values, other.values) where own.value != their.value {
      return (ObjectSettings.words(own), ObjectSettings.words(their))
    }
    return nil
  }

  /// The settings as on a command line, for messages.
  package var words: [String] {
    values.compactMap { $0.value == false || $0.value == [] ? nil : ObjectSettings.words($0) }
  }

  private static func words(_ setting: (name: String, value: JSONOutput)) -> String {
    switch setting.value {
    case .string(let text): "--\(setting.name) \(text)"
    case .bool(false), .array([]): "no --\(setting.name)"
    case .array(let list):
      list.map { item in
        if case .string(let text) = item { "--\(setting.name) \(text)" } else { "" }
      }.joined(separator: " ")
    default: "--\(setting.name)"
    }
  }
}
