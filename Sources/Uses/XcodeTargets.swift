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
  return XcodeProject(objects: objects, folder: parentFolder(project)).targets.map { target in
    var target = target
    // Xcode adds the catalogues in such folders by itself.
    let files = NamingFiles(below: target.folders, in: tree, jobs: 1)
    target.catalogs += files.catalogs.filter(target.holds)
    return target
  }
}

private struct XcodeProject {
  private let objects: [ByteString: PropertyValue]
  private let folder: ByteString
  /// The groups that contain files and groups.
  private var parents: [ByteString: ByteString] = [:]
  private var root: ByteString

  init(objects: [ByteString: PropertyValue], folder: ByteString) {
    self.objects = objects
    self.folder = folder
    root = folder
    for (id, object) in objects {
      for child in object.texts("children") { parents[child] = id }
      if object.text("isa") == "PBXProject", let below = object.text("projectDirPath"),
        !below.isEmpty
      {
        root = plainPath(joined(folder, below))
      }
    }
  }

  var targets: [SourceTarget] {
    let all = objects.filter {
      ["PBXNativeTarget", "PBXAggregateTarget", "PBXLegacyTarget"].contains($0.value.text("isa"))
    }
    return all.keys.sorted().compactMap { id in
      guard let object = all[id], let name = object.text("name") else { return nil }
      return target(id, object, name)
    }
  }

  private func target(_ id: ByteString, _ object: PropertyValue, _ name: ByteString) -> SourceTarget
  {
    var target = SourceTarget(name: name, kind: kind(object.text("productType") ?? ""))
    for phase in object.texts("buildPhases") {
      guard let phase = objects[phase] else { continue }
      for file in phase.texts("files") {
        guard let reference = objects[file]?.text("fileRef") else { continue }
        for path in files(of: reference) { target.add(path) }
      }
    }
    for group in object.texts("fileSystemSynchronizedGroups") {
      guard let path = path(of: group) else { continue }
      target.folders.append(path)
      target.excluded += exceptions(of: group) { $0 == id }.map { joined(path, $0) }
    }
    // A folder of another target can give this one some of its files.
    for (group, value) in objects
    where value.text("isa") == "PBXFileSystemSynchronizedRootGroup" {
      guard let path = path(of: group), !target.folders.contains(path) else { continue }
      for file in exceptions(of: group, where: { $0 == id }) { target.add(joined(path, file)) }
    }
    for dependency in object.texts("dependencies") {
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

  /// Returns the names of the exceptions of a folder for a target.
  private func exceptions(
    of group: ByteString, where isWanted: (ByteString) -> Bool
  ) -> [ByteString] {
    (objects[group]?.texts("exceptions") ?? []).flatMap { id -> [ByteString] in
      guard let set = objects[id], let target = set.text("target"), isWanted(target) else {
        return []
      }
      return set.texts("membershipExceptions")
    }
  }

  /// Returns the files of a reference: one file, or the localisations of a group of variants.
  private func files(of reference: ByteString) -> [ByteString] {
    guard let object = objects[reference] else { return [] }
    let children = object.texts("children")
    if object.text("isa") == "PBXVariantGroup" || object.text("isa") == "XCVersionGroup" {
      return children.prefix(1000).compactMap { path(of: $0) }
    }
    return [path(of: reference)].compactMap { $0 }
  }

  /// Returns the path of a file or group from the root of the disk; nil if the project does not
  /// tell.
  private func path(of id: ByteString) -> ByteString? {
    var parts: [ByteString] = []
    var next: ByteString? = id
    var depth = 0
    while let id = next, let object = objects[id], depth < 256 {
      depth += 1
      if let path = object.text("path") { parts.insert(path, at: 0) }
      switch object.text("sourceTree") ?? "<group>" {
      case "<group>": next = parents[id]
      case "<absolute>": return plainPath(parts.joined(separator: "/"))
      case "SOURCE_ROOT": next = nil
      default: return nil
      }
    }
    return plainPath(joined(root, parts.joined(separator: "/")))
  }
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
