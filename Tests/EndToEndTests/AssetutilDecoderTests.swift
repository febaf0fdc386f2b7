// Reads the output of `assetutil --info` with a decoder that accepts exactly the keys of Apple's
// published reports: a missing key, a key of another type, or an additional key is a failure.

import Foundation
import Support
import Testing

private enum Form { case text, number, flag, texts, numbers, object, numberOrText }

/// The keys of a kind of entry.
private struct Keys {
  var needed: [String: Form]
  var allowed: [String: Form] = [:]

  func faults(_ entry: [String: Any]) -> [String] {
    var faults: [String] = []
    for key in needed.keys.sorted() where entry[key] == nil { faults.append("no \(key)") }
    for (key, value) in entry {
      guard let form = needed[key] ?? allowed[key] else {
        faults.append("\(key) is no key of Apple's")
        continue
      }
      if !form.holds(value) { faults.append("\(key) is \(value)") }
    }
    return faults
  }
}

extension Form {
  fileprivate func holds(_ value: Any) -> Bool {
    // JSONSerialization represents booleans as numbers, too.
    let isFlag = (value as? NSNumber).map { isBoolean($0) } ?? false
    return switch self {
    case .text: value is String
    case .number: value is NSNumber && !isFlag
    case .flag: isFlag
    case .texts: value is [String]
    case .numbers: (value as? [NSNumber])?.isEmpty == false
    case .object: value is [String: Any]
    case .numberOrText: value is NSNumber || value is String
    }
  }
}

private func isBoolean(_ number: NSNumber) -> Bool {
  String(cString: number.objCType) == "c" || String(cString: number.objCType) == "B"
}

private let header = Keys(
  needed: [
    "AssetStorageVersion": .text, "Authoring Tool": .text, "CoreUIVersion": .number,
    "DumpToolVersion": .number, "Key Format": .texts, "MainVersion": .text, "Platform": .text,
    "PlatformVersion": .text, "SchemaVersion": .number, "StorageVersion": .number,
    "Timestamp": .number,
  ],
  allowed: [
    "Appearances": .object, "Thinning With CoreUI Version": .number, "ThinningParameters": .text,
  ])

private let common: [String: Form] = [
  "AssetType": .text, "Idiom": .text, "Name": .text, "Scale": .number, "SHA1Digest": .text,
  "SizeOnDisk": .number,
]
private let named = common.merging(["NameIdentifier": .number]) { first, _ in first }
private let traits: [String: Form] = [
  "Appearance": .text, "Localization": .text, "Subtype": .number, "Display Gamut": .text,
  "Direction": .text, "SizeClass Horizontal": .text, "SizeClass Vertical": .text,
  "Graphics Class": .text, "Memory Class": .number, "DeploymentTarget": .text,
  "State": .numberOrText,
  "Value": .numberOrText, "Dimension1": .number, "Dimension2": .number,
]
private let picture: [String: Form] = [
  "BitsPerComponent": .number, "ColorModel": .text, "Colorspace": .text, "Compression": .text,
  "Encoding": .text, "Opaque": .flag, "PixelHeight": .number, "PixelWidth": .number,
  "RenditionName": .text,
]

private func keys(
  _ needed: [String: Form], _ own: [String: Form], allowed: [String: Form] = [:]
) -> Keys {
  Keys(
    needed: needed.merging(own) { first, _ in first },
    allowed: traits.merging(allowed) { first, _ in first })
}

private let kinds: [String: Keys] = [
  "Image": keys(
    named, picture,
    allowed: ["Template Mode": .text, "Preserved Vector Representation": .flag]),
  "Icon Image": keys(named, picture.merging(["Icon Index": .number]) { first, _ in first }),
  "PackedImage": keys(common, picture),
  "MultiSized Image": keys(named, ["Sizes": .texts]),
  "Vector": keys(
    named, ["Colorspace": .text, "Height": .number, "RenditionName": .text, "Width": .number],
    allowed: ["Preserved Vector Representation": .flag, "Template Mode": .text]),
  "Color": keys(
    named, ["Color components": .numbers, "Colorspace": .text],
    allowed: ["System Color Name": .text]),
  "Data": keys(named, ["Compression": .text, "Data Length": .number, "UTI": .text]),
]

@Suite struct AssetutilDecoderTests {
  private func dump(_ words: [String], in folder: String) throws -> [[String: Any]] {
    let result = try runTool(["assetutil", "--info"] + words, in: folder)
    #expect(result.code == 0, "\(result.stderr)")
    let list = try JSONSerialization.jsonObject(with: Data(result.output))
    return try #require(list as? [[String: Any]])
  }

