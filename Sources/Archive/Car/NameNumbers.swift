// Gives each name a number: the hash of the name if it is free, otherwise the next free number.

import Bytes
import Traits

/// The numbers of the names of one archive. Names are compared by their bytes.
package struct NameNumbers: Sendable {
  private let numbers: [[UInt8]: UInt16]

  /// Creates an empty set of numbers.
  package init() { numbers = [:] }

  /// Numbers the names. The numbers depend only on the set of names. If several names have the same
  /// hash, the first in the order of bytes gets it as its number. Each of the others gets the first
  /// number above the hash that is no name's hash and that is not taken.
  package init(_ names: some Sequence<ByteString>) throws(ArchiveError) {
    let unique = Set(names.lazy.map { $0.bytes })
    if unique.count > ArchiveError.mostNames {
      throw ArchiveError.tooManyNames(count: unique.count)
    }
    let sorted = unique.sorted { $0.lexicographicallyPrecedes($1) }
    var taken = [Bool](repeating: false, count: ArchiveError.mostNames + 1)
    taken[0] = true
    var numbers: [[UInt8]: UInt16] = [:]
    numbers.reserveCapacity(sorted.count)
    var displaced: [(name: [UInt8], hash: UInt16)] = []
    for name in sorted {
      let hash = nameIdentifier(name)
      if taken[Int(hash)] {
        displaced.append((name, hash))
      } else {
        taken[Int(hash)] = true
        numbers[name] = hash
      }
    }
    for (name, hash) in displaced {
      var number = hash &+ 1
      while taken[Int(number)] { number &+= 1 }
      taken[Int(number)] = true
      numbers[name] = number
    }
    self.numbers = numbers
  }

  package subscript(name: ByteString) -> UInt16? { numbers[name.bytes] }
}
