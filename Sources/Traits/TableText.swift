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
        var start = 0
        while start < bytes.count {
          let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
          if end - start > prefix.count, Self.match(bytes, at: start, prefix) {
            let line = String(decoding: bytes[start..<end], as: UTF8.self)
            rows.append(line.split(separator: ";", omittingEmptySubsequences: false))
          }
          start = end + 1
        }
        return rows
      }
    }
  }

  private static func match(
    _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, _ prefix: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    for (offset, byte) in prefix.enumerated() where bytes[start + offset] != byte { return false }
    return true
  }
}

extension Substring {
  /// The parts of a field that lists several values; none where the table says "unknown" or "none".
  var listed: [Substring] {
    self == "?" || self == "-" ? [] : split(separator: "|")
  }
}
