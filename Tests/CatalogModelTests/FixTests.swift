// Tests the safe fixes: they keep the meaning of a file, and a second run has nothing to fix.

import CatalogModel
import Foundation
import Support
import Testing

private func rewrites(_ builder: TreeBuilder, formats: Bool = true) -> [Rewrite] {
  let contents = builder.read()
  return planFixes(
    of: contents.diagnostics, in: contents, tree: builder.tree, jobs: 1,
    kinds: formats ? [.certain, .format] : [.certain])
}

extension TreeBuilder {
  /// The catalogue after the fixes.
  fileprivate var mended: TreeBuilder { mended(formats: true) }

  fileprivate func mended(formats: Bool) -> TreeBuilder {
    rewrites(self, formats: formats).reduce(self) { $0.outside($1.file.text, .bytes($1.bytes)) }
  }
}

/// Files with all faults that can be mended.
private let faulty = [
  "\u{FEFF}{\"images\":[],}",
  #"{"images":[{"Idiom":"iPhone","scale":2,"unassigned":false},{"unassigned":true}]}"#,
  #"{"info":{"version":1,"template-rendering-intent":"template","author":"xcode"}}"#,
  #"{"info":{"template-rendering-intent":"template"},"properties":{"localizable":"YES"}}"#,
  #"{"info":{"template-rendering-intent":"ORIGINAL"}}"#,
  #"{"info":{"template-rendering-intent":"TEMPLATE"},"properties":{"localizable":true}}"#,
  #"{"info":{"template-rendering-intent":"template"},"Properties":{"localizable":true}}"#,
  #"{"images":[{"resizing":{"mode":"9-part","capInsets":{"top":1.50},"center":{"mode":"fill"}}}]}"#,
  #"{"images":[{"screenWidth":"{130,145}","filename":"\u00e9\/\"\\\u0001.png"}]}"#,
  #"{"properties":{"on-demand-resource-tags":["b","a"]},"extra":[1,2.50,-0.0,1e3,null,true]}"#,
]

@Suite struct FixTests {
  @Test(arguments: faulty, [true, false]) func fixesLeaveNothingToDo(text: String, formats: Bool) {
    let builder = TreeBuilder().folder("S.imageset", text)
    #expect(formats ? !rewrites(builder).isEmpty : true)
    let mended = builder.mended(formats: formats)
    #expect(rewrites(mended, formats: formats) == [])
    #expect(!mended.read().diagnostics.contains { $0.fix?.kind == .certain })
  }

  @Test(arguments: faulty, [true, false]) func fixesLeaveTheMeaning(
    text: String, formats: Bool
  ) throws {
    let builder = TreeBuilder().folder("S.imageset", text)
    let before = try #require(builder.read().images("S"))
    let after = try #require(builder.mended(formats: formats).read().images("S"))
    #expect(after.renderingIntent == before.renderingIntent)
    #expect(after.isLocalizable == before.isLocalizable)
    // Only entries that name no file and are unassigned may be removed.
    let kept = before.entries.filter { !($0.slot.isUnassigned && $0.file == nil) }
    #expect(after.entries.map(\.slot.key) == kept.map(\.slot.key))
    #expect(after.entries.map(\.file) == kept.map(\.file))
    #expect(after.entries.map(\.resizing) == kept.map(\.resizing))
  }

  /// Each row is a file and its text after the fixes. All other bytes stay the same.
  @Test(arguments: [
    (
      "{\n\t\"images\": [\n\t\t{ \"Idiom\":\"iPhone\", \"scale\" : 2 }\n\t]\n}",
      "{\n\t\"images\": [\n\t\t{ \"idiom\":\"iphone\", \"scale\" : \"2x\" }\n\t]\n}"
    ),
    ("\u{FEFF}{ \"images\":[ ], }\r\n", "{ \"images\":[ ] }\r\n"),
    (
      #"{"b":2.50,"images":[{"unassigned":true},{"scale":"1x"},{"unassigned":true}],"a":"\u00e9"}"#,
      #"{"b":2.50,"images":[{"scale":"1x"}],"a":"\u00e9"}"#
    ),
    (
      "{\n    \"info\": {\n        \"template-rendering-intent\": \"template\",\n        \"version\": 1\n    }\n}\n",
      "{\n    \"info\": {\n        \"version\": 1\n    },\n    \"properties\": {\n        \"template-rendering-intent\": \"template\"\n    }\n}\n"
    ),
    (
      #"{"info":{"template-rendering-intent":"template"},"properties":{"localizable":true}}"#,
      #"{"info":{},"properties":{"localizable":true,"template-rendering-intent":"template"}}"#
    ),
    (
      #"{ "info" : { "template-rendering-intent" : "ORIGINAL" } }"#,
      #"{ "info" : {}, "properties" : {"template-rendering-intent" : "original" } }"#
    ),
  ]) func theRestOfAFileStaysAsItIs(text: String, mended: String) throws {
    let builder = TreeBuilder().folder("S.imageset", text)
    let rewrite = try #require(rewrites(builder, formats: false).first)
    #expect(String(decoding: rewrite.bytes, as: UTF8.self) == mended)
    #expect(!rewrite.summaries.contains { $0.contains("format") })
    #expect(rewrites(builder.mended(formats: false), formats: false) == [])
  }

