// Replaces pictures, vectors and data of archives by files, and compares everything that no
// operation names; also over the archives of all sample catalogues.

import Archive
import ArchiveTools
import Builds
import Bytes
import CatalogCompiler
import Foundation
import Host
import Support
import Testing
import Traits

/// The result of an edit.
private struct Edited {
  var bytes: [UInt8]
  var proof: EditProof
  var notes: [String]
  var difference: ArchiveDifference

  /// The changed renditions, as `Name (variant): aspects`.
  var changes: [String] {
    difference.renditions.map {
      "\($0.asset) (\($0.variant)): \($0.aspects.joined(separator: ", "))"
    }
    .sorted()
  }
}

private func edit(
  _ bytes: [UInt8], _ operations: [EditOperation], files: [ByteString: [UInt8]] = [:],
  scaleFrom: Int? = nil, isForced: Bool = false
) throws -> Edited {
  try bytes.withUnsafeBytes { before in
    var run = try EditRun(
      before, scaleFrom: scaleFrom, isForced: isForced,
      in: .memory(files.mapValues { .bytes($0) }))
    for operation in operations { try run.apply(operation) }
    try run.finish()
    let new = try run.editor.bytes()
    return try new.withUnsafeBytes { after in
      Edited(
        bytes: new, proof: try run.editor.proof(before: before, after: after), notes: run.notes,
        difference: try ArchiveDifference(from: before, to: after, devices: []))
    }
  }
}

/// The blocks of the renditions by their keys, in the order in which they lie.
private func blocks(_ bytes: [UInt8]) throws -> [(key: RenditionKey, block: [UInt8])] {
  try bytes.withUnsafeBytes { file in
    let archive = try Archive(file)
    let entries = try archive.renditions().sorted {
      ($0.range.lowerBound, $0.block) < ($1.range.lowerBound, $1.block)
    }
    return entries.map { ($0.key, Array(file[$0.range])) }
  }
}

@Suite("Edits by files") struct EditRunTests {
  /// An archive with a picture at three scales in an atlas, a large one, a vector and data.
  private static let archive = Result { try makeArchive() }

