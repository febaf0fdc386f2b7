// Reads the targets of a Swift package from the text of its Package.swift: calls such as
// `.target(name: "App", dependencies: ["Parts"], path: "Code")`. A target whose name or path is
// not a text is left out.

import Bytes
import CatalogModel
import Documents
import Host

func packageTargets(
  at file: ByteString, shownAs shown: ByteString, in tree: FileTree
) throws(ProjectError) -> [SourceTarget] {
  let bytes: [UInt8]
  do throws(FileError) { bytes = try tree.read(file, FileLimit.document) } catch {
    throw ProjectError("cannot read \(onOneLine(shown)): \(error.reason)", isInputOutput: true)
  }
  var targets: [SourceTarget] = []
  let calls = PackageCalls(bytes).calls
  if calls.count > SourceTarget.mostInProject {
    throw ProjectError(
      "\(onOneLine(shown)) has more than \(grouped(SourceTarget.mostInProject)) targets")
  }
  let root = parentFolder(file)
  var catalogs: [ByteString: [ByteString]] = [:]
  for call in calls {
    guard let name = call.name, !call.hasOpenPath else { continue }
    var target = SourceTarget(name: name, kind: call.kind)
    let isAlone = calls.count { ($0.kind == .test) == (call.kind == .test) } == 1
    let path = call.path ?? usualPath(of: name, call.kind, isAlone: isAlone, root, in: tree)
    let folder = plainPath(joined(root, path))
    guard staysInside(path), (try? tree.status(folder))?.kind == .folder else { continue }
    target.folders = [folder]
    target.excluded = Set(call.excluded.map { plainPath(joined(folder, $0)) })
    let found = catalogs[folder] ?? NamingFiles(below: [folder], in: tree, jobs: 1).catalogs
    catalogs[folder] = found
    target.catalogs = found.filter { catalog in
      !catalog.isOrIsInside(one: target.excluded)
    }
    target.dependencies = Set(call.dependencies)
    targets.append(target)
  }
  return targets
}

/// Returns the folder of a target that names none, as SwiftPM finds it: in the first usual folder
/// that exists. The files of the only target may lie directly in that folder.
private func usualPath(
  of name: ByteString, _ kind: SourceTarget.Kind, isAlone: Bool, _ root: ByteString,
  in tree: FileTree
) -> ByteString {
  func isFolder(_ path: ByteString) -> Bool {
    (try? tree.status(joined(root, path)))?.kind == .folder
  }
  let usual: [ByteString] = (kind == .test ? ["Tests"] : []) + ["Sources", "Source", "src", "srcs"]
  let folder = usual.first(where: isFolder) ?? usual[0]
  let own = joined(folder, name)
  return isAlone && !isFolder(own) ? folder : own
}

/// Returns whether a relative path stays in its folder. SwiftPM refuses targets outside of their
/// package.
private func staysInside(_ path: ByteString) -> Bool {
  var depth = 0
  for name in path.components where name != "." {
    depth += name == ".." ? -1 : 1
    if depth < 0 { return false }
  }
  return !path.isAbsolute
}

/// A call that declares a target.
private struct PackageCall {
  var kind: SourceTarget.Kind
  var name: ByteString?
  var path: ByteString?
  /// Whether the path is not written as a text.
  var hasOpenPath = false
  var dependencies: [ByteString] = []
  var excluded: [ByteString] = []
}

/// A text or a comment, between brackets, words and signs.
private enum PackageText {
  case comment
  case plain(ByteString)
  /// A text with escapes or values in it, whose characters are not known.
  case open
}

/// Finds the calls in the text of a package. It follows brackets, texts and comments.
private struct PackageCalls {
  private(set) var calls: [PackageCall] = []
  private let bytes: [UInt8]
  private var position = 0
  /// The number of texts around the position, one in a value of the other.
  private var nesting = 0

