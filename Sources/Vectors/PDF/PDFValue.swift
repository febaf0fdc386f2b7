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
  case stream(PDFStream)
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

/// Keys in the order of the file. Searched from the front: nearly all have less than ten keys.
struct PDFDictionary {
  struct Entry {
    var key: String
    var value: PDFValue
  }

  private(set) var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  subscript(key: String) -> PDFValue {
    for entry in entries where entry.key == key { return entry.value }
    return .null
  }

  mutating func append(_ key: String, _ value: PDFValue) {
    entries.append(Entry(key: key, value: value))
  }

  mutating func set(_ key: String, _ value: PDFValue) {
    for index in entries.indices where entries[index].key == key {
      entries[index].value = value
      return
    }
    append(key, value)
  }
}

struct PDFStream {
  var dictionary: PDFDictionary
  /// As they are stored, before any filter.
  var bytes: ArraySlice<UInt8>
  /// The number of its object, or 0 for what is written in place.
  var number = 0
}
