// Tests objects as files: they have the same bytes on every machine, contain nothing about the
// machine, and objects that do not fit together are refused.

import Foundation
import Support
import Testing

@Suite struct ObjectFileTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    for name in ["Kinds", "Vectors", "Namespaces"] {
      try folder.copy("\(sampleCatalogs)/\(name).xcassets", to: "\(name).xcassets")
    }
  }

  private func carve(_ line: String, in place: String? = nil) throws -> ToolResult {
    try runTool(
      line.split(separator: " ").map(String.init), in: folder.path(place ?? "."))
  }

  private func made(_ words: String, _ output: String = "a.caro", in place: String? = nil) throws
    -> [UInt8]
  {
    let result = try carve("compile --object \(words) -o \(folder.path(output))", in: place)
    #expect(result.code == 0, "\(result.stderr)")
    return try folder.read(output)
  }

  /// Returns the message of a refusal.
  private func refusal(_ line: String, code: Int32 = 1) throws -> String {
    let result = try carve(line)
    #expect(result.code == code, "\(line): \(result.code) \(result.stderr)")
    return result.stderr
  }

  @Test func bytesAreTheSameInEveryFolder() throws {
    let object = try made("Kinds.xcassets -j 1")
    #expect(try made("Kinds.xcassets/ -j 2") == object)
    #expect(try made("./Kinds.xcassets") == object)
    #expect(try made("\(folder.path)/Kinds.xcassets") == object)
    #expect(try made("Kinds.xcassets --cache kept") == object)
    #expect(try made("Kinds.xcassets --cache kept", "b.caro") == object)
    try folder.copy("\(folder.path)/Kinds.xcassets", to: "elsewhere/deep/Kinds.xcassets")
    #expect(try made("Kinds.xcassets", in: "elsewhere/deep") == object)
    let text = String(decoding: object, as: UTF8.self)
    #expect(text.contains("Kinds.xcassets/") && !text.contains(folder.path))
    #expect(!text.contains(lastComponent(folder.path)))
    // The object contains the relative path between the folders, which is the same after both were
    // moved.
    try folder.write("", to: "build/x")
    let beside = try made("\(folder.path)/Kinds.xcassets", in: "build")
    #expect(try made("../Kinds.xcassets", in: "build") == beside)
    #expect(!String(decoding: beside, as: UTF8.self).contains(folder.path))
  }

  private func lastComponent(_ path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }

  /// Build systems lay out their sandboxes in this way: every file is a link to its real place.
  @Test func aTreeOfLinksGivesTheSameBytesWithoutAWord() throws {
    let object = try made("Kinds.xcassets")
    let plain = try carve("compile Kinds.xcassets -o plain.car")
    for file in try folder.files(below: "Kinds.xcassets") {
      let link = folder.path("sandbox/\(file)")
      try FileManager.default.createDirectory(
        atPath: (link as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: folder.path(file))
    }
    #expect(try made("Kinds.xcassets", "b.caro", in: "sandbox") == object)
    let linked = try carve("compile Kinds.xcassets -o linked.car", in: "sandbox")
    #expect(linked.code == 0 && linked.stderr == plain.stderr)
    #expect(try folder.read("sandbox/linked.car") == folder.read("plain.car"))
  }

  @Test func linksWithinAndOutAreTakenAlong() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("Kinds.xcassets/Out"), withDestinationPath: "../Vectors.xcassets")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("Kinds.xcassets/Loop"), withDestinationPath: ".")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("Kinds.xcassets/Gone"), withDestinationPath: "nowhere")
    _ = try made("Kinds.xcassets", "k.caro")
    _ = try made("Vectors.xcassets", "v.caro")
    for words in [["Kinds"], ["Kinds", "Vectors"], ["Vectors", "Kinds"]] {
      let objects = words.map { $0 == "Kinds" ? "k.caro" : "v.caro" }.joined(separator: " ")
      let catalogs = words.map { "\($0).xcassets" }.joined(separator: " ")
      let one = try carve("compile \(catalogs) -o one.car --all")
      let linked = try carve("link \(objects) -o linked.car --all")
      #expect(one.stderr == linked.stderr && one.code == linked.code)
      #expect(one.stderr.contains("[link-loop]"))
      #expect(try folder.read("one.car") == folder.read("linked.car"))
    }
  }

  @Test func filesThatAreNoObjectsAreRefused() throws {
    _ = try made("Kinds.xcassets", "k.caro")
    #expect(try carve("compile Kinds.xcassets -o k.car").code == 0)
    try folder.write("", to: "empty.caro")
    try folder.write("some text that is no object", to: "text.caro")
    let end = "'carve compile --object' makes an object from a catalogue\n"
    #expect(try refusal("link k.car -o out.car").hasSuffix("k.car: it is an archive; \(end)"))
    #expect(try refusal("link empty.caro -o o.car").hasSuffix("empty.caro: it is empty; \(end)"))
    #expect(
      try refusal("link text.caro -o o.car").hasSuffix("text.caro: it is not an object; \(end)"))
    #expect(try refusal("link Kinds.xcassets -o o.car", code: 4).hasSuffix("a folder; \(end)"))
    #expect(try refusal("link none.caro -o o.car", code: 4).contains("No such file"))
    for command in ["thin k.caro -o o.car --device iPhone8,1", "validate k.caro"] {
      #expect(
        try refusal(command).hasSuffix(
          "k.caro: it is an object, not an archive; 'carve link' makes one of objects\n"))
    }
    #expect(try refusal("compile k.caro -o o.car").contains("'carve link'"))
    let info = try carve("info k.caro").stdout
    #expect(info.hasPrefix("k.caro: an object of Kinds.xcassets: 5 assets, "), "\(info)")
    #expect(info.contains("--platform iphoneos"))
    let json = try JSONSerialization.jsonObject(with: Data(carve("info --json k.caro").output))
    let facts = json as? [String: Any]
    #expect(facts?["object"] as? String == "Kinds.xcassets" && facts?["assets"] as? Int == 5)
    #expect((facts?["settings"] as? [String: Any])?["platform"] as? String == "iphoneos")
  }

  @Test func objectsThatWereCutOrChangedAreSaid() throws {
    let object = try made("Namespaces.xcassets")
    for length in [8, 40, 63, 64, 1_000, object.count - 1] {
      try folder.write(object.prefix(length), to: "cut.caro")
      #expect(try refusal("link cut.caro -o o.car").contains("cut.caro: it is cut short"))
    }
    for place in stride(from: 8, to: object.count, by: object.count / 40) {
      var changed = object
      changed[place] ^= 0x10
      try folder.write(changed, to: "changed.caro")
      let words = try refusal("link changed.caro -o o.car")
      #expect(words.contains("compile it again"), "\(place): \(words)")
    }
    try folder.write(object + [0], to: "long.caro")
    #expect(try refusal("link long.caro -o o.car").contains("long.caro: it is damaged"))
    var older = object
    older[8] = 9
    try folder.write(older, to: "older.caro")
    #expect(try refusal("link older.caro -o o.car").contains("made by another version of Carve"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("o.car")))
  }

  /// Complete objects, with correct checksums, of another version of Carve or with another revision
  /// of pictures.
  @Test(arguments: [
    (#""carve":"0."#, #""carve":"9."#, "Carve 9."),
    (#""revision":"#, #""revision":1"#, "(encoder 1"),
  ])
  func objectsOfAnotherVersionAreSaid(old: String, new: String, words: String) throws {
    let object = try made("Namespaces.xcassets")
    let place = try #require(object.firstRange(of: Array(old.utf8)))
    var other = object
    other.replaceSubrange(place, with: Array(new.utf8))
    // The offsets of the following parts grow, too.
    func number(_ offset: Int) -> UInt64 {
      other[offset..<offset + 8].enumerated().reduce(0) { $0 | UInt64($1.1) << (8 * $1.0) }
    }
    func store(_ number: UInt64, at offset: Int) {
      for byte in 0..<8 { other[offset + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
    }
    let moved = UInt64(other.count - object.count)
    for offset in [16, 40, 48] { store(number(offset) + moved, at: offset) }
    store(UInt64(crc32(Array(other[64...]))), at: 24)
    store(UInt64(crc32(Array(other[..<56]))), at: 56)
    try folder.write(other, to: "other.caro")
    for line in ["link other.caro -o o.car", "info other.caro"] {
      let said = try refusal(line)
      #expect(said.contains("other.caro: it was made by Carve ") && said.contains(words), "\(said)")
      #expect(said.hasSuffix("; compile it again with this version\n"))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("o.car")))
  }

  /// Small pictures of sprite atlases with sizes that their bytes cannot fill, and with correct
  /// checksums.
  @Test(
    arguments: [
      (0x10_0000, 0x10_0000, 0x40_0000), (0x10_0000, 256, 0x40_0000), (0x4000, 0x4000, 0x1_0000),
      (0, 0, 0), (1 << 62, 1 << 62, 1 << 62), (16, 16, 65),
    ] as [(Int, Int, Int)])
  func immenseSizesAreDamage(width: Int, height: Int, bytesPerRow: Int) throws {
    var object = try made("Kinds.xcassets")
    func number(_ offset: Int) -> Int {
      object[offset..<offset + 8].enumerated().reduce(0) { $0 | Int($1.1) << (8 * $1.0) }
    }
    func store(_ number: UInt64, at offset: Int) {
      for byte in 0..<8 { object[offset + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
    }
    var changed = 0
    for row in stride(from: number(48), to: object.count, by: 32) {
      let block = number(row + 16)
      guard object[block] == 1 else { continue }
      for (place, value) in [width, height, bytesPerRow].enumerated() {
        store(UInt64(value), at: block + 8 + 8 * place)
      }
      changed += 1
    }
    #expect(changed > 0)
    store(UInt64(crc32(Array(object[64...]))), at: 24)
    store(UInt64(crc32(Array(object[..<56]))), at: 56)
    try folder.write(object, to: "immense.caro")
    let words = try refusal("link immense.caro -o o.car")
    #expect(words.contains("immense.caro: it is damaged"), "\(words)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("o.car")))
  }

  /// Blocks with correct checksums that are no renditions: without the letters at the beginning, of
  /// another version, or with properties or a payload that are longer than the block.
  @Test(arguments: [0, 4, 168, 180])
  func blocksThatAreNoRenditionsAreDamage(place: Int) throws {
    var object = try made("Kinds.xcassets")
    func number(_ offset: Int) -> Int {
      object[offset..<offset + 8].enumerated().reduce(0) { $0 | Int($1.1) << (8 * $1.0) }
    }
    let block = try #require(
      stride(from: number(48), to: object.count, by: 32).map { number($0 + 16) }
        .first { object[$0] == 0 })
    for byte in 0..<3 { object[block + 96 + place + byte] ^= 0x7F }
    for (start, end, at) in [(64, object.count, 24), (0, 56, 56)] {
      let sum = UInt64(crc32(Array(object[start..<end])))
      for byte in 0..<8 { object[at + byte] = UInt8(truncatingIfNeeded: sum >> (8 * byte)) }
    }
    try folder.write(object, to: "forged.caro")
    let words = try refusal("link forged.caro -o o.car")
    #expect(words.contains("forged.caro: it is damaged"), "\(words)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("o.car")))
  }

  @Test func objectsThatDoNotBelongTogetherAreSaid() throws {
    _ = try made("Kinds.xcassets", "k.caro")
    _ = try made("Kinds.xcassets", "copy.caro")
    #expect(try refusal("link k.caro k.caro -o o.car").contains("k.caro is given twice"))
    #expect(
      try refusal("link k.caro copy.caro -o o.car").contains(
        "copy.caro and k.caro are the same object"))
    _ = try made("Vectors.xcassets --platform macosx", "mac.caro")
    #expect(
      try refusal("link k.caro mac.caro -o o.car").contains(
        "mac.caro was compiled with --platform macosx, and k.caro with --platform iphoneos"))
    _ = try made("Vectors.xcassets --exact-pixels", "exact.caro")
    #expect(
      try refusal("link k.caro exact.caro -o o.car").contains(
        "exact.caro was compiled with --exact-pixels, and k.caro with no --exact-pixels"))
    _ = try made("Namespaces.xcassets", "all.caro")
    _ = try made("Namespaces.xcassets/Roots", "roots.caro")
    _ = try made("Namespaces.xcassets --without Namespaces.xcassets/Roots", "rest.caro")
    #expect(
      try refusal("link all.caro roots.caro -o o.car").contains(
        "Namespaces.xcassets/Roots/Carrot.imageset is in all.caro and in roots.caro"))
    #expect(
      try refusal("link rest.caro -o o.car").contains(
        "rest.caro leaves Namespaces.xcassets/Roots out, and no other object here holds it"))
    // A group that is left out need not exist: in a sandbox it does not.
    let rest = try folder.read("rest.caro")
    try FileManager.default.moveItem(
      atPath: folder.path("Namespaces.xcassets/Roots"), toPath: folder.path("Roots"))
    #expect(
      try made("Namespaces.xcassets --without Namespaces.xcassets/Roots", "rest.caro") == rest)
    try FileManager.default.moveItem(
      atPath: folder.path("Roots"), toPath: folder.path("Namespaces.xcassets/Roots"))
    // Two objects that saw different states of a shared file cannot be linked.
    try folder.write(#"{"info": {"version": 1}}"#, to: "Namespaces.xcassets/Contents.json")
    _ = try made("Namespaces.xcassets/Roots", "roots.caro")
    #expect(
      try refusal("link rest.caro roots.caro -o o.car").contains(
        "roots.caro was compiled with a different Namespaces.xcassets/Contents.json"))
  }

  @Test func layersOfAnotherObjectAreRefused() throws {
    try folder.copy("\(sampleCatalogs)/Scales.xcassets", to: "A.xcassets")
    let text = #""info": {"version": 1, "author": "x"}"#
    try folder.write(
      #"{\#(text), "layers": [{"filename": "L.imagestacklayer"}]}"#,
      to: "B.xcassets/S.imagestack/Contents.json")
    try folder.write(
      #"{\#(text), "properties": {"content-reference": {"type": "image-set", "name": "Device", "matching-style": "fully-qualified-name"}}}"#,
      to: "B.xcassets/S.imagestack/L.imagestacklayer/Contents.json")
    try folder.copy(
      "\(sampleCatalogs)/Scales.xcassets/Device.imageset", to: "B.xcassets/Device.imageset")
    for name in ["A", "B"] { _ = try made("\(name).xcassets --platform appletvos", "\(name).caro") }
    // Alone, and if it comes first, the stack shows the picture of its own catalogue.
    let own = try carve("link B.caro A.caro -o own.car")
    #expect(own.code == 0, "\(own.stderr)")
    #expect(try carve("compile B.xcassets A.xcassets --platform appletvos -o one.car").code == 0)
    #expect(try folder.read("own.car") == folder.read("one.car"))
    let other = try refusal("link A.caro B.caro -o o.car")
    #expect(other.contains("no object holds it; compile what belongs together into one object"))
  }

  @Test func inputsThatCannotBeAnObjectAreRefused() throws {
    func words(_ line: String, code: Int32 = 1) throws -> String {
      try refusal("compile --object \(line) -o x.caro", code: code)
    }
    #expect(try words("Kinds.xcassets Vectors.xcassets", code: 2).contains("holds one catalogue"))
    #expect(try words("Kinds.xcassets --device iPhone8,1", code: 2).contains("'carve link'"))
    #expect(try words("Kinds.xcassets --c a.h", code: 2).contains("'carve link'"))
    #expect(try words("Kinds.xcassets --no-index", code: 2).contains("'carve link'"))
    #expect(try words("Kinds.xcassets/Nothing", code: 4).contains("No such file"))
    #expect(try words("Kinds.xcassets/Contents.json").contains("is not a group"))
    #expect(
      try words("Kinds.xcassets/Sky.spriteatlas").contains("Sky.spriteatlas is compiled as a whole")
    )
    #expect(try words("Kinds.xcassets --without Sky").contains("not a folder below Kinds.xcassets"))
    #expect(
      try words("Kinds.xcassets --without Kinds.xcassets/.x").contains(".x is not a group"))
    #expect(
      try refusal("compile Kinds.xcassets --without Kinds.xcassets/Sky -o o.car", code: 2)
        .contains("--without needs --object"))
    let inside = try carve(
      "compile --object Roots -o \(folder.path("x.caro"))", in: "Namespaces.xcassets")
    #expect(
      inside.code == 1 && inside.stderr.contains("such as Namespaces.xcassets/Roots"),
      "\(inside.stderr)")
  }

  @Test func folderAndDependenciesAreAsOfCompile() throws {
    try folder.write("", to: "build/x")
    let made = try carve("compile --object Namespaces.xcassets/Roots -o build --depfile r.d")
    #expect(made.code == 0 && made.stdout.hasPrefix("build/Roots.caro: "))
    let read = String(decoding: try folder.read("r.d"), as: UTF8.self)
    #expect(read.hasPrefix("build/Roots.caro:"))
    #expect(read.contains("Namespaces.xcassets/Contents.json"))
    #expect(read.contains("Namespaces.xcassets/Roots/Carrot.imageset/Contents.json"))
    #expect(!read.contains("Fruit"))
    let linked = try carve(
      "link build/Roots.caro -o build/ --depfile l.d --c build/assets.h --swift build/assets.swift")
    #expect(linked.code == 0 && linked.stdout.hasPrefix("build/Assets.car: "))
    #expect(
      String(decoding: try folder.read("l.d"), as: UTF8.self).contains("build/Roots.caro:\n"))
    #expect(
      String(decoding: try folder.read("build/assets.h"), as: UTF8.self).contains("ASSET_"))
    // The cache keeps the atlases of a link as it keeps those of a compilation.
    _ = try carve("link build/Roots.caro -o one.car --cache kept")
    let again = try carve("link build/Roots.caro -o two.car --cache kept --timing")
    #expect(again.stderr.contains("cache: ") && again.stderr.contains(" 0 misses"))
    #expect(try folder.read("one.car") == folder.read("two.car"))
  }
}
