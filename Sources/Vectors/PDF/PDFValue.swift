// The values of PDF syntax. PDFFile follows references.

enum PDFValue {
  case null
  case boolean(Bool)
  case integer(Int)
  case real(Double)
  case string([UInt8])
  case name(String)
  case array([PDFValue])
  case dictionary(PDFDictionary)
  indirect case stream(PDFStream)
  case reference(Int)

  var isNull: Bool {
    if case .null = self { return true }
    return false
  }

  /// The value as a number, which is always finite (see `PDFLexer.number`).
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  var int: Int? {
    switch self {
    case .integer(let value): value
    case .real(let value): Int(exactly: value.rounded(.towardZero))
    default: nil
    }
  }

  var bool: Bool? {
    if case .boolean(let value) = self { return value }
    return nil
  }

  var name: String? {
    if case .name(let value) = self { return value }
    return nil
  }

  var string: [UInt8]? {
    if case .string(let value) = self { return value }
    return nil
  }

  var array: [PDFValue]? {
    if case .array(let value) = self { return value }
    return nil
  }

  /// The dictionary, or the dictionary of the stream.
  var dictionary: PDFDictionary? {
    switch self {
    case .dictionary(let value): value
    case .stream(let value): value.dictionary
    default: nil
    }
  }

  var stream: PDFStream? {
    if case .stream(let value) = self { return value }
    return nil
  }

  var reference: Int? {
    if case .reference(let value) = self { return value }
    return nil
  }
}

extension PDFValue {
  /// The memory that the value itself takes in an array.
  var keptBytes: Int {
    switch self {
    case .string(let bytes): MemoryLayout<PDFValue>.stride + 32 + bytes.count
    case .name(let name): MemoryLayout<PDFValue>.stride + name.utf8.count
    default: MemoryLayout<PDFValue>.stride
    }
  }
}

/// A dictionary with its keys in the order of the file. Nearly all dictionaries have fewer than ten
/// keys and are searched from the front; a larger one has an index.
struct PDFDictionary {
  struct Entry {
    var key: String
    var value: PDFValue
  }

  private(set) var entries: [Entry] = []
  /// The first place of each key, if there are many keys.
  private var places: [String: Int] = [:]

  private static let mostUnindexed = 16

  var isEmpty: Bool { entries.isEmpty }

  subscript(key: String) -> PDFValue { place(of: key).map { entries[$0].value } ?? .null }

  private func place(of key: String) -> Int? {
    if !places.isEmpty { return places[key] }
    return entries.firstIndex { $0.key == key }
  }

  mutating func append(_ key: String, _ value: PDFValue) {
    entries.append(Entry(key: key, value: value))
    guard entries.count > PDFDictionary.mostUnindexed else { return }
    let first = places.isEmpty ? 0 : entries.count - 1
    for place in first..<entries.count where places[entries[place].key] == nil {
      places[entries[place].key] = place
    }
  }

  mutating func set(_ key: String, _ value: PDFValue) {
    if let place = place(of: key) { entries[place].value = value } else { append(key, value) }
  }
}

struct PDFStream {
  var dictionary: PDFDictionary
  /// The bytes as they are stored, before any filter is undone.
  var bytes: ArraySlice<UInt8>
  /// The number of the stream's object; 0 if the stream is not an object of its own.
  var number = 0
}
