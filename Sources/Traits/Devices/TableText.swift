// Finds rows in the generated tables. A table is one constant text, so it costs nothing at start,
// and a query splits only the rows that it returns into fields.

/// A table whose rows end with line feeds and whose fields end with semicolons. The script that
/// writes the tables checks every field.
struct TableText {
  let text: StaticString

  /// Returns the fields of every row that begins with the given fields; of every row if none are
  /// given.
  func rows(beginningWith fields: [String] = []) -> [[Substring]] {
    let prefix = fields.map { $0 + ";" }.joined()
    return text.withUTF8Buffer { bytes in
      Array(prefix.utf8).withUnsafeBufferPointer { prefix in
        var rows: [[Substring]] = []
        Self.forEachLine(bytes) { line in
          if Self.match(bytes, line, prefix) { rows.append(Self.fields(bytes, line)) }
        }
        return rows
      }
    }
  }

  private static func forEachLine(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>) -> Void
  ) {
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      body(start..<end)
      start = end + 1
    }
  }

  private static func fields(
    _ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>
  ) -> [Substring] {
    // Dividing the bytes takes a fifth of the time of dividing the characters.
    String(decoding: bytes[line], as: UTF8.self).utf8
      .split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Substring($0) }
  }

  private static func match(
    _ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>,
    _ prefix: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard line.count > prefix.count else { return false }
    for (offset, byte) in prefix.enumerated() where bytes[line.lowerBound + offset] != byte {
      return false
    }
    return true
  }
}

extension Substring {
  /// The parts of a field that lists several values; empty if the table says "unknown" or "none".
  var listed: [Substring] {
    self == "?" || self == "-"
      ? [] : utf8.split(separator: UInt8(ascii: "|")).map { Substring($0) }
  }
}

/// Returns a number such as 375 or 507.5. The standard library of Embedded Swift cannot read them.
func decimal(_ text: some StringProtocol) -> Double? {
  var digits = 0
  var count = 0
  var divisor = 1.0
  var hasPoint = false
  for byte in text.utf8 {
    if byte == UInt8(ascii: "."), !hasPoint {
      hasPoint = true
      continue
    }
    // A number of fifteen digits is exact in a Double.
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), count < 15 else { return nil }
    digits = digits * 10 + Int(byte - UInt8(ascii: "0"))
    count += 1
    if hasPoint { divisor *= 10 }
  }
  return count == 0 ? nil : Double(digits) / divisor
}