  private static func makeArchive() throws -> [UInt8] {
    var sources = SampleSources()
    sources.image("Star")
    sources.image("Moon", scales: [1, 2])
    sources.image("Wall", scales: [2], points: 150)
    sources.add(
      "Leaf.imageset/Contents.json",
      #"{"images":[{"filename":"a.svg"}],"properties":{"preserves-vector-representation":true}}"#)
    sources.add("Leaf.imageset/a.svg", svg("red"))
    sources.add("Facts.dataset/Contents.json", #"{"data":[{"filename":"a.txt"}]}"#)
    sources.add("Facts.dataset/a.txt", "facts")
    sources.add(
      "Tint.colorset/Contents.json",
      #"{"colors":[{"color":{"components":{"red":"1.0","green":"0.0","blue":"0.0","alpha":"1.0"}}}]}"#
    )
    return try sources.compiled().bytes
  }

  private static func svg(_ color: String) -> String {
    #"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10">"#
      + #"<rect width="20" height="10" fill="\#(color)"/></svg>"#
  }

  private func png(_ width: Int, _ height: Int, red: UInt8 = 90) -> [UInt8] {
    Support.png(width: width, height: height, red: red, green: 200)
  }

  @Test func `a picture replaces the variant of its size`() throws {
    let bytes = try Self.archive.get()
    let result = try edit(
      bytes, [.replace("Star", .all, with: "n.png")], files: ["n.png": png(20, 20)])
    #expect(result.proof.holds)
    #expect(result.changes == ["Star (2x): pixels"])
    #expect(
      result.notes == [
        "'Star' keeps 2 pictures: 1x; 3x; name a file for each, or give --scale-from"
      ])
    // The other blocks are the same, in the same order.
    let star = nameIdentifier("Star".utf8)
    func isOther(_ entry: (key: RenditionKey, block: [UInt8])) -> Bool {
      entry.key.identifier != star || entry.key[.scale] != 2
    }
    let (before, after) = (
      try blocks(bytes).filter(isOther), try blocks(result.bytes).filter(isOther)
    )
    #expect(before.map(\.key) == after.map(\.key) && before.map(\.block) == after.map(\.block))
  }

  @Test func `a picture for one scale stands for the smaller ones`() throws {
    let result = try edit(
      Self.archive.get(), [.replace("Star", .all, with: "n.png")],
      files: ["n.png": png(30, 30)], scaleFrom: 3)
    #expect(result.proof.holds && result.notes.isEmpty)
    #expect(result.changes == ["Star (1x): pixels", "Star (2x): pixels", "Star (3x): pixels"])
  }

  @Test func `a picture that shows the same changes nothing`() throws {
    let bytes = try Self.archive.get()
    let same = Support.png(width: 20, height: 20, red: 200, green: 10)
    let result = try edit(
      bytes, [.replace("Star", .all, with: "n.png")], files: ["n.png": same])
    #expect(result.bytes == bytes)
  }

  @Test func `a picture of another size needs force`() throws {
    let bytes = try Self.archive.get()
    let choice = try VariantChoice("scale=2")
    let files: [ByteString: [UInt8]] = ["n.png": png(21, 40)]
    let operation = EditOperation.replace("Star", choice, with: "n.png")
    #expect(
      refusal(bytes, [operation], files: files)
        == "n.png has 21×40 pixels, but 'Star' has 20×20 (2x); --force accepts it")
    // The advice names a variant that exists.
    let wide: [ByteString: [UInt8]] = ["n.png": png(31, 31)]
    #expect(
      refusal(bytes, [.replace("Star", .all, with: "n.png")], files: wide).hasSuffix(
        "; choose one by its traits, as in 'Star:scale=3', with --force, or give --scale-from"))
    let result = try edit(bytes, [operation], files: files, isForced: true)
    #expect(result.proof.holds && result.changes == ["Star (2x): size 20×20 → 21×40"])
  }

  @Test func `a vector replaces its bitmaps, and a picture removes the vector`() throws {
    let bytes = try Self.archive.get()
    let new = Array(Self.svg("blue").utf8)
    let result = try edit(
      bytes, [.replace("Leaf", .all, with: "n.svg")], files: ["n.svg": new])
    #expect(result.proof.holds && result.changes.count == 4)
    let operation = EditOperation.replace("Leaf", .all, with: "n.png")
    let files: [ByteString: [UInt8]] = ["n.png": png(20, 10)]
    let pictured = try edit(bytes, [operation], files: files)
    #expect(
      pictured.notes.first
        == "'Leaf' (vector) is removed: systems would draw a.svg instead of the new picture")
    #expect(
      pictured.proof.holds && pictured.difference.renditions.contains { $0.change == .removed })
    // The pictures that stay no longer state that there is a vector.
    #expect(
      pictured.changes.count == 4
        && pictured.changes.contains(
          "Leaf (2x): flags automatic and vector and vector kept → automatic")
    )
  }

  /// Some programs write bytes before the header of a PDF.
  @Test func `a PDF with bytes before its header replaces a vector`() throws {
    let new = Array("\n\(smallPDF)".utf8)
    let result = try edit(
      Self.archive.get(), [.replace("Leaf", .all, with: "n.pdf")], files: ["n.pdf": new],
      isForced: true)
    let headers = try blocks(result.bytes).map { entry in
      try entry.block.withUnsafeBytes { try Rendition(FileBytes($0)).header }
    }
    let formats = headers.filter { $0.layout == .vector }.map(\.pixelFormat)
    #expect(formats == [.pdf])
  }

  /// Archives state the size before a rotation.
  @Test func `a rotated JPEG replaces itself`() throws {
    let file = jpeg(width: 30, height: 20, orientation: 6)
    var sources = SampleSources()
    sources.add("Photo.imageset/Contents.json", #"{"images":[{"filename":"a.jpg"}]}"#)
    sources.files["A.xcassets/Photo.imageset/a.jpg"] = .bytes(file)
    let bytes = try sources.compiled().bytes
    let result = try edit(
      bytes, [.replace("Photo", .all, with: "n.jpg")], files: ["n.jpg": file])
    #expect(result.bytes == bytes)
  }

  @Test func `data and colours are replaced`() throws {
    let result = try edit(
      Self.archive.get(),
      [
        .replace("Facts", .all, with: "n.txt"),
        try .replacing("Tint=#00FF0080"),
      ], files: ["n.txt": Array("news".utf8)])
    #expect(result.proof.holds)
    #expect(
      result.changes == [
        "Facts (1x): contents", "Tint (1x): colour #FF0000 → #00FF0080",
      ])
  }

  @Test func `an atlas goes when no picture in it is left`() throws {
    let bytes = try Self.archive.get()
    let result = try edit(bytes, [.remove("Star"), .remove("Moon"), .remove("Leaf")])
    #expect(result.proof.holds)
    #expect(try blocks(bytes).contains { $0.key.element == Element.atlas })
    #expect(try !blocks(result.bytes).contains { $0.key.element == Element.atlas })
    let replaced = try edit(
      bytes,
      [
        .replace("Star", .all, with: "n.png"), .replace("Moon", .all, with: "n.png"),
        .remove("Leaf"),
      ], files: ["n.png": png(30, 30)], scaleFrom: 3)
    #expect(replaced.proof.holds)
    #expect(try !blocks(replaced.bytes).contains { $0.key.element == Element.atlas })
  }

  // MARK: Words

  private func refusal(
    _ bytes: [UInt8], _ operations: [EditOperation], files: [ByteString: [UInt8]] = [:]
  ) -> String {
    do {
      _ = try edit(bytes, operations, files: files)
      return "no refusal"
    } catch {
      return "\(error)"
    }
  }

  @Test func `an asset that is gone is not called unknown`() throws {
    let bytes = try Self.archive.get()
    #expect(
      refusal(bytes, [.remove("Star"), .remove("Star")])
        == "an earlier operation removes 'Star'")
    #expect(
      refusal(bytes, [.rename("Star", to: "Sun"), .remove("Star")])
        == "an earlier operation renames 'Star' to 'Sun'")
  }

  @Test func `a part of an icon stays, also under another name`() throws {
    let folder = try TemporaryDirectory()
    _ = try compile(
      .archive(of: [ByteString("\(sampleCatalogs)/LayeredIcon.xcassets")]), in: .disk,
      options: CompileOptions(target: CompileTarget(platform: .iOS), icons: .all),
      to: .path(ByteString(folder.path("a.car"))))
    let bytes = try folder.read("a.car")
    let names = try bytes.withUnsafeBytes { try Archive($0).facets().map(\.name) }
    let parts = names.filter { refusal(bytes, [.remove($0)]).contains("is a part of") }
    #expect(parts.count > 1)
    for part in parts {
      let refusal = refusal(bytes, [.rename(part, to: "New"), .remove("New")])
      #expect(refusal.contains("is a part of"), "\(part): \(refusal)")
    }
  }

  @Test func `operations are read from words`() throws {
    let choice = try VariantChoice("scale=2,style=dark")
    #expect(
      try EditOperation.replacing("Logo:scale=2,style=dark=a=b.png")
        == .replace("Logo", choice, with: "a=b.png"))
    #expect(try EditOperation.replacing("Logo=a.png") == .replace("Logo", .all, with: "a.png"))
    #expect(try EditOperation.renaming("A=B") == .rename("A", to: "B"))
    for word: ByteString in ["Logo", "Logo:scale=2", "Logo:scale=2,idiom=pad"] {
      #expect(throws: EditError.self) { try EditOperation.replacing(word) }
    }
  }

  @Test func `scripts are read, and their faults are named`() throws {
    let script = #"""
      [{"replace": "Logo", "traits": "scale=2", "with": "a.png"}, {"remove": "Old"},
       {"rename": "A", "to": "B"}, {"recolor": "Tint", "to": "#102030"}, {"add": "More.xcassets"}]
      """#
    let operations = try EditOperation.script(Array(script.utf8), file: "folder/s.json")
    #expect(operations.count == 5)
    #expect(operations[0] == .replace("Logo", try VariantChoice("scale=2"), with: "folder/a.png"))
    #expect(operations[4] == .add("folder/More.xcassets"))
    let absolute = #"[{"add": "/a/More.xcassets"}]"#
    #expect(
      try EditOperation.script(Array(absolute.utf8), file: "folder/s.json") == [
        .add("/a/More.xcassets")
      ])
    for (text, message) in [
      ("{}", "s.json: it is not an array of operations"),
      ("[\n{]", "s.json:2:2: it is not JSON: "),
      ("[{\"remove\": \"A\"},\n {\"remove\": 1}]", "s.json:2:2: operation 2: \"remove\" has to be"),
      (#"[{"remvoe": "A"}]"#, #"operation 1: it has to have one of the keys"#),
      (#"[{"remove": "A", "with": "b"}]"#, #"operation 1: "with" is not a key of "remove""#),
      (#"[{"remove": "A", "remove": "B"}]"#, #""remove" occurs twice in one object"#),
      (#"[{"rename": "A", "to": 1}]"#, #"operation 1: "to" has to be a string"#),
    ] {
      do {
        _ = try EditOperation.script(Array(text.utf8), file: "s.json")
        Issue.record("\(text) was read")
      } catch { #expect("\(error)".contains(message)) }
    }
  }

  // MARK: All samples

  /// Renames, removes and recolours every asset of an archive in turn; the other blocks stay.
  @Test(arguments: soundSamples) func `edits of a sample leave the other blocks alone`(
    name: String
  ) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("a.car")
    _ = try compile(
      .archive(of: [ByteString("\(sampleCatalogs)/\(name)")]), in: .disk,
      options: CompileOptions(target: CompileTarget(platform: .iOS), icons: .all),
      to: .path(ByteString(path)))
    let bytes = try folder.read("a.car")
    let all = try blocks(bytes)
    let facets = try bytes.withUnsafeBytes { try Archive($0).facets() }
    try #require(!facets.isEmpty)
    for facet in facets.prefix(12) {
      let renamed = try edit(bytes, [.rename(facet.name, to: "Renamed")])
      #expect(renamed.proof.holds, "\(facet.name): \(renamed.proof.text)")
      guard let removed = try? edit(bytes, [.remove(facet.name)]) else { continue }
      #expect(removed.proof.holds, "\(facet.name): \(removed.proof.text)")
      let after = try blocks(removed.bytes)
      let keys = Set(after.map(\.key))
      let left = all.filter { keys.contains($0.key) }
      #expect(left.map(\.key) == after.map(\.key), "\(facet.name)")
      // Only lists of names that contained the asset may differ.
      for (old, new) in zip(left, after) where old.block != new.block {
        #expect(new.key.part == Part.spriteAtlas || new.key.part == Part.arGroup, "\(new.key)")
      }
    }
  }
}
