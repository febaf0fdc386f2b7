// Joins several objects: one tree with all their answers, and the finished blocks of all their
// renditions. Reader, plan and archive writer are those of a compilation without objects; they get
// the tree of the objects in place of the disk. An example:
//
//   carve compile --object A.xcassets     A.caro: answers of the disk, blocks of the pictures in A
//   carve compile --object B.xcassets     B.caro: the same for B
//   carve link A.caro B.caro
//
//      reader ──▶ plan ──▶ encode ──▶ write          the passes of the link
//        │                   │
//   reads A.xcassets/…   asks for the block of a rendition by its `ObjectKey`
//        │                   │
//      tree               blocks(of:)                this file
//        ▲                   ▲
//      answers of A and B    blocks of A and B
//
// The reader therefore finds the same sets as on the disk, so the plan, the names and the numbers
// are those of one compilation. The link makes only the atlases and the blocks of renditions that
// are not made from files, such as colours, tables of icon sizes and stacks.

import Archive
import Bytes
import CatalogModel
import Codecs
import Host
import Imaging
import Synchronization
import Traits

package final class LinkedObjects: FinishedBlocks {
  /// The names of the catalogues, in the order in which the objects first mention them.
  package let catalogs: [ByteString]
  package let options: CompileOptions
  package let objects: [ObjectFile]
  private let answers: StoredAnswers
  private let blocks: [ObjectKey: [FileBytes]]

  package init(_ inputs: [ObjectInput], jobs: Int, isTrusted: Bool = false) throws(ObjectError) {
    let read = parallelMap(inputs, jobs: jobs) { input in
      Result { () throws(ObjectError) in try ObjectFile(input, isTrusted: isTrusted) }
    }
    var objects: [ObjectFile] = []
    for object in read { objects.append(try object.get()) }
    guard let first = objects.first else { throw ObjectError("there is no object to link") }
    for object in objects.dropFirst() {
      if let (here, there) = object.settings.difference(from: first.settings) {
        throw ObjectError(
          "\(object.input.path) was compiled with \(here), and \(first.input.path) with \(there); "
            + "compile them with the same settings")
      }
    }
    var names: [ByteString] = []
    for object in objects where !names.contains(object.scope.name) {
      names.append(object.scope.name)
    }
    catalogs = names
    options = first.options
    self.objects = objects
    try LinkedObjects.checkTwins(objects)
    answers = try LinkedObjects.joinedAnswers(of: objects)
    try LinkedObjects.checkGaps(objects)
    var blocks: [ObjectKey: [FileBytes]] = [:]
    for object in objects {
      do throws(RecordDamage) {
        for (key, block) in try object.rows() { blocks[key, default: []].append(block) }
      } catch {
        throw ObjectError("\(object.input.path): \(ObjectError.damaged.message)")
      }
    }
    self.blocks = blocks
  }
}

// MARK: - Checks between objects

extension LinkedObjects {
  /// Refuses the same object under two paths, and a path that is given twice.
  private static func checkTwins(_ objects: [ObjectFile]) throws(ObjectError) {
    var seen: [UInt64: ObjectFile] = [:]
    for object in objects {
      if let twin = seen[object.checksum], twin.scope == object.scope {
        throw ObjectError(
          twin.input.path == object.input.path
            ? "\(object.input.path) is given twice; name each object once"
            : "\(object.input.path) and \(twin.input.path) are the same object; name only one "
              + "of them"
        )
      }
      seen[object.checksum] = object
    }
  }

  /// Refuses an object that leaves out a group if no other object holds that group.
  private static func checkGaps(_ objects: [ObjectFile]) throws(ObjectError) {
    for object in objects {
      for folders in object.scope.without {
        let isHeld = objects.contains { other in
          other.scope.name == object.scope.name && !other.scope.group.isEmpty
            && (other.scope.group.starts(with: folders) || folders.starts(with: other.scope.group))
        }
        if isHeld { continue }
        throw ObjectError(
          "\(object.input.path) leaves \(joined(object.scope.name, folders.joined(separator: "/"))) "
            + "out, and no other object here holds it; compile that group, and name its object")
      }
    }
  }

  private static func joinedAnswers(of objects: [ObjectFile]) throws(ObjectError) -> StoredAnswers {
    var all = StoredAnswers()
    var holders: [ByteString: ObjectFile] = [:]
    for object in objects {
      let held = object.answers
      for (path, list) in held.folders {
        try join(list, of: path, from: object, into: &all, &holders)
      }
      all.entries.merge(held.entries) { first, _ in first }
      all.realPaths.merge(held.realPaths) { first, _ in first }
      all.parts.merge(held.parts) { first, _ in first }
      for (path, contents) in held.files {
        if let known = all.files[path], !contents.agrees(with: known) {
          throw ObjectError(
            "\(object.input.path) was compiled with a different \(path) than the objects before "
              + "it; compile them again")
        }
        all.files[path] = contents
      }
    }
    return all
  }

