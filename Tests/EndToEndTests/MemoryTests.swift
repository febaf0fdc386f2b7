// How much memory a compilation takes: pictures leave it, and what stays for each set is little.

import Foundation
import Support
import Testing

@Suite struct MemoryTests {
  private func catalog(_ folder: TemporaryDirectory, _ name: String, sets: Int) throws {
    try folder.write(#"{"info": {"version": 1, "author": "x"}}"#, to: "\(name)/Contents.json")
    for number in 0..<sets {
      let set = "\(name)/Picture\(number).imageset"
      for scale in 1...3 {
        let samples = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 16)
        try folder.write(
          png(width: 2, height: 2, color: .rgba, samples: samples), to: "\(set)/a@\(scale)x.png")
      }
      let entries = (1...3).map {
        #"{"idiom": "universal", "filename": "a@\#($0)x.png", "scale": "\#($0)x"}"#
      }
      try folder.write(
        #"{"images": [\#(entries.joined(separator: ", "))], "info": {"version": 1, "author": "x"}}"#,
        to: "\(set)/Contents.json")
    }
  }

  /// Three pictures each, with their paths, what is planned of them, where they lie and what is remembered.
  @Test func memoryGrowsLittleWithTheSets() throws {
    let folder = try TemporaryDirectory()
    try catalog(folder, "Few.xcassets", sets: 200)
    try catalog(folder, "Many.xcassets", sets: 2_200)
    func compile(_ name: String, _ more: [String]) throws -> Int {
      let result = try runTool(
        ["compile", folder.path(name), "-o", folder.path("out.car"), "-j", "1"] + more)
      #expect(result.code == 0, "\(result.stderr)")
      return result.memory
    }
    for more in [[], ["--cache", folder.path("kept")]] {
      let few = try compile("Few.xcassets", more)
      let many = try compile("Many.xcassets", more)
      #expect((many - few) / 2_000 < 6_500, "\(more): \(few) bytes for 200 sets, \(many) for 2,200")
    }
  }
}
