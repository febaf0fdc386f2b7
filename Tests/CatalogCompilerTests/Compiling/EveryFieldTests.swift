// Every field of every block of the samples, as an expected text. It also contains the fields that
// no other test compares. The payloads of bitmaps are tested with the codecs.

import Archive
import Bytes
import CatalogModel
import Codecs
import Foundation
import Host
import Support
import Testing

@testable import CatalogCompiler

@Suite struct EveryFieldTests {
  private static let samples: [(String, TargetPlatform)] = [
    ("Alignment", .iOS), ("AppIcon", .iOS), ("AppIcon", .macOS), ("Appearances", .iOS),
    ("Colors", .iOS), ("Data", .iOS), ("Directions", .iOS), ("Hardware", .iOS), ("Kinds", .iOS),
    ("Kinds", .tvOS), ("Languages", .iOS), ("LayeredIcon", .macOS), ("Namespaces", .iOS),
    ("Scales", .iOS), ("SizeClasses", .iOS), ("Slicing", .iOS), ("Symbols", .iOS),
    ("Vectors", .iOS), ("Vectors", .macOS), ("WideGamut", .iOS),
  ]

  @Test func everySampleIsLookedAt() {
    #expect(Set(EveryFieldTests.samples.map(\.0)).union(["Broken"]) == Set(sampleNames))
  }

  @Test(arguments: samples) func blocksAreAsExpected(
    name: String, platform: TargetPlatform
  ) throws {
    let folder = try TemporaryDirectory()
    let options = CompileOptions(target: CompileTarget(platform: platform), icons: .all)
    let report = try compile(
      .archive(of: ["\(sampleCatalogs)/\(name).xcassets"]), in: .disk, options: options,
      to: .path(ByteString(folder.path("out.car"))))
    #expect(!report.isRefused)
    golden(try described(folder.read("out.car")), "\(name)-\(platform.rawValue).txt")
  }

  private func described(_ bytes: [UInt8]) throws -> String {
    try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      var lines = ["\(archive.header)", "\(try #require(try archive.metadata()))"]
      lines += try archive.appearances().map { "appearance \($0.number) \($0.name)" }
      lines += try archive.localizations().map { "localization \($0.number) \($0.name)" }
      for facet in try archive.facets() {
        let pairs = facet.attributes.map { "\($0.attribute.name)=\($0.value)" }
        lines.append("facet \(facet.name) \(pairs.joined(separator: " "))")
      }
      for entry in try archive.renditions() {
        let rendition = try archive.rendition(entry)
        lines += ["", words(entry.key), "\(rendition.header)"]
        lines += try rendition.allProperties().map { "  \($0)" }
        if let payload = try payload(of: rendition) { lines.append("  payload \(payload)") }
      }
      return lines.joined(separator: "\n").replacing(carveVersion, with: "VERSION")
        .replacing("Archive.", with: "")
        .replacing(/[A-Za-z]+\(rawValue: (\d+)\)/) { "\($0.output.1)" } + "\n"
    }
  }

  private func words(_ key: RenditionKey) -> String {
    key.attributes.map { "\($0.name)=\(key[$0])" }.joined(separator: " ")
  }

  /// Returns the first four bytes for a bitmap, which state its format, and a digest for every
  /// other payload.
  private func payload(of rendition: Rendition) throws -> String? {
    let payload = rendition.payload
    if payload.count == 0 { return nil }
    if rendition.header.width > 0, rendition.header.layout != .vector {
      return "\(Array(payload.buffer.prefix(4)))"
    }
    var digest = BLAKE2b()
    digest.add(payload.buffer)
    return "\(payload.count) \(digest.digest().hexadecimal)"
  }
}
