// Compiles programs in C and C++ against the installed library, with the compilers of the machine,
// and runs them, under valgrind if it is installed. CARVE_LIBRARY names the folder into which the
// library was installed; `make test-library` sets it.

import Foundation
import Support
import Testing
import Traits

private let library = ProcessInfo.processInfo.environment["CARVE_LIBRARY"]

/// Returns whether the machine has these commands.
private func isThere(_ commands: String...) -> Bool {
  commands.allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0) }
}

@Suite(.enabled(if: library != nil, "CARVE_LIBRARY names no installed library"))
struct CInterfaceTests {
  private let folder: TemporaryDirectory
  private let archive: String
  private let prefix: String

  init() throws {
    folder = try TemporaryDirectory()
    // pkg-config need not escape this path.
    prefix = folder.path + "/tree"
    try FileManager.default.createSymbolicLink(
      atPath: prefix, withDestinationPath: try #require(library))
    archive = folder.path + "/Sample.car"
    var builder = sampleBuilder()
    try Data(try builder.bytes()).write(to: URL(fileURLWithPath: archive))
  }

  private func shell(_ command: String) throws -> (code: Int32, output: String) {
    let result = try run(
      "/bin/sh", ["-c", command], in: packageRoot + "/Tests/CInterface",
      environment: [
        "PATH": "/usr/bin:/bin", "PKG_CONFIG_PATH": prefix + "/lib/pkgconfig",
        "LD_LIBRARY_PATH": prefix + "/lib", "LC_ALL": "C",
      ])
    return (result.code, result.stdout + result.stderr)
  }

  private static let checked = """
    $(command -v valgrind >/dev/null && echo valgrind -q --error-exitcode=9 --leak-check=full \
    --errors-for-leak-kinds=definite,indirect)
    """

  @Test(
    .enabled(if: isThere("cc"), "this machine has no cc"),
    arguments: [
      "cc -std=c11 -Wall -Wextra -Werror interface.c $(pkg-config --define-prefix --cflags --libs carve)",
      """
      cc -std=c11 -Wall -Wextra -Werror -IFirstRelease interface.c \
      $(pkg-config --define-prefix --libs carve)
      """,
      """
      cc -std=c11 interface.c $(pkg-config --define-prefix --cflags carve) \
      $(pkg-config --define-prefix --variable=libdir carve)/libcarve.a -lm
      """,
    ])
  func aProgramInCRunsWithoutAnErrorOrALeak(compile: String) throws {
    try buildAndRun(compile)
  }

  @Test(.enabled(if: isThere("c++"), "this machine has no c++"))
  func aProgramInCPlusPlusRunsWithoutAnErrorOrALeak() throws {
    try buildAndRun(
      """
      c++ -std=c++17 -Wall -Wextra -Werror interface.cc -pthread $(pkg-config --define-prefix --cflags --libs carve)
      """)
  }

  /// The wrapper has exceptions, or results instead of them, in old and new versions of C++.
  @Test(
    .enabled(if: isThere("c++"), "this machine has no c++"),
    arguments: [
      "-std=c++17", "-std=c++20", "-std=c++17 -fno-exceptions", "-std=c++20 -DCARVE_NO_EXCEPTIONS",
    ])
  func theWrapperForCPlusPlusRunsWithoutAnErrorOrALeak(options: String) throws {
    try writePhoto()
    try buildAndRun(
      """
      c++ \(options) -Wall -Wextra -Werror wrapper.cc $(pkg-config --define-prefix --cflags --libs carve)
      """)
  }

  /// Adds a JPEG file to the archive.
  private func writePhoto() throws {
    var builder = sampleBuilder()
    builder.addPhoto("Photo", jpegFile("baseline"))
    try Data(try builder.bytes()).write(to: URL(fileURLWithPath: archive))
  }

  @Test(.enabled(if: isThere("cc", "c++"), "this machine has no cc or no c++"))
  func theSampleProgramsShowTheArchive() throws {
    try writePhoto()
    let programs = packageRoot + "/SampleCatalogs/Programs"
    let flags = "$(pkg-config --define-prefix --cflags --libs carve)"
    let built = try shell(
      """
      c++ -std=c++17 -Wall -Wextra -Werror '\(programs)/sheet.cc' -o '\(folder.path)/sheet' \(flags) && \
      cc -std=c11 -Wall -Wextra -Werror '\(programs)/picture.c' -o '\(folder.path)/picture' \(flags)
      """)
    #expect(built.code == 0, "\(built.output)")
    let sheet = try shell(
      "\(Self.checked) '\(folder.path)/sheet' '\(archive)' scale=2 -o '\(folder.path)/sheet.pam'")
    #expect(sheet.code == 0)
    #expect(
      sheet.output == """
        Accent: a colour
        Arrow: 4x3 pixels
        Group/Star: 8x3 pixels
        Level: 10 bytes
        Photo: 16x16 pixels
        Plain: 8x8 pixels
        SpriteA: 5x4 pixels
        SpriteB: 3x6 pixels

        """)
    let pam = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/sheet.pam"))
    #expect(pam.count == 12 * 96 * 96 * 4 + 69)
    let picture = try shell(
      "'\(folder.path)/picture' '\(archive)' Photo -o '\(folder.path)/photo.pam'")
    #expect(picture.code == 0)
    #expect(picture.output == "Photo (image): JPEG, 16x16 pixels at 1x, 303 bytes\n")
    let photo = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/photo.pam"))
    #expect(photo.count == 16 * 16 * 4 + 67 && photo.suffix(1024).first ?? 0 > 245)
  }

