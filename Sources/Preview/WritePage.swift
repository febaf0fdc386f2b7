// Writes the page as one file: a policy that allows nothing from outside, the style, the skeleton,
// the data, the script, and then the pictures, so that the script works while the pictures are
// still read.

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
    try append(Array(head(use).utf8))
    try append(Array("<script type=\"application/json\" id=\"data\">".utf8))
    try append(json.markupSafe)
    try append(Array("</script>\n<script>\(PageText.script)</script>\n".utf8))
    for (place, picture) in allPictures.enumerated() {
      try append(Array("<script type=\"text/plain\" id=\"p\(place)\">".utf8))
      try append(base64(picture.bytes))
      try append(Array("</script>\n".utf8))
    }
    try append(Array("</body>\n</html>\n".utf8))
  }

  private func head(_ use: PageUse) -> String {
    let connections = use == .served ? "connect-src 'self'; " : ""
    let policy =
      "default-src 'none'; script-src '\(PageText.scriptHash)'; style-src '\(PageText.styleHash)'; "
      + "img-src blob:; \(connections)base-uri 'none'; form-action 'none'"
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(escaped(options.title))</title>
      <style>\(PageText.style)</style>
      </head>
      <body>
      \(PageText.body)

      """
  }
}

/// Escapes a text so that it cannot be read as markup.
func escaped(_ text: String) -> String {
  var escaped = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "\"": escaped += "&quot;"
    default: escaped.unicodeScalars.append(scalar)
    }
  }
  return escaped
}
