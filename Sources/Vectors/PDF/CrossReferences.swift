// The places of the objects of a PDF: reads cross-reference tables and streams, and searches the
// whole file if they are damaged.

import Bytes

struct CrossReferences {
  enum Entry {
    case none
    case offset(Int)
    case compressed(stream: Int, index: Int)
  }

  var trailer = PDFDictionary()
  /// The object streams, which are collected only by the search.
  private(set) var objectStreams: [Int] = []
  private var entries: [Entry] = []

  /// The limit of object numbers.
  private static let mostObjects = 1_000_000
  /// The most parts of a file. A file with more incremental updates is searched instead.
  private static let mostParts = 1_000

  init() {}

  subscript(number: Int) -> Entry {
    entries.indices.contains(number) ? entries[number] : .none
  }

  var numbers: Range<Int> { 0..<entries.count }

  /// Sets the place of an object unless a newer part of the file has set it.
  mutating func add(_ entry: Entry, for number: Int, _ budget: Budget) {
    guard number >= 0, number < CrossReferences.mostObjects, budget.spend(.tableEntries) else {
      return
    }
    if number >= entries.count {
      let bytes = 2 * (number + 1 - entries.count) * MemoryLayout<Entry>.stride
      guard budget.borrow(.tableEntries, bytes: bytes) else { return }
      entries.append(contentsOf: repeatElement(.none, count: number + 1 - entries.count))
    }
    if case .none = entries[number] { entries[number] = entry }
  }

  private mutating func add(trailer found: PDFDictionary) {
    for entry in found.entries where trailer[entry.key].isNull {
      trailer.append(entry.key, entry.value)
    }
  }
}

// MARK: Reading tables

extension CrossReferences {
  /// Reads the tables from `startxref` through every `Prev`. Returns nil if they cannot be read.
  init?(of bytes: [UInt8], budget: Budget, decode: (PDFStream) -> [UInt8]) {
    guard let start = Self.start(in: bytes) else { return nil }
    var waiting = [start]
    var seen: Set<Int> = []
    while let offset = waiting.popLast() {
      guard offset >= 0, offset < bytes.count, seen.insert(offset).inserted else { continue }
      guard seen.count <= CrossReferences.mostParts else { return nil }
      var lexer = PDFLexer(bytes, at: offset, references: true, budget: budget)
      let found: PDFDictionary?
      switch lexer.next() {
      case .keyword("xref"): found = readTable(&lexer, budget)
      case .value(.integer(let number)): found = readStream(number, &lexer, budget, decode)
      default: found = nil
      }
      guard let found, !budget.isExceeded else {
        if seen.count == 1 { return nil }
        continue
      }
      add(trailer: found)
      if let previous = found["Prev"].int { waiting.append(previous) }
      // A cross-reference stream is read before the previous part, because it supplements this
      // part.
      if let stream = found["XRefStm"].int { waiting.append(stream) }
    }
  }

  /// Returns the offset that follows the last `startxref`.
  private static func start(in bytes: [UInt8]) -> Int? {
    let marker = Array("startxref".utf8)
    var position = bytes.count - marker.count
    let first = max(0, bytes.count - 4096)
    while position >= first {
      if bytes[position] == marker[0],
        bytes[position..<position + marker.count].elementsEqual(marker)
      {
        var lexer = PDFLexer(bytes, at: position + marker.count, budget: nil)
        return lexer.value().int
      }
      position -= 1
    }
    return nil
  }

  private mutating func readTable(
    _ lexer: inout PDFLexer, _ budget: Budget
  ) -> PDFDictionary? {
    while true {
      switch lexer.next() {
      case .keyword("trailer"): return lexer.value().dictionary
      case .value(.integer(let first)):
        guard let count = lexer.value().int else { return nil }
        for index in 0..<max(count, 0) {
          let before = lexer.position
          guard case .value(.integer(let offset)) = lexer.next() else {
            lexer.position = before
            break
          }
          _ = lexer.next()
          guard case .keyword(let kind) = lexer.next() else { return nil }
          // No object lies at offset 0, which is the place of the header.
          if kind == "n", offset > 0 { add(.offset(offset), for: first &+ index, budget) }
        }
      default: return nil
      }
    }
  }

  private mutating func readStream(
    _ number: Int, _ lexer: inout PDFLexer, _ budget: Budget, _ decode: (PDFStream) -> [UInt8]
  ) -> PDFDictionary? {
    guard case .value(.integer) = lexer.next(), case .keyword("obj") = lexer.next(),
      let dictionary = lexer.value().dictionary, case .keyword("stream") = lexer.next(),
      let length = dictionary["Length"].int, let widths = dictionary["W"].array, widths.count >= 3
    else { return nil }
    var start = lexer.position
    if start < lexer.end, lexer.bytes[start] == 13 { start += 1 }
    if start < lexer.end, lexer.bytes[start] == 10 { start += 1 }
    guard length >= 0, length <= lexer.end - start else { return nil }
    let data = decode(
      PDFStream(dictionary: dictionary, bytes: lexer.bytes[start..<start + length]))
    let fields = widths.prefix(3).map { min(max($0.int ?? 0, 0), 8) }
    let size = fields.reduce(0, +)
    guard size > 0 else { return nil }
    let whole = [PDFValue.integer(0), dictionary["Size"]]
    let ranges = dictionary["Index"].array ?? whole
    // Object numbers of `Size` and above are ignored.
    let end = dictionary["Size"].int ?? CrossReferences.mostObjects
    var position = 0
    for pair in stride(from: 0, to: ranges.count - 1, by: 2) {
      guard let first = ranges[pair].int, let count = ranges[pair + 1].int else { return nil }
      for index in 0..<max(count, 0) {
        guard position + size <= data.count else { return dictionary }
        let number = first &+ index
        if number < end { addRow(data[position..<position + size], fields, for: number, budget) }
        guard budget.spend(.tableEntries) else { return nil }
        position += size
      }
    }
    return dictionary
  }

