// Plans fixes: the new text of each Contents.json and icon.json with findings that have a fix. By
// default these are the fixes that keep the meaning of the catalogue; the caller can ask for those
// that change it, too. A new text keeps the author's formatting, or gets Xcode's. The caller writes
// the files.
//
// A file is fixed twice, in two ways that check each other:
//
//     bytes ──parse──> value ──applying(edits)──> mended value ──formattedJSON──> Xcode's text
//     bytes ──edited(bytes, edits)──> kept text, in the author's formatting (EditText.swift)
//
// The kept text is the result if parsing it gives the mended value. Otherwise, or if the formatting
// is to change too, the result is Xcode's text.

import Bytes
import Documents
import Host

/// The new content of one file.
package struct Rewrite: Sendable, Hashable {
  package var file: ByteString
  package var bytes: [UInt8]
  /// The steps of the fix, in the imperative, in the order of the file.
  package var summaries: [String]
}

/// Plans the fixes of these kinds. With the kind `format`, it also plans the formatting of every
/// Contents.json that Xcode would write differently. After all of these rewrites are applied, a
/// second call plans nothing, unless a fix of the kind `review` makes a new finding.
package func planFixes(
  of diagnostics: [Diagnostic], in contents: CatalogContents, tree: FileTree, jobs: Int,
  kinds: Set<FixKind> = [.certain]
) -> [Rewrite] {
  let formats = kinds.contains(.format)
  var fixes: [ByteString: [Diagnostic]] = [:]
  for diagnostic in diagnostics {
    guard let fix = diagnostic.fix, kinds.contains(fix.kind) else { continue }
    fixes[diagnostic.file, default: []].append(diagnostic)
  }
  let files = contents.inputs.filter {
    ["Contents.json", "icon.json"].contains(lastComponent($0))
  }
  return parallelMap(files, jobs: jobs) { [fixes] file in
    let fixes = fixes[file] ?? []
    // The format of Icon Composer is its own.
    let formatsFile = formats && lastComponent(file) == "Contents.json"
    return fixes.isEmpty && !formatsFile
      ? nil : rewrite(file, fixes: fixes, in: tree, formats: formatsFile)
  }.compactMap { $0 }
}

/// Returns the new content of a file; nil if the file needs no change or must not be changed.
private func rewrite(
  _ file: ByteString, fixes: [Diagnostic], in tree: FileTree, formats: Bool
) -> Rewrite? {
  // The target of a link may belong to another project, so it is left alone.
  guard let status = try? tree.status(file), status.kind == .file, !status.isLink,
    let bytes = try? tree.read(file, FileLimit.contents)
  else { return nil }
  let document = JSONDocument(bytes, file: file)
  guard let value = document.writableValue else { return nil }
  let edits = fixes.compactMap(\.fix).flatMap(\.edits)
  let formatted = formattedJSON(value.applying(edits))
  let text = formats ? formatted : document.keptText(after: edits) ?? formatted
  guard text != bytes else { return nil }
  var summaries = fixes.compactMap { diagnostic in
    diagnostic.fix.map { fix in
      diagnostic.line.map { "line \($0): \(fix.summary)" } ?? fix.summary
    }
  }
  if text == formatted, summaries.isEmpty || formattedJSON(value) != text {
    summaries.append("format as Xcode does")
  }
  return Rewrite(file: file, bytes: text, summaries: summaries)
}

/// Returns the text of a file after a fix, in the formatting of its author; nil if it must not be
/// changed.
package func text(_ bytes: [UInt8], after fix: Fix) -> [UInt8]? {
  JSONDocument(bytes, file: "").text(after: fix.edits)
}

/// Returns the text of a file as Xcode formats it; nil if it must not be changed.
package func formattedContents(_ bytes: [UInt8]) -> [UInt8]? {
  JSONDocument(bytes, file: "").writableValue.map { formattedJSON($0) }
}

extension JSONDocument {
  /// Returns the text after some edits, in the formatting of its author, or else in Xcode's; nil if
  /// the text must not be changed.
  func text(after edits: [Edit]) -> [UInt8]? {
    writableValue.map { keptText(after: edits) ?? formattedJSON($0.applying(edits)) }
  }

