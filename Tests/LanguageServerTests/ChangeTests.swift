// Tests of following changes: the findings after any changes are those of reading everything again,
// and a keystroke reads only its set.

import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Host
import Support
import Testing

@testable import LanguageServer

private let texts = [
  #"{"images":[{"idiom":"universal","scale":"2x","filename":"a.png"}]}"#,
  #"{"images":[{"idiom":"univresal","scale":"3x","filename":"b.png"}]}"#,
  #"{"images":[{"idiom":"universal"},{"idiom":"universal","scale":"1x"}]}"#,
  #"{"images":[{"idiom":"mac","scale":"2x","filename":"a.png"}],"x":1}"#,
  #"{"images":["#, "", "{}", #"{"properties":{"provides-namespace":true}}"#,
]

private let picture = png(
  width: 8, height: 8, color: .rgba, samples: [UInt8](repeating: 9, count: 256))

private func file(_ name: String) -> ByteString { "/w/A.xcassets/\(name)/Contents.json" }

@Suite struct ChangeTests {
  private func files(sets: Int) -> [ByteString: MemoryFile] {
    var files: [ByteString: MemoryFile] = ["/w/A.xcassets/Contents.json": .bytes(Array("{}".utf8))]
    for number in 0..<sets {
      let folder: ByteString = "/w/A.xcassets/G\(number % 3)/S\(number).imageset"
      files[joined(folder, "Contents.json")] = .bytes(Array(texts[number % 2].utf8))
      files[joined(folder, "a.png")] = .bytes(picture)
    }
    return files
  }

  /// The codes of findings link to pages that editors can open, and to no others.
  @Test func codesLinkToTheirPages() {
    for address in [nil, "https://example.org/findings.md"] {
      var editor = TestEditor(files(sets: 2), pages: PageAddress(variable: address))
      editor.open(file("G1/S1.imageset"), texts[1])
      let report = editor.request(
        "textDocument/diagnostic",
        ["textDocument": ["uri": .string("file://" + file("G1/S1.imageset").text)]])
      guard case .array(let items)? = report["items"] else {
        Issue.record("no findings")
        return
      }
      let links = items.map { $0["codeDescription"]?.text("href") }
      #expect(!links.isEmpty)
      for (item, link) in zip(items, links) {
        #expect(link == address.map { "\($0)#\(item.text("code") ?? "")" })
      }
    }
  }

  /// Returns the codes of the findings of all files as `carve lint` finds them.
  private func linted(_ tree: FileTree) -> [ByteString: [String]] {
    let contents = readCatalogs(["/w/A.xcassets"], in: tree)
    guard case .success(let target) = TestEditor.target(nil) else { return [:] }
    let found =
      lint(contents, in: tree, options: target.options)
      + planFindings(
        of: contents, for: target.targets, icons: target.icons, in: tree, saysIfEmpty: true)
    var codes: [ByteString: [String]] = [:]
    for finding in inPrintingOrder(found) {
      let isFolder = (try? tree.status(finding.file))?.kind == .folder
      let file = isFolder ? joined(finding.file, "Contents.json") : finding.file
      codes[file, default: []].append(finding.code.rawValue)
    }
    return codes.mapValues { $0.sorted() }
  }

  /// Of the changes that come before findings are asked for, only the last text is read.
  @Test func changesBeforeTheNextQuestionAreNotRead() {
    var editor = TestEditor(files(sets: 3))
    let file: ByteString = "/w/A.xcassets/G1/S1.imageset/Contents.json"
    editor.open(file, texts[0])
    editor.settle()
    _ = editor.files.takeReads()
    for text in texts { editor.change(file, text) }
    #expect(editor.files.takeReads().isEmpty)
    editor.change(file, "{")
    editor.publish()
    #expect(editor.codes[file]?.contains("json-syntax") == true)
    // A request sees the newest text, too.
    editor.change(file, texts[0])
    let report = editor.request(
      "textDocument/diagnostic", ["textDocument": ["uri": .string("file://" + file.text)]])
    #expect(report.list("items").allSatisfy { $0.text("code") != "json-syntax" })
    editor.change(file, "{")
    editor.note(
      "textDocument/didClose", ["textDocument": ["uri": .string(address(of: file))]])
    editor.publish()
    #expect(editor.codes[file]?.contains("json-syntax") != true)
  }

