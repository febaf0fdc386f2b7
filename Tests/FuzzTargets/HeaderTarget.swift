// The reader of picture headers, which sees every picture of a catalogue before any decoder.

import CatalogModel
@testable import Host

extension FuzzTarget {
  /// The header of a picture, and whether its file is all there.
  static let header = FuzzTarget("header") { bytes in
    let tree = FileTree.memory(["picture": .bytes([UInt8](bytes))])
    guard let header = try? ImageHeader.read("picture", in: tree) else { return }
    _ = header.isComplete("picture", in: tree)
  }
}