  /// The value; nil if writing it would lose something.
  var writableValue: JSONValue? {
    guard isRewritable, let value, !value.hasInexactNumbers else { return nil }
    return value
  }

  /// Returns the text after some edits, in the formatting of its author. It counts only if its
  /// value is the value after the edits.
  fileprivate func keptText(after edits: [Edit]) -> [UInt8]? {
    guard let mended = value?.applying(edits), let kept = edited(text, edits),
      JSONDocument(kept, file: "").value == mended
    else { return nil }
    return kept
  }
}

extension JSONValue {
  /// Whether the value contains a number that cannot be written again as it was read.
  fileprivate var hasInexactNumbers: Bool {
    switch self {
    case .integer(let number): number == .max || number == .min
    case .number(let number, let text): text.isEmpty || !number.isFinite
    case .array(let elements): elements.contains { $0.hasInexactNumbers }
    case .object(let members): members.contains { $0.value.hasInexactNumbers }
    default: false
    }
  }

  /// Returns the value after some edits. Every edit names a place in this value.
  func applying(_ edits: [Edit]) -> JSONValue {
    if edits.isEmpty { return self }
    var staying: [ByteString: [Edit]] = [:]
    var moves: [(pointer: ByteString, object: ByteString)] = []
    for edit in edits {
      switch edit {
      case .rename(let pointer, _), .replace(let pointer, _), .remove(let pointer):
        staying[pointer, default: []].append(edit)
      case .move(let pointer, let object): moves.append((pointer, object))
      }
    }
    // The other edits of a member that moves, and of the values in it, change it before it moves.
    let moved = moves.compactMap { pointer, object -> (member: JSONMember, object: ByteString)? in
      guard let key = pointerTokens(pointer).last,
        let value = self[pointer: pointer]?.applying(staying, at: pointer)
      else { return nil }
      return (JSONMember(key: newKey(staying[pointer]) ?? key, value: value), object)
    }
    for (pointer, _) in moves { staying[pointer] = [.remove(pointer: pointer)] }
    var result = applying(staying, at: "") ?? .null
    for (member, object) in moved { result.add(member, toObject: object) }
    return result
  }

  /// Returns the value after the edits at and below `pointer`; nil if the value is removed.
  private func applying(_ edits: [ByteString: [Edit]], at pointer: ByteString) -> JSONValue? {
    var value = self
    for edit in edits[pointer] ?? [] {
      switch edit {
      case .remove: return nil
      case .replace(_, let new): value = new
      case .rename, .move: break
      }
    }
    switch value {
    case .array(let elements):
      return .array(
        elements.enumerated().compactMap { index, element in
          element.applying(edits, at: "\(pointer)/\(index)")
        })
    case .object(let members):
      return .object(
        members.compactMap { member in
          let memberPointer: ByteString = "\(pointer)/\(pointerToken(member.key))"
          guard let value = member.value.applying(edits, at: memberPointer) else { return nil }
          return JSONMember(key: newKey(edits[memberPointer]) ?? member.key, value: value)
        })
    default: return value
    }
  }

  private func newKey(_ edits: [Edit]?) -> ByteString? {
    for case .rename(_, let key) in edits ?? [] { return key }
    return nil
  }

  private subscript(pointer pointer: ByteString) -> JSONValue? {
    var value: JSONValue? = self
    for token in pointerTokens(pointer) {
      if case .array(let elements)? = value {
        value = Int(token.text).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      } else {
        value = value?[token]
      }
    }
    return value
  }

  /// Adds a member to an object of the root. If the object has a member with this key, that member
  /// stays.
  private mutating func add(_ member: JSONMember, toObject name: ByteString) {
    guard case .object(var members) = self else { return }
    if let index = members.firstIndex(where: { $0.key == name }) {
      guard case .object(var inner) = members[index].value else { return }
      if !inner.contains(where: { $0.key == member.key }) { inner.append(member) }
      members[index].value = .object(inner)
    } else {
      members.append(JSONMember(key: name, value: .object([member])))
    }
    self = .object(members)
  }
}
