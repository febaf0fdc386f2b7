// Makes the files of an example on the page of a code. An example is lines of text as people read
// them:
//
//     $ carve lint Assets.xcassets --platform iphoneos      the command, if it is not plain lint
//     Star.imageset/Contents.json                           a file and, indented, its text
//       { "images": [ { "filename": "star.png" } ] }
//     Star.imageset/star.png: PNG, 24 × 24                  a file, by a description
//     Icons/                                                a folder
//     Icons/Again -> ../Icons                               a link
//     Star.imageset/old.png: removed
//
// Paths are relative to Assets.xcassets.

import Foundation

public struct CatalogExample: Sendable {
  /// The words of the command after `carve`; nil if the example names none.
  public private(set) var command: [String]?
  fileprivate var steps: [Step] = []

  fileprivate struct Step: Sendable {
    var path: String
    var description: String?
    var target: String?
    /// The form of the text, in brackets.
    var form: String?
    var lines: [String] = []
  }

  public struct Failure: Error, CustomStringConvertible { public var description: String }

  public init(_ text: String) {
    var isContinued = false
    for line in text.split(separator: "\n").map(String.init) {
      if line.hasPrefix("$ carve ") || isContinued {
        let words = line.split(separator: " ").map(String.init).filter { $0 != "\\" }
        command = isContinued ? (command ?? []) + words : Array(words.dropFirst(2))
        isContinued = line.hasSuffix("\\")
      } else if line.hasPrefix("  "), !steps.isEmpty {
        steps[steps.count - 1].lines.append(String(line.dropFirst(2)))
      } else {
        steps.append(CatalogExample.step(line))
      }
    }
  }

  private static func step(_ line: String) -> Step {
    if let match = line.wholeMatch(of: /(.+) -> (.+)/) {
      return Step(path: plain(match.1), target: String(match.2))
    }
    if let match = line.wholeMatch(of: /(.+?): (.+)/) {
      return Step(path: plain(match.1), description: String(match.2))
    }
    if let match = line.wholeMatch(of: /(.+) \((.+)\)/) {
      return Step(path: plain(match.1), form: String(match.2))
    }
    return Step(path: plain(line[...]))
  }

  /// Returns a path with the characters that it names by their numbers: `\u00E9`.
  private static func plain(_ path: Substring) -> String {
    String(path).replacing(/\\u([0-9A-F]{4})/) { match in
      UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
    }
  }

  /// Makes or changes the files in a folder.
  public func apply(to folder: TemporaryDirectory) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("Assets.xcassets"), withIntermediateDirectories: true)
    for step in steps { try step.apply(to: folder) }
  }
}

extension CatalogExample.Step {
  fileprivate func apply(to folder: TemporaryDirectory) throws {
    let files = FileManager.default
    let place = CatalogExample.place(path)
    let file = folder.path(place)
    let isFolder = path.hasSuffix("/")
    if let old = try? files.attributesOfItem(atPath: file) {
      if isFolder, description != "removed" { return }
      if old[.type] as? FileAttributeType != .typeSymbolicLink {
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
      }
      try files.removeItem(atPath: file)
    }
    if description == "removed" { return }
    try files.createDirectory(
      atPath: isFolder ? file : (file as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true)
    if let target {
      try files.createSymbolicLink(atPath: file, withDestinationPath: target)
    } else if !isFolder {
      try folder.write(try bytes(in: folder), to: place)
    }
    if description?.hasSuffix("without permission to read") == true {
      try files.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
    }
  }

  private func bytes(in folder: TemporaryDirectory) throws -> [UInt8] {
    guard let description else {
      let text = lines.joined(separator: "\n") + "\n"
      switch form {
      case nil: return Array(text.utf8)
      case "UTF-16":
        return [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      case "with a byte-order mark": return [0xEF, 0xBB, 0xBF] + text.utf8
      case let form?: throw CatalogExample.Failure(description: "unknown form: \(form)")
      }
    }
    let words = description.split(separator: ",").map { $0.drop { $0 == " " } }
    if description == "a text file" || description.hasSuffix("without permission to read") {
      return Array("text\n".utf8)
    }
    if description == "5 MiB of blanks" { return Array(repeating: 0x20, count: 5 << 20) }
    if description.hasPrefix("a copy of ") {
      return try folder.read(CatalogExample.place(String(description.dropFirst(10))))
    }
    let sides = words.dropFirst().first?.split(separator: " × ").compactMap { Int($0) } ?? []
    guard sides.count == 2 else {
      throw CatalogExample.Failure(description: "unknown content: \(description)")
    }
    return try picture(
      String(words[0]), sides[0], sides[1], Set(words.dropFirst(2).map(String.init)))
  }

  private func picture(
    _ kind: String, _ width: Int, _ height: Int, _ words: Set<String>
  ) throws -> [UInt8] {
    switch kind {
    case "PNG": return png(width, height, words)
    case "JPEG": return jpeg(width: width, height: height, orientation: words.isEmpty ? 1 : 6)
    case "GIF":
      return Array("GIF89a".utf8) + [UInt8(width), 0, UInt8(height), 0, 0, 0, 0, 0x2C, 0, 0, 0, 0]
        + [1, 0, 1, 0, 0, 0, 0x3B]
    default: throw CatalogExample.Failure(description: "unknown kind of picture: \(kind)")
    }
  }

  /// Returns a PNG of one colour, which depends on the path: two files are not equal by chance.
  private func png(_ width: Int, _ height: Int, _ words: Set<String>) -> [UInt8] {
    let seed = path.utf8.reduce(UInt32(7)) { $0 &* 31 &+ UInt32($1) }
    let isDeep = words.contains("16 bits")
    let color: PNGColor = words.contains("with alpha") ? .rgba : .rgb
    let pixel = (0..<color.channels * (isDeep ? 2 : 1)).map {
      UInt8(seed >> UInt32($0 % 4 * 8) & 0xFF)
    }
    var extra: [[UInt8]] = []
    if words.contains("with 3 frames") { extra.append(pngChunk("acTL", [0, 0, 0, 3, 0, 0, 0, 0])) }
    if words.contains("Display P3") {
      extra.append(pngChunk("iCCP", Array("Display P3".utf8) + [0, 0] + storedZlib([1, 2, 3])))
    }
    let samples = (0..<width * height).flatMap { _ in pixel }
    var file = Support.png(
      width: width, height: height, color: color, depth: isDeep ? 16 : 8, samples: samples,
      extra: extra)
    if words.contains("with a chunk CgBI") {
      file.insert(contentsOf: pngChunk("CgBI", [0x50, 0, 0x20, 6]), at: 8)
    }
    return words.contains("cut off") ? Array(file.dropLast(20)) : file
  }
}

extension CatalogExample {
  /// Returns a path in the folder of the example, from a path relative to Assets.xcassets.
  fileprivate static func place(_ path: String) -> String {
    path.hasPrefix("../") ? String(path.dropFirst(3)) : "Assets.xcassets/\(path)"
  }
}
