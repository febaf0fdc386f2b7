// The data of a page, as its script reads them: colours by the formulas of their spaces,
// insets in their order, layers, what devices pay, and titles that are no markup.

import Archive
import ArchiveTools
import Bytes
@testable import CarveRuntime
import CatalogCompiler
import Documents
import Foundation
import Imaging
import Support
import Testing
import Traits

@testable import Preview

@Suite struct PageFactTests {
  private func page(
    _ sources: SampleSources, title: String = "A", old: SampleSources? = nil,
    change: (inout CompileOptions) -> Void = { _ in }
  ) throws -> [String: Any] {
    let bytes = try sources.compiled(change).bytes
    let before = try old?.compiled(change).bytes
    return try bytes.withUnsafeBytes { file in
      var options = PreviewOptions(title: title)
      options.comparesArchives = before != nil
      var page = try PageData(of: file, options)
      if let before {
        try before.withUnsafeBytes { try page.compare(file, with: $0, titled: "old") }
      }
      let text = Data(page.json.line.utf8)
      return try #require(JSONSerialization.jsonObject(with: text) as? [String: Any])
    }
  }

  private func variants(_ page: [String: Any], _ name: String) -> [[String: Any]] {
    let assets = page["assets"] as? [[String: Any]] ?? []
    return assets.first { $0["n"] as? String == name }?["v"] as? [[String: Any]] ?? []
  }

  // MARK: Text

