// Writes the page of an archive as one file: the frame, the data, the script, and then the
// pictures in base 64, so that the script works while the pictures are still read.

/// The use of a page: a file on a disk, or a page that a server refreshes.
package enum PageUse: Sendable {
  case file
  case served
}

extension PageData {
  /// Passes the page to `append` piece by piece.
  package func write<Failure: Error>(
    for use: PageUse = .file, _ append: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let text = PageText.preview
    try append(Array(text.head(title: options.title, connects: use == .served).utf8))
    try append(json.element("data"))
    try append(Array(text.scriptElement.utf8))
    try writePictures("p", append)
    try append(Array(PageText.end.utf8))
  }

  /// Passes the pictures to `append`, whose ids begin with `prefix`.
  func writePictures<Failure: Error>(
    _ prefix: String, _ append: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    for (number, picture) in allPictures.enumerated() {
      try append(Array("<script type=\"text/plain\" id=\"\(prefix)\(number)\">".utf8))
      try append(base64(picture.bytes))
      try append(Array("</script>\n".utf8))
    }
  }
}

/// Returns base 64 with padding, which browsers decode.
func base64(_ bytes: [UInt8]) -> [UInt8] {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  let size = (bytes.count + 2) / 3 * 4
  return [UInt8](unsafeUninitializedCapacity: size) { text, count in
    var offset = 0
    while offset + 3 <= bytes.count {
      let word = Int(bytes[offset]) << 16 | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2])
      for digit in 0..<4 { text[count + digit] = digits[word >> (18 - 6 * digit) & 63] }
      offset += 3
      count += 4
    }
    let rest = bytes.count - offset
    if rest == 0 { return }
    let word = Int(bytes[offset]) << 16 | (rest == 2 ? Int(bytes[offset + 1]) << 8 : 0)
    for digit in 0..<4 {
      text[count + digit] =
        digit <= rest ? digits[word >> (18 - 6 * digit) & 63] : UInt8(ascii: "=")
    }
    count += 4
  }
}
