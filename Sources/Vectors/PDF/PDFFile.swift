// An open PDF: finds objects by number and follows references. CrossReferences.swift finds the
// places of objects, and StreamFilters.swift decodes streams.

import Bytes

final class PDFFile {
  let bytes: [UInt8]
  let budget: Budget
  /// The error of a limit that does not depend on the size of the file; nil if no such limit was
  /// exceeded.
  private(set) var failure: VectorError?
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
  var fontPrograms: [Int: PDFFont.Program] = [:]

  var trailer: PDFDictionary { table.trailer }

  /// Finds the header and the cross-references. If the cross-references are damaged, searches the
  /// file for objects.
  init(
    _ source: UnsafeRawBufferPointer, _ budget: Budget
  ) throws(VectorError) {
    self.budget = budget
    budget.borrow(.copiedBytes, bytes: source.count)
    budget.spend(.copiedBytes, source.count)
    try budget.checkVector()
    guard let start = PDFFile.header(of: source) else { throw .malformed(.notPDF, offset: 0) }
    bytes = [UInt8](source[start...])
    if let found = CrossReferences(of: bytes, budget: budget, decode: decodeUnnumbered) {
      table = found
    }
    try openEncryption()
    if dictionary(table.trailer["Root"])?["Pages"].isNull ?? true { search() }
    try openEncryption()
    try check()
  }

  /// Stores an error, after which no more content is read. `check` throws it.
  func fail(_ error: VectorError) { if failure == nil { failure = error } }

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
        return .null
      }
      var lexer = PDFLexer(
        container.bytes, at: container.offsets[index], references: true, budget: budget)
      value = lexer.value()
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
    return encryption?.decrypted(value, number: number, generation: generation, budget) ?? value
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
    let bytes = decode(stream).bytes
    if stream.number > 0, budget.borrow(.decompressedBytes, bytes: bytes.count) {
      decodedStreams[stream.number] = bytes
    }
    return bytes
  }

  private func decodeUnnumbered(_ stream: PDFStream) -> [UInt8] { decode(stream).bytes }
}
