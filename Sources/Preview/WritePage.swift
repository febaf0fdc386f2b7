// Writes the page of an archive as one file: the frame, the data, the script, and then the
// pictures, so that the script works while the pictures are still read.

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
