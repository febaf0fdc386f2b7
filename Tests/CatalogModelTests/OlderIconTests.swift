// Icons that are rewritten for Xcode 26: the changes, the rest, which stays as it was, and icons
// that are refused.

import Bytes
import Support
import Testing

@testable import CatalogModel
@testable import Host

@Suite struct OlderIconTests {
  private func rewritten(
    _ json: String, files: [String] = []
  ) throws -> (text: String?, findings: [Diagnostic], files: [ByteString]) {
    var tree: [ByteString: MemoryFile] = ["A.icon": .folder, "A.icon/Assets": .folder]
    tree["A.icon/icon.json"] = .bytes(Array(json.utf8))
    for file in files {
      tree["A.icon/\(file)"] = .bytes([1])
      tree[ByteString("A.icon/\(file)").components.dropLast().joined(separator: "/")] = .folder
    }
    let icon = try iconForXcode26("A.icon", in: .memory(tree))
    return (icon.text.map { String(decoding: $0, as: UTF8.self) }, icon.findings, icon.files)
  }

  /// Each change alone: the members of a group or of the icon before and after, and the message.
  @Test(arguments: [
    (#""features":["refractivity"],"groups":[]"#, #""groups":[]"#, #""features" is left out"#),
    (#""groups":[],"languages":["ja"]"#, #""groups":[]"#, #""languages" is left out"#),
    (
      #""groups":[],"implicit-asset-mirroring":true"#, #""groups":[]"#,
      #""implicit-asset-mirroring" is left out"#
    ),
    (
      #""supported-platforms":{"squares":"unique"}"#,
      #""supported-platforms":{"squares":"shared"}"#,
      #""squares": "unique" is written as "shared""#
    ),
    (
      #""groups":[{"specular":"inside"}]"#, #""groups":[{"specular":true}]"#,
      #""specular": "inside" is written as true"#
    ),
    (
      #""groups":[{"specular":"none"}]"#, #""groups":[{"specular":false}]"#,
      #""specular": "none" is written as false"#
    ),
    (
      #""groups":[{"layers":[],"specular":"above"}]"#, #""groups":[{"layers":[]}]"#,
      #"the unknown value "above" of "specular" is left out"#
    ),
    (
      #""groups":[{"specular-specializations":[{"value":"outside"},{"appearance":"dark","value":false}]}]"#,
      #""groups":[{"specular-specializations":[{"value":true},{"appearance":"dark","value":false}]}]"#,
      #""specular": "outside" is written as true"#
    ),
    (
      #""groups":[{"refractivity":{"enabled":true,"strength":-0.5,"depth":0.5},"layers":[]}]"#,
      #""groups":[{"layers":[]}]"#, #""refractivity" is left out"#
    ),
    (
      #""groups":[{"layers":[],"refractivity-specializations":[{"value":{}},{"appearance":"dark","value":{}}]}]"#,
      #""groups":[{"layers":[]}]"#, #""refractivity-specializations" is left out"#
    ),
    (
      #""groups":[{"layers":[{"image-name":"a.png","asset-mirroring":{"mirrorable":true}}]}]"#,
      #""groups":[{"layers":[{"image-name":"a.png"}]}]"#, #""asset-mirroring" is left out"#
    ),
    (
      #""groups":[{"shadow":{"kind":"automatic","opacity":0.5}}]"#,
      #""groups":[{"shadow":{"kind":"neutral","opacity":0.5}}]"#,
      #""kind": "automatic" is written as "neutral""#
    ),
    (
      #""groups":[{"shadow":{"kind":"neutral","opacity":1.25}}]"#,
      #""groups":[{"shadow":{"kind":"neutral","opacity":1}}]"#,
      "the opacity 1.25 of the shadow is written as 1"
    ),
    (
      #""fill":{"solid":"named:system-red"},"groups":[]"#, #""groups":[]"#,
      #"the fill with the colour "named:system-red" is left out"#
    ),
    (
      #""fill-specializations":[{"value":"automatic"},{"appearance":"dark","value":{"linear-gradient":["gray:0,1","named:system-mint"]}}]"#,
      #""fill-specializations":[{"value":"automatic"}]"#,
      #"the fill with the colour "named:system-mint" is left out"#
    ),
    (
      #""groups":[],"fill-specializations":[{"value":{"solid":"named:system-red"}}]"#,
      #""groups":[]"#,
      #"the fill with the colour "named:system-red" is left out"#
    ),
    (
      #""groups":[{"opacity-specializations":[{"appearance":"base","value":0.5}]}]"#,
      #""groups":[{"opacity-specializations":[{"value":0.5}]}]"#,
      #""appearance": "base" is left out"#
    ),
    (
      #""groups":[{"opacity-specializations":[{"value":0.5},{"localization":"ja","value":1}]}]"#,
      #""groups":[{"opacity-specializations":[{"value":0.5}]}]"#,
      #"the value for one "localization" is left out"#
    ),
  ])
  func oneChangeLeavesTheRest(before: String, after: String, message: String) throws {
    let icon = try rewritten("{\(before)}")
    #expect(icon.text == "{\(after)}")
    #expect(icon.findings.map(\.message) == [message])
    #expect(icon.findings.allSatisfy { $0.code == .needsXcode27 && $0.line == 1 })
    // A second run has nothing to change.
    #expect(try rewritten("{\(after)}").findings == [])
  }

  @Test func theFormattingOfTheAuthorStays() throws {
    let icon = try rewritten(
      """
      {
        "features" : [ "refractivity" ],
        "fill" : { "solid" : "srgb:0.10000,0.20000,0.3,1" },
        "groups" : [ {
            "layers" : [ { "image-name" : "é.png",
              "opacity" : 0.50 } ],
            "refractivity" : { "depth" : 0.5, "enabled" : true, "strength" : -0.5269921875 }
        } ]
      }

      """)
    #expect(
      icon.text == """
        {
          "fill" : { "solid" : "srgb:0.10000,0.20000,0.3,1" },
          "groups" : [ {
              "layers" : [ { "image-name" : "é.png",
                "opacity" : 0.50 } ]
          } ]
        }

        """)
    #expect(icon.findings.map(\.line) == [2, 7])
  }

  @Test func filesAreCopiedExceptLocalizedPictures() throws {
    let icon = try rewritten(
      "{}", files: ["Assets/a.png", "Assets/ja.lproj/a.png", "Assets/.DS_Store", "note.txt"])
    #expect(icon.files == ["Assets/a.png", "note.txt"])
    #expect(
      icon.findings.map(\.message) == [
        #"the localised pictures in "Assets/ja.lproj" are left out"#
      ])
  }

