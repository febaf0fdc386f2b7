// Apple's two reports about the archives of devices, and the contents that thinning copies from an
// archive.

import Archive
import CatalogCompiler
import Documents
import Foundation
import Support
import Testing
import Traits

@testable import ArchiveTools

@Suite("Deliverables") struct DeliverableTests {
  private var deliverables: [Deliverable] {
    let devices = ["iPhone8,1", "iPad5,3"].compactMap { Device(named: $0) }
    return [
      Deliverable(
        fileName: "Assets-iPhone8,1.car", devices: devices, byteCount: 2_340_000,
        compressedByteCount: 56_700, osVersion: OSVersion(17, 4)),
      Deliverable(
        fileName: "Assets-iPad5,3.car", devices: [devices[1]], byteCount: 900,
        compressedByteCount: 0, osVersion: OSVersion(12, 1, 2)),
    ]
  }

  @Test("the list has Apple's keys, each with its own number") func writesTheList() throws {
    let bytes = appThinningPropertyList(deliverables)
    let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    let variants = try #require((list as? [String: Any])?["variants"] as? [String: [String: Any]])
    #expect(variants.count == 2)
    let first = try #require(variants["Assets-iPhone8,1.car"])
    let numbers = [
      "sizeCompressedApp": 56_700, "sizeCompressedODR": 0, "sizeCompressedTotal": 56_700,
      "sizeUncompressedApp": 2_340_000, "sizeUncompressedODR": 0,
      "sizeUncompressedTotal": 2_340_000,
    ]
    #expect(first.compactMapValues { $0 as? Int } == numbers)
    #expect(
      first["variantDescriptors"] as? [[String: String]] == [
        ["device": "iPhone8,1", "os-version": "17.4"], ["device": "iPad5,3", "os-version": "17.4"],
      ])
    let second = variants["Assets-iPad5,3.car"]?["variantDescriptors"] as? [[String: String]]
    #expect(second == [["device": "iPad5,3", "os-version": "12.1.2"]])
    #expect(
      archiveNames(inAppThinningPropertyList: bytes)
        == ["Assets-iPad5,3.car", "Assets-iPhone8,1.car"])
  }

  @Test("the text has sizes in decimal units") func writesTheText() {
    let text = appThinningText(deliverables, of: "Assets")
    #expect(text.hasPrefix("App Thinning Size Report for All Variants of Assets\n"))
    #expect(text.contains("\nApp size: 56.7 KB compressed, 2.3 MB uncompressed\n"))
    #expect(text.contains("\nApp size: Zero KB compressed, 0.9 KB uncompressed\n"))
    #expect(text.contains("[device: iPad5,3, os-version: 12.1.2]\n"))
  }

  @Test(
    "sizes are rounded to tenths",
    arguments: [
      (0, "Zero KB"), (1, "0 KB"), (949, "0.9 KB"), (950, "1 KB"), (1000, "1 KB"), (1049, "1 KB"),
      (1050, "1.1 KB"), (999_949, "999.9 KB"), (1_000_000, "1 MB"), (12_345_678, "12.3 MB"),
    ])
  func writesSizes(bytes: Int, text: String) { #expect(decimalSize(bytes) == text) }

  @Test("an archive without an index is thinned to one without", arguments: [true, false])
  func keepsTheIndexOrItsAbsence(hasIndex: Bool) throws {
    var sources = SampleSources()
    sources.image("Star")
    let device = try #require(Device(named: "iPhone8,1"))
    let full = try sources.compiled { $0.writesIndex = hasIndex }.bytes
    for bytes in [full, try thinned(full, for: [device])] {
      let index = try bytes.withUnsafeBytes {
        try Archive($0).store.bytes(named: Archive.indexName) != nil
      }
      #expect(index == hasIndex)
    }
  }

  @Test("variants of one name get files whose names say for what they are")
  func namesVariants() throws {
    var sources = SampleSources()
    let entries = [
      ("idiom1", #""idiom":"iphone""#), ("gamut1", #""display-gamut":"display-P3""#),
      ("direction4", #""language-direction":"right-to-left""#),
      ("subtype2436", #""subtype":"2436h""#),
      (
        "UIAppearanceDark",
        #""appearances":[{"appearance":"luminosity","value":"dark"}]"#
      ),
    ]
    for (place, (_, traits)) in entries.enumerated() {
      // Each set has a plain picture and a variant. The names of their files differ only in case,
      // so extraction has to distinguish them by words.
      sources.add(
        "Set\(place).imageset/Contents.json",
        #"{"images":[{"filename":"a.png"},{"filename":"A.PNG",\#(traits)}]}"#)
      sources.files["A.xcassets/Set\(place).imageset/a.png"] = .bytes(png(width: 2, height: 2))
      sources.files["A.xcassets/Set\(place).imageset/A.PNG"] = .bytes(
        png(width: 2, height: 2, red: 9))
    }
    let extracted = Guarded<[String]>([])
    let archive = try sources.compiled { $0.packsSprites = false }.bytes
    struct Never: Error {}
    _ = try archive.withUnsafeBytes { bytes in
      try extractArchive(bytes, drawingScale: nil, jobs: 1) { (file) throws(Never) in
        extracted.withLock { $0.append(file.path.text) }
      }
    }
    let paths = extracted.withLock { $0 }
    for (place, (word, _)) in entries.enumerated() {
      let own = paths.filter { $0.hasPrefix("Set\(place)/") }
      #expect(own.count == 2 && own.contains { $0.contains("~\(word)~scale1.png") }, "\(own)")
    }
  }
}
