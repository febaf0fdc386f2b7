// Writes the page of an app as one file: the report as a map of bytes, and the page of each of its
// archives. The script shows one archive at a time; it comes last, after all data.

import Bytes
import Documents

package struct AppPage: Sendable {
  /// An archive of the app.
  package struct Archive: Sendable, Hashable {
    /// The path in the report.
    package var path: ByteString
    /// The name in the list of archives.
    package var name: String

    package init(path: ByteString, name: String) { (self.path, self.name) = (path, name) }
  }

  private let title: String
  private let archives: [Archive]
  /// The report, as `carve app --json` prints it.
  private let report: JSONOutput

  package init(title: String, archives: [Archive], report: JSONOutput) {
    (self.title, self.archives, self.report) = (title, archives, report)
  }

  /// The text in front of the archives.
  package var head: [UInt8] {
    let app: JSONOutput = [
      "title": .string(title),
      "pages": .array(archives.map { ["path": .name($0.path), "name": .string($0.name)] }),
      "report": report,
    ]
    return Array(PageText.preview.head(title: title).utf8) + app.element("app")
  }

  /// Passes the page of an archive, by its number, to `append`.
  package func write<Failure: Error>(
    _ page: PageData, number: Int, _ append: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try append(page.json.element("data-\(number)"))
    try page.writePictures("p\(number)-", append)
  }

  /// The text in place of an archive that cannot be shown.
  package func fault(_ reason: String, number: Int) -> [UInt8] {
    let data: JSONOutput = [
      "title": .string(archives[number].name), "fault": .string(reason),
    ]
    return data.element("data-\(number)")
  }

  /// The text after the archives.
  package var end: [UInt8] { Array((PageText.preview.scriptElement + PageText.end).utf8) }
}