  /// Merges the list of a folder of which several objects hold parts. Every other folder may be in
  /// one object only.
  private static func join(
    _ list: Result<[FileEntry], FileError>, of path: ByteString, from object: ObjectFile,
    into all: inout StoredAnswers, _ holders: inout [ByteString: ObjectFile]
  ) throws(ObjectError) {
    let folders = object.scope.folders(of: path) ?? []
    if !object.scope.isOnTheWay(folders) {
      if let other = holders[path] {
        let shown = try firstAsset(in: object, and: other) ?? path
        throw ObjectError(
          "\(shown) is in \(other.input.path) and in \(object.input.path); if one object holds "
            + "a group of the other, compile the other with --without; if they are two "
            + "catalogues, compile them from a folder above both"
        )
      }
      holders[path] = object
    }
    guard case .success(let new) = list, case .success(let old)? = all.folders[path] else {
      if all.folders[path] == nil { all.folders[path] = list }
      return
    }
    var entries = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
    for entry in new where entries[entry.name] == nil { entries[entry.name] = entry }
    all.folders[path] = .success(
      entries.values.sorted { $0.name < $1.name })
  }

  /// Returns a set that both objects hold.
  private static func firstAsset(
    in a: ObjectFile, and b: ObjectFile
  ) throws(ObjectError) -> ByteString? {
    a.answers.folders.keys.filter { b.answers.folders[$0] != nil }
      .filter { FolderRole.setType(pathExtension(lastComponent($0))) != nil }.min()
  }
}

// MARK: - Contents of the objects

extension LinkedObjects {
  /// The tree with the answers that the objects hold.
  package var tree: FileTree {
    FileTree(
      list: { (path) throws(FileError) in try self.held(self.answers.folders[path]) },
      status: { (path) throws(FileError) in try self.held(self.answers.entries[path]) },
      read: { (path, limit) throws(FileError) in
        let bytes: FileBytes
        do throws(FileError) { bytes = try self.held(self.answers.files[path]) } catch {
          guard case .tooLarge(let size, _) = error else { throw error }
          throw .tooLarge(size: size, limit: limit)
        }
        if bytes.count > limit { throw .tooLarge(size: bytes.count, limit: limit) }
        return Array(bytes.buffer)
      },
      readPart: { (path, offset, count) throws(FileError) in
        let range = FileRange(path: path, offset: offset, count: count)
        let part = try self.held(self.answers.parts[range])
        return FilePart(bytes: Array(part.bytes.buffer), fileSize: part.size)
      },
      realPath: { (path) throws(FileError) in try self.held(self.answers.realPaths[path]) })
  }

  private func held<Answer>(_ answer: Result<Answer, FileError>?) throws(FileError) -> Answer {
    guard let answer else { throw .notHeld }
    return try answer.get()
  }

  /// Returns the finished blocks of a rendition; nil if it must be made.
  func blocks(
    of planned: PlannedRendition, _ settings: EncodingSettings
  ) -> [EncodedRendition]? {
    guard let found = stored(planned), !found.isEmpty else { return nil }
    var made: [EncodedRendition] = []
    for bytes in found {
      guard let block = try? ObjectBlock(bytes.buffer),
        let rest = try? bytes.suffix(from: ObjectBlock.headSize, "a block")
      else { return nil }
      if let facts = block.facts, block.isForAtlas {
        guard settings.putsIntoAtlas(facts, of: planned) else {
          return nil
        }
        made.append(.small(block.gamut, DecodedPicture(facts: facts, key: block.key)))
      } else {
        made.append(.linked(block.gamut, rest, block.facts))
      }
    }
    // Whether a wide rendition is stored beside the sRGB one depends on all catalogues.
    let isWidened = settings.derivesWideGamut(of: planned)
    if !isWidened { return [made[0]] }
    if made.count == 1, made[0].facts?.hasWiderSource == true { return nil }
    return made
  }

  /// Returns the pixels of a small picture.
  func bitmap(
    of planned: PlannedRendition, _ gamut: Gamut, _ scratch: inout DecodingScratch
  ) -> Bitmap? {
    for bytes in (stored(planned) ?? []).lazy.map(\.buffer) {
      guard let block = try? ObjectBlock(bytes), block.isForAtlas, block.gamut == gamut,
        let facts = block.facts
      else { continue }
      let packed = UnsafeRawBufferPointer(rebasing: bytes[ObjectBlock.headSize...])
      return unpackedBitmap(packed, facts, &scratch)
    }
    return nil
  }

  private func stored(_ planned: PlannedRendition) -> [FileBytes]? {
    ObjectKey(planned, known: { $0 }).flatMap { blocks[$0] }
  }
}

extension Result<FileBytes, FileError> {
  /// Returns whether two objects read the same: equal bytes, or no file.
  fileprivate func agrees(with other: Self) -> Bool {
    switch (self, other) {
    case (.success(let own), .success(let theirs)): own.buffer.elementsEqual(theirs.buffer)
    case (.failure, .failure): true
    case (.success, .failure), (.failure, .success): false
    }
  }
}
