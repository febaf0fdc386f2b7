// Tests which differently written paths lead to one file, and which outputs are refused for that
// reason.

import Bytes
import CPosix
import Foundation
import Support
import Testing

@testable import Host

@Suite struct OutputPlacesTests {
  private let folder: TemporaryDirectory

  /// Makes a file "a" with a hard link and symbolic links, a folder with a link out of it, and
  /// links to a missing file and to themselves.
  init() throws {
    folder = try TemporaryDirectory()
    try folder.write("x", to: "a")
    try folder.write("x", to: "in/c")
    #expect(Glibc.link(folder.path("a"), folder.path("hard")) == 0)
    for (link, target) in [
      ("soft", "a"), ("in/out", ".."), ("far", "in/out/soft"), ("none", "b"), ("loop", "loop"),
      ("whole", folder.path("a")),
    ] { #expect(symlink(target, folder.path(link)) == 0) }
  }

  @Test(arguments: [
    ("a", "a"), ("./a", "a"), ("in/../a", "a"), ("in//../a", "a"), ("soft", "a"), ("far", "a"),
    ("whole", "a"), ("in/out/a", "a"), ("none", "b"), ("in/out/none", "b"), ("b/c/../d", "b/d"),
    ("b/./c", "b/c"), ("in/out/in/out/b", "b"), ("../../../../../../../../../../..", "/"),
    ("loop", "loop"), ("in/", "in"),
  ])
  func aPathLeadsToOnePlace(path: String, place: String) throws {
    let root = try #require(carve_real_path(folder.path))
    defer { free(root) }
    let expected = place == "/" ? place : String(cString: root) + "/" + place
    #expect(
      String(decoding: realPlace(ByteString(folder.path + "/" + path)), as: UTF8.self) == expected)
  }

  @Test func relativePathsBeginInTheFolderOfTheProcess() {
    let here = realPlace(".")
    #expect(here.first == UInt8(ascii: "/") && realPlace("") == here)
    #expect(realPlace("a") == (here == [47] ? here : here + [47]) + [97])
  }

  private func clash(_ outputs: [String], reading inputs: [String] = []) -> OutputClash? {
    func named(_ paths: [String], _ word: String) -> [NamedFile] {
      paths.enumerated().map {
        NamedFile("--\(word)\($0)", ByteString($1.hasPrefix("/") ? $1 : folder.path + "/" + $1))
      }
    }
    do throws(OutputClash) {
      try checkOutputs(named(outputs, "out"), inputs: named(inputs, "in"))
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("a", "soft"), ("hard", "a"), ("hard", "whole"), ("new", "./new"), ("none", "b"),
    ("in/out/x", "x"), ("new/x", "new/y/../x"),
  ])
  func twoOutputsInOnePlaceAreRefusedByBothNames(first: String, second: String) throws {
    let found = try #require(clash([first, "other", second]))
    #expect(found.reason == .sameOutput)
    #expect(found.message.contains("--out0 \(folder.path)/\(first) and --out2 \(folder.path)/"))
    #expect(found.message.contains("are the same file"))
    let read = try #require(clash(["other", first], reading: [second]))
    #expect(read.reason == .isInput && read.message.contains("--in0"))
  }

  @Test func outputsInAFolderThatIsReadAreRefused() throws {
    for output in ["in/c", "in/new", "in/new/x"] {
      let found = try #require(clash([output], reading: ["a", "in"]))
      #expect(found.reason == .inInput && found.other.option == "--in1")
    }
    #expect(clash(["in/out/x", "int", "i"], reading: ["in"]) == nil)
  }

  @Test func othersAreNotRefused() {
    #expect(clash(["new", "newer", "in/new", "new/in"], reading: ["a"]) == nil)
    #expect(clash(["/dev/null", "/dev/null"], reading: ["/dev/null"]) == nil)
  }
}
