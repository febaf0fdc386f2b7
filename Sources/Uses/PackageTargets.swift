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
    let usual: ByteString = (call.kind == .test ? "Tests/" : "Sources/") + name
    let path = call.path ?? usual
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

/// Finds the calls in the text of a package. It follows brackets, texts and comments.
private struct PackageCalls {
  private(set) var calls: [PackageCall] = []
  private let bytes: [UInt8]
  private var position = 0

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

  /// Reads a text or a comment. Returns the text; empty for a comment; nil if neither begins here.
  private mutating func skipsText() -> ByteString? {
    let next = position + 1 < bytes.count ? bytes[position + 1] : 0
    if bytes[position] == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
      while position < bytes.count, bytes[position] != 10, bytes[position] != 13 { position += 1 }
      return ""
    }
    guard bytes[position] == UInt8(ascii: "\"") else { return nil }
    let start = position + 1
    position = start
    while position < bytes.count, bytes[position] != UInt8(ascii: "\""), bytes[position] != 10 {
      position += 1
    }
    let text = ByteString(bytes: Array(bytes[start..<position]))
    position = min(position + 1, bytes.count)
    return text
  }

  /// Reads the arguments of a call up to its closing bracket.
  private mutating func call(_ kind: SourceTarget.Kind) {
    var call = PackageCall(kind: kind)
    var depth = 1
    var label: ByteString = ""
    while position < bytes.count, depth > 0 {
      if let text = skipsText() {
        if !text.isEmpty { call.set(label, text) }
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
