// Tests of the schemas that are made of the readers' descriptions. `Tests/Schemas/run` validates
// real files with them.

import Foundation
import Testing

@testable import CatalogModel

@Suite struct SchemaTests {
  /// Returns the keys of an object and of the objects in it.
  private func keys(of object: ObjectDescription) -> Set<String> {
    object.members.reduce(into: []) { all, member in
      all.insert(member.key)
      all.formUnion(keys(of: member.kind))
    }
  }

  private func keys(of kind: FieldKind) -> Set<String> {
    switch kind {
    case .object(let object): keys(of: object)
    case .array(let element): keys(of: element)
    case .oneOf(let kinds): kinds.reduce(into: []) { $0.formUnion(keys(of: $1)) }
    default: []
    }
  }

  @Test func everyKeyHasAMeaning() {
    let contents = ([nil] + SetType.allCases.map { $0 }).compactMap { contentsDescription(of: $0) }
    let schemas: [(ContentSchema, keys: Set<String>, known: String)] = [
      (.contents, contents.reduce(into: []) { $0.formUnion(keys(of: $1)) }, "filename"),
      (.icon, keys(of: iconDescription()), "groups"),
      (.settings, keys(of: settingsDescription(platforms: ["iphoneos"])), "platform"),
    ]
    for (schema, keys, known) in schemas {
      #expect(keys.contains(known))
      for key in keys { #expect(schema.meaning(of: key) != nil, "\(key)") }
    }
  }

  @Test func everyMeaningBelongsToAKey() {
    let contents = ([nil] + SetType.allCases.map { $0 }).compactMap { contentsDescription(of: $0) }
    let known = contents.reduce(into: Set<String>(), { $0.formUnion(keys(of: $1)) })
    #expect(Set(contentsMeanings.keys).subtracting(known) == [])
    #expect(Set(iconMeanings.keys).subtracting(keys(of: iconDescription())) == [])
  }

  @Test func anImageSetIsDescribedByItsReader() throws {
    let set = try #require(contentsDescription(of: .imageSet))
    #expect(set.members.map(\.key) == ["info", "properties", "images"])
    guard case .array(of: .object(let entry))? = set["images"] else {
      Issue.record("images is not an array of objects")
      return
    }
    #expect(entry["filename"] == .string)
    #expect(entry["scale"] == .words(["1x", "2x", "3x"]))
    guard case .array(of: .object(let appearance))? = entry["appearances"] else {
      Issue.record("appearances is not an array of objects")
      return
    }
    #expect(appearance.required == ["appearance", "value"])
  }

  @Test func aLayeredIconIsDescribedByItsReader() {
    let icon = iconDescription()
    #expect(icon.required == ["groups", "supported-platforms"])
    #expect(icon["fill-specializations"] != nil)
    guard case .oneOf(let kinds)? = icon["fill"] else {
      Issue.record("fill has one kind: \(String(describing: icon["fill"]))")
      return
    }
    #expect(kinds.contains(.words(["none", "automatic", "system-light", "system-dark"])))
  }

  @Test(arguments: ContentSchema.allCases) func schemasAreObjects(schema: ContentSchema) throws {
    let text = schema.text(platforms: ["iphoneos"])
    let root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(root?["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
  }
}
