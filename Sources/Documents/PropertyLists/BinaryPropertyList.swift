// Reads property lists in their binary form.
//
//   "bplist00" · objects · table of their offsets · trailer of 32 bytes:
//   6 unused, size of an offset, size of a reference, then in 8 bytes each, big-endian:
//   count of the objects, number of the outermost one, offset of the table.

import Bytes

/// Reads the outermost value. A value with several references to it is read once for each. So the
/// depth and the number of values are limited, and every copy of a text counts against the budget.
func readBinaryPropertyList(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyValue {
  guard bytes.starts(with: "bplist0".utf8) else { throw .notAPropertyList }
  guard bytes.count >= 40 else { throw .malformed(at: bytes.count) }
  let trailer = bytes.count - 32
  var reader = BinaryPropertyListReader(
    bytes: bytes, end: trailer, offsetSize: Int(bytes[trailer + 6]),
    referenceSize: Int(bytes[trailer + 7]))
  guard (1...8).contains(reader.offsetSize), (1...8).contains(reader.referenceSize),
    let count = reader.number(at: trailer + 8, size: 8, within: bytes.count),
    let top = reader.number(at: trailer + 16, size: 8, within: bytes.count),
    let table = reader.number(at: trailer + 24, size: 8, within: bytes.count),
    table <= trailer, count <= (trailer - table) / reader.offsetSize
  else { throw .malformed(at: trailer) }
  reader.objectCount = count
  reader.tableOffset = table
  return try reader.value(top, depth: 0)
}

private struct BinaryPropertyListReader {
  let bytes: [UInt8]
  /// The offset at which the objects and their offsets end.
  let end: Int
  let offsetSize: Int
  let referenceSize: Int
  var objectCount = 0
  var tableOffset = 0
  private var valueCount = 0
  /// The greatest number of values. Programs that write property lists share texts and numbers, but
  /// not arrays and dictionaries, so that every value has a reference of its own.
  private let valueLimit: Int
  private let budget: Budget

  init(bytes: [UInt8], end: Int, offsetSize: Int, referenceSize: Int) {
    self.bytes = bytes
    budget = Budget(input: bytes.count)
    valueLimit = min(PropertyValue.valueLimit, 1_000 + bytes.count)
    self.end = end
    self.offsetSize = offsetSize
    self.referenceSize = referenceSize
  }

  /// Returns a big-endian number; nil if it lies outside of the file, or if it is larger than any
  /// offset.
  func number(at offset: Int, size: Int, within limit: Int? = nil) -> Int? {
    let limit = limit ?? end
    guard offset >= 0, size <= limit, offset <= limit - size else { return nil }
    var value: UInt64 = 0
    for byte in bytes[offset..<offset + size] {
      guard value >> 55 == 0 else { return nil }
      value = value << 8 | UInt64(byte)
    }
    return Int(value)
  }

  mutating func value(_ object: Int, depth: Int) throws(PropertyListError) -> PropertyValue {
    guard depth < PropertyValue.depthLimit else { throw .tooDeep(limit: PropertyValue.depthLimit) }
    valueCount += 1
    guard valueCount <= valueLimit else { throw .tooLarge(values: valueLimit) }
    // The index cannot overflow: `object` is below objectCount, and `readBinaryPropertyList` has
    // checked that the table holds objectCount offsets.
    guard object < objectCount,
      let offset = number(at: tableOffset + object * offsetSize, size: offsetSize), offset < end
    else { throw .malformed(at: tableOffset) }
    let marker = bytes[offset]
    switch marker >> 4 {
    case 0x0: return marker == 0x08 ? .boolean(false) : marker == 0x09 ? .boolean(true) : .other
    case 0x1: return .integer(try integer(at: offset))
    case 0x2: return .real(try real(at: offset))
    case 0x5, 0x7: return .string(try text(at: offset, unitSize: 1))
    case 0x6: return .string(try text(at: offset, unitSize: 2))
    case 0xA:
      let (start, count) = try extent(at: offset, unitSize: referenceSize)
      var values: [PropertyValue] = []
      for index in 0..<count {
        values.append(try value(try reference(start, index), depth: depth + 1))
      }
      return .array(values)
    case 0xD: return .dictionary(try dictionary(at: offset, depth: depth))
    default: return .other
    }
  }

  private mutating func dictionary(
    at offset: Int, depth: Int
  ) throws(PropertyListError) -> [ByteString: PropertyValue] {
    let (start, count) = try extent(at: offset, unitSize: 2 * referenceSize)
    var entries: [ByteString: PropertyValue] = [:]
    for index in 0..<count {
      let key = try value(try reference(start, index), depth: depth + 1)
      guard let name = key.string else { throw .malformed(at: offset) }
      entries[ByteString(name)] = try value(try reference(start, count + index), depth: depth + 1)
    }
    return entries
  }

  private func reference(_ start: Int, _ index: Int) throws(PropertyListError) -> Int {
    let offset = start + index * referenceSize
    guard let object = number(at: offset, size: referenceSize) else {
      throw .malformed(at: offset)
    }
    return object
  }

  /// Returns the start and the number of an object's units. All units lie within the file.
  private func extent(
    at offset: Int, unitSize: Int
  ) throws(PropertyListError) -> (start: Int, count: Int) {
    var start = offset + 1
    var count = Int(bytes[offset] & 15)
    if count == 15 {
      // A count of 15 or more follows as an integer object.
      guard start < end, bytes[start] >> 4 == 1, bytes[start] & 15 <= 3 else {
        throw .malformed(at: offset)
      }
      let size = 1 << Int(bytes[start] & 15)
      guard let long = number(at: start + 1, size: size) else { throw .malformed(at: start) }
      count = long
      start += 1 + size
    }
    guard start <= end, count <= (end - start) / unitSize else { throw .malformed(at: offset) }
    return (start, count)
  }

  private func integer(at offset: Int) throws(PropertyListError) -> Int {
    let size = 1 << Int(bytes[offset] & 15)
    guard size <= 16, offset + 1 + size <= end else { throw .malformed(at: offset) }
    // Numbers of eight bytes are signed. Of sixteen bytes, only the lower half is used.
    let low = bytes[(offset + 1)..<(offset + 1 + size)].suffix(8)
    let pattern = low.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(truncatingIfNeeded: pattern)
  }

  private func real(at offset: Int) throws(PropertyListError) -> Double {
    let size = 1 << Int(bytes[offset] & 15)
    guard size == 4 || size == 8, offset + 1 + size <= end else { throw .malformed(at: offset) }
    let pattern = bytes[(offset + 1)..<(offset + 1 + size)].reduce(UInt64(0)) {
      $0 << 8 | UInt64($1)
    }
    return size == 8
      ? Double(bitPattern: pattern)
      : Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern)))
  }

  private func text(at offset: Int, unitSize: Int) throws(PropertyListError) -> String {
    let (start, count) = try extent(at: offset, unitSize: unitSize)
    let text = bytes[start..<start + count * unitSize]
    guard budget.spend(.copiedBytes, text.count), budget.borrow(.copiedBytes, bytes: text.count)
    else { throw .overBudget(budget.error?.words ?? "") }
    func checked(_ string: String?) throws(PropertyListError) -> String {
      guard let string else { throw .malformed(at: offset) }
      return string
    }
    if unitSize == 1 { return try checked(String(validating: text, as: UTF8.self)) }
    let units = (0..<count).map { index in
      UInt16(bytes[start + 2 * index]) << 8 | UInt16(bytes[start + 2 * index + 1])
    }
    return try checked(String(validating: units, as: UTF16.self))
  }
}
