// Completion in a Contents.json or icon.json: keys and words from the description that the reader
// of the file gives of itself, languages, and the names of files that no entry names.

import Bytes
import CatalogModel
import Documents

extension Document {
  /// The protocol's numbers of the icons beside proposals.
  private enum Icon: Int {
    case property = 10
    case value = 12
    case file = 17
  }

  func completion(at offset: Int) -> JSONOutput {
    guard let cursor = Cursor(at: offset, in: bytes), let description = kind.description else {
      return []
    }
    if !cursor.isKey, let key = cursor.path.last, DocumentKind.fileKeys.contains(key) {
      return .array(
        unnamedFiles.map { proposal(jsonString($0.text), .file, cursor, meaning: sizeWords($0)) })
    }
    let kinds = Document.kinds(at: cursor.path, in: [.object(description)])
    if cursor.isKey {
      let members = kinds.flatMap { kind -> [ObjectDescription.Member] in
        if case .object(let object) = kind { object.members } else { [] }
      }
      return .array(
        members.filter { !cursor.keys.contains(ByteString($0.key)) }.map { keyProposal($0, cursor) }
      )
    }
    let key = cursor.path.last { !$0.isEmpty }?.text ?? ""
    let meaning = kind.meaning(of: key)
    if key == "locale" {
      return .array(
        Document.languages.map { proposal(jsonString($0), .value, cursor, meaning: meaning) })
    }
    return .array(
      kinds.flatMap { Document.words(of: $0) }.map { word in
        proposal(word, .value, cursor, meaning: meaning)
      })
  }

  /// The languages into which Apple translates its systems. A catalogue may name any other one.
  private static let languages = [
    "ar", "bg", "ca", "cs", "da", "de", "el", "en", "en-AU", "en-GB", "en-IN", "es", "es-419",
    "es-US", "fi", "fr", "fr-CA", "he", "hi", "hr", "hu", "id", "it", "ja", "kk", "ko", "lt", "ms",
    "nb", "nl", "pl", "pt-BR", "pt-PT", "ro", "ru", "sk", "sl", "sv", "th", "tr", "uk", "vi",
    "zh-Hans", "zh-Hant", "zh-HK",
  ]

  /// Returns the kinds of the values that some keys lead to.
  private static func kinds(at path: [ByteString], in kinds: [FieldKind]) -> [FieldKind] {
    var kinds = kinds.flatMap { alternatives($0) }
    for key in path {
      kinds = kinds.flatMap { kind -> [FieldKind] in
        switch kind {
        case .object(let object): object[key.text].map { alternatives($0) } ?? []
        case .array(let element): key.isEmpty ? alternatives(element) : []
        default: []
        }
      }
    }
    return kinds
  }

  private static func alternatives(_ kind: FieldKind) -> [FieldKind] {
    if case .oneOf(let kinds) = kind { kinds.flatMap { alternatives($0) } } else { [kind] }
  }

  /// Returns the texts of the values of a kind.
  private static func words(of kind: FieldKind) -> [String] {
    switch kind {
    case .words(let words): words.filter { !$0.isEmpty }.map { jsonString($0) }
    case .bool: ["true", "false"]
    default: []
    }
  }

  /// Returns a proposal for a key, with the start of its value.
  private func keyProposal(_ member: ObjectDescription.Member, _ cursor: Cursor) -> JSONOutput {
    let hasColon =
      bytes[min(cursor.replaced.upperBound, bytes.count)...]
      .first { ![9, 10, 13, 32].contains($0) } == UInt8(ascii: ":")
    return proposal(
      jsonString(member.key), .property, cursor, ending: hasColon ? "" : " : ",
      meaning: kind.meaning(of: member.key))
  }

  private func proposal(
    _ text: String, _ icon: Icon, _ cursor: Cursor, ending: String = "", meaning: String? = nil
  ) -> JSONOutput {
    // Editors compare the label with the typed text, which begins with a quote, too.
    var members: [JSONOutput.Member] = [
      .init("label", .string(text)), .init("kind", .integer(icon.rawValue)),
      .init(
        "textEdit", ["range": places.range(cursor.replaced), "newText": .string(text + ending)]),
    ]
    if let meaning { members.append(.init("documentation", .string(meaning))) }
    return .object(members)
  }
}
