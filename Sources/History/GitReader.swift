// The conversation with `git cat-file`: requests, answers, and the layouts of folders and commits.
//
//     request   4b825dc642cb6eb9a060e54bf8d69288fbee4904
//     answer    4b825dc642cb6eb9a060e54bf8d69288fbee4904 tree 37
//               37 bytes, and a line end
//     or        4b825dc642cb6eb9a060e54bf8d69288fbee4904 missing

import Bytes
import Host

/// An object as git sends it.
struct GitObject {
  var id: ByteString
  var type: ByteString
  var bytes: [UInt8]
}

/// One process that sends objects, one that sends their sizes, and their earlier answers.
struct GitReader: ~Copyable {
  private var objects: ChildProgram
  private var checks: ChildProgram
  private var folders: [ByteString: [ByteString: GitEntry]] = [:]
  /// The number of entries of these folders.
  private var keptEntries = 0
  private let largestObject: Int
  private var sizes: [ByteString: Int] = [:]
  /// The contents of files. Most files of a catalogue do not change from one commit to the next.
  private var files = RecentBytes<ByteString>(limit: 128 << 20)

  /// The number of entries that are kept, about 100 MB. Each commit has its own folders above a
  /// catalogue, which may have thousands of entries.
  private static let mostKeptEntries = 1 << 19
  /// The number of sizes that are asked for at once. Their answers must fit into the socket.
  private static let mostChecks = 256

  init(top: ByteString, largestObject: Int) throws(GitError) {
    self.largestObject = largestObject
    let objects = try GitReader.start("--batch", top)
    let checks = try GitReader.start("--batch-check", top)
    self.objects = objects
    self.checks = checks
  }

  private static func start(
    _ option: ByteString, _ top: ByteString
  ) throws(GitError) -> ChildProgram {
    do throws(ChildError) {
      return try ChildProgram(
        ["git", "-C", top, "cat-file", option], settings: GitRepository.settings)
    } catch {
      throw GitError(error)
    }
  }

  /// Reads an object by its id or by another name; nil if it is missing.
  mutating func object(_ name: ByteString) throws(GitError) -> GitObject? {
    let size: Int
    do throws(ChildError) {
      try objects.send((name + "\n").bytes)
      guard let head = GitHead(try objects.line()) else { return nil }
      // The header of a damaged object may state any size.
      if head.size <= largestObject {
        let bytes = try objects.bytes(head.size)
        _ = try objects.bytes(1)
        return GitObject(id: head.id, type: head.type, bytes: bytes)
      }
      size = head.size
    } catch {
      throw GitError(error)
    }
    throw .tooLarge(name, bytes: size)
  }

  /// Reads an object of a type.
  private mutating func object(
    _ id: ByteString, of type: ByteString
  ) throws(GitError) -> [UInt8] {
    // Git would make the whole object before it states the size.
    let size = try sizes(of: [id])[0]
    if size > largestObject { throw .tooLarge(id, bytes: size) }
    guard let object = try object(id) else { throw .missing(id) }
    if object.type != type { throw .damaged(id) }
    return object.bytes
  }

  /// Returns the sizes of objects.
  mutating func sizes(of ids: [ByteString]) throws(GitError) -> [Int] {
    var unknown = Set(ids).filter { sizes[$0] == nil }.sorted()[...]
    while !unknown.isEmpty {
      let part = unknown.prefix(GitReader.mostChecks)
      unknown = unknown.dropFirst(part.count)
      do throws(ChildError) {
        try checks.send(part.flatMap { ($0 + "\n").bytes })
        // All answers are taken, also after one that says that its object is missing.
        for id in part { sizes[id] = GitHead(try checks.line())?.size ?? -1 }
      } catch {
        throw GitError(error)
      }
    }
    var found: [Int] = []
    for id in ids {
      guard let size = sizes[id], size >= 0 else { throw .missing(id) }
      found.append(size)
    }
    return found
  }

  /// Returns the entries of a folder by their names.
  mutating func entries(of folder: ByteString) throws(GitError) -> [ByteString: GitEntry] {
    if let known = folders[folder] { return known }
    let entries = try GitEntry.entries(in: try object(folder, of: "tree"), of: folder)
    if keptEntries + entries.count > GitReader.mostKeptEntries { (folders, keptEntries) = ([:], 0) }
    folders[folder] = entries
    keptEntries += entries.count
    return entries
  }

