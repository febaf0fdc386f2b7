// Gives any bytes to the reader of ZIP files: lists the entries, inflates them, and finds the
// bundles with their Info.plist files.

@testable import Apps

extension FuzzTarget {
  static let zip = FuzzTarget("zip") { bytes in
    guard let files = try? AppFiles(zip: bytes) else { return }
    // Deflate makes up to 1,032 bytes of one; other inputs reach the same code with fewer.
    var left = 64 * bytes.count
    for (index, file) in files.files.enumerated() where file.size <= left {
      if let contents = try? files.read(index, limit: left) { left -= contents.count }
    }
    _ = AppReport(files, .list, jobs: 1)
  }
}
