// The frame of a page: a policy that allows nothing from outside, its style and its skeleton. All
// pages have it.

import Documents

/// The texts of a page, which generate.py writes.
struct PageText: Sendable {
  /// The digests of the script and of the style, which the policy allows.
  var scriptHash: String
  var styleHash: String
  var body: String
  var style: String
  var script: String

  /// Returns everything in front of the data.
  func head(title: String, connects: Bool = false) -> String {
    let connections = connects ? "connect-src 'self'; " : ""
    let policy =
      "default-src 'none'; script-src '\(scriptHash)'; style-src '\(styleHash)'; "
      + "img-src blob:; \(connections)base-uri 'none'; form-action 'none'"
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(escaped(title))</title>
      <style>\(style)</style>
      </head>
      <body>
      \(body)

      """
  }

  /// The element with the script.
  var scriptElement: String { "<script>\(script)</script>\n" }

  static let end = "</body>\n</html>\n"
}

extension JSONOutput {
  /// The element that holds the value for the script.
  func element(_ id: String) -> [UInt8] {
    Array("<script type=\"application/json\" id=\"\(id)\">".utf8) + markupSafe
      + Array("</script>\n".utf8)
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
