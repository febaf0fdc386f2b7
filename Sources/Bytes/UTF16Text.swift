// Texts in UTF-16, which some programs write, as UTF-8.

/// Returns the UTF-8 of a text in UTF-16 with a byte-order mark; nil for other bytes.
package func textOfUTF16(_ bytes: [UInt8]) -> [UInt8]? {
  let isBig = bytes.starts(with: [0xFE, 0xFF])
  guard isBig || bytes.starts(with: [0xFF, 0xFE]) else { return nil }
  return utf8(ofUTF16: bytes.dropFirst(2), isBigEndian: isBig)
}

/// Returns the UTF-8 of a text in UTF-16 without a mark. Half a unit at the end is left out.
package func utf8(ofUTF16 text: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8] {
  let units = stride(from: text.startIndex, to: text.endIndex - 1, by: 2).lazy.map {
    index -> UInt16 in
    let (one, two) = (UInt16(text[index]), UInt16(text[index + 1]))
    return isBigEndian ? one << 8 | two : two << 8 | one
  }
  var result: [UInt8] = []
  result.reserveCapacity(text.count)
  _ = transcode(
    units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: false,
    into: { result.append($0) })
  return result
}
