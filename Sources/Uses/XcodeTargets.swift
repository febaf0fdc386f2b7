// Reads the targets of an Xcode project from its project.pbxproj: the files of their phases, and
// the folders that Xcode keeps in step with the disk.

import Bytes
import Documents
import Host

func xcodeTargets(
  at project: ByteString, shownAs shown: ByteString, in tree: FileTree
) throws(ProjectError) -> [SourceTarget] {
  let file = joined(project, "project.pbxproj")
  let bytes: [UInt8]
  do throws(FileError) { bytes = try tree.read(file, NamingFiles.mostBytes) } catch {
    throw ProjectError(
      "cannot read \(onOneLine(joined(shown, "project.pbxproj"))): \(error.reason)",
      isInputOutput: true)
  }
  let value: PropertyValue
  do throws(PropertyListError) { value = try PropertyValue(anyPropertyList: bytes) } catch {
    throw ProjectError("\(onOneLine(joined(shown, "project.pbxproj"))) \(error.description)")
  }
  guard let objects = value.dictionary?["objects"]?.dictionary else {
    throw ProjectError("\(onOneLine(joined(shown, "project.pbxproj"))) has no objects")
  }
  let folder = parentFolder(project)
  var reader = XcodeProject(objects, folder: folder)
  let targets: [SourceTarget]
  do throws(ProjectLimit) { targets = try reader.targets() } catch {
    throw ProjectError("\(onOneLine(joined(shown, "project.pbxproj"))) \(error.words)")
  }
  // Xcode adds the catalogues in such folders by itself.
  var catalogs: [ByteString: [ByteString]] = [:]
  for folder in Set(targets.flatMap(\.folders)) {
    catalogs[folder] = NamingFiles(below: [folder], in: tree, jobs: 1).catalogs
  }
  return targets.map { target in
    var target = target
    let found = Set(target.folders.flatMap { catalogs[$0] ?? [] })
    target.catalogs += found.sorted().filter(target.holds)
    return target
  }
}

/// A project that is too large.
private enum ProjectLimit: Error {
  case targets, files

  static let mostTargets = SourceTarget.mostInProject
  /// The greatest number of files in all targets together.
  static let mostFiles = 1_000_000

  var words: String {
    switch self {
    case .targets: "has more than \(grouped(ProjectLimit.mostTargets)) targets"
    case .files: "has more than \(grouped(ProjectLimit.mostFiles)) files in its targets"
    }
  }
}

private struct XcodeProject {
  private let objects: [ByteString: PropertyValue]
  /// The groups that contain files and groups.
  private var parents: [ByteString: ByteString] = [:]
  private var root: ByteString
  /// The sets of exceptions in folders by their targets.
  private var exceptions: [ByteString: [(group: ByteString, set: ByteString)]] = [:]
  /// The paths of the files and groups that are known.
  private var paths: [ByteString: ByteString?] = [:]
  private var fileCount = 0

  init(_ objects: [ByteString: PropertyValue], folder: ByteString) {
    self.objects = objects
    root = folder
    var hasRoot = false
    for id in objects.keys.sorted() {
      guard let object = objects[id] else { continue }
      for child in object.texts("children") where parents[child] == nil { parents[child] = id }
      for set in object.texts("exceptions") {
        guard let target = objects[set]?.text("target") else { continue }
        exceptions[target, default: []].append((id, set))
      }
      if !hasRoot, object.text("isa") == "PBXProject",
        let below = object.text("projectDirPath"), !below.isEmpty
      {
        root = plainPath(joined(folder, below))
        hasRoot = true
      }
    }
  }

  mutating func targets() throws(ProjectLimit) -> [SourceTarget] {
    let kinds: Set<ByteString> = ["PBXNativeTarget", "PBXAggregateTarget", "PBXLegacyTarget"]
    let all = objects.filter { kinds.contains($0.value.text("isa") ?? "") }
    let ids = all.keys.sorted()
    if ids.count > ProjectLimit.mostTargets { throw .targets }
    var targets: [SourceTarget] = []
    for id in ids {
      guard let object = all[id], let name = object.text("name") else { continue }
      targets.append(try target(id, object, name))
    }
    return targets
  }