  private func faults(_ entries: [[String: Any]]) -> [String] {
    let first = entries.first.map { header.faults($0) } ?? ["no header"]
    return first
      + entries.dropFirst().flatMap { entry -> [String] in
        guard let type = entry["AssetType"] as? String, let keys = kinds[type] else {
          return ["a kind that is not Apple's: \(entry["AssetType"] ?? "none")"]
        }
        return keys.faults(entry).map { "\(type) \(entry["Name"] ?? ""): \($0)" }
      }
  }

  @Test(arguments: [
    "Alignment", "AppIcon", "Appearances", "Colors", "Data", "Directions", "Hardware", "Languages",
    "Scales", "SizeClasses", "Slicing", "Vectors", "WideGamut",
  ])
  func aStrictDecoderReadsEveryEntry(name: String) throws {
    let folder = try TemporaryDirectory()
    let made = try runTool(
      [
        "compile", "\(sampleCatalogs)/\(name).xcassets", "-o", "a.car", "--include-all-app-icons",
      ], in: folder.path)
    #expect(made.code == 0, "\(made.stderr)")
    #expect(faults(try dump(["a.car"], in: folder.path)) == [])
    let thinned = try runTool(
      ["assetutil", "a.car", "--scale", "2", "--idiom", "phone", "-o", "thin.car"], in: folder.path)
    #expect(thinned.code == 0, "\(thinned.stderr)")
    #expect(faults(try dump(["thin.car"], in: folder.path)) == [])
  }

  /// A picture's opacity is that of its part of the atlas, not of the whole atlas.
  @Test func picturesInAtlasesAreDescribed() throws {
    let folder = try TemporaryDirectory()
    for (name, alpha) in [("Solid", 255), ("Clear", 100), ("Firm", 255), ("Faint", 90)] {
      let set = "A.xcassets/\(name).imageset"
      try folder.write(
        png(
          width: 9, height: 7, color: .rgba,
          samples: (0..<63).flatMap { [UInt8($0 * 3), 9, 200, UInt8(alpha)] }), to: "\(set)/a.png")
      try folder.write(
        #"{"images":[{"filename":"a.png","scale":"2x"}]}"#, to: "\(set)/Contents.json")
    }
    _ = try runTool(["compile", "A.xcassets", "-o", "a.car"], in: folder.path)
    let entries = try dump(["a.car"], in: folder.path)
    let images = entries.filter { $0["AssetType"] as? String == "Image" }
    let opaque = Dictionary(
      uniqueKeysWithValues: images.map { ($0["Name"] as? String ?? "", $0["Opaque"] as? Bool) })
    #expect(opaque == ["Solid": true, "Clear": false, "Firm": true, "Faint": false])
    // Opaque pictures have a separate atlas.
    let atlases = entries.filter { $0["AssetType"] as? String == "PackedImage" }
    #expect(Set(atlases.map { $0["Opaque"] as? Bool }) == [false, true])
    let methods = Set((images + atlases).map { $0["Compression"] as? String })
    #expect(methods.count == 1 && methods.first != .some(nil))
  }

  @Test func vectorsHaveTheSizeOfTheirPage() throws {
    let folder = try TemporaryDirectory()
    try folder.write(
      #"<svg xmlns="http://www.w3.org/2000/svg" width="11" height="17.68982"><rect width="4" height="4"/></svg>"#,
      to: "A.xcassets/Arrow.imageset/arrow.svg")
    try folder.write(
      #"{"images":[{"filename":"arrow.svg"}],"properties":{"preserves-vector-representation":true}}"#,
      to: "A.xcassets/Arrow.imageset/Contents.json")
    _ = try runTool(["compile", "A.xcassets", "-o", "a.car"], in: folder.path)
    let entries = try dump(["a.car"], in: folder.path)
    let vector = try #require(entries.first { $0["AssetType"] as? String == "Vector" })
    #expect(vector["Width"] as? Double == 11 && vector["Scale"] as? Int == 1)
    #expect(vector["Height"] as? Double == Double(Float(17.68982)))
    #expect(vector["Colorspace"] as? String == "generic")
  }

  @Test func aThinnedArchiveSaysSo() throws {
    let folder = try TemporaryDirectory()
    let sample = sampleCatalogs + "/Scales.xcassets"
    _ = try runTool(["compile", sample, "-o", "a.car"], in: folder.path)
    #expect(try dump(["a.car"], in: folder.path).first?["Thinning With CoreUI Version"] == nil)
    let absent = try runTool(["assetutil", "--info", "Rokcet", "a.car"], in: folder.path)
    #expect(absent.code == 1 && absent.stderr.contains("did you mean 'Rocket'?"))
  }
}
