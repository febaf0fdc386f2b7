// Encodes bytes as text for a page.

/// Returns base 64 with padding, which browsers decode.
func base64(_ bytes: [UInt8]) -> [UInt8] {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  let size = (bytes.count + 2) / 3 * 4
  return [UInt8](unsafeUninitializedCapacity: size) { text, count in
    var place = 0
    while place + 3 <= bytes.count {
      let word = Int(bytes[place]) << 16 | Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
      for digit in 0..<4 { text[count + digit] = digits[word >> (18 - 6 * digit) & 63] }
      place += 3
      count += 4
    }
    let rest = bytes.count - place
    if rest == 0 { return }
    let word = Int(bytes[place]) << 16 | (rest == 2 ? Int(bytes[place + 1]) << 8 : 0)
    for digit in 0..<4 {
      text[count + digit] =
        digit <= rest ? digits[word >> (18 - 6 * digit) & 63] : UInt8(ascii: "=")
    }
    count += 4
  }
}
