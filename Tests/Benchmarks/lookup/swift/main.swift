// Uses the run time from Swift, as an app does: `lookup ARCHIVE LOOKUPS`. Prints nanoseconds as the
// programs in C beside it do, the median of seven rounds over names in random order.

import CarveRuntime
import Glibc
import Traits

func nanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

func measure(_ label: String, _ count: Int, _ body: () -> UInt64) {
  var sum: UInt64 = 0
  let times = (0..<7).map { _ in
    let start = nanoseconds()
    sum &+= body()
    return Double(nanoseconds() - start) / Double(count)
  }
  precondition(sum != 0, "nothing was found")
  print(label, times.sorted()[3])
}

struct Lookups {
  let view: CatalogView
  let names: [String]
  let ids: [AssetID]

  init(_ catalog: Catalog, _ names: [String], count: Int) {
    var window = Environment()
    window.scale = 2
    view = catalog.view(for: window)
    var state: UInt64 = 42
    let asked = (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return names[Int((state >> 33) % UInt64(names.count))]
    }
    self.names = asked
    ids = asked.map { AssetID($0, .color) }
  }

  @inline(never) func byName() -> UInt64 {
    names.reduce(0) { $0 &+ UInt64(view.find($1, .color)?.choice.rendition ?? 0) }
  }

  @inline(never) func byID() -> UInt64 {
    ids.reduce(0) { $0 &+ UInt64(view.find($1)?.choice.rendition ?? 0) }
  }
}

let words = CommandLine.arguments
let catalog = try Catalog(path: words[1])
let lookups = Lookups(catalog, catalog.assets.map(\.name), count: Int(words[2]) ?? 1)
measure("swift-name", lookups.names.count) { lookups.byName() }
measure("swift-id-facts", lookups.ids.count) { lookups.byID() }
