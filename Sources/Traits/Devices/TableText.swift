// Finds rows in the generated tables. A table is one constant text: it costs nothing until it is
// asked, and then only the rows asked for are split into fields.

/// A table whose rows end at line feeds and whose fields end at semicolons. The script that writes
/// the tables has checked every field.
struct TableText {
  let text: StaticString

  /// The fields of every row that begins with these fields; of every row where there are none.
  func rows(beginningWith fields: [String] = []) -> [[Substring]] {
    let prefix = fields.map { $0 + ";" }.joined()
    return text.withUTF8Buffer { bytes in
      Array(prefix.utf8).withUnsafeBufferPointer { prefix in
        var rows: [[Substring]] = []
        Self.forEachLine(bytes, in: 0..<bytes.count) { line in
          if Self.match(bytes, line, prefix) { rows.append(Self.fields(bytes, line)) }
        }
        return rows
      }
    }
  }

  /// The fields of every row that begins within a range of `groups`.
  func rows(in group: Range<Int>) -> [[Substring]] {
    text.withUTF8Buffer { bytes in
      var rows: [[Substring]] = []
      Self.forEachLine(bytes, in: group) { rows.append(Self.fields(bytes, $0)) }
      return rows
    }
  }

  /// By the first two fields with their semicolons, where their rows lie: the table has them together.
  func groups() -> [String: Range<Int>] {
    text.withUTF8Buffer { bytes in
      var groups: [String: Range<Int>] = [:]
      var first = 0..<0
      Self.forEachLine(bytes, in: 0..<bytes.count) { line in
        let key = UnsafeBufferPointer(rebasing: bytes[first])
        if key.isEmpty || !Self.match(bytes, line, key) {
          let end = bytes[line].indices.filter { bytes[$0] == UInt8(ascii: ";") }.prefix(2).last
          first = line.lowerBound..<(end ?? line.upperBound - 1) + 1
        }
        let name = String(decoding: bytes[first], as: UTF8.self)
        groups[name] = (groups[name]?.lowerBound ?? line.lowerBound)..<line.upperBound
      }
      return groups
    }
  }

  private static func forEachLine(
    _ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>, _ body: (Range<Int>) -> Void
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      body(start..<end)
      start = end + 1
    }
  }

  private static func fields(
    _ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>
  ) -> [Substring] {
    String(decoding: bytes[line], as: UTF8.self)
      .split(separator: ";", omittingEmptySubsequences: false)
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
  /// The parts of a field that lists several values; none where the table says "unknown" or "none".
  var listed: [Substring] {
    self == "?" || self == "-" ? [] : split(separator: "|")
  }
}

/// A number such as 375 or 507.5. Embedded Swift has no reader of such numbers.
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
    // Fifteen digits are exact.
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), count < 15 else { return nil }
    digits = digits * 10 + Int(byte - UInt8(ascii: "0"))
    count += 1
    if hasPoint { divisor *= 10 }
  }
  return count == 0 ? nil : Double(digits) / divisor
}
