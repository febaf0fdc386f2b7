// Reads a PDF into a drawing of its first page.

import Bytes

package enum PDFDocument {
  /// Returns whether the bytes contain the header of a PDF near their start. Other bytes may
  /// precede it.
  package static func isPDF(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.first != UInt8(ascii: "<") && PDFFile.header(of: bytes) != nil
  }

  /// Draws the first page. `Drawing.unsupported` lists the features that the drawing does not show.
  /// The drawing takes no more than `memory` bytes.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, memory: Int = .max
  ) throws(VectorError) -> Drawing {
    try read(bytes, Budget(input: bytes.count, memory: memory))
  }

  /// Draws the first page and charges a budget.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, _ budget: Budget
  ) throws(VectorError) -> Drawing {
    let file = try PDFFile(bytes, budget)
    let page = try file.firstPage()
    let reader = ContentReader(file, page: page)
    reader.run(page.content)
    if page.hasAnnotations { reader.drawing.note(.annotation) }
    reader.drawing.paths.begin()
    reader.countMemory()
    try file.check()
    for fault in file.faults.sorted(by: { $0.rawValue < $1.rawValue }) {
      reader.drawing.note(fault)
    }
    // A drawing of which nothing is left is no drawing.
    if reader.items.isEmpty, reader.drawing.unsupported.contains(where: { $0.isDamage }) {
      throw .malformed(.noDrawing, offset: 0)
    }
    reader.drawing.page = reader.items
    // The memory of the reader itself is free again; only the drawing remains.
    reader.drawing.spending = budget.spending
    reader.drawing.spending.memory = reader.drawing.storedBytes(items: 0)
    return reader.drawing
  }
}

// MARK: - The page

// The first page of a PDF: its size, its content and its inherited keys.

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
  /// Returns the dictionary of the first page, and the keys that it has or inherits.
  func firstPageKeys() -> (page: PDFDictionary, inherited: [String: PDFValue])? {
    guard let root = dictionary(trailer["Root"]) else { return nil }
    var inherited: [String: PDFValue] = [:]
    var visited: Set<Int> = []
    let page = firstLeaf(root["Pages"], inherited: &inherited, visited: &visited, depth: 0)
    return page.map { ($0, inherited) }
  }

  func firstPage() throws(VectorError) -> PDFPage {
    guard let (page, inherited) = firstPageKeys() else {
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
    let most = Double(PagePlacement.longestSide)
    guard result.width <= most, result.height <= most else {
      throw .overLimit(.pageSide, most: PagePlacement.longestSide)
    }
    result.content = content(page["Contents"])
    result.hasAnnotations = hasAnnotations(page)
    return result
  }

  /// Returns whether the page has annotations that PDF viewers show over its content.
  func hasAnnotations(_ page: PDFDictionary) -> Bool {
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
    _ node: PDFValue, inherited: inout [String: PDFValue], visited: inout Set<Int>, depth: Int
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
      if let page = firstLeaf(kid, inherited: &inherited, visited: &visited, depth: depth + 1) {
        return page
      }
    }
    inherited = before
    return nil
  }

  /// Returns the part of the crop box that lies in the media box. If there is no media box, the
  /// size is US Letter, as in other readers.
  private func pageBox(_ keys: [String: PDFValue]) -> Rect {
    let stated = rect(keys["MediaBox"] ?? .null)
    if stated == nil { note(.missingSize) }
    let media = stated ?? Rect(x: 0, y: 0, width: 612, height: 792)
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
  func content(_ value: PDFValue) -> [UInt8] {
    if let stream = stream(value) { return decoded(stream) }
    var result: [UInt8] = []
    let parts = array(value)
    if parts == nil, !value.isNull { note(.missingObject) }
    for part in parts ?? [] {
      guard let stream = stream(part), !budget.isExceeded else {
        note(.missingObject)
        continue
      }
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

// MARK: - Optional content

// Optional content (layers): the groups that the file's default configuration hides, and marked
// content that belongs to a group.

struct OptionalContent {
  private var hidden: Set<Int> = []
  private let isUsed: Bool

  init(_ file: PDFFile) {
    guard let root = file.dictionary(file.trailer["Root"]),
      let properties = file.dictionary(root["OCProperties"])
    else {
      isUsed = false
      return
    }
    isUsed = true
    let settings = file.dictionary(properties["D"]) ?? PDFDictionary()
    if file.name(settings["BaseState"]) == "OFF" {
      for group in file.array(properties["OCGs"]) ?? [] { hide(group) }
      for group in file.array(settings["ON"]) ?? [] {
        if let number = group.reference { hidden.remove(number) }
      }
    }
    for group in file.array(settings["OFF"]) ?? [] { hide(group) }
  }

  private mutating func hide(_ group: PDFValue) {
    if let number = group.reference { hidden.insert(number) }
  }

  /// Returns whether content that belongs to a group, or to a membership dictionary, is shown.
  func shows(_ value: PDFValue, in file: PDFFile) -> Bool {
    guard isUsed else { return true }
    if let number = value.reference, hidden.contains(number) { return false }
    guard let dictionary = file.dictionary(value), file.name(dictionary["Type"]) == "OCMD" else {
      return true
    }
    if let rule = file.array(dictionary["VE"]) { return holds(rule, in: file, depth: 0) }
    let single = dictionary["OCGs"]
    let groups = file.array(single) ?? (file.dictionary(single) == nil ? [] : [single])
    guard !groups.isEmpty, file.budget.spend(.tableEntries, groups.count) else { return true }
    func isOn(_ group: PDFValue) -> Bool { !hidden.contains(group.reference ?? 0) }
    switch file.name(dictionary["P"]) {
    case "AllOn": return groups.allSatisfy(isOn)
    case "AnyOff": return !groups.allSatisfy(isOn)
    case "AllOff": return !groups.contains(where: isOn)
    default: return groups.contains(where: isOn)
    }
  }

  /// Returns the value of a visibility expression: And, Or or Not of groups and expressions.
  private func holds(_ rule: [PDFValue], in file: PDFFile, depth: Int) -> Bool {
    guard depth < 16, file.budget.spend(.tableEntries, rule.count + 10) else { return true }
    func part(_ value: PDFValue) -> Bool {
      if let inner = file.array(value) { return holds(inner, in: file, depth: depth + 1) }
      return !hidden.contains(value.reference ?? 0)
    }
    switch rule.first.flatMap({ file.name($0) }) {
    case "And": return rule.dropFirst().allSatisfy(part)
    case "Or": return rule.dropFirst().contains(where: part)
    case "Not": return rule.count < 2 || !part(rule[1])
    default: return true
    }
  }
}

extension ContentReader {
  func beginMark(isTagged: Bool) {
    guard marks.count < 4096, budget.spend(.objects) else { return }
    var isHidden = false
    if isTagged, name(0) == "OC", let name = name(1) {
      isHidden = !optionalContent.shows(resource("Properties", name), in: file)
    }
    marks.append(isHidden)
    if isHidden { hiddenMarks += 1 }
  }

  func endMark() {
    if marks.popLast() == true { hiddenMarks -= 1 }
  }
}
