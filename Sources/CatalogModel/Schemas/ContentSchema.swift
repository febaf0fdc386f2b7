// The schemas of Contents.json, icon.json and .carve.json (JSON Schema, 2020-12), for editors and
// validators. They are made of the descriptions that the readers of these files give of themselves
// (JSON/FieldDescription.swift), and of the meanings of the keys.

import Bytes
import Documents

/// Returns the description of a Contents.json in a set of a type; nil for a type whose sets have
/// none. Without a type, that of a group or of a catalogue.
package func contentsDescription(of type: SetType?) -> ObjectDescription? {
  let describer = FieldDescriber()
  let findings = Findings(file: "")
  let reader = SetReader(folder: Folder(path: "", name: "", catalog: 0), findings: findings)
  let root = Fields(describing: describer, findings: findings)
  switch type {
  case .iconSet, .iconBundle: return nil
  case nil, .spriteAtlas:
    var reading = FolderReading()
    readGroup(root, isRoot: type == nil, reader, into: &reading)
  case let type?: _ = reader.read(type, root)
  }
  return describer.description
}

/// The description of icon.json.
package func iconDescription() -> ObjectDescription {
  let describer = FieldDescriber()
  let findings = Findings(file: "")
  let pictures = SetReader(folder: Folder(path: "", name: "", catalog: 0), findings: findings)
  var icon = IconBundle()
  IconReader(pictures, .memory([:])).read(
    Fields(describing: describer, findings: findings), into: &icon)
  return describer.description
}

package enum ContentSchema: String, CaseIterable, Sendable {
  case contents, icon, settings

  /// Returns the schema as JSON. `platforms` are the words of `--platform`.
  package func text(platforms: [String]) -> String { json(platforms).text + "\n" }

  private func json(_ platforms: [String]) -> JSONOutput {
    let head: [JSONOutput.Member] = [
      .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
      .init("title", .string(title)), .init("description", .string(summary)),
    ]
    switch self {
    case .icon: return .object(head + members(of: iconDescription()))
    case .settings: return .object(head + members(of: settingsDescription(platforms: platforms)))
    case .contents:
      let types = SetType.allCases.compactMap { type in
        contentsDescription(of: type).map { (name: type.rawValue, object: $0) }
      }
      let all =
        [(name: "group", object: contentsDescription(of: nil) ?? ObjectDescription())] + types
      let references = all.map { JSONOutput.object([.init("$ref", .string("#/$defs/\($0.name)"))]) }
      let definitions = all.map { type in
        JSONOutput.Member(type.name, .object(members(of: type.object)))
      }
      return .object(
        head + [.init("anyOf", .array(references)), .init("$defs", .object(definitions))])
    }
  }

  private var title: String {
    switch self {
    case .contents: "Contents.json of an asset catalogue"
    case .icon: "icon.json of a layered icon"
    case .settings: "Settings of Carve for the catalogues of a project (.carve.json)"
    }
  }

  private var summary: String {
    switch self {
    case .contents:
      "The file of a set, a group or a catalogue. The extension of its folder says which of the "
        + "forms it has."
    case .icon: "A layered icon as Icon Composer 1 and 2 write it."
    case .settings:
      "The settings count for all catalogues in the folder of the file and below it, up to the next "
        + "file of this name. Options on the command line override them."
    }
  }

  private func members(of object: ObjectDescription) -> [JSONOutput.Member] {
    var properties: [JSONOutput.Member] = []
    for member in object.members {
      var schema = ContentSchema.members(of: member.kind, self)
      if let meaning = meaning(of: member.key) {
        schema.insert(.init("description", .string(meaning)), at: 0)
      }
      properties.append(.init(member.key, .object(schema)))
    }
    var members: [JSONOutput.Member] = [
      .init("type", "object"), .init("properties", .object(properties)),
      .init("additionalProperties", false),
    ]
    if !object.required.isEmpty {
      members.append(.init("required", .array(object.required.map { .string($0) })))
    }
    return members
  }

  private static func members(
    of kind: FieldKind, _ schema: ContentSchema
  ) -> [JSONOutput.Member] {
    switch kind {
    case .any: []
    case .string: [.init("type", "string")]
    case .bool: [.init("type", "boolean")]
    case .number: [.init("type", "number")]
    case .null: [.init("type", "null")]
    case .words(let words): [.init("enum", .array(words.map { .string($0) }))]
    case .array(let element):
      [.init("type", "array"), .init("items", .object(members(of: element, schema)))]
    case .object(let object): schema.members(of: object)
    case .oneOf(let kinds):
      [.init("anyOf", .array(kinds.map { .object(members(of: $0, schema)) }))]
    }
  }

  /// Returns the meaning of a key in these files; nil if it is not known.
  package func meaning(of key: String) -> String? {
    switch self {
    case .contents: contentsMeanings[key]
    case .settings: settingsMeanings[key] ?? DiagnosticCode(rawValue: key)?.page.meaning
    case .icon:
      iconMeanings[key]
        ?? key.withoutSpecializations.flatMap { iconMeanings[$0] }.map {
          "For some looks or platforms: \($0)"
        }
    }
  }
}

extension String {
  fileprivate var withoutSpecializations: String? {
    let end = "-specializations"
    return hasSuffix(end) ? String(dropLast(end.count)) : nil
  }
}