  /// A key moves only to an object without it. Otherwise a fix would delete its value.
  @Test(arguments: [
    #""properties":[]"#, #""properties":null"#,
    #""properties":{"templaterenderingintent":"templat"}"#,
    #""properties":{"template-rendering-intent":7}"#,
  ]) func aKeyThatCannotMoveStays(properties: String) throws {
    let info = #""info":{"template-rendering-intent":"template"}"#
    let builder = TreeBuilder().folder("S.imageset", #"{\#(properties),\#(info)}"#)
    #expect(builder.read().diagnostics.contains { $0.code == .misplacedKey })
    let mended = builder.mended(formats: false).read().images("S")
    #expect(mended?.renderingIntent == .template)
  }

  @Test func otherFormatsAreLeftUnlessFormattingIsRequested() {
    let builder = TreeBuilder().folder("S.imageset", #"{"images":[],"info":{"version":1}}"#)
    #expect(rewrites(builder, formats: false) == [])
    #expect(rewrites(builder, formats: true).map(\.summaries) == [["format as Xcode does"]])
  }

  @Test func formattedTextIsThatOfXcode() throws {
    let text = #"{"info":{"version":1,"author":"xcode"},"images":[],"z":2.50,"a":"é\/\""}"#
    let rewrite = try #require(rewrites(TreeBuilder().folder("S.imageset", text)).first)
    #expect(
      String(decoding: rewrite.bytes, as: UTF8.self) == """
        {
          "a" : "é/\\"",
          "images" : [

          ],
          "info" : {
            "author" : "xcode",
            "version" : 1
          },
          "z" : 2.50
        }

        """)
  }

  @Test(arguments: [
    "{\"images\":[}", #"{"a":1,"a":2}"#, #"{"a":99999999999999999999}"#, #"{"a":1e999}"#,
  ])
  func ambiguousEntriesAreLeft(text: String) {
    #expect(rewrites(TreeBuilder().folder("S.imageset", text)) == [])
  }

  @Test func aFileBehindALinkIsLeft() {
    let builder = TreeBuilder().special("S.imageset/Contents.json", .link(to: "shared.json"))
      .outside("shared.json", .bytes(Array("{}".utf8)))
    #expect(rewrites(builder) == [])
  }

  /// Formats random objects: formatting twice changes nothing more, and another parser reads the
  /// same values.
  @Test func formattingIsIdempotentAndExact() throws {
    var random = SeededGenerator.forTest(0xF0)
    for _ in 0..<200 {
      let text = "{\"extra\":\(randomJSON(&random, depth: 4))}"
      let builder = TreeBuilder().folder("S.imageset", text)
      let mended = builder.mended
      #expect(rewrites(mended) == [], "\(random) \(text)")
      guard case .bytes(let bytes)? = mended.files["A.xcassets/S.imageset/Contents.json"] else {
        continue
      }
      let before = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
      let after = try JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary
      #expect(before == after, "\(random) \(text)")
    }
  }
}

private func randomJSON(_ random: inout SeededGenerator, depth: Int) -> String {
  switch random.pick(0...(depth == 0 ? 4 : 6)) {
  case 0: return ["true", "false", "null"][random.pick(0...2)]
  case 1: return String(random.pick(-1_000_000...1_000_000))
  case 2: return "\(random.pick(-99...99)).\(random.pick(0...999))"
  case 3, 4:
    let letters = ["a", "é", "\\n", "\\\"", "\\u0007", "/", "😀", "\\\\"]
    let word = (0..<random.pick(0...5)).map { _ in letters[random.pick(0...letters.count - 1)] }
    return "\"\(word.joined())\""
  case 5:
    let items = (0..<random.pick(0...4)).map { _ in randomJSON(&random, depth: depth - 1) }
    return "[\(items.joined(separator: ","))]"
  default:
    let items = (0..<random.pick(0...4)).map { index in
      "\"k\(index)\":\(randomJSON(&random, depth: depth - 1))"
    }
    return "{\(items.joined(separator: ","))}"
  }
}
