// Tests that the code that runs at every decision agrees with the table of axes.

import Support
import Testing

@testable import Traits

/// Returns the packed key with another value on one axis; nil if it is no value of the axis.
private func key(_ value: UInt16, on axis: Axis) -> VariantKey? {
  let bits = axis.row.keyBits
  guard bits.count == 16 || value < 1 << bits.count else { return nil }
  var (high, low) = VariantKey().packed
  let shift = UInt64(bits.lowerBound % 64)
  let mask: UInt64 = ((1 << UInt64(bits.count)) - 1) << shift
  if bits.lowerBound >= 64 {
    high = high & ~mask | UInt64(value) << shift
  } else {
    low = low & ~mask | UInt64(value) << shift
  }
  guard let key = VariantKey(high: high, low: low) else { return nil }
  #expect(key.packed == (high, low))
  return key
}

/// Values of every axis and beyond.
private let values: [UInt16] = Array(0...15) + [254, 320, 514, 2436, 65535]

@Suite struct AxisTableTests {
  @Test func theRowsHaveBitsOfTheirOwn() {
    let rows = Axis.allCases.map(\.row)
    let keyBits = rows.flatMap { Array($0.keyBits) }
    #expect(Set(keyBits).count == keyBits.count)
    // A stronger axis has higher bits in a rank.
    var upper = UInt64(64)
    for row in rows {
      #expect(row.rank.shift + row.rank.bits <= upper, "\(row.name)")
      upper = row.rank.shift
    }
    #expect(Set(Axis.inRequests) == Set(Axis.allCases))
    #expect(Axis.inRequests.count == Axis.allCases.count)
    #expect(Set(Axis.requestNames).count == Axis.allCases.count)
  }

  @Test(arguments: Axis.allCases) func aPackedKeyHasTheBitsOfItsRow(axis: Axis) {
    let plain = VariantKey()
    #expect(plain.value(on: axis) == axis.row.unconstrained)
    let keys = values.compactMap { key($0, on: axis) }
    #expect(keys.contains { $0 != plain })
    for key in keys where key != plain {
      #expect(Axis.allCases.filter { key.value(on: $0) != plain.value(on: $0) } == [axis])
      #expect(key.summary() != plain.summary())
    }
  }

  @Test(arguments: Axis.allCases) func aRankHasTheBitsOfItsRow(axis: Axis) {
    var random = SeededGenerator.forTest(7)
    let field = axis.row.rank
    for _ in 0..<200 {
      let environment = random.environment()
      guard let plain = environment.rank(of: VariantKey())?.tuple else { continue }
      for key in values.compactMap({ key($0, on: axis) }) {
        let position = environment.position(of: key, on: axis)
        let rank = environment.rank(of: key)?.tuple
        #expect((rank == nil) == (position == nil), "\(random)")
        guard let rank, let position else { continue }
        let mask: UInt64 = (1 << field.bits - 1) << field.shift
        #expect(rank & ~mask == plain & ~mask, "\(random)")
        #expect(rank & mask == position << field.shift, "\(random)")
      }
    }
  }

  @Test(arguments: Axis.allCases) func aRequestSetsTheAxisThatItNames(axis: Axis) throws {
    for choice in axis.choices {
      let environment = try Environment(traits: "\(axis.name)=\(choice)")
      #expect(environment.differences(from: Environment()).allSatisfy { $0 == axis })
    }
    let error = #expect(throws: TraitError.self) { try Environment(traits: "\(axis.name)=?") }
    #expect(error == .unknownValue("?", of: axis))
  }
}
