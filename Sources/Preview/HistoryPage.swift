// Writes the page about the history of catalogues: the frame, the data and the script.

import Documents

package struct HistoryPage: Sendable {
  private let title: String
  private let data: JSONOutput

  /// Creates a page. The data are those that `carve history --json` prints.
  package init(title: String, data: JSONOutput) { (self.title, self.data) = (title, data) }

  package var bytes: [UInt8] {
    let text = PageText.history
    return Array(text.head(title: title).utf8) + data.element("data")
      + Array((text.scriptElement + PageText.end).utf8)
  }
}