  /// Counts a file of a target. Targets can share all their files.
  private mutating func count() throws(ProjectLimit) {
    fileCount += 1
    if fileCount > ProjectLimit.mostFiles { throw .files }
  }

  private mutating func target(
    _ id: ByteString, _ object: PropertyValue, _ name: ByteString
  ) throws(ProjectLimit) -> SourceTarget {
    var target = SourceTarget(name: name, kind: kind(object.text("productType") ?? ""))
    for phase in object.texts("buildPhases") {
      guard let phase = objects[phase] else { continue }
      for file in phase.texts("files") {
        try count()
        guard let reference = objects[file]?.text("fileRef") else { continue }
        for part in files(of: reference) {
          try count()
          if let path = path(of: part) { target.add(path) }
        }
      }
    }
    var own: Set<ByteString> = []
    for group in object.texts("fileSystemSynchronizedGroups") where own.insert(group).inserted {
      try count()
      if let path = path(of: group) { target.folders.insert(path) }
    }
    // A folder of another target can give this one some of its files.
    for (group, set) in exceptions[id] ?? [] {
      guard let path = path(of: group) else { continue }
      for file in objects[set]?.texts("membershipExceptions") ?? [] {
        try count()
        if own.contains(group) {
          target.excluded.insert(plainPath(joined(path, file)))
        } else {
          target.add(joined(path, file))
        }
      }
    }
    for dependency in object.texts("dependencies") {
      try count()
      guard let other = objects[dependency]?.text("target"), let name = objects[other]?.text("name")
      else { continue }
      target.dependencies.insert(name)
    }
    return target
  }

  private func kind(_ type: ByteString) -> SourceTarget.Kind {
    let last = type.split(separator: ".").dropFirst(3).joined(separator: ".")
    if last.hasPrefix("bundle.u") { return .test }
    return last.hasPrefix("framework") || last.hasPrefix("library") || last.isEmpty
      ? .library : .program
  }

  /// Returns the files of a reference: one file, or the localisations of a group of variants.
  private func files(of reference: ByteString) -> [ByteString] {
    guard let object = objects[reference] else { return [] }
    if object.text("isa") == "PBXVariantGroup" || object.text("isa") == "XCVersionGroup" {
      return Array(object.texts("children").prefix(1000))
    }
    return [reference]
  }

  /// Returns the path of a file or group from the root of the disk; nil if the project does not
  /// tell.
  private mutating func path(of id: ByteString) -> ByteString? {
    if let known = paths[id] { return known }
    let path = findPath(of: id)
    paths.updateValue(path, forKey: id)
    return path
  }

  private func findPath(of id: ByteString) -> ByteString? {
    var parts: [ByteString] = []
    var (size, steps) = (0, 0)
    var next: ByteString? = id
    while let id = next, let object = objects[id] {
      if let path = object.text("path") {
        parts.append(path)
        size += path.count
      }
      steps += 1
      // A group can contain itself, and each file repeats the paths of its groups.
      if steps > 256 || size > XcodeProject.longestPath { return nil }
      switch object.text("sourceTree") ?? "<group>" {
      case "<group>": next = parents[id]
      case "<absolute>": return plainPath(Array(parts.reversed()).joined(separator: "/"))
      case "SOURCE_ROOT": next = nil
      default: return nil
      }
    }
    return plainPath(joined(root, Array(parts.reversed()).joined(separator: "/")))
  }

  private static let longestPath = 4096
}

extension SourceTarget {
  fileprivate mutating func add(_ path: ByteString) {
    if ["xcassets", "xcstickers"].contains(pathExtension(path)) {
      catalogs.append(path)
    } else {
      sources.insert(path)
    }
  }
}

extension PropertyValue {
  fileprivate func text(_ key: ByteString) -> ByteString? {
    dictionary?[key]?.string.map { ByteString($0) }
  }

  fileprivate func texts(_ key: ByteString) -> [ByteString] {
    (dictionary?[key]?.array ?? []).compactMap { $0.string.map { ByteString($0) } }
  }
}
