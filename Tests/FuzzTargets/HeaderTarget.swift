// Fuzz target for the reader of picture headers, which reads every picture of a catalogue before
// any decoder does.

import CatalogModel
@testable import Host

extension FuzzTarget {
  /// Reads the header of a picture, and checks whether its file is complete: from the disk and from
  /// memory, with the same result.
  static let header = FuzzTarget("header") { bytes in
    let tree = FileTree.memory(["picture": .bytes([UInt8](bytes))])
    guard let header = try? ImageHeader.read("picture", in: tree) else { return }
    let isComplete = header.isComplete("picture", in: tree)
    precondition(isComplete == header.isComplete([UInt8](bytes)))
  }
}