  @Test(.enabled(if: isThere("cc"), "this machine has no cc"))
  func theExampleOfTheReadmeRuns() throws {
    let readme = try String(
      contentsOfFile: packageRoot + "/Docs/reference-run-time.md", encoding: .utf8)
    let blocks = readme.components(separatedBy: "```c\n").dropFirst()
    let example = try #require(blocks.first?.components(separatedBy: "```").first)
    try #require(blocks.count == 1)
    let mine = example.replacing("Assets.car", with: archive).replacing(
      #""Star", 4"#, with: #""Plain", 5"#)
    try folder.write(
      """
      #include <carve.h>
      #include <stdio.h>
      #include <stdlib.h>
      int main(void) {
      \(mine)
        return star.pixel_width != 8;
      }
      """, to: "example.c")
    let program = folder.path("example")
    let built = try shell(
      """
      cc -std=c11 -Wall -Wextra -Werror '\(folder.path("example.c"))' -o '\(program)' \
      $(pkg-config --define-prefix --cflags --libs carve) && '\(program)'
      """)
    #expect(built.code == 0, "\(built.output)")
  }

  private func buildAndRun(_ compile: String) throws {
    let program = folder.path + "/program"
    let built = try shell("\(compile) -o '\(program)'")
    #expect(built.code == 0, "\(built.output)")
    let ran = try shell("\(Self.checked) '\(program)' '\(archive)'")
    #expect(ran.code == 0, "\(ran.output)")
    #expect(ran.output == "fine\n")
  }

  /// The library to link, and whether it draws vectors.
  @Test(
    .enabled(if: isThere("cc"), "this machine has no cc"),
    arguments: [
      ("$(pkg-config --define-prefix --libs carve)", 1),
      ("$(pkg-config --define-prefix --variable=libdir carve)/libcarve.a -lm", 1),
      ("$(pkg-config --define-prefix --variable=libdir carve)/libcarve-without-vectors.a -lm", 0),
    ])
  func vectorsAreDrawn(library: String, draws: Int) throws {
    var builder = CatalogBuilder()
    builder.addFile("Flag", VariantKey(), Array(flagSVG.utf8), format: .svg, layout: .vector)
    builder.addFile("Square", VariantKey(), Array(squarePDF.utf8), format: .pdf, layout: .vector)
    builder.addFile("Broken", VariantKey(), Array("<svg".utf8), format: .svg, layout: .vector)
    try Data(try builder.bytes()).write(to: URL(fileURLWithPath: archive))
    try buildAndRun(
      """
      cc -std=c11 -Wall -Wextra -Werror -DDRAWS=\(draws) vectors.c \
      $(pkg-config --define-prefix --cflags carve) \(library)
      """)
  }

  @Test(.enabled(if: isThere("cc"), "this machine has no cc"))
  func callsAllocateNothingButWhatIsDocumented() throws {
    var builder = CatalogBuilder()
    builder.addImage("Plain", VariantKey(), TestPicture(width: 32, height: 16, seed: 1))
    builder.addPacked("Runs", TestPicture(width: 8, height: 8, seed: 2))
    builder.addPacked("Packed", TestPicture(width: 64, height: 64, seed: 3))
    builder.addAtlas(
      [
        ("SpriteA", TestPicture(width: 40, height: 30, seed: 4)),
        ("SpriteB", TestPicture(width: 9, height: 50, seed: 5)),
      ], scale: 1)
    try Data(try builder.bytes()).write(to: URL(fileURLWithPath: archive))
    let program = folder.path + "/allocations"
    let built = try shell(
      """
      cc -std=c11 -Wall -Wextra -Werror allocations.c $(pkg-config --define-prefix --cflags carve) \
      $(sed -n 's/.*ALLOCATION_FLAGS: //p' allocations.h) \
      $(pkg-config --define-prefix --variable=libdir carve)/libcarve.a -lm -o '\(program)'
      """)
    #expect(built.code == 0, "\(built.output)")
    let ran = try shell("'\(program)' '\(archive)'")
    #expect(ran.code == 0 && ran.output == "fine\n", "\(ran.output)")
  }

  @Test(.enabled(if: isThere("cmake", "c++"), "this machine has no cmake or no c++"))
  func cMakeFindsThePackage() throws {
    let build = folder.path + "/build"
    // This imitates a system whose /lib is a link to /usr/lib and whose /include does not exist.
    let linked = folder.path + "/linked"
    try FileManager.default.createDirectory(atPath: linked, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: linked + "/lib", withDestinationPath: prefix + "/lib")
    let made = try shell(
      "cmake -S . -B '\(build)' -DCMAKE_PREFIX_PATH='\(linked)' && cmake --build '\(build)'")
    #expect(made.code == 0, "\(made.output)")
    for program in ["c-shared", "c-static", "c-without-vectors", "cxx-shared"] {
      #expect(try shell("'\(build)/\(program)' '\(archive)'").code == 0, "\(program)")
    }
  }

  /// `carve_add_catalog` runs the tool if the catalogue changed, and only then.
  @Test(.enabled(if: isThere("cmake", "c++", "make"), "this machine has no cmake, make or c++"))
  func cMakeCompilesCatalogues() throws {
    let build = folder.path + "/catalogs"
    try folder.copy("\(packageRoot)/SampleCatalogs/Scales.xcassets", to: "Scales.xcassets")
    let configure = """
      cmake -S . -B '\(build)' -DCMAKE_PREFIX_PATH='\(prefix)' -DCATALOG='\(folder.path)/Scales.xcassets' \
      -DCARVE_EXECUTABLE='\(productFolder)/carve'
      """
    let made = try shell("\(configure) && cmake --build '\(build)' --target c-shared c-static")
    #expect(made.code == 0, "\(made.output)")
    let names = try ["Assets.car", "Mac.car"].map { name in
      let info = try runTool(["info", name], in: build)
      #expect(info.code == 0, "\(info.stderr)")
      return info.stdout
    }
    #expect(names[0].contains("Rocket") && names[0].contains(", ios "))
    #expect(names[1].contains("Rocket") && names[1].contains(", macosx "))
    let again = "cmake --build '\(build)' --target c-shared"
    #expect(try !shell(again).output.contains("Compiling Assets.car"))
    try Data("{}".utf8).write(
      to: URL(fileURLWithPath: folder.path + "/Scales.xcassets/Rocket.imageset/Contents.json"))
    let changed = try shell(again)
    #expect(changed.output.contains("Compiling Assets.car"), "\(changed.output)")
    #expect(try !runTool(["info", "Assets.car"], in: build).stdout.contains("Rocket "))
  }

  /// Tests symbols, and all facts of a catalogue except pixels.
  @Test(
    .enabled(if: isThere("cc"), "this machine has no cc"),
    arguments: [
      "$(pkg-config --define-prefix --libs carve)",
      "$(pkg-config --define-prefix --variable=libdir carve)/libcarve.a -lm",
    ])
  func symbolsAndTheRestAreTold(library: String) throws {
    var sources = SampleSources()
    sources.symbol("Sign", SymbolSample.variable().text)
    sources.add(
      "Word.imageset/Contents.json",
      #"{"images":[{"scale":"2x","filename":"a.png"},{"scale":"2x","locale":"de","filename":"b.png"}],"#
        + #""properties":{"localizable":true}}"#)
    for name in ["a", "b"] {
      sources.files["A.xcassets/Word.imageset/\(name).png"] = .bytes(
        png(width: 10, height: 6, red: name == "a" ? 1 : 2, green: 3))
    }
    try folder.write(try sources.compiled().bytes, to: "Sample.car")
    try buildAndRun(
      """
      cc -std=c11 -Wall -Wextra -Werror symbols.c $(pkg-config --define-prefix --cflags carve) \(library)
      """)
  }

  /// There is a page for the header, and one for every function that leads to it.
  @Test func theManualIsInstalled() throws {
    let pages = prefix + "/share/man/man3/"
    let declared = try shell(
      "grep -oE '\\bcarve_[a-z_]+\\(' '\(prefix)/include/carve.h' | tr -d '(' | sort -u"
    ).output.split(separator: "\n")
    #expect(declared.count > 40)
    for name in declared {
      let page = try String(contentsOfFile: "\(pages)\(name).3", encoding: .utf8)
      let group = try #require(page.split(separator: "/").last?.split(separator: "\n").first)
      let text = try String(contentsOfFile: pages + group, encoding: .utf8)
      #expect(text.contains("\(name)("), "\(name)")
    }
    let first = try String(contentsOfFile: pages + "carve.h.3", encoding: .utf8)
    #expect(
      first.contains("typedef struct carve_rendition {") && first.contains("carve-opening (3)"))
  }

  @Test func theSharedLibraryShowsItsInterfaceAndNeedsOnlyTheCLibrary() throws {
    let shared = prefix + "/lib/libcarve.so"
    let symbols = try shell("nm -D --defined-only '\(shared)' | sed 's/.* //; s/@.*//'").output
    let declared = try shell(
      "grep -oE '\\bcarve_[a-z_]+\\(' '\(prefix)/include/carve.h' | tr -d '(' | sort -u"
    ).output
    let shown = Set(symbols.split(separator: "\n")).subtracting(["CARVE_0"])
    let wanted = Set(declared.split(separator: "\n")).filter { !$0.isEmpty }
    #expect(shown.allSatisfy { $0.hasPrefix("carve_") }, "\(symbols)")
    #expect(shown.isSubset(of: wanted), "\(shown.subtracting(wanted))")
    #expect(shown.count >= 26)
    let needed = try shell("objdump -p '\(shared)' | grep -E 'NEEDED|SONAME' | sort").output
    let names = needed.split(separator: "\n").map { $0.split(separator: " ").last ?? "" }
    #expect(names == ["libc.so.6", "libm.so.6", "libcarve.so.0"])
  }
}
