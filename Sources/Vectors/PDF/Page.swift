// The first page of a PDF: its size, its content and its inherited keys.

import Bytes

struct PDFPage {
  var content: [UInt8]
  var resources: PDFDictionary
  /// The transform from the page's user space to the drawing, whose origin is the upper left corner
  /// and whose y grows downwards.
  var transform: Transform
  var width: Double
  var height: Double
  /// Whether there are annotations, which are not drawn.
  var hasAnnotations = false
}

extension PDFFile {
  func firstPage() throws(VectorError) -> PDFPage {
    guard let root = dictionary(trailer["Root"]) else { throw .malformed(.noPage, offset: 0) }
    var inherited: [String: PDFValue] = [:]
    var visited: Set<Int> = []
    guard let page = firstLeaf(root["Pages"], &inherited, &visited, depth: 0) else {
      try check()
      throw .malformed(.noPage, offset: 0)
    }
    let box = pageBox(inherited)
    let unit = min(max(number(page["UserUnit"]) ?? 1, 0.01), 1000)
    let turns = (((int(inherited["Rotate"] ?? .null) ?? 0) / 90 % 4) + 4) % 4
    let (width, height) = (box.width * unit, box.height * unit)
    let isTurned = turns % 2 == 1
    var result = PDFPage(
      content: [], resources: dictionary(inherited["Resources"] ?? .null) ?? PDFDictionary(),
      transform: Self.transform(box, unit: unit, turns: turns),
      width: isTurned ? height : width, height: isTurned ? width : height)
    guard result.width > 0, result.height > 0 else { throw .malformed(.noSize, offset: 0) }
    let most = Double(Placement.longestSide)
    guard result.width <= most, result.height <= most else {
      throw .overLimit(.pageSide, most: Placement.longestSide)
    }
    result.content = content(page["Contents"])
    result.hasAnnotations = hasAnnotations(page)
    return result
  }

  /// Returns whether the page has annotations that PDF viewers show over its content.
  private func hasAnnotations(_ page: PDFDictionary) -> Bool {
    for value in array(page["Annots"]) ?? [] {
      guard budget.spend(.values, 2) else { return false }
      guard let annotation = dictionary(value) else { continue }
      let (hidden, notViewed) = (2, 32)
      if (int(annotation["F"]) ?? 0) & (hidden | notViewed) != 0 { continue }
      switch name(annotation["Subtype"]) {
      case "Popup": continue
      case "Link":
        let style = dictionary(annotation["BS"])
        let width =
          number(style?["W"] ?? .null) ?? numbers(annotation["Border"])?.dropFirst(2).first
        if width ?? 1 > 0 { return true }
      default: return true
      }
    }
    return false
  }

  /// Returns the first page in the tree of pages. The keys of a node are inherited by the nodes
  /// below it.
  private func firstLeaf(
    _ node: PDFValue, _ inherited: inout [String: PDFValue], _ visited: inout Set<Int>, depth: Int
  ) -> PDFDictionary? {
    guard depth < 64, budget.spend(.objects), let dictionary = dictionary(node) else { return nil }
    if let number = node.reference, !visited.insert(number).inserted { return nil }
    let before = inherited
    for key in ["MediaBox", "CropBox", "Rotate", "Resources"] where !dictionary[key].isNull {
      inherited[key] = dictionary[key]
    }
    guard let kids = array(dictionary["Kids"]) else {
      let type = name(dictionary["Type"])
      return type == nil || type == "Page" ? dictionary : nil
    }
    for kid in kids {
      if let page = firstLeaf(kid, &inherited, &visited, depth: depth + 1) { return page }
    }
    inherited = before
    return nil
  }

  /// Returns the part of the crop box that lies in the media box. If there is no media box, the
  /// size is US Letter.
  private func pageBox(_ keys: [String: PDFValue]) -> Rect {
    let media =
      rect(keys["MediaBox"] ?? .null) ?? Rect(x: 0, y: 0, width: 612, height: 792)
    guard let crop = rect(keys["CropBox"] ?? .null) else { return media }
    let (left, bottom) = (max(media.x, crop.x), max(media.y, crop.y))
    let right = min(media.x + media.width, crop.x + crop.width)
    let top = min(media.y + media.height, crop.y + crop.height)
    guard right > left, top > bottom else { return media }
    return Rect(x: left, y: bottom, width: right - left, height: top - bottom)
  }

  /// Returns the rectangle between two opposite corners, in any order.
  func rect(_ value: PDFValue) -> Rect? {
    guard let n = numbers(value), n.count >= 4 else { return nil }
    return Rect(
      x: min(n[0], n[2]), y: min(n[1], n[3]), width: abs(n[2] - n[0]), height: abs(n[3] - n[1]))
  }

  func transform(_ value: PDFValue) -> Transform? {
    guard let n = numbers(value), n.count >= 6 else { return nil }
    return Transform(n[0], n[1], n[2], n[3], n[4], n[5])
  }

  private static func transform(_ box: Rect, unit: Double, turns: Int) -> Transform {
    let (left, bottom) = (box.x * unit, box.y * unit)
    let (right, top) = ((box.x + box.width) * unit, (box.y + box.height) * unit)
    return switch turns {
    case 0: Transform(unit, 0, 0, -unit, -left, top)
    case 1: Transform(0, unit, unit, 0, -bottom, -left)
    case 2: Transform(-unit, 0, 0, unit, right, -bottom)
    default: Transform(0, -unit, -unit, 0, top, right)
    }
  }

  /// Returns the content of one stream, or of several streams that are read as one.
  private func content(_ value: PDFValue) -> [UInt8] {
    if let stream = stream(value) { return decoded(stream) }
    var result: [UInt8] = []
    for part in array(value) ?? [] {
      guard let stream = stream(part), !budget.isExceeded else { continue }
      let bytes = decoded(stream)
      // Several parts may be the same object.
      budget.spend(.copiedBytes, bytes.count)
      guard budget.borrow(.decompressedBytes, bytes: 2 * bytes.count) else { return [] }
      if !result.isEmpty { result.append(UInt8(ascii: " ")) }
      result += bytes
    }
    return result
  }
}