  private static let mostNested = 16

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    while position < bytes.count {
      if let kind = targetKind() {
        call(kind)
      } else if skipsText() == nil {
        position += 1
      }
    }
  }

  private static let kinds: [(StaticString, SourceTarget.Kind)] = [
    (".target", .packageLibrary), (".executableTarget", .program), (".testTarget", .test),
  ]

  /// Returns the kind of the target whose call begins here, and moves after its bracket.
  private mutating func targetKind() -> SourceTarget.Kind? {
    guard bytes[position] == UInt8(ascii: ".") else { return nil }
    for (word, kind) in PackageCalls.kinds {
      let end = position + word.utf8CodeUnitCount
      guard end < bytes.count,
        word.withUTF8Buffer({ bytes[position..<end].elementsEqual($0) })
      else { continue }
      var open = end
      while open < bytes.count, bytes[open] <= 32 { open += 1 }
      guard open < bytes.count, bytes[open] == UInt8(ascii: "(") else { continue }
      position = open + 1
      return kind
    }
    return nil
  }

  /// Moves after a text or a comment. Returns nil if neither begins here.
  private mutating func skipsText() -> PackageText? {
    if begins("//") {
      while position < bytes.count, bytes[position] != 10, bytes[position] != 13 { position += 1 }
      return .comment
    }
    if begins("/*") {
      skipComment()
      return .comment
    }
    var hashes = 0
    while position + hashes < bytes.count, bytes[position + hashes] == UInt8(ascii: "#") {
      hashes += 1
    }
    let start = position
    position += hashes
    if begins("\"") { return text(hashes) }
    // The caller moves after the last sign.
    position = start + max(0, hashes - 1)
    return nil
  }

  /// Moves after a comment between "/*" and "*/", which may contain others.
  private mutating func skipComment() {
    var depth = 0
    repeat {
      let (opens, closes) = (begins("/*"), begins("*/"))
      depth += opens ? 1 : closes ? -1 : 0
      position += opens || closes ? 2 : 1
    } while position < bytes.count && depth > 0
    position = min(position, bytes.count)
  }

  /// Reads a text from its quotes, which follow some number signs.
  private mutating func text(_ hashes: Int) -> PackageText {
    let isLong = begins("\"\"\"")
    let signs = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    let quotes = [UInt8](repeating: UInt8(ascii: "\""), count: isLong ? 3 : 1) + signs
    position += isLong ? 3 : 1
    var text: [UInt8] = []
    var isOpen = false
    while position < bytes.count, isLong || bytes[position] != 10 {
      if bytes[position...].starts(with: quotes) {
        position += quotes.count
        break
      }
      if bytes[position] == UInt8(ascii: "\\"), bytes[(position + 1)...].starts(with: signs) {
        position += 1 + hashes
        // An escape of other characters, or of a value, is not read.
        let escaped = position < bytes.count ? bytes[position] : 0
        let isPlain = escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\")
        if !isPlain { isOpen = true }
        if escaped == UInt8(ascii: "("), nesting < PackageCalls.mostNested {
          skipBrackets()
        } else {
          text.append(escaped)
          position = min(position + 1, bytes.count)
        }
      } else {
        text.append(bytes[position])
        position += 1
      }
    }
    return isOpen ? .open : .plain(ByteString(bytes: isLong ? unindented(text) : text))
  }

  /// Moves after a bracket in a text, in which other texts may be.
  private mutating func skipBrackets() {
    nesting += 1
    defer { nesting -= 1 }
    var depth = 0
    repeat {
      if skipsText() != nil { continue }
      if bytes[position] == UInt8(ascii: "(") { depth += 1 }
      if bytes[position] == UInt8(ascii: ")") { depth -= 1 }
      position += 1
    } while position < bytes.count && depth > 0
  }

  /// Returns the lines of a text between the first and the last line, without the indentation that
  /// the last line has.
  private func unindented(_ text: [UInt8]) -> [UInt8] {
    var lines = text.split(separator: 10, omittingEmptySubsequences: false)
    guard lines.count > 1, let indentation = lines.popLast() else { return text }
    return Array(
      lines.dropFirst().map { line in
        line.starts(with: indentation) ? line.dropFirst(indentation.count) : line
      }.joined(separator: [10]))
  }

  private func begins(_ word: StaticString) -> Bool {
    word.withUTF8Buffer { bytes[min(position, bytes.count)...].starts(with: $0) }
  }

  /// Reads the arguments of a call up to its closing bracket.
  private mutating func call(_ kind: SourceTarget.Kind) {
    var call = PackageCall(kind: kind)
    var depth = 1
    var label: ByteString = ""
    while position < bytes.count, depth > 0 {
      if let text = skipsText() {
        switch text {
        case .plain(let text): call.set(label, text)
        case .open where label == "path": call.hasOpenPath = true
        case .open, .comment: break
        }
        continue
      }
      let byte = bytes[position]
      if isIdentifierByte(byte) {
        let start = position
        while position < bytes.count, isIdentifierByte(bytes[position]) { position += 1 }
        let word = ByteString(bytes: Array(bytes[start..<position]))
        if depth == 1, position < bytes.count, bytes[position] == UInt8(ascii: ":") {
          label = word
        } else if label == "path" {
          call.hasOpenPath = true
        }
        continue
      }
      if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") { depth -= 1 }
      position += 1
    }
    calls.append(call)
  }
}

extension PackageCall {
  fileprivate mutating func set(_ label: ByteString, _ text: ByteString) {
    switch label {
    case "name": name = name ?? text
    case "path": path = path ?? text
    case "dependencies": dependencies.append(text)
    case "exclude": excluded.append(text)
    default: return
    }
  }
}