  @Test func aKeystrokeReadsOnlyItsSet() {
    var editor = TestEditor(files(sets: 60))
    let set: ByteString = "/w/A.xcassets/G1/S4.imageset"
    editor.open(joined(set, "Contents.json"), texts[0])
    editor.settle()
    _ = editor.files.takeReads()
    // A set for another platform would change the platform for which all sets are checked.
    for text in texts.prefix(3) + texts[4...6] + texts.prefix(1) {
      editor.change(joined(set, "Contents.json"), text)
      editor.publish()
      let reads = editor.files.takeReads()
      #expect(reads.allSatisfy { $0 == set || $0.isInside(set) }, "\(reads.sorted())")
    }
    // The search for copies needs no file again either.
    editor.settle()
    #expect(editor.files.takeReads().isEmpty)
  }

  @Test func findingsAfterChangesAreThoseOfReadingEverything() {
    var dice = SeededGenerator.forTest(32)
    var editor = TestEditor(files(sets: 12))
    let watched = file("G0/S0.imageset")
    editor.open(watched, texts[0])
    for _ in 0..<60 {
      let number = Int.random(in: 0..<12, using: &dice)
      let folder: ByteString = "/w/A.xcassets/G\(number % 3)/S\(number).imageset"
      let text = texts.randomElement(using: &dice) ?? ""
      switch Int.random(in: 0..<5, using: &dice) {
      case 0:
        let name: ByteString = Bool.random(using: &dice) ? "b.png" : "a.png"
        let isThere = editor.files[joined(folder, name)] != nil
        editor.files[joined(folder, name)] = isThere ? nil : .bytes(picture)
        editor.noteChange(of: joined(folder, name))
      // The text in the editor counts, not that on the disk.
      case 1 where joined(folder, "Contents.json") != watched:
        editor.files[joined(folder, "Contents.json")] = .bytes(Array(text.utf8))
        editor.noteChange(of: joined(folder, "Contents.json"))
      case 2:
        let group: ByteString = "/w/A.xcassets/G\(number % 3)/Contents.json"
        editor.files[group] = editor.files[group] == nil ? .bytes(Array(texts[7].utf8)) : nil
        editor.noteChange(of: group)
      case 3:
        // A set of the same name in another group, which comes and goes.
        let copy: ByteString =
          "/w/A.xcassets/G\((number + 1) % 3)/S\(number).imageset/Contents.json"
        editor.files[copy] = editor.files[copy] == nil ? .bytes(Array(text.utf8)) : nil
        editor.noteChange(of: copy)
      default:
        editor.files[watched] = .bytes(Array(text.utf8))
        editor.change(watched, text)
      }
      editor.settle()
      let expected = linted(editor.files.tree)
      let found = editor.codes.filter { !$0.value.isEmpty }
      #expect(found == expected, "\(dice)")
      if found != expected { return }
    }
  }

  @Test func textsCountBeforeTheyAreSaved() {
    var editor = TestEditor(files(sets: 1))
    let path = file("New.imageset")
    editor.files["/w/A.xcassets/New.imageset"] = .folder
    editor.open(path, texts[2])
    editor.settle()
    #expect(editor.codes[path]?.contains("missing-contents") == false)
    #expect(editor.codes[path]?.isEmpty == false)
    editor.note(
      "textDocument/didClose", ["textDocument": ["uri": .string(address(of: path))]])
    editor.note(
      "textDocument/didClose", ["textDocument": ["uri": .string(address(of: path))]])
    editor.settle()
    #expect(editor.codes[path] == [])
  }
}