  /// Returns the bytes of a file.
  mutating func contents(of file: ByteString) throws(GitError) -> [UInt8] {
    let bytes = if let known = files[file] { known } else { try object(file, of: "blob") }
    files.use(bytes, of: file)
    return bytes
  }
}

/// The first line of an answer.
private struct GitHead {
  var id: ByteString
  var type: ByteString
  var size: Int

  /// Reads a line; nil if it says that there is no such object.
  init?(_ line: [UInt8]) {
    let words = ByteString(bytes: line).split(separator: " ")
    guard words.count == 3, words[0].isHexadecimal, let size = Int(words[2].text), size >= 0 else {
      return nil
    }
    (id, type, self.size) = (words[0], words[1], size)
  }
}

extension ByteString {
  /// Whether all bytes are digits or small letters up to f.
  var isHexadecimal: Bool {
    bytes.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}

// MARK: - Layouts

extension GitEntry {
  /// Reads a folder: for each entry its mode in octal digits, a space, its name, a zero byte, and
  /// its id in 20 or 32 bytes, as many as the id of the folder has.
  static func entries(
    in bytes: [UInt8], of folder: ByteString
  ) throws(GitError) -> [ByteString: GitEntry] {
    let idSize = folder.count / 2
    var entries: [ByteString: GitEntry] = [:]
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let space = rest.firstIndex(of: UInt8(ascii: " ")),
        let end = rest[space...].firstIndex(of: 0), rest.endIndex - end > idSize
      else { throw .damaged(folder) }
      let name = ByteString(bytes: Array(rest[(space + 1)..<end]))
      let kind: GitKind
      switch ByteString(bytes: Array(rest[..<space])) {
      case "40000": kind = .folder
      case "120000": kind = .link
      case "160000": kind = .module
      default: kind = .file
      }
      let id = ByteString(hexadecimal: rest[(end + 1)...(end + idSize)])
      entries[name] = GitEntry(name: name, kind: kind, id: id)
      rest = rest[(end + idSize + 1)...]
    }
    return entries
  }
}

extension ByteString {
  fileprivate init(hexadecimal bytes: ArraySlice<UInt8>) {
    let digits = Array("0123456789abcdef".utf8)
    self.init(bytes: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}

extension GitCommit {
  /// Reads a commit: lines of a word and a value, an empty line, and the message.
  ///
  ///     tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904
  ///     parent e83c5163316f89bfbde7d9ab23ca2e25604af290
  ///     author Ada Lovelace <ada@example.org> 1112911993 -0700
  init(_ object: GitObject) throws(GitError) {
    id = object.id
    var lines = ByteString(bytes: object.bytes).split(
      separator: "\n", omittingEmptySubsequences: false)[...]
    var (tree, stamp): (ByteString?, ByteString?)
    (author, subject) = ("", "")
    while let line = lines.popFirst(), !line.isEmpty {
      let value = line.after(" ") ?? ""
      switch line.before(" ") {
      case "tree": tree = tree ?? value
      case "parent": parent = parent ?? value
      case "author": author = value.before("<").text.droppingSpaces
      case "committer": stamp = value.split(separator: ">").last
      default: continue
      }
    }
    guard let tree, tree.isHexadecimal, parent?.isHexadecimal ?? true else {
      throw .damaged(object.id)
    }
    self.tree = tree
    date = stamp.map { GitCommit.day(of: $0) } ?? ""
    subject = lines.first { !$0.isEmpty }?.text ?? ""
  }

  /// Returns the day of a time such as "1112911993 -0700", in its time zone.
  private static func day(of stamp: ByteString) -> String {
    let words = stamp.split(separator: " ")
    guard let seconds = words.first.flatMap({ Int($0.text) }),
      (0...253_402_214_400).contains(seconds)
    else { return "" }
    var shift = 0
    if words.count > 1, let zone = Int(words[1].text), abs(zone) <= 1400 {
      shift = (zone / 100 * 60 + zone % 100) * 60
    }
    // The calendar of 400 years has 146,097 days; years begin in March, so that leap days are last.
    let days = (seconds + shift + 86_400) / 86_400 - 1 + 719_468
    let (era, dayOfEra) = (days / 146_097, days % 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shifted + 2) / 5 + 1
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(two(month))-\(two(day))"
  }
}

extension String {
  fileprivate var droppingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