  private mutating func addRow(
    _ row: ArraySlice<UInt8>, _ fields: [Int], for number: Int, _ budget: Budget
  ) {
    var values = [1, 0, 0]
    var position = row.startIndex
    for (index, width) in fields.enumerated() where width > 0 {
      var value: UInt64 = 0
      for _ in 0..<width {
        value = value << 8 | UInt64(row[position])
        position += 1
      }
      values[index] = Int(truncatingIfNeeded: value & 0x7FFF_FFFF_FFFF)
    }
    switch values[0] {
    case 1 where values[1] > 0: add(.offset(values[1]), for: number, budget)
    case 2: add(.compressed(stream: values[1], index: values[2]), for: number, budget)
    default: break
    }
  }
}

// MARK: Searching

extension CrossReferences {
  /// Finds every `n g obj` of the file; of several objects with the same number, the last one
  /// counts. The file is searched once, and each trailer and each object is read at most up to the
  /// next one. Therefore every byte is read only a few times, even in a badly damaged file.
  init(searching bytes: [UInt8], budget: Budget) {
    budget.spend(.lexedBytes, bytes.count)
    var found: [(number: Int, offset: Int)] = []
    var trailers: [Int] = []
    var position = 0
    while position + 3 <= bytes.count, !budget.isExceeded {
      if bytes[position] == UInt8(ascii: "o"), bytes[position + 1] == UInt8(ascii: "b"),
        bytes[position + 2] == UInt8(ascii: "j"),
        let place = Self.numbers(before: position, in: bytes)
      {
        budget.borrow(.tableEntries, bytes: 32)
        budget.spend(.tableEntries, 4)
        found.append(place)
      } else if bytes[position] == UInt8(ascii: "t"), position + 7 <= bytes.count,
        bytes[position..<position + 7].elementsEqual("trailer".utf8)
      {
        budget.borrow(.tableEntries, bytes: 16)
        trailers.append(position)
      }
      position += 1
    }
    var end = bytes.count
    for start in trailers.reversed() {
      var lexer = PDFLexer(bytes, at: start + 7, end: end, references: true, budget: budget)
      if let dictionary = lexer.value().dictionary { add(trailer: dictionary) }
      lexer.releaseValues()
      end = start
    }
    end = bytes.count
    for place in found.reversed() where !budget.isExceeded {
      add(.offset(place.offset), for: place.number, budget)
      addSpecial(place, bytes, end: end, budget)
      end = place.offset
    }
    budget.giveBack(.tableEntries, bytes: 32 * found.count + 16 * trailers.count)
  }

  /// Notes an object stream, or takes the trailer's keys from a cross-reference stream.
  private mutating func addSpecial(
    _ place: (number: Int, offset: Int), _ bytes: [UInt8], end: Int, _ budget: Budget
  ) {
    var lexer = PDFLexer(bytes, at: place.offset, end: end, references: true, budget: budget)
    _ = lexer.next()
    _ = lexer.next()
    _ = lexer.next()
    lexer.skipBlanks()
    guard budget.spend(.objects), lexer.position < lexer.end,
      bytes[lexer.position] == UInt8(ascii: "<"), let dictionary = lexer.value().dictionary
    else { return }
    switch dictionary["Type"].name {
    case "ObjStm": objectStreams.append(place.number)
    case "XRef": add(trailer: dictionary)
    default: break
    }
    lexer.releaseValues()
  }

  /// Returns the object number that stands with a generation before `obj`, and its offset.
  private static func numbers(
    before keyword: Int, in bytes: [UInt8]
  ) -> (number: Int, offset: Int)? {
    var position = keyword
    func back(while isPart: (UInt8) -> Bool) -> Range<Int> {
      let end = position
      while position > 0, end - position < 16, isPart(bytes[position - 1]) { position -= 1 }
      return position..<end
    }
    func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
    _ = back(while: PDFLexer.isBlank)
    guard !back(while: isDigit).isEmpty, !back(while: PDFLexer.isBlank).isEmpty else { return nil }
    let digits = back(while: isDigit)
    guard !digits.isEmpty, case .integer(let number)? = PDFLexer.number(bytes[digits]) else {
      return nil
    }
    return (number, digits.lowerBound)
  }
}
