// Writes property lists in text or binary form, with sorted keys. The bytes equal those that
// Apple's tools write for the same values.

import Bytes

extension PropertyValue {
  /// Returns the text form, indented by tabs, for programs that use the texts as names. Throws if
  /// XML cannot represent a text.
  package func exactXMLPropertyList() throws(PropertyListError) -> [UInt8] {
    if let unwritableText { throw .unwritable(text: unwritableText) }
    return xmlPropertyList()
  }

  /// The first text in the value that XML cannot represent; nil if XML can represent them all.
  package var unwritableText: String? {
    func isWritable(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(isXMLCharacter) }
    switch self {
    case .string(let text): return isWritable(text) ? nil : text
    case .array(let values): return values.lazy.compactMap(\.unwritableText).first
    case .dictionary(let members):
      for (key, value) in PropertyValue.sorted(members) {
        if let text = isWritable(key.text) ? value.unwritableText : key.text { return text }
      }
      return nil
    case .integer, .real, .boolean, .other: return nil
    }
  }

  /// Returns the text form, indented by tabs, for reports. A character that XML cannot represent
  /// becomes the replacement character.
  package func xmlPropertyList() -> [UInt8] {
    var writer = XMLPropertyListWriter()
    writer.write(self, depth: 0)
    return Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      \(writer.text)</plist>

      """.utf8)
  }

  /// Returns the binary form.
  package func binaryPropertyList() -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    _ = writer.add(self)
    return writer.file()
  }

  /// Returns the members of a dictionary in the order in which they are written.
  fileprivate static func sorted(
    _ members: [ByteString: PropertyValue]
  ) -> [(key: ByteString, value: PropertyValue)] {
    members.sorted { $0.key.text.utf16.lexicographicallyPrecedes($1.key.text.utf16) }
  }
}

private struct XMLPropertyListWriter {
  var text = ""

  mutating func write(_ value: PropertyValue, depth: Int) {
    let indentation = String(repeating: "\t", count: depth)
    switch value {
    case .string(let string): text += "\(indentation)<string>\(escaped(string))</string>\n"
    case .integer(let number): text += "\(indentation)<integer>\(number)</integer>\n"
    case .real(let number): text += "\(indentation)<real>\(number)</real>\n"
    case .boolean(let flag): text += "\(indentation)<\(flag)/>\n"
    case .array(let values) where values.isEmpty: text += "\(indentation)<array/>\n"
    case .array(let values):
      text += "\(indentation)<array>\n"
      for value in values { write(value, depth: depth + 1) }
      text += "\(indentation)</array>\n"
    case .dictionary(let members) where members.isEmpty: text += "\(indentation)<dict/>\n"
    case .dictionary(let members):
      text += "\(indentation)<dict>\n"
      for (key, value) in PropertyValue.sorted(members) {
        text += "\(indentation)\t<key>\(escaped(key.text))</key>\n"
        write(value, depth: depth + 1)
      }
      text += "\(indentation)</dict>\n"
    case .other: preconditionMadeByCarve()
    }
  }

  /// Returns text between tags. Control characters that XML can represent are written as numbers,
  /// so that no terminal obeys them.
  private func escaped(_ string: String) -> String {
    var escaped = ""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\t", "\n", "\r": escaped.unicodeScalars.append(scalar)
      case _ where !isXMLCharacter(scalar): escaped += "\u{FFFD}"
      case _ where isControl(scalar): escaped += "&#x\(String(scalar.value, radix: 16));"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

/// Fails for `other`, which only the reader makes, for dates and data.
private func preconditionMadeByCarve() {
  precondition(false, "only values that Carve makes are written")
}

/// The objects of a binary list, in the order in which they are found. Equal strings and numbers
/// are stored once.
private struct BinaryPropertyListWriter {
  private var objects: [[UInt8]] = []
  /// The references of each object. They are written when their size is known.
  private var references: [[Int]] = []
  private var scalars: [PropertyValue: Int] = [:]

  mutating func add(_ value: PropertyValue) -> Int {
    if let known = scalars[value] { return known }
    let index = objects.count
    objects.append([])
    references.append([])
    switch value {
    case .string(let string): objects[index] = BinaryPropertyListWriter.string(string)
    case .integer(let number): objects[index] = BinaryPropertyListWriter.integer(number)
    case .real(let number):
      objects[index] = [0x23] + BinaryPropertyListWriter.bigEndian(number.bitPattern, size: 8)
    case .boolean(let flag): objects[index] = [flag ? 9 : 8]
    case .array(let values):
      objects[index] = BinaryPropertyListWriter.head(0xA0, values.count)
      references[index] = values.map { add($0) }
    case .dictionary(let members):
      let members = PropertyValue.sorted(members)
      objects[index] = BinaryPropertyListWriter.head(0xD0, members.count)
      let keys = members.map { add(.name($0.key)) }
      references[index] = keys + members.map { add($0.value) }
    case .other: preconditionMadeByCarve()
    }
    switch value {
    case .array, .dictionary: break
    default: scalars[value] = index
    }
    return index
  }

  /// Returns the magic, the objects, the table of their offsets, and the trailer that describes the
  /// table.
  func file() -> [UInt8] {
    let referenceSize = BinaryPropertyListWriter.size(of: UInt64(objects.count))
    var file = Array("bplist00".utf8)
    var offsets: [Int] = []
    for (object, references) in zip(objects, references) {
      offsets.append(file.count)
      file += object
      for reference in references {
        file += BinaryPropertyListWriter.bigEndian(UInt64(reference), size: referenceSize)
      }
    }
    let table = file.count
    let offsetSize = BinaryPropertyListWriter.size(of: UInt64(table))
    for offset in offsets {
      file += BinaryPropertyListWriter.bigEndian(UInt64(offset), size: offsetSize)
    }
    file += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [objects.count, 0, table] {
      file += BinaryPropertyListWriter.bigEndian(UInt64(number), size: 8)
    }
    return file
  }

  private static func string(_ string: String) -> [UInt8] {
    if string.utf8.allSatisfy({ $0 < 0x80 }) { return head(0x50, string.utf8.count) + string.utf8 }
    let units = Array(string.utf16)
    return head(0x60, units.count) + units.flatMap { bigEndian(UInt64($0), size: 2) }
  }

  /// Returns an integer object. Negative numbers have eight bytes, others the smallest possible
  /// size.
  private static func integer(_ number: Int) -> [UInt8] {
    let bits = UInt64(bitPattern: Int64(number))
    let size = number < 0 ? 8 : size(of: bits)
    return [0x10 | UInt8(size.trailingZeroBitCount)] + bigEndian(bits, size: size)
  }

  /// Returns the marker of an object with its kind and count. A count of 15 or more follows as an
  /// integer object.
  private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 15] + integer(count)
  }

  /// Returns the smallest size of a number in bytes: 1, 2, 4 or 8.
  private static func size(of number: UInt64) -> Int {
    number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
  }

  private static func bigEndian(_ number: UInt64, size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }
}