  @Test func aHiddenFileThatALayerNamesIsCopied() throws {
    let icon = try rewritten(
      #"{"groups":[{"layers":[{"image-name":".a.png"},{"image-name-specializations":[{"value":".b.png"}]}]}]}"#,
      files: ["Assets/.a.png", "Assets/.b.png", "Assets/.c.png", ".a.png"])
    #expect(icon.files == ["Assets/.a.png", "Assets/.b.png"])
  }

  /// A form that is accepted although it is not strict JSON is mended and reported.
  @Test func aCommaTooManyIsRemoved() throws {
    let icon = try rewritten(#"{"groups":[],}"#)
    #expect(icon.text == #"{"groups":[]}"#)
    #expect(icon.findings.map(\.code) == [.jsonTrailingComma])
  }

  @Test func tooManyChangesAreAnError() throws {
    let groups = [String](repeating: #"{"specular":"inside"}"#, count: 10_001)
    let icon = try rewritten(#"{"groups":[\#(groups.joined(separator: ","))]}"#)
    #expect(icon.text == nil && icon.findings.map(\.code) == [.jsonTooLarge])
    #expect(icon.findings.first?.severity == .error)
  }

  @Test(arguments: [
    ("[]", DiagnosticCode.wrongType), ("{", .jsonSyntax),
    (#"{"groups":[],"groups":[]}"#, .jsonDuplicateKey),
  ])
  func foldersThatAreNoIconsAreRefused(json: String, code: DiagnosticCode) throws {
    let icon = try rewritten(json)
    #expect(icon.text == nil)
    #expect(icon.findings.map(\.code) == [code] && icon.findings.first?.severity == .error)
  }

  @Test func anIconWithoutFilesCannotBeRead() {
    #expect(throws: FileError.notFound) { try iconForXcode26("B.icon", in: .memory([:])) }
  }
}
