// An open PDF: finds objects by number and follows references. `CrossReferences` finds the
// places of objects, and StreamFilters.swift decodes streams.

import Bytes

final class PDFFile {
  let bytes: [UInt8]
  let budget: Budget
  /// The error of a limit that does not depend on the size of the file; nil if no such limit was
  /// exceeded.
  private(set) var failure: VectorError?
  /// Whether everything that was read follows the format, as far as it is checked: objects are
  /// where the cross-references say, and streams are as long as they say.
  private(set) var isWhole = true
  /// The faults of the parts that the drawing needs.
  private(set) var faults: Set<UnsupportedFeature> = []
  private var table = CrossReferences()
  private var objects: [Int: PDFValue] = [:]
  private var loading: Set<Int> = []
  private var objectStreams: [Int: ObjectStream] = [:]
  private var decodedStreams: [Int: [UInt8]] = [:]
  private var hasSearched = false
  private var encryption: PDFEncryption?
  /// The values that were read, by the number of their object.
  var colorSpaces: [Int: ColorSpace] = [:]
  var functions: [Int: PDFFunction] = [:]
  var profiles: [Int: ICCProfile.Kind] = [:]
  var fontPrograms: [Int: PDFFont.FontProgram] = [:]

  var trailer: PDFDictionary { table.trailer }

  /// Finds the header and the cross-references. If the cross-references are damaged, searches the
  /// file for objects.
  init(_ source: UnsafeRawBufferPointer, _ budget: Budget) throws(VectorError) {
    self.budget = budget
    budget.borrow(.copiedBytes, bytes: source.count)
    budget.spend(.copiedBytes, source.count)
    try budget.checkVector()
    guard let start = PDFFile.header(of: source) else { throw .malformed(.notPDF, offset: 0) }
    bytes = [UInt8](source[start...])
    if let found = CrossReferences(of: bytes, budget: budget, decode: decodeUnnumbered) {
      table = found
      if found.returnsDeleted || found.isDamaged { noteDamage() }
    }
    try openEncryption()
    if dictionary(table.trailer["Root"])?["Pages"].isNull ?? true { search() }
    try openEncryption()
    try check()
  }

  /// Stores an error, after which no more content is read. `check` throws it.
  func fail(_ error: VectorError) { if failure == nil { failure = error } }

  /// Notes that a part of the file does not follow the format.
  func noteDamage() { isWhole = false }

  /// Notes a fault, because of which the drawing may lack parts.
  func note(_ fault: UnsupportedFeature) { faults.insert(fault) }

  /// Throws an error if a limit or the budget is exceeded.
  func check() throws(VectorError) {
    if let failure { throw failure }
    try budget.checkVector()
  }

  /// Finds the key if the file is encrypted, and forgets the objects that were read without it.
  private func openEncryption() throws(VectorError) {
    guard encryption == nil, !table.trailer["Encrypt"].isNull else { return }
    guard let settings = dictionary(table.trailer["Encrypt"]),
      let found = PDFEncryption(settings, self)
    else { throw .malformed(.encrypted, offset: 0) }
    encryption = found
    objects = [:]
    objectStreams = [:]
    decodedStreams = [:]
  }

  /// Returns the offset of the header within the first kilobyte; nil if there is no header.
  static func header(of source: UnsafeRawBufferPointer) -> Int? {
    let marker = Array("%PDF-".utf8)
    let last = min(source.count, 1024) - marker.count
    guard last >= 0 else { return nil }
    return (0...last).first { start in
      marker.indices.allSatisfy { source[start + $0] == marker[$0] }
    }
  }

  /// Searches the file for objects instead of using its cross-references.
  private func search() {
    guard !hasSearched else { return }
    hasSearched = true
    isWhole = false
    objects = [:]
    objectStreams = [:]
    let previous = table.trailer
    table = CrossReferences(searching: bytes, budget: budget)
    for entry in previous.entries where table.trailer[entry.key].isNull {
      table.trailer.append(entry.key, entry.value)
    }
    for number in table.objectStreams {
      guard let contents = objectStream(number) else { continue }
      for index in contents.numbers.indices {
        table.add(.compressed(stream: number, index: index), for: contents.numbers[index], budget)
      }
    }
    if dictionary(table.trailer["Root"])?["Pages"].isNull ?? true {
      for number in table.numbers where budget.spend(.tableEntries, 2) {
        guard let found = object(number).dictionary, found["Type"].name == "Catalog" else {
          continue
        }
        table.trailer.set("Root", .reference(number))
      }
    }
  }

  // MARK: Objects

