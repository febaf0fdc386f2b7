// Tests the parts of the build step that are values: the Mac icon file, the dependency file, names
// of launch images.

import CatalogModel
import Host
import Support
import Testing
import Traits

@testable import DropIn

@Suite struct PieceTests {
  @Test func aDependencyFileStartsWithItsVersionAndHoldsNoEmptyRecord() {
    let info = DependencyInfo(
      version: "actool-1", inputs: ["b", "a", "b", "", "x\0y"], missing: ["m"], outputs: ["o"])
    #expect(
      info.bytes == Array("\u{0}actool-1\u{0}\u{10}a\u{0}\u{10}b\u{0}\u{11}m\u{0}@o\u{0}".utf8))
  }

  @Test(
    arguments: [
      ("8.0", "portrait", 569, "iphone", 2, "Launch-800-667h@2x.png", "{375, 667}"),
      ("8.0", "landscape", 570, "iphone", 3, "Launch-800-Landscape-736h@3x.png", "{414, 736}"),
      ("11.0", "portrait", 2436, "iphone", 3, "Launch-1100-Portrait-2436h@3x.png", "{375, 812}"),
      ("7.0", "portrait", 0, "ipad", 2, "Launch-700-Portrait@2x~ipad.png", "{768, 1024}"),
      ("7.0", "portrait", 568, "iphone", 2, "Launch-700-568h@2x.png", "{320, 568}"),
      (nil, "portrait", 568, "iphone", 2, "Launch-568h@2x.png", nil),
      (nil, "portrait", 0, "iphone", 1, "Launch.png", nil),
      ("8", "portrait", 0, "iphone", 2, "Launch-800@2x.png", "{320, 480}"),
      ("/x", "portrait", 0, "iphone", 2, "Launch@2x.png", nil),
    ] as [(String?, String, UInt16, String, UInt8, String, String?)])
  func launchImagesAreNamedForSystemDisplayAndOrientation(
    version: String?, orientation: String, subtype: UInt16, idiom: String, scale: UInt8,
    name: String, size: String?
  ) {
    var slot = Slot()
    slot.key.idiom = idiom == "ipad" ? .pad : .phone
    slot.key.subtype = subtype
    slot.key.scale = scale
    var entry = LaunchImageEntry(slot: slot)
    entry.file = SourceFile(name: "a.png", path: "a.png", exists: true, size: 1)
    entry.orientation = orientation
    entry.minimumSystemVersion = version
    var set = LaunchImageSet()
    set.entries = [entry]
    let files = set.files(named: "Group/Launch")
    #expect(files.map(\.fileName) == [name])
    #expect(files.first?.entry?.dictionary?["UILaunchImageSize"]?.string == size)
  }
}
