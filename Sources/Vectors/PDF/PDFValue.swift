// The values that a PDF is written in. References are followed by PDFFile.

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

  /// Always finite: see `PDFLexer.number`.
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

  /// The dictionary, or that of the stream.
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
  /// The memory of the value itself, in an array.
  var keptBytes: Int {
    switch self {
    case .string(let bytes): MemoryLayout<PDFValue>.stride + 32 + bytes.count
    case .name(let name): MemoryLayout<PDFValue>.stride + name.utf8.count
    default: MemoryLayout<PDFValue>.stride
    }
  }
}

/// Keys in the order of the file. Nearly all have less than ten keys, and are searched from the front; larger
/// ones have an index.
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
  /// As they are stored, before any filter.
  var bytes: ArraySlice<UInt8>
  /// The number of its object, or 0 for what is written in place.
  var number = 0
}
