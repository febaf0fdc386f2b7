// The entries of a cache are valid as long as equal pictures give equal bytes. A change of these
// bytes requires a new revision, which is part of every key.

import Archive
import Bytes
import Codecs
import Foundation
import Support
import Testing
import Traits

@testable import CatalogCompiler

@Suite struct EncoderRevisionTests {
  /// Pictures with colours, greys, transparency, noise and few colours; alone and in atlases; with
  /// padded rows.
  private static var pictures: SampleSources {
    var sources = SampleSources()
    func add(
      _ name: String, side: Int, extra: [[UInt8]] = [], _ pixel: (Int, Int) -> [UInt8]
    ) {
      let samples = (0..<side * side).flatMap { pixel($0 % side, $0 / side) }
      sources.files["A.xcassets/\(name).imageset/\(name).png"] = .bytes(
        png(width: side, height: side, color: .rgba, samples: samples, extra: extra))
      sources.add(
        "\(name).imageset/Contents.json",
        #"{"images":[{"idiom":"universal","scale":"2x","filename":"\#(name).png"}]}"#)
    }
    // Display P3 by its code point: a wide-gamut picture is made beside the sRGB one.
    add("Wide", side: 24, extra: [pngChunk("cICP", [12, 13, 0, 1])]) { x, y in
      [255, UInt8(x * 9), UInt8(y * 9), 255]
    }
    for side in [17, 200] {
      add("Ramp\(side)", side: side) { x, y in [UInt8(x % 256), UInt8(y % 256), 90, 255] }
      add("Gray\(side)", side: side) { x, y in
        let gray = UInt8((x * y / 3) % 256)
        return [gray, gray, gray, 255]
      }
      add("Few\(side)", side: side) { x, y in
        (x / 5 + y / 7) % 2 == 0 ? [255, 0, 0, 255] : [0, 0, 255, 128]
      }
      // The following pictures need only one size.
      if side > 17 { continue }
      add("Clear\(side)", side: side) { x, y in [200, 30, 60, UInt8((x + y) % 256)] }
      add("Noise\(side)", side: side) { x, y in
        let word = UInt32(truncatingIfNeeded: (x * 7919 + y * 104_729 + 1) &* 2_654_435_761)
        return [UInt8(word >> 24), UInt8(word >> 16 & 255), UInt8(word >> 8 & 255), 255]
      }
    }
    return sources
  }

  /// Returns a line with the number of entries in a cache after a run, and a digest of all entries.
  private func row(_ system: OSVersion, _ goal: OptimizationGoal) throws -> String {
    let folder = try TemporaryDirectory()
    _ = try EncoderRevisionTests.pictures.compiled {
      $0.target.minimum = system
      $0.optimization = goal
      $0.cache = ByteString(folder.path("cache"))
    }
    // The names and the keys of entries depend on the revision; the rest of an entry does not.
    let pictures = try folder.files(below: "cache").filter { $0.split(separator: "/").count == 3 }
    let entries = try pictures.map { entry in
      var digest = BLAKE2b()
      let bytes = try folder.read(entry)
      digest.add(Array(bytes[16..<bytes.count - CacheEntry.checksumSize]))
      return digest.digest().hexadecimal
    }.sorted()
    var all = BLAKE2b()
    for entry in entries { all.add(Array(entry.utf8)) }
    return "iOS \(system.major) \(goal.rawValue): \(entries.count) entries, "
      + all.digest().hexadecimal
  }

  @Test func changedBytesNeedAHigherRevision() throws {
    var rows = ""
    for system in [OSVersion(7), OSVersion(8), OSVersion(9), OSVersion(15)] {
      let goals = system < OSVersion(9) ? [.standard] : OptimizationGoal.allCases
      for goal in goals { rows += try row(system, goal) + "\n" }
    }
    let place = "\(packageRoot)/Tests/Goldens/Encoding/encoder-revision.txt"
    let kept = (try? String(contentsOfFile: place, encoding: .utf8)) ?? "revision 0\n"
    let end = kept.firstIndex(of: "\n") ?? kept.endIndex
    let revision = try #require(Int(kept[..<end].dropFirst("revision ".count)))
    if kept[end...].dropFirst() != rows, encoderRevision <= revision {
      Issue.record(
        """
        the same pictures give other bytes than at revision \(revision): raise encoderRevision in \
        PictureCache.swift to \(revision + 1), then run with UPDATE_GOLDEN=1
        """)
      return
    }
    golden("revision \(encoderRevision)\n" + rows, "encoder-revision.txt")
  }
}
