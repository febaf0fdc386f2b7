// What changes on the screen when the traits of a window change: decided per signature, because all
// assets of a signature change together.

/// The difference between two views of one catalogue.
public struct Transition: Sendable, Hashable {
  /// The numbers of the signatures whose winner or mirroring differs, ascending.
  public let signatures: [Int]

  /// Both views must be of the same signatures.
  public init(from old: View, to new: View) {
    precondition(old.winners.count == new.winners.count, "the views are of two catalogues")
    signatures = new.winners.indices.filter { old.winners[$0] != new.winners[$0] }
  }

  public var isEmpty: Bool { signatures.isEmpty }

  /// The assets that change, ascending: those whose signature does.
  public func assets(withSignatures numbers: some RandomAccessCollection<Int>) -> [Int] {
    numbers.enumerated().filter { entry in
      let index = signatures.partitioningIndex { $0 >= entry.element }
      return index < signatures.count && signatures[index] == entry.element
    }.map(\.offset)
  }
}
