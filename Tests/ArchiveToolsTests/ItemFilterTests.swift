// Thinning item by item, as Apple's tool does it: the items that each option alone keeps.

import Archive
import Bytes
import Support
import Testing
import Traits

@testable import ArchiveTools

/// An option, the variants of an asset, and whether each of them is kept.
struct FilterRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var filter: ItemFilter
  var keys: [VariantKey]
  var kept: [Bool]

  init(
    _ name: String, _ keys: [VariantKey], leaves kept: [Bool],
    _ set: (inout ItemFilter) -> Void
  ) {
    testDescription = name
    var filter = ItemFilter()
    set(&filter)
    self.filter = filter
    self.keys = keys
    self.kept = kept
  }
}

private func keys<Value>(
  _ path: WritableKeyPath<VariantKey, Value>, _ values: [Value]
) -> [VariantKey] {
  values.map { value in
    var key = VariantKey()
    key.scale = 2
    key[keyPath: path] = value
    return key
  }
}

private func darkOnce(_ all: [VariantKey]) -> [VariantKey] {
  all.enumerated().map { number, key in
    var key = key
    if number == 0 { key.style = .dark }
    return key
  }
}

@Suite("Filters of assetutil") struct ItemFilterTests {
  private static let rows: [FilterRow] = [
    FilterRow(
      "idiom", keys(\.idiom, [.universal, .phone, .pad, .car]), leaves: [true, true, false, false]
    ) { $0.idiom = .phone },
    FilterRow(
      "hosted idiom", keys(\.idiom, [.universal, .phone, .pad, .car]),
      leaves: [true, true, false, true]
    ) {
      $0.idiom = .phone
      $0.hostedIdioms = [.car]
    },
    FilterRow(
      "subtype", keys(\.subtype, [0, 1792, 568, 2436]), leaves: [true, true, false, false]
    ) {
      $0.subtype = 1792
    },
    FilterRow(
      "subtype with a fallback", keys(\.subtype, [0, 1792, 568, 2436]),
      leaves: [true, true, true, false]
    ) {
      $0.subtype = 1792
      $0.subtypeFallbacks = [568]
    },
    FilterRow("scale", keys(\.scale, [1, 2, 3, 0]), leaves: [false, true, false, true]) {
      $0.scale = 2
    },
    FilterRow("scale without its own", keys(\.scale, [1, 3]), leaves: [true, false]) {
      $0.scale = 2
    },
    FilterRow("sRGB", keys(\.gamut, [.sRGB, .p3]), leaves: [true, false]) { $0.gamut = .sRGB },
    FilterRow("P3", keys(\.gamut, [.sRGB, .p3]), leaves: [false, true]) { $0.gamut = .p3 },
    FilterRow("P3 without any", keys(\.gamut, [.sRGB]), leaves: [true]) { $0.gamut = .p3 },
    FilterRow("memory", keys(\.memory, [0, 1, 2, 4]), leaves: [false, false, true, false]) {
      $0.memory = 2
    },
    FilterRow("less memory", keys(\.memory, [0, 4]), leaves: [true, false]) { $0.memory = 2 },
    FilterRow(
      "graphics", keys(\.graphics, [.gles2, .apple1, .apple2, .apple5]),
      leaves: [false, false, true, false]
    ) { $0.graphics = GraphicsSupport(upTo: .apple2) },
    FilterRow("system", keys(\.osGeneration, [0, 1, 3, 5]), leaves: [false, false, true, false]) {
      $0.osGeneration = 4
    },
    // A variant that differs on another axis, too, cannot replace another one.
    FilterRow("another style", darkOnce(keys(\.scale, [1, 2, 3])), leaves: [true, true, false]) {
      $0.scale = 2
    },
    FilterRow("nothing", keys(\.scale, [1, 2, 3]), leaves: [true, true, true]) { _ in },
  ]

  @Test("an option leaves what nothing can stand in for", arguments: rows)
  func leaves(row: FilterRow) {
    #expect(row.filter.kept(of: row.keys) == row.kept)
    #expect(row.filter.isEmpty == (row.testDescription == "nothing"))
  }

  private func names(_ full: [UInt8], _ filters: [ItemFilter]) throws -> [String] {
    let left = try full.withUnsafeBytes { file in
      let thinner = try Thinner(file)
      return try thinner.opened.bytes(of: try thinner.plan(filters))
    }
    return try renditions(left).map(\.header.name.text).sorted()
  }

  private func scale(_ scale: UInt8) -> ItemFilter {
    var filter = ItemFilter()
    filter.scale = scale
    return filter
  }

  @Test("several sets of options leave what any of them does, and names can be spared")
  func unites() throws {
    var sources = SampleSources()
    for name in ["Star", "Moon"] { sources.image(name) }
    let full = try sources.compiled { $0.packsSprites = false }.bytes
    #expect(try names(full, [scale(2)]) == ["Moon@2x.png", "Star@2x.png"])
    #expect(
      try names(full, [scale(1), scale(3)])
        == ["Moon@1x.png", "Moon@3x.png", "Star@1x.png", "Star@3x.png"])
    var sparing = scale(2)
    sparing.preservedNames = ["sTAR"]
    #expect(
      try names(full, [sparing]) == ["Moon@2x.png", "Star@1x.png", "Star@2x.png", "Star@3x.png"])
  }
}
