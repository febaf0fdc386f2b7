// Reads the output of the build step with independent programs: Python's property lists and
// Pillow's icon files. If the machine lacks them, the test says so and is skipped.

import Foundation
import Support
import Testing

/// The environment of the machine's programs; the tool itself is tested in an empty environment.
private let surroundings = ProcessInfo.processInfo.environment

private func python(_ script: String, _ arguments: [String] = []) throws -> ToolResult {
  try run("/usr/bin/env", ["python3", "-c", script] + arguments, environment: surroundings)
}

private func has(_ module: String) -> Bool {
  (try? python("import \(module)"))?.code == 0
}

@Suite struct IndependentReaderTests {
  @Test(.enabled(if: has("plistlib"), "python3 is not installed"))
  func pythonReadsThePropertyLists() throws {
    let folder = try appFolder()
    for format in ["xml1", "binary1"] {
      let result = try runTool(
        [
          "actool", "Assets.xcassets", "--compile", "out", "--platform", "iphoneos", "--app-icon",
          "AppIcon", "--alternate-app-icon", "Second", "--output-format", format,
          "--output-partial-info-plist", "obj/info.plist", "--generate-asset-symbol-index",
          "obj/unused.plist",
        ].dropLast(2), in: folder.path)
      try folder.write(result.output, to: "obj/report")
      let read = try python(
        """
        import plistlib, sys
        report = plistlib.load(open(sys.argv[1] + "/report", "rb"))
        info = plistlib.load(open(sys.argv[1] + "/info.plist", "rb"))
        files = report["com.apple.actool.compilation-results"]["output-files"]
        print(len(files), files == sorted(files), files[0].endswith("/obj/info.plist"))
        icons = info["CFBundleIcons~ipad"]
        print(icons["CFBundlePrimaryIcon"]["CFBundleIconFiles"])
        print(icons["CFBundleAlternateIcons"]["Second"]["CFBundleIconFiles"])
        """, [folder.path("obj")])
      #expect(
        read.stdout == """
          6 True True
          ['AppIcon60x60', 'AppIcon76x76']
          ['Second60x60', 'Second76x76']

          """, "\(read.stderr)")
    }
  }

  @Test(.enabled(if: has("PIL"), "Pillow is not installed"))
  func pillowOpensTheIcons() throws {
    let folder = try appFolder()
    let mac = try runTool(
      [
        "actool", "Mac.xcassets", "--compile", "out", "--platform", "macosx", "--app-icon",
        "AppIcon",
      ],
      in: folder.path)
    #expect(mac.code == 0)
    let phone = try runTool(
      [
        "actool", "Assets.xcassets", "--compile", "out", "--platform", "iphoneos", "--app-icon",
        "Second",
      ], in: folder.path)
    #expect(phone.code == 0)
    let read = try python(
      """
      import sys
      from PIL import Image
      icon = Image.open(sys.argv[1] + "/AppIcon.icns")
      print(sorted(icon.info["sizes"]))
      for size in sorted(icon.info["sizes"]):
          picture = icon.icns.getimage(size)
          edge = size[0] * size[2] - 1
          first, last = picture.convert("RGBA").getpixel((0, 0)), picture.convert("RGBA").getpixel((edge, edge))
          print(picture.size, first, last[3], last[0] >= 239)
      phone = Image.open(sys.argv[1] + "/Second60x60@2x.png")
      print(phone.size, Image.open(sys.argv[1] + "/Second76x76@2x~ipad.png").size)
      """, [folder.path("out")])
    golden(read.stdout + read.stderr, "Actool/pillow.txt")
  }
}
