// Tests of the facts about a picture that an editor shows, and of its proposals.

import Bytes
import Documents
import Support
import Testing

@Suite struct HoverTests {
  private static let file: ByteString = "/w/A.xcassets/star.imageset/Contents.json"
  private static let text = """
    {"images": [{"idiom": "universal", "scale": "2x", "filename": "two.png"},
                {"idiom": "universal", "scale": "3x", "filename": "three.png"}]}
    """

  private func words(at line: Int, _ editor: inout TestEditor) -> String {
    let answer = editor.request(
      "textDocument/hover",
      [
        "textDocument": ["uri": "file:///w/A.xcassets/star.imageset/Contents.json"],
        "position": ["line": .integer(line), "character": 66],
      ])
    return answer["contents"]?.text("value") ?? ""
  }

  @Test func aPictureHasItsBytesAndItsDevices() {
    let folder: ByteString = "/w/A.xcassets/star.imageset"
    var editor = TestEditor([
      Self.file: .bytes(Array(Self.text.utf8)),
      folder + "/two.png": .bytes(png(width: 20, height: 20, red: 9, alpha: 80)),
      folder + "/three.png": .bytes(png(width: 30, height: 30, red: 9, alpha: 80)),
    ])
    editor.open(Self.file, Self.text)
    let two = words(at: 0, &editor)
    #expect(two.contains("20×20") && two.contains("in an archive ") && two.contains("every iPad"))
    let three = words(at: 1, &editor)
    #expect(three.contains("30×30") && three.contains(" iPhone models"))
    #expect(!three.contains("iPad"))
  }

  /// The time grows with the number of missing slots, not with its square.
  @Test func manyMissingSlotsAreAdded() {
    let letters = "abcdefghij".map { String($0) }
    let tags = letters.flatMap { a in
      letters.flatMap { b in letters.map { "\(a)\(b)-A\($0.uppercased())" } }
    }
    let slots = tags.map {
      #"{"idiom":"universal","scale":"1x","locale":"\#($0)","filename":"one.png"}"#
    }
    let text = #"{"images":[\#(slots.joined(separator: ","))]}"#
    var editor = TestEditor([
      Self.file: .bytes(Array(text.utf8)),
      "/w/A.xcassets/star.imageset/one.png": .bytes(png(width: 10, height: 10)),
    ])
    editor.open(Self.file, text)
    let answer = editor.request(
      "textDocument/codeAction",
      [
        "textDocument": ["uri": "file:///w/A.xcassets/star.imageset/Contents.json"],
        "range": [
          "start": ["line": 0, "character": 0],
          "end": ["line": 0, "character": .integer(text.utf8.count)],
        ],
      ])
    guard case .array(let actions) = answer else {
      Issue.record("no actions")
      return
    }
    #expect(actions.contains { $0.text("title")?.hasPrefix("Add the missing slots") ?? false })
  }

  /// A new entry has the scale and the idiom that the name of its file states.
  @Test(arguments: [
    ("new@2x~ipad.png", "2x", "ipad"), ("new~iphone@3x.png", "3x", "iphone"),
    ("new@2x.png", "2x", "universal"), ("new.png", "1x", "universal"),
  ])
  func aNewEntryFitsTheNameOfItsFile(file: String, scale: String, idiom: String) throws {
    let text = #"{"images": []}"#
    var editor = TestEditor([
      Self.file: .bytes(Array(text.utf8)),
      ByteString("/w/A.xcassets/star.imageset/\(file)"): .bytes(png(width: 4, height: 4)),
    ])
    editor.open(Self.file, text)
    let answer = editor.request(
      "textDocument/codeAction",
      [
        "textDocument": ["uri": "file:///w/A.xcassets/star.imageset/Contents.json"],
        "range": ["start": ["line": 0, "character": 12], "end": ["line": 0, "character": 12]],
      ])
    guard case .array(let actions) = answer else {
      Issue.record("no actions")
      return
    }
    let action = try #require(
      actions.first { $0.text("title")?.hasPrefix("Add an entry") ?? false }, "\(answer)")
    let uri: ByteString = "file:///w/A.xcassets/star.imageset/Contents.json"
    let written = action["edit"]?["changes"]?[uri]
    guard case .array(let edits)? = written else {
      Issue.record("\(action)")
      return
    }
    let new = edits.compactMap { $0.text("newText") }.joined()
    for member in ["\"scale\" : \"\(scale)\"", "\"idiom\" : \"\(idiom)\""] {
      #expect(new.contains(member), "\(new)")
    }
  }

  @Test func languagesAreProposed() {
    let text = #"{"images": [{"locale": "#
    var editor = TestEditor([Self.file: .bytes(Array(text.utf8))])
    editor.open(Self.file, text)
    let answer = editor.request(
      "textDocument/completion",
      [
        "textDocument": ["uri": "file:///w/A.xcassets/star.imageset/Contents.json"],
        "position": ["line": 0, "character": .integer(text.utf8.count)],
      ])
    guard case .array(let proposals) = answer else {
      Issue.record("the answer is \(answer)")
      return
    }
    let labels = proposals.compactMap { $0.text("label") }
    #expect(labels.contains(#""de""#) && labels.contains(#""zh-Hant""#))
  }
}