  /// A title is in the head of the page and must not begin an element.
  @Test func aTitleIsText() throws {
    var sources = SampleSources()
    sources.image("Star", scales: [2])
    let hostile = #"</title><script>alert("1")</script>&"#
    let bytes = try sources.compiled().bytes
    var text = ""
    try bytes.withUnsafeBytes { file in
      try PageData(of: file, PreviewOptions(title: hostile)).write { piece throws(PreviewError) in
        text += String(decoding: piece, as: UTF8.self)
      }
    }
    #expect(
      text.contains(
        "<title>&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;</title>"))
    #expect(!text.contains("<script>alert"))
    #expect(!text.contains("</title><script"))
  }

  // MARK: Colours

  private func color(_ space: ColorSpaceID, _ parts: [Double]) -> PageColor {
    PageColor(
      value: ColorValue(
        space: space, red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3],
        systemName: nil))
  }

  /// The space that CSS calls it by; of greys the sRGB of the same light.
  @Test(arguments: [
    (ColorSpaceID.sRGB, "color(srgb 0.25 0.5 0.75 / 0.5)"),
    (.extendedSRGB, "color(srgb 0.25 0.5 0.75 / 0.5)"),
    (.displayP3, "color(display-p3 0.25 0.5 0.75 / 0.5)"),
    (.extendedLinearSRGB, "color(srgb-linear 0.25 0.5 0.75 / 0.5)"),
  ]) func coloursHaveTheirSpaceInCSS(space: ColorSpaceID, css: String) {
    #expect(color(space, [0.25, 0.5, 0.75, 0.5]).css == css)
  }

  /// The curve of sRGB, from light to its value.
  private func encoded(_ light: Double) -> Double {
    light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  @Test func nearestColoursAreThoseOfTheFormulas() {
    func rounded(_ values: [Double]) -> [Double] {
      values.map { (min(1, max(0, $0)) * 255).rounded() }
    }
    #expect(color(.sRGB, [0.2, 0.4, 1.5, 0.5]).standard == [51, 102, 255, 0.5])
    #expect(
      color(.extendedLinearSRGB, [0.5, 0.1, 0, 1]).standard == rounded([
        encoded(0.5), encoded(0.1), 0,
      ]) + [1])
    let gray = encoded(pow(0.5, 2.2))
    #expect(color(.grayGamma22, [0.5, 0.5, 0.5, 1]).standard == rounded([gray, gray, gray]) + [1])
    // Display P3 red is redder than sRGB can be; its white is white.
    #expect(color(.displayP3, [1, 1, 1, 1]).standard == [255, 255, 255, 1])
    let red = color(.displayP3, [0.5, 0, 0, 1]).standard
    #expect(red[0] > 128 && red[1] == 0 && red[2] == 0)
  }

  // MARK: Variants

  /// Insets from the top, the left, the bottom and the right, in points.
  @Test func insetsAreInTheirOrder() throws {
    var sources = SampleSources()
    sources.add(
      "Star.imageset/Contents.json",
      #"{"images":[{"filename":"a.png","scale":"1x","alignment-insets":{"top":1,"left":2,"bottom":3,"right":4}}]}"#
    )
    sources.files["A.xcassets/Star.imageset/a.png"] = .bytes(png(width: 40, height: 40, red: 9))
    let found = try variants(page(sources), "Star").first
    #expect(found?["i"] as? [Double] == [1, 2, 3, 4])
    #expect(found?["w"] as? Int == 40 && found?["h"] as? Int == 40 && found?["x"] as? Int == 1)
  }

  @Test func aTemplateInPlaceOfAPictureIsAChange() throws {
    func star(_ intent: String) -> SampleSources {
      var sources = SampleSources()
      sources.image("Star", scales: [2])
      sources.add(
        "Star.imageset/Contents.json",
        #"{"images":[{"filename":"Star@2x.png","scale":"2x"}],"#
          + #""properties":{"template-rendering-intent":"\#(intent)"}}"#)
      return sources
    }
    let compared = try page(star("template"), old: star("original"))
    #expect(variants(compared, "Star").first?["tpl"] as? Bool == true)
    let text = String(
      decoding: try JSONSerialization.data(withJSONObject: #require(compared["difference"])),
      as: UTF8.self)
    #expect(text.contains("\"rendering\""), "\(text)")
    let same = try page(star("original"), old: star("original"))
    let none = String(
      decoding: try JSONSerialization.data(withJSONObject: #require(same["difference"])),
      as: UTF8.self)
    #expect(!none.contains("\"rendering\""))
  }

  // MARK: Large pictures

  private func wall(mark: Bool) -> SampleSources {
    var sources = SampleSources()
    sources.add(
      "Wall.imageset/Contents.json", #"{"images":[{"filename":"w.png","scale":"2x"}]}"#)
    let (width, height) = (1300, 20)
    var pixels = [UInt8](repeating: 40, count: width * height * 4)
    for place in stride(from: 3, to: pixels.count, by: 4) { pixels[place] = 255 }
    if mark { pixels[4 * 601] = 41 }
    let stride = BitmapLayout.bgra8.bytesPerRow(width: width)
    var rows: [UInt8] = []
    for y in 0..<height {
      rows += pixels[y * width * 4..<(y + 1) * width * 4]
      rows += [UInt8](repeating: 0, count: stride - width * 4)
    }
    let bitmap = Bitmap(
      width: width, height: height, layout: .bgra8, isOpaque: true, isGray: false, pixels: rows)
    sources.files["A.xcassets/Wall.imageset/w.png"] = .bytes(bitmap.pngFile())
    return sources
  }

  @Test(arguments: [
    (PreviewOptions.usualSide, 512), (PreviewOptions.thumbnailSide, 256), (nil, 1300),
  ])
  func pictureAreReducedToTheLongestSide(side: Int?, width: Int) throws {
    var options = PreviewOptions(title: "A")
    #expect(options.longestSide == PreviewOptions.usualSide)
    options.longestSide = side
    try wall(mark: false).compiled().bytes.withUnsafeBytes { file in
      let picture = try #require(try PageData(of: file, options).pictures.pictures.first)
      #expect(picture.width == width)
      #expect((picture.original != nil) == (width < 1300))
      #expect(picture.original.map { $0.size.width == 1300 && $0.size.height == 20 } ?? true)
    }
  }

  /// A change of one pixel by one step is lost when the picture is reduced, but it is a change.
  @Test func aSmallChangeOfALargePictureIsFound() throws {
    let compared = try page(wall(mark: true), old: wall(mark: false))
    let difference = try #require(compared["difference"] as? [String: Any])
    let changes = try #require(difference["changes"] as? [[String: Any]])
    #expect(changes.map { $0["aspects"] as? [String] } == [["pixels"]])
    let same = try page(wall(mark: true), old: wall(mark: true))
    #expect(((same["difference"] as? [String: Any])?["changes"] as? [Any])?.isEmpty == true)
  }

  /// A variant whose file name alone changed shows one picture before and after.
  @Test func aPictureOfBothArchivesIsStoredOnce() throws {
    func star(_ file: String) -> SampleSources {
      var sources = SampleSources()
      sources.add(
        "Star.imageset/Contents.json", #"{"images":[{"filename":"\#(file)","scale":"2x"}]}"#)
      sources.files["A.xcassets/Star.imageset/\(file)"] = .bytes(
        png(width: 40, height: 40, red: 9))
      return sources
    }
    let compared = try page(star("b.png"), old: star("a.png"))
    #expect((compared["pictures"] as? [Any])?.count == 1)
    let difference = try #require(compared["difference"] as? [String: Any])
    let change = try #require((difference["changes"] as? [[String: Any]])?.first)
    let sides = try ["before", "after"].map { side in
      try JSONSerialization.data(
        withJSONObject: #require((change[side] as? [String: Any])?["p"]), options: .fragmentsAllowed
      )
    }
    #expect(sides[0] == sides[1])
  }

  /// The difference states how much colours changed, the greatest first; files that are known to be
  /// equal are no change.
  @Test func aDifferenceSaysHowMuchColorsChanged() throws {
    func two(_ star: UInt8, _ moon: UInt8) throws -> [UInt8] {
      var sources = SampleSources()
      sources.image("Star", scales: [2], red: star)
      sources.image("Moon", scales: [2], red: moon)
      return try sources.compiled { $0.packsSprites = false }.bytes
    }
    let (before, after) = (try two(9, 9), try two(60, 10))
    func changes(_ isUnchanged: @escaping (ByteString, VariantKey) -> Bool) throws -> [String] {
      try before.withUnsafeBytes { before in
        try after.withUnsafeBytes { after in
          var options = PreviewOptions(title: "A")
          options.comparesArchives = true
          var page = try PageData(of: after, options)
          try page.compare(after, with: before, titled: "old", isUnchanged: isUnchanged)
          return page.difference?.changes.map { "\($0.variant.name) \($0.greatest ?? -1)" } ?? []
        }
      }
    }
    #expect(try changes { _, _ in false } == ["Star 51", "Moon 1"])
    #expect(try changes { name, _ in name == "Star" } == ["Moon 1"])
  }

  // MARK: Looks and answers

  private var looks: SampleSources {
    var sources = SampleSources()
    let colors = ["", "dark", "tinted"].map { look in
      let more =
        look.isEmpty ? "" : #","appearances":[{"appearance":"luminosity","value":"\#(look)"}]"#
      return
        #"{"idiom":"universal","color":{"components":{"red":"0.5","green":"0.1","blue":"0.2","alpha":"1.0"}}\#(more)}"#
    }
    sources.add("Tint.colorset/Contents.json", "{\"colors\":[\(colors.joined(separator: ","))]}")
    return sources
  }

  /// A look that no variant tells apart is no switch; light and dark always are.
  @Test func theLooksAreThoseThatVariantsTellApart() throws {
    func styles(_ sources: SampleSources) throws -> [String]? {
      (try page(sources)["looks"] as? [String: Any])?["styles"] as? [String]
    }
    var plain = SampleSources()
    plain.image("Star", scales: [2])
    #expect(try styles(plain) == ["light", "dark"])
    #expect(try styles(looks) == ["light", "dark", "tinted"])
  }

  /// A variant that may not be shown and one that is beaten have different reasons.
  @Test func answersSayWhyAVariantLoses() throws {
    let text = String(
      decoding: try JSONSerialization.data(withJSONObject: #require(try page(looks)["signatures"])),
      as: UTF8.self)
    #expect(text.contains("\"may not be shown: style\""))
    #expect(text.contains("\"loses on style\""))
  }

  // MARK: Layers and bytes

  /// Glass is the first bit of a layer, how it is lit the second.
  @Test func layersSayWhetherTheyAreGlass() throws {
    var sources = SampleSources()
    sources.add(
      "Boat.icon/icon.json",
      """
      {"groups":[{"lighting":"combined","layers":[{"image-name":"a.svg","glass":true},
      {"image-name":"b.svg","glass":false}]}]}
      """)
    for name in ["a", "b"] {
      sources.add(
        "Boat.icon/Assets/\(name).svg",
        #"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><path d="M0 0H9V9Z"/></svg>"#
      )
    }
    let found = try page(sources) { $0.target = CompileTarget(platform: .macOS) }
    let assets = found["assets"] as? [[String: Any]] ?? []
    let stacks = assets.lazy.compactMap { $0["l"] as? [[String: Any]] }.first ?? []
    let layers = stacks.first?["layers"] as? [[String: Any]] ?? []
    func isGlass(_ name: String) -> Bool? {
      layers.first { ($0["n"] as? String)?.hasSuffix(name) == true }.map {
        $0["glass"] as? Bool ?? false
      }
    }
    #expect(isGlass("_Assets/a") == true && isGlass("_Assets/b") == false)
    #expect(isGlass("Boat/Group") == false)
  }

  /// The renditions that a device keeps and those that it drops are all that it could have.
  @Test func devicesSayWhatTheyKeepAndDrop() throws {
    var sources = SampleSources()
    sources.image("Star", scales: [1, 2, 3], points: 200)
    let found = try page(sources)["bytes"] as? [String: Any]
    let groups = try #require(found?["groups"] as? [[String: Any]])
    for group in groups {
      let kept = try #require(group["keptCount"] as? Int)
      let dropped = try #require(group["droppedCount"] as? Int)
      #expect(kept + dropped == 3)
      #expect(kept < 3 || group["dropped"] as? Int == 0)
    }
    let phone = groups.first { ($0["devices"] as? [String])?.contains("iPhone8,1") == true }
    #expect(phone?["keptCount"] as? Int == 1 && phone?["droppedCount"] as? Int == 2)
  }
}
