// Tests the pictures that `carve preview --png` writes.

import Foundation
import Support
import Testing

@Suite struct PreviewPictureTests {
  /// JPEG files are drawn; HEIF files cannot be, which a note says.
  @Test func `pictures of files are drawn or named`() throws {
    let folder = try TemporaryDirectory()
    let versions: [(String, [UInt8], [UInt8])] = [
      ("Old", jpegFile("gray"), heif("heic", width: 9, height: 8)),
      ("New", jpegFile("baseline"), heif("heic", width: 8, height: 9)),
    ]
    for (version, photo, wide) in versions {
      for (name, file, bytes) in [("Photo", "a.jpg", photo), ("Wide", "a.heic", wide)] {
        let set = "\(version).xcassets/\(name).imageset"
        try folder.write(bytes, to: "\(set)/\(file)")
        try folder.write(#"{"images":[{"filename":"\#(file)"}]}"#, to: "\(set)/Contents.json")
      }
    }
    let result = try runTool(
      ["preview", "Old.xcassets", "New.xcassets", "--png", "changes"], in: folder.path)
    #expect(result.code == 0 && result.stdout == "changes: 1 picture\n", "\(result.stderr)")
    #expect(result.stderr.hasSuffix("note: --png cannot draw all pictures of \"Wide\"\n"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("changes"))
    #expect(names == ["Photo, 1x.png"])
    // Three pictures of 16 by 16 pixels, and gaps of 12 pixels.
    let drawn = try folder.read("changes/Photo, 1x.png")
    #expect(Array(drawn[16..<24]) == [0, 0, 0, 96, 0, 0, 0, 40])
  }
}
