// Small PDFs for tests: a page, of 8 by 8 points by default, and the objects that it uses.

import Codecs

@testable import Vectors

/// A PDF as text. Its objects 1 to 4 are the catalogue, the node of pages, the page and the
/// content; further objects follow.
struct PDFSketch {
  var content: String
  /// The entries of the page's resources, as they are written.
  var resources = ""
  /// Further entries of the page, of the node of pages and of the catalogue.
  var page = "/MediaBox [0 0 8 8]"
  var pages = ""
  var catalog = ""
  private(set) var objects: [[UInt8]] = []

  init(_ content: String, resources: String = "", page: String = "/MediaBox [0 0 8 8]") {
    self.content = content
    self.resources = resources
    self.page = page
  }

  /// Adds an object and returns its number.
  @discardableResult
  mutating func add(_ text: String) -> Int {
    objects.append(Array(text.utf8))
    return objects.count + 4
  }

  @discardableResult
  mutating func addStream(_ entries: String, _ bytes: [UInt8]) -> Int {
    objects.append(Self.stream(entries, bytes))
    return objects.count + 4
  }

  @discardableResult
  mutating func addStream(_ entries: String, _ text: String) -> Int {
    addStream(entries, Array(text.utf8))
  }

  static func stream(_ entries: String, _ bytes: [UInt8]) -> [UInt8] {
    Array("<< \(entries) /Length \(bytes.count) >>\nstream\n".utf8) + bytes
      + Array("\nendstream".utf8)
  }

  /// All objects in the order of their numbers.
  var allObjects: [[UInt8]] {
    let fixed = [
      "<< /Type /Catalog /Pages 2 0 R \(catalog) >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 \(pages) >>",
      "<< /Type /Page /Parent 2 0 R /Contents 4 0 R \(page)"
        + (resources.isEmpty ? "" : " /Resources << \(resources) >>") + " >>",
    ]
    return fixed.map { Array($0.utf8) } + [Self.stream("", Array(content.utf8))] + objects
  }

  /// The file, with a cross-reference table.
  var bytes: [UInt8] {
    var file = Array("%PDF-1.4\n".utf8)
    var offsets: [Int] = []
    for (index, object) in allObjects.enumerated() {
      offsets.append(file.count)
      file += Array("\(index + 1) 0 obj\n".utf8) + object + Array("\nendobj\n".utf8)
    }
    let start = file.count
    file += Array("xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n".utf8)
    for offset in offsets { file += Array("\(Self.padded(offset)) 00000 n \n".utf8) }
    file += Array("trailer << /Size \(offsets.count + 1) /Root 1 0 R >>\n".utf8)
    return file + Array("startxref\n\(start)\n%%EOF\n".utf8)
  }

  static func padded(_ number: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: 10 - digits.count) + digits
  }

  func drawing() throws -> Drawing { try PDFSketch.drawing(bytes) }

  static func drawing(_ bytes: [UInt8]) throws -> Drawing {
    try bytes.withUnsafeBytes { try PDFDocument.read($0) }
  }

  func picture(scale: Double = 1) throws -> Picture {
    try Picture(drawing(), scale: scale, .pdf)
  }

  /// Returns bytes in the format of zlib, as stored blocks.
  static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let part = rest.prefix(65535)
      rest = rest.dropFirst(part.count)
      let count = part.count
      result += [rest.isEmpty ? 1 : 0, UInt8(count & 255), UInt8(count >> 8)]
      result += [UInt8(~count & 255), UInt8(~count >> 8 & 255)] + part
    } while !rest.isEmpty
    // The check value is not read.
    return result + [0, 0, 0, 0]
  }
}

extension Picture {
  /// Returns the premultiplied red, green, blue and alpha of a pixel.
  func rgba(_ x: Int, _ y: Int) -> [Int] {
    let pixel = pixel(x, y)
    return [16, 8, 0, 24].map { Int(pixel >> UInt32($0) & 255) }
  }

  /// Returns whether a pixel is near a colour.
  func isNear(_ x: Int, _ y: Int, _ color: [Int], by most: Int = 1) -> Bool {
    zip(rgba(x, y), color).allSatisfy { abs($0 - $1) <= most }
  }
}

let red = [255, 0, 0, 255]
let green = [0, 255, 0, 255]
let blue = [0, 0, 255, 255]
let black = [0, 0, 0, 255]
let white = [255, 255, 255, 255]
let nothing = [0, 0, 0, 0]
