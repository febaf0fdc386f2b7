// Compares property lists in both forms with those of another writer, and reads files that are not
// property lists.

import Bytes
import CatalogModel
import Foundation
import Support
import Testing
import Traits
@testable import Documents

@Suite struct PropertyListTests {
  private func written(
    _ value: Any, _ format: PropertyListSerialization.PropertyListFormat
  ) throws -> [UInt8] {
    [UInt8](try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0))
  }

  private static let formats: [PropertyListSerialization.PropertyListFormat] = [.xml, .binary]

  @Test(arguments: formats)
  func valuesAreReadBackAsTheyWereWritten(
    _ format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let bytes = try written(
      [
        "text": "a < b & \"c\"", "wide": "Grüße 🎈", "empty": "", "yes": true, "no": false,
        "small": 7, "large": 5_000_000_000, "negative": -3, "real": 2.5, "list": [1, "two", [3]],
        "nested": ["key": ["a": "b"]], "bytes": Data([1, 2, 3]),
        "many": (0..<40).map { "entry \($0)" },
      ] as [String: Any], format)
    let list = try #require(try PropertyValue(propertyList: bytes).dictionary)
    #expect(list["text"] == .string("a < b & \"c\""))
    #expect(list["wide"] == .string("Grüße 🎈"))
    #expect(list["empty"] == .string(""))
    #expect(list["yes"] == .boolean(true))
    #expect(list["no"] == .boolean(false))
    #expect(list["small"] == .integer(7))
    #expect(list["large"] == .integer(5_000_000_000))
    #expect(list["negative"] == .integer(-3))
    #expect(list["real"] == .real(2.5))
    #expect(list["list"] == .array([.integer(1), .string("two"), .array([.integer(3)])]))
    #expect(list["nested"] == .dictionary(["key": .dictionary(["a": .string("b")])]))
    #expect(list["bytes"] == .other)
    #expect(list["many"]?.array?.count == 40)
    #expect(list["many"]?.array?.last == .string("entry 39"))
  }

  @Test(arguments: formats)
  func anInfoPlistDescribesTheApp(
    _ format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let bytes = try written(
      [
        "UIRequiresFullScreen": true, "UIDeviceFamily": [1, 2],
        "UISupportedInterfaceOrientations": ["UIInterfaceOrientationPortrait"],
        "UISupportedInterfaceOrientations~ipad": [
          "UIInterfaceOrientationLandscapeLeft", "UIInterfaceOrientationLandscapeRight",
        ],
        "CFBundleLocalizations": ["de", "ar"], "CFBundleDevelopmentRegion": "en",
      ] as [String: Any], format)
    var expected = AppTraits()
    expected.requiresFullScreen = true
    expected.deviceFamilies = [1, 2]
    expected.phoneOrientations = [.portrait]
    expected.padOrientations = [.landscape]
    expected.languages = ["de", "ar", "en"]
    #expect(try AppTraits(infoPlist: bytes) == expected)
  }

  /// Older names of languages mean their tags.
  @Test func olderNamesOfLanguagesAreRead() throws {
    let names = ["English", "German", "zh_TW", "zh_CN", "de", "pt-BR"]
    let source = """
      <plist><dict><key>CFBundleLocalizations</key><array>
      \(names.map { "<string>\($0)</string>" }.joined())</array>
      <key>CFBundleDevelopmentRegion</key><string>en</string></dict></plist>
      """
    #expect(
      try AppTraits(infoPlist: Array(source.utf8)).languages
        == ["en", "de", "zh-Hant", "zh-Hans", "pt-BR"])
  }

  @Test func anEmptyInfoPlistRestrictsNothing() throws {
    let source =
      "<plist><dict><key>CFBundleDevelopmentRegion</key><string>en</string></dict></plist>"
    #expect(try AppTraits(infoPlist: Array(source.utf8)) == AppTraits())
  }

  /// Characters that XML cannot represent are refused by the reader and the writer, even as numeric
  /// references.
  @Test(arguments: [
    "a\u{FFFE}b", "a\u{FFFF}b", "a\u{1}b", "a\u{B}b", "\u{1F}", "&#xFFFE;", "&#65535;", "&#1;",
    "&#x0;", "<![CDATA[\u{FFFE}]]>",
  ])
  func charactersThatXMLLacksAreNotRead(text: String) {
    for source in [
      "<plist><string>\(text)</string></plist>", "<dict><key>\(text)</key><true/></dict>",
    ] {
      #expect(throws: PropertyListError.self) {
        try PropertyValue(propertyList: Array(source.utf8))
      }
    }
  }

  @Test func bytesThatAreNoTextAreNotRead() {
    for bytes in [[0xC3], [0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]] {
      let source = Array("<plist><string>a".utf8) + bytes + Array("</string></plist>".utf8)
      #expect(throws: PropertyListError.self) { try PropertyValue(propertyList: source) }
    }
    // Half of a surrogate pair, in the binary form.
    var whole = PropertyValue.string("\u{1F388}").binaryPropertyList()
    #expect(throws: Never.self) { try PropertyValue(propertyList: whole) }
    whole[9] = 0xDC
    #expect(throws: PropertyListError.self) { try PropertyValue(propertyList: whole) }
  }

  @Test(arguments: ["\u{FFFE}", "\u{FFFF}", "\u{0}", "\u{8}", "\u{1B}[2J"])
  func charactersThatXMLLacksAreNotWritten(text: String) throws {
    for value in [
      .string(text), .array([.integer(1), .string("a" + text)]),
      .dictionary([ByteString(text): .boolean(true)]),
      .dictionary(["a": .array([.string(text)])]),
    ] as [PropertyValue] {
      #expect(throws: PropertyListError.self) { try value.exactXMLPropertyList() }
      // A report replaces such characters, because it is for people.
      let report = String(decoding: value.xmlPropertyList(), as: UTF8.self)
      #expect(report.contains("\u{FFFD}") && !report.contains(text))
    }
  }

  @Test func charactersThatXMLHasAreReadBackAsTheyAre() throws {
    let text = "a\u{85}\u{7F}\u{2028}\u{202E}\u{FFFD}\u{E000}\u{10FFFF}\t\nb"
    let bytes = try PropertyValue.string(text).exactXMLPropertyList()
    #expect(try PropertyValue(propertyList: bytes) == .string(text))
    #expect(!String(decoding: bytes, as: UTF8.self).unicodeScalars.contains("\u{202E}"))
    #expect(
      try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? String == text)
  }

  @Test func commentsCharacterDataAndSettingsAreUnderstood() throws {
    let source = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/x.dtd">
      <!-- made by hand -->
      <plist version="1.0"><dict>
        <key>CFBundleLocalizations</key>
        <array><string><![CDATA[fr]]></string><string>$(LANGUAGE)</string><string/></array>
        <key>UIRequiresFullScreen</key><string>YES</string>
        <key>UIDeviceFamily</key><array><string>2</string><string>$(FAMILY)</string></array>
        <key>n</key><integer> 12 </integer><key>e</key><string>&#65;&#x42;&apos;</string>
      </dict></plist>
      """
    let app = try AppTraits(infoPlist: Array(source.utf8))
    #expect(app.requiresFullScreen)
    #expect(app.deviceFamilies == [2])
    #expect(app.languages == ["fr"])
    let list = try PropertyValue(propertyList: Array(source.utf8)).dictionary
    #expect(list?["n"] == .integer(12))
    #expect(list?["e"] == .string("AB'"))
  }

  @Test(arguments: [
    ("", PropertyListError.notAPropertyList), ("{\"a\": 1}", .notAPropertyList),
    ("<html></html>", .notAPropertyList), ("bplist00", .malformed(at: 8)),
    ("<plist><array/></plist>", .notADictionary), ("<plist><dict>", .malformed(at: 13)),
    ("<plist><dict><string/></dict></plist>", .malformed(at: 13)),
    ("<plist><dict><key>a</key></dict></plist>", .malformed(at: 25)),
    ("<plist><string>&none;</string></plist>", .malformed(at: 15)),
    ("<plist><integer>x</integer></plist>", .malformed(at: 7)),
  ])
  func filesThatAreNoInfoPlistsAreRefused(_ source: String, _ error: PropertyListError) {
    #expect(throws: error) { try AppTraits(infoPlist: Array(source.utf8)) }
    #expect(!error.description.isEmpty)
  }

  @Test func nestingIsLimited() {
    let deep =
      "<plist>" + String(repeating: "<array>", count: 5000)
      + String(repeating: "</array>", count: 5000) + "</plist>"
    #expect(throws: PropertyListError.tooDeep(limit: 64)) {
      try PropertyValue(propertyList: Array(deep.utf8))
    }
    // An array that contains itself twice. Its size would double with each level.
    var loop = Array("bplist00".utf8) + [0xA2, 0, 0, 8]
    loop += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1]
    loop += [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 11]
    #expect(throws: PropertyListError.self) { try PropertyValue(propertyList: loop) }
  }

  /// Five arrays, each with ten references to the next one: 100,000 values in 150 bytes.
  @Test func sharedArraysCostNoMoreThanTheirBytes() {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for array in 0..<5 {
      offsets.append(UInt8(bytes.count))
      bytes += [0xAA] + [UInt8](repeating: UInt8(array + 1), count: 10)
    }
    offsets.append(UInt8(bytes.count))
    bytes += [0x10, 7]
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 6]
    bytes += [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, table]
    #expect(throws: PropertyListError.tooLarge(values: 1_000 + bytes.count)) {
      try PropertyValue(propertyList: bytes)
    }
  }

  @Test(arguments: formats)
  func damagedListsAreReadOrRefused(
    _ format: PropertyListSerialization.PropertyListFormat
  ) throws {
    var random = SeededGenerator.forTest(30)
    let whole = try written(
      ["a": ["b": [1, 2.5, "three", Data([4])]], "c": "ü", "d": (0..<20).map { "\($0)" }]
        as [String: Any], format)
    let value = try PropertyValue(propertyList: whole)
    for length in 0..<whole.count {
      let read = try? PropertyValue(propertyList: Array(whole[..<length]))
      #expect(read == nil || read == value, "\(length) bytes")
    }
    var refused = 0
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<random.pick(1...4) {
        bytes[random.pick(0...bytes.count - 1)] = UInt8(truncatingIfNeeded: random.next())
      }
      if (try? PropertyValue(propertyList: bytes)) == nil { refused += 1 }
    }
    #expect((1..<2000).contains(refused))
  }
}