  func object(_ number: Int) -> PDFValue {
    if let known = objects[number] { return known }
    guard !loading.contains(number), loading.count < 32, budget.spend(.objects) else {
      return .null
    }
    loading.insert(number)
    defer { loading.remove(number) }
    let value: PDFValue
    switch table[number] {
    case .none: return .null
    case .offset(let offset):
      guard let read = readObject(number, at: offset) else {
        guard !hasSearched else { return .null }
        search()
        loading.remove(number)
        return object(number)
      }
      value = read
    case .compressed(let stream, let index):
      guard let container = objectStream(stream), container.numbers.indices.contains(index) else {
        isWhole = false
        return .null
      }
      if container.numbers[index] != number { isWhole = false }
      var lexer = PDFLexer(
        container.bytes, at: container.offsets[index], references: true, budget: budget)
      value = lexer.value()
      if lexer.hasMended { noteDamage() }
    }
    budget.borrow(.objects, bytes: 96)
    objects[number] = value
    return value
  }

  /// Reads the object at an offset; returns nil if this object does not begin there.
  private func readObject(_ number: Int, at offset: Int) -> PDFValue? {
    var lexer = PDFLexer(bytes, at: offset, references: true, budget: budget)
    guard case .value(.integer(number)) = lexer.next(),
      case .value(.integer(let generation)) = lexer.next(),
      case .keyword(let word) = lexer.next(), word.utf8.starts(with: "obj".utf8)
    else { return nil }
    // The keyword ends after `obj`, so that `1 0 obj<<` and `1 0 obj12` are read in the same way.
    lexer.position = lexer.wordStart + 3
    let value = readBody(&lexer, number)
    if lexer.hasMended || generation != 0 { noteDamage() }
    return encryption?.decrypted(value, number: number, generation: generation, budget: budget)
      ?? value
  }

  /// Reads the value of an object, after its number and `obj`.
  private func readBody(_ lexer: inout PDFLexer, _ number: Int) -> PDFValue {
    let value = lexer.value()
    guard case .dictionary(let dictionary) = value else { return value }
    guard case .keyword("stream") = lexer.next() else { return value }
    return .stream(
      PDFStream(
        dictionary: dictionary, bytes: streamBytes(dictionary, from: lexer.position),
        number: number))
  }

  private func streamBytes(_ dictionary: PDFDictionary, from position: Int) -> ArraySlice<UInt8> {
    var start = position
    if start < bytes.count, bytes[start] == 13 { start += 1 }
    if start < bytes.count, bytes[start] == 10 { start += 1 }
    if let length = resolve(dictionary["Length"]).int, length >= 0, length <= bytes.count - start {
      var lexer = PDFLexer(bytes, at: start + length, end: start + length + 32, budget: budget)
      if case .keyword(let word) = lexer.next(), word.utf8.starts(with: "endstream".utf8) {
        return bytes[start..<start + length]
      }
    }
    isWhole = false
    var end = start
    let marker = Array("endstream".utf8)
    while end < bytes.count {
      if bytes[end] == marker[0], end + marker.count <= bytes.count,
        bytes[end..<end + marker.count].elementsEqual(marker)
      {
        break
      }
      end += 1
    }
    budget.spend(.copiedBytes, end - start)
    return bytes[start..<end]
  }

  private struct ObjectStream {
    var bytes: [UInt8]
    var numbers: [Int] = []
    var offsets: [Int] = []
  }

  private func objectStream(_ number: Int) -> ObjectStream? {
    if let known = objectStreams[number] { return known }
    guard case .offset = table[number], let stream = object(number).stream,
      let count = int(stream.dictionary["N"]), let first = int(stream.dictionary["First"]),
      count >= 0, first >= 0
    else { return nil }
    var contents = ObjectStream(bytes: decoded(stream))
    var lexer = PDFLexer(contents.bytes, end: first, budget: budget)
    for _ in 0..<count {
      guard case .value(.integer(let number)) = lexer.next(),
        case .value(.integer(let offset)) = lexer.next()
      else { break }
      guard budget.borrow(.tableEntries, bytes: 32) else { break }
      contents.numbers.append(number)
      contents.offsets.append(first &+ offset)
    }
    objectStreams[number] = contents
    return contents
  }

  // MARK: Values with references followed

  func resolve(_ value: PDFValue) -> PDFValue {
    var value = value
    for _ in 0..<16 {
      guard case .reference(let number) = value else { return value }
      value = object(number)
    }
    return .null
  }

  func int(_ value: PDFValue) -> Int? { resolve(value).int }
  func number(_ value: PDFValue) -> Double? { resolve(value).number }
  func name(_ value: PDFValue) -> String? { resolve(value).name }
  func bool(_ value: PDFValue) -> Bool? { resolve(value).bool }
  func dictionary(_ value: PDFValue) -> PDFDictionary? { resolve(value).dictionary }
  func stream(_ value: PDFValue) -> PDFStream? { resolve(value).stream }
  func array(_ value: PDFValue) -> [PDFValue]? { resolve(value).array }

