// Bombs: small files that demand much work or memory. Each is made by code. The tests give it to
// its reader and to the tool, and the benchmark has a row for it. Bombs of one kind are in files of
// their own; this file contains the type and the list.

/// A small file, or a folder of small files, for which a careless reader would take much more than
/// its size allows.
public struct Bomb: Sendable {
  /// The path of a file below the folder of the bomb, and its bytes.
  public typealias File = (path: String, bytes: [UInt8])

  public let name: String
  /// The fuzz target that reads the first file; nil if the tool alone reads it.
  public let target: String?
  /// The arguments of the tool, which runs in the folder of the bomb.
  public let command: [String]
  /// The address space that the tool needs for the bomb, in megabytes. Pictures need room for their
  /// pixels.
  public let megabytes: Int
  private let make: @Sendable () -> [File]

  init(
    _ name: String, _ target: String?, _ command: [String], megabytes: Int = 768,
    _ make: @escaping @Sendable () -> [File]
  ) {
    self.name = name
    self.target = target
    self.command = command
    self.megabytes = megabytes
    self.make = make
  }

  public var files: [File] { make() }

  /// Every bomb, each with a name of its own.
  public static let all =
    pictures + texts + archives + publicVectors + VectorBomb.vectors.map(Bomb.init)

  /// The readers of the first file. A vector is also written as archives keep it.
  public var readers: [FuzzTarget] {
    let isVector = target == "svg" || target == "pdf"
    return FuzzTarget.all.filter { $0.name == target || isVector && $0.name == "kept-vector" }
  }
}

// MARK: Parts of bombs

extension Bomb {
  static let information = #"{"info":{"version":1,"author":"xcode"}}"#

  /// Returns a catalogue with one image set, whose picture is `file`. A vector is also stored.
  static func imageSet(_ file: String, _ bytes: [UInt8]) -> [File] {
    let entry = #"{"idiom":"universal","filename":"\#(file)"}"#
    return [
      ("A.xcassets/P.imageset/\(file)", bytes),
      ("A.xcassets/Contents.json", Array(information.utf8)),
      (
        "A.xcassets/P.imageset/Contents.json",
        Array(
          (#"{"images":[\#(entry)],"info":{"version":1,"author":"xcode"},"#
            + #""properties":{"preserves-vector-representation":true}}"#).utf8)
      ),
    ]
  }

  static let compiling = ["compile", "A.xcassets", "-o", "out.car"]

  /// Returns a bomb of a picture, which the tool compiles and its fuzz target reads.
  static func picture(
    _ name: String, megabytes: Int = 768, _ make: @escaping @Sendable () -> [UInt8]
  ) -> Bomb {
    Bomb(name, "picture", compiling, megabytes: megabytes) { imageSet("a.png", make()) }
  }

  /// Returns a bomb of a vector, which the tool compiles.
  static func vector(
    _ name: String, _ kind: String, _ make: @escaping @Sendable () -> [UInt8]
  ) -> Bomb {
    Bomb(name, kind, compiling) { imageSet("a.\(kind)", make()) }
  }

  /// Creates a bomb of a vector whose outcome is stated in tests of its own.
  private init(_ vector: VectorBomb) {
    let kind = vector.kind == .svg ? "svg" : "pdf"
    let bytes = vector.bytes
    self.init(vector.name, kind, Bomb.compiling) { Bomb.imageSet("a.\(kind)", bytes) }
  }

  static func repeated(_ text: String, _ count: Int) -> [UInt8] {
    let piece = Array(text.utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(piece.count * count)
    for _ in 0..<count { bytes += piece }
    return bytes
  }
}
