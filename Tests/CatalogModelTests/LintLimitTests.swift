// Tests each rule of lint on both sides of its limit, and the formats of its findings.

import Bytes
import CatalogModel
import Support
import Testing
import Traits

@Suite struct LintLimitTests {
  /// Returns whether pictures with these sides at 1x, 2x and 3x are reported as a mismatch.
  private func isMismatch(_ sides: [Int]) -> Bool {
    let scales = [#""scale":"1x""#, #""scale":"2x""#, #""scale":"3x""#]
    return !TreeBuilder().imageSet("Star", Array(scales.prefix(sides.count)), sides: sides)
      .findings(.sizeMismatch).isEmpty
  }

  /// Sizes in points are rounded to pixels: 10.33 points are 10, 21 and 31 pixels. The rounding
  /// makes a difference of at most one pixel.
  @Test func aPixelMoreOrLessComesFromRounding() {
    #expect(!isMismatch([10, 20, 30]) && !isMismatch([10, 21, 31]) && !isMismatch([11, 21, 31]))
    #expect(isMismatch([10, 22, 30]) && isMismatch([12, 20, 30]) && isMismatch([10, 20, 34]))
  }

  private func icon(_ idiom: String, _ size: String) -> Bool {
    !TreeBuilder().folder(
      "I.appiconset",
      images(#"{"idiom":"\#(idiom)","size":"\#(size)","scale":"2x","filename":"a.png"}"#)
    ).picture("I.appiconset/a.png").findings(.iconUnknownSize).isEmpty
  }

  /// The sizes in points of Apple's guidelines and documents.
  @Test(arguments: [
    ("iphone", ["20x20", "29x29", "40x40", "60x60"]),
    ("ipad", ["20x20", "29x29", "40x40", "76x76", "83.5x83.5"]),
    ("mac", ["16x16", "32x32", "128x128", "256x256", "512x512"]), ("car", ["60x60"]),
    ("watch", ["24x24", "27.5x27.5", "29x29", "44x44", "108x108"]),
    ("ios-marketing", ["1024x1024"]),
  ])
  func knownSizesOfIconsAreSilent(idiom: String, sizes: [String]) {
    for size in sizes { #expect(!icon(idiom, size), "\(idiom) \(size)") }
    for size in ["61x61", "60x61"] { #expect(icon(idiom, size), "\(idiom) \(size)") }
  }

  /// Since Xcode 14, icons of watches have no idiom but a platform.
  @Test func sizesOfWatchesMayHaveThePlatform() {
    func reported(_ size: String) -> [String] {
      let entry =
        #"{"idiom":"universal","platform":"watchos","size":"\#(size)","scale":"2x","filename":"a.png"}"#
      return TreeBuilder().folder("I.appiconset", images(entry)).picture("I.appiconset/a.png")
        .findings(.iconUnknownSize).map(\.message)
    }
    let sizes = [
      "22x22", "24x24", "27.5x27.5", "44x44", "50x50", "98x98", "108x108", "1024x1024",
    ]
    for size in sizes { #expect(reported(size) == [], "\(size)") }
    #expect(reported("60x60") == ["no watch shows an icon of 60×60 points"])
  }

  /// The scales of one display are those of its devices.
  @Test(arguments: [
    (#""idiom":"iphone","subtype":"736h""#, "3x", false),
    (#""idiom":"iphone","subtype":"667h""#, "2x", false),
    (#""idiom":"iphone","subtype":"667h""#, "1x", true),
    (#""idiom":"universal","subtype":"2436h""#, "3x", false), (#""idiom":"iphone""#, "3x", true),
  ])
  func aDisplayHasItsOwnScales(traits: String, scale: String, isReported: Bool) {
    let found = TreeBuilder().imageSet("S", [#"\#(traits),"scale":"\#(scale)""#])
      .findings(.missingScale)
    #expect(!found.isEmpty == isReported, "\(found.map(\.message))")
  }

  /// Appearances of one idiom say nothing about those of another.
  @Test func appearancesAreComparedWithinAnIdiom() {
    let dark = #"{"appearance":"luminosity","value":"dark"}"#
    let high = #"{"appearance":"contrast","value":"high"}"#
    func isReported(_ one: String, _ two: String) -> Bool {
      let rows = [
        "", #""idiom":"\#(one)","appearances":[\#(dark)]"#,
        #""idiom":"\#(two)","appearances":[\#(high)]"#,
      ]
      return !TreeBuilder().imageSet("S", rows).findings(.appearanceHole).isEmpty
    }
    #expect(!isReported("iphone", "mac") && !isReported("ipad", "iphone"))
    #expect(isReported("iphone", "iphone") && isReported("universal", "universal"))
  }

  /// Pictures with 16 bits are reported. Pictures with 10 bits, as phones take them, are not.
  @Test func onlySixteenBitsAreNamed() {
    func isNamed(_ name: String, _ bytes: [UInt8]) -> Bool {
      !TreeBuilder().folder("S.imageset", images(#"{"filename":"\#(name)"}"#))
        .file("S.imageset/\(name)", bytes).findings(.sixteenBitImage).isEmpty
    }
    let samples = [UInt8](repeating: 9, count: 4 * 4 * 2)
    #expect(isNamed("a.png", png(width: 4, height: 4, color: .gray, depth: 16, samples: samples)))
    #expect(!isNamed("a.png", png(width: 4, height: 4)))
    #expect(!isNamed("a.heic", heif("heic", width: 4, height: 4)))
  }

  /// A variant for windows that are regular in both directions is dead on phones, except on one
  /// that unfolds.
  @Test func onlyAnUnfoldingPhoneShowsTheRegularVariant() {
    let rows = [
      #""scale":"3x""#, #""scale":"3x","width-class":"regular","height-class":"regular""#,
    ]
    func isDead(_ models: [String]) -> Bool {
      var options = LintOptions()
      options.platform = .iOS
      options.idioms = [.phone]
      options.devices = models.compactMap { Device(named: $0) }
      return !TreeBuilder().imageSet("Star", rows).findings(.unreachableVariant, options).isEmpty
    }
    #expect(isDead(["iPhone18,1", "iPhone18,2", "iPhone19,2", "iPhone19,3"]))
    #expect(!isDead(["iPhone18,1", "iPhone19,4"]))
  }

  /// A display of other devices is a contradiction on every target; one that no device has may be
  /// that of a device whose display is not known.
  @Test(arguments: [
    (#""idiom":"iphone","subtype":"40mm""#, true), (#""idiom":"ipad","subtype":"667h""#, true),
    (#""idiom":"iphone","screen-width":"<=145""#, true),
    (#""idiom":"iphone","subtype":"667h""#, false), (#""idiom":"watch","subtype":"40mm""#, false),
    (#""idiom":"ipad","subtype":"1112h""#, false),
    (#""idiom":"universal","subtype":"667h""#, false),
  ])
  func aDisplayOfAnotherIdiomIsReported(traits: String, isReported: Bool) {
    let found = TreeBuilder().imageSet("Star", ["", traits]).lint()
      .filter { $0.code == .unreachableVariant && $0.severity == .warning }
    #expect(found.map { $0.line } == (isReported ? [1] : []), "\(found.map(\.message))")
    #expect(
      found.allSatisfy { $0.message.hasSuffix("; only devices of another idiom have this display") }
    )
    #expect(found.allSatisfy { $0.pointer == "/images/1" })
  }

  /// The message names the first device and counts the others, without the first.
  @Test func theOtherDevicesAreCounted() throws {
    let options: LintOptions = {
      var options = LintOptions()
      options.platform = .iOS
      options.devices = ["iPhone14,7", "iPhone12,1", "iPhone8,1"].compactMap { Device(named: $0) }
      return options
    }()
    let found = try #require(
      TreeBuilder().imageSet("Star", [#""idiom":"ipad","scale":"2x""#]).findings(
        .reachableHole, options
      )
      .first)
    #expect(
      found.message.contains(" and 2 other devices: no variant for idiom"), "\(found.message)")
    var one = options
    one.devices = options.devices.map { Array($0.prefix(1)) }
    let alone = try #require(
      TreeBuilder().imageSet("Star", [#""idiom":"ipad","scale":"2x""#]).findings(
        .reachableHole, one
      ).first)
    #expect(!alone.message.contains("other device"), "\(alone.message)")
  }

  // MARK: Forms

  private func finding(_ severity: Severity, _ file: String = "a.png") -> Diagnostic {
    var finding = Diagnostic(.brokenImage, "50% of a\nline", file: ByteString(file))
    finding.severity = severity
    return finding
  }

  /// Commas and colons separate properties. A line end within a message is replaced as in all
  /// formats; the line end before a note of a finding is escaped. Findings that are notes are only
  /// counted.
  @Test func annotationsOfGitHubAreEscaped() {
    var warning = finding(.warning)
    warning.notes = [Note("the first", file: "b.png")]
    let text = DiagnosticFormat.github.text(
      of: [finding(.error, "a,b:c.png"), warning, finding(.note)])
    let lines = text.split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "::error file=a%2Cb%3Ac.png,title=broken-image::50%25 of a\u{FFFD}line",
        "::warning file=a.png,title=broken-image::50%25 of a\u{FFFD}line%0Ab.png: the first",
        "::notice title=carve::1 error, 1 warning, 1 note; 2 of them are shown here",
      ])
  }

  /// GitHub shows ten annotations of a kind.
  @Test func annotationsBeyondTenOfAKindAreCounted() {
    let warnings = (0..<12).map { finding(.warning, "\($0).png") }
    let errors = (0..<3).map { finding(.error, "\($0).png") }
    let lines = DiagnosticFormat.github.text(of: warnings + errors).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("::error ") } == 3)
    #expect(lines.count { $0.hasPrefix("::warning ") } == 10)
    #expect(
      lines.last == "::notice title=carve::3 errors, 12 warnings; 13 of them are shown here")
    #expect(DiagnosticFormat.github.text(of: errors).split(separator: "\n").count == 3)
    #expect(DiagnosticFormat.github.text(of: []) == "")
  }

  /// All errors are shown. Other findings beyond the limit are only counted.
  @Test func errorsAreNotFolded() {
    let errors = (0..<5).map { finding(.error, "\($0).png") }
    let warnings = (0..<5).map { finding(.warning, "\($0).png") }
    let text = DiagnosticFormat.text.text(of: errors + warnings, limit: 2)
    #expect(text.split(separator: "\n").count { $0.contains(": error: ") } == 5)
    #expect(text.split(separator: "\n").count { $0.contains(": warning: ") } == 2)
    #expect(text.hasSuffix("and more: 3 of broken-image; --all shows them\n"))
    let all = DiagnosticFormat.text.text(of: warnings, limit: 5)
    #expect(!all.contains("and more"))
  }
}