  /// Returns an array of numbers. An element that is not a number becomes 0.
  func numbers(_ value: PDFValue) -> [Double]? {
    array(value).map { values in
      budget.spend(.tableEntries, values.count)
      return budget.isExceeded ? [] : values.map { number($0) ?? 0 }
    }
  }

  // MARK: Streams

  /// Returns the data of a stream, with all filters undone except image formats. The data are kept
  /// if the stream is an object.
  func decoded(_ stream: PDFStream) -> [UInt8] {
    if stream.number > 0, let known = decodedStreams[stream.number] { return known }
    let result = decode(stream)
    let isDecoded = result.imageFormat == nil
    if result.isDamaged || !isDecoded { note(.damagedData) }
    let bytes = isDecoded ? result.bytes : []
    if stream.number > 0, budget.borrow(.decompressedBytes, bytes: bytes.count) {
      decodedStreams[stream.number] = bytes
    }
    return bytes
  }

  private func decodeUnnumbered(_ stream: PDFStream) -> [UInt8] { decode(stream).bytes }
}

// MARK: - Places of objects

// The places of the objects of a PDF: reads cross-reference tables and streams, and searches the
// whole file if they are damaged.

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
  /// Whether a part of the file has deleted an object that an older part places. Such an object is
  /// found all the same.
  private(set) var returnsDeleted = false
  /// Whether a table has an entry of an unknown kind. Other readers may then search the file.
  private(set) var isDamaged = false
  private var deleted: Set<Int> = []

  /// The limit of object numbers.
  private static let mostObjects = 1_000_000
  private static let mostDeleted = 4096
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
    guard case .none = entries[number] else { return }
    entries[number] = entry
    if deleted.contains(number) { returnsDeleted = true }
  }

  /// Notes that a part of the file has deleted an object. If there are very many, one of them is
  /// taken to return.
  private mutating func delete(_ number: Int) {
    guard case .none = self[number], !returnsDeleted else { return }
    if deleted.count == CrossReferences.mostDeleted { returnsDeleted = true }
    deleted.insert(number)
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
      case .value(.integer(let number)):
        found = readStream(number, lexer: &lexer, budget: budget, decode: decode)
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
          switch kind {
          case "n" where offset > 0: add(.offset(offset), for: first &+ index, budget)
          case "n": isDamaged = isDamaged || offset < 0
          case "f": delete(first &+ index)
          default: isDamaged = true
          }
        }
      default: return nil
      }
    }
  }

  private mutating func readStream(
    _ number: Int, lexer: inout PDFLexer, budget: Budget, decode: (PDFStream) -> [UInt8]
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
        if number < end {
          addRow(data[position..<position + size], fields: fields, for: number, budget: budget)
        }
        guard budget.spend(.tableEntries) else { return nil }
        position += size
      }
    }
    return dictionary
  }

  private mutating func addRow(
    _ row: ArraySlice<UInt8>, fields: [Int], for number: Int, budget: Budget
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
    case 0: delete(number)
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
        let object = Self.numbers(before: position, in: bytes)
      {
        budget.borrow(.tableEntries, bytes: 32)
        budget.spend(.tableEntries, 4)
        found.append(object)
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
    for object in found.reversed() where !budget.isExceeded {
      add(.offset(object.offset), for: object.number, budget)
      addSpecial(object, bytes: bytes, end: end, budget: budget)
      end = object.offset
    }
    budget.giveBack(.tableEntries, bytes: 32 * found.count + 16 * trailers.count)
  }

  /// Notes an object stream, or takes the trailer's keys from a cross-reference stream.
  private mutating func addSpecial(
    _ object: (number: Int, offset: Int), bytes: [UInt8], end: Int, budget: Budget
  ) {
    var lexer = PDFLexer(bytes, at: object.offset, end: end, references: true, budget: budget)
    _ = lexer.next()
    _ = lexer.next()
    _ = lexer.next()
    lexer.skipBlanks()
    guard budget.spend(.objects), lexer.position < lexer.end,
      bytes[lexer.position] == UInt8(ascii: "<"), let dictionary = lexer.value().dictionary
    else { return }
    switch dictionary["Type"].name {
    case "ObjStm": objectStreams.append(object.number)
    case "XRef": add(trailer: dictionary)
    default: break
    }
    lexer.releaseValues()
  }

  /// Returns the object number that precedes a generation and `obj`, and its offset.
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
