// Proves that thinning was right, from the two archives alone. The result is sound if every
// environment in reach gets the same answer from both archives, and minimal if every kept variant
// is the answer in some environment. The proof uses the same rule as the thinner, but none of the
// thinner's decisions.

import Archive
import Bytes
import Traits

/// A fault of a thinned archive.
package enum CounterExample: Sendable, Hashable {
  /// An environment gets another answer than from the full archive. Nil is "no answer".
  /// `traits` are those of the environment, as `carve explain --traits` reads them.
  case answer(asset: ByteString, traits: String, full: VariantKey?, thinned: VariantKey?)
  /// The variant is kept, but no environment in reach needs it.
  case unneeded(asset: ByteString, VariantKey)
  /// A variant is kept under its key, but with other contents.
  case contents(asset: ByteString, VariantKey?)
  /// A rendition that is kept for every device is missing.
  case missing(asset: ByteString)
  /// The thinned archive has a rendition that the full one lacks.
  case foreign(asset: ByteString)
  /// An atlas or a table of icon sizes is kept, but nothing that is kept needs it.
  case unneededCarrier(asset: ByteString)
}

/// The result of a proof: numbers, and a counter-example if the proof fails.
package struct Proof: Sendable {
  package private(set) var assetCount = 0
  /// The number of answers that were compared: pairs of an asset and an environment that the
  /// asset's keys distinguish.
  package private(set) var answerCount = 0
  /// The number of kept variants. Each of them wins in some environment.
  package private(set) var variantCount = 0
  /// The number of different pairs of signatures for which answers were computed.
  package private(set) var decisionCount = 0
  package private(set) var counterExample: CounterExample?

  package var holds: Bool { counterExample == nil }
}

extension Proof {
  /// Compares a thinned archive with the full one for a target.
  package init(
    full: OpenedArchive, thinned: OpenedArchive, target: ThinningTarget
  ) throws(FormatError) {
    var run = ProofRun(full: full, thinned: thinned, target: target)
    counterExample = try run.firstCounterExample()
    assetCount = full.inventory.groups.count
    answerCount = run.answerCount
    variantCount = run.variantCount
    decisionCount = run.results.count
  }
}

extension Proof {
  /// Compares the bytes of a written archive with the full one.
  package init(
    full: OpenedArchive, writtenTo bytes: UnsafeRawBufferPointer, target: ThinningTarget
  ) throws(ThinningError) {
    do throws(FormatError) {
      let written = try OpenedArchive(Archive(bytes))
      self = try Proof(full: full, thinned: written, target: target)
    } catch {
      throw .format(error)
    }
  }
}

private struct ProofRun {
  struct Pair: Hashable {
    var full: Int
    /// The signature in the thinned archive; nil if the whole group was dropped.
    var thinned: Int?
  }

  struct PairResult {
    var environmentCount = 0
    var difference: (environment: Environment, full: VariantKey?, thinned: VariantKey?)?
    var unneeded: [VariantKey] = []
  }

  let full: OpenedArchive
  let thinned: OpenedArchive
  let target: ThinningTarget
  var results: [Pair: PairResult] = [:]
  var answerCount = 0
  var variantCount = 0
  private var contents: ContentsComparison

  init(full: OpenedArchive, thinned: OpenedArchive, target: ThinningTarget) {
    self.full = full
    self.thinned = thinned
    self.target = target
    contents = ContentsComparison(full, thinned)
  }

  mutating func firstCounterExample() throws(FormatError) -> CounterExample? {
    if let found = try examineGroups() { return found }
    if let found = try examineWhole() { return found }
    return try examineCarriers()
  }

  private mutating func examineGroups() throws(FormatError) -> CounterExample? {
    var rest = thinned.inventory.groups[...]
    for group in full.inventory.groups {
      // Both lists are sorted by the shared keys of the groups.
      if let other = rest.first, other.shared < group.shared {
        return .foreign(asset: thinned.name(of: other))
      }
      let other = rest.first.flatMap { $0.shared == group.shared ? $0 : nil }
      if other != nil { rest.removeFirst() }
      if let found = examine(group, other) { return found }
      if let other, let found = try examineContents(group, other) { return found }
    }
    return rest.first.map { .foreign(asset: thinned.name(of: $0)) }
  }

  private mutating func examine(
    _ group: VariantGroup, _ other: VariantGroup?
  ) -> CounterExample? {
    let result = result(Pair(full: group.signature, thinned: other?.signature))
    answerCount += result.environmentCount
    variantCount += other?.members.count ?? 0
    if let difference = result.difference {
      return .answer(
        asset: full.name(of: group), traits: full.archive.traitsText(of: difference.environment),
        full: difference.full, thinned: difference.thinned)
    }
    guard let other else { return nil }
    for key in result.unneeded where !thinned.isOptedOut(key, of: other) {
      return .unneeded(asset: full.name(of: group), key)
    }
    return nil
  }

  private mutating func result(_ pair: Pair) -> PairResult {
    if let known = results[pair] { return known }
    let keys = full.inventory.signatures[pair.full].keys
    let left = pair.thinned.map { thinned.inventory.signatures[$0].keys } ?? []
    var result = PairResult()
    var wins = [Bool](repeating: false, count: left.count)
    let (dividedKeys, dividedLeft) = (DividedKeys(keys), DividedKeys(left))
    for environment in target.environments(distinguishedBy: keys + left) {
      result.environmentCount += 1
      let before = dividedKeys.winner(in: environment).map { keys[$0] }
      let after = dividedLeft.winner(in: environment)
      if let after { wins[after] = true }
      if result.difference == nil, before != after.map({ left[$0] }) {
        result.difference = (environment, before, after.map { left[$0] })
      }
    }
    result.unneeded = left.indices.filter { !wins[$0] }.map { left[$0] }
    results[pair] = result
    return result
  }

  /// Compares the contents of kept variants: under each key, both archives must have the same
  /// contents.
  private mutating func examineContents(
    _ group: VariantGroup, _ other: VariantGroup
  ) throws(FormatError) -> CounterExample? {
    let keys = full.inventory.signatures[group.signature]
    for (ordinal, key) in thinned.inventory.signatures[other.signature].keys.enumerated() {
      let member = thinned.inventory.members[other.members.lowerBound + ordinal]
      guard let original = keys.ordinal(of: key) else { continue }
      let before = full.inventory.members[group.members.lowerBound + original]
      if try !contents.isSame(before, member) {
        return .contents(asset: full.name(of: group), key)
      }
    }
    return nil
  }

  private mutating func examineWhole() throws(FormatError) -> CounterExample? {
    var left: [RenditionKey: Int] = [:]
    for (entry, _) in thinned.inventory.alwaysKept {
      left[thinned.inventory.entries[entry].key] = entry
    }
    for (entry, _) in full.inventory.alwaysKept {
      let key = full.inventory.entries[entry].key
      // A rendition that shared its traits with another one is in `alwaysKept`; if the other one is
      // gone, it is in a group.
      guard let other = left[key] ?? thinned.inventory.entries.firstIndex(where: { $0.key == key })
      else { return .missing(asset: full.name(ofEntry: entry)) }
      if try !contents.isSame(entry, other) {
        return .contents(asset: full.name(ofEntry: entry), nil)
      }
    }
    return nil
  }

  /// Checks that every atlas has a picture in use, and that every row of a table of sizes has an
  /// icon.
  private func examineCarriers() throws(FormatError) -> CounterExample? {
    let inventory = thinned.inventory
    let all = Decision(
      kept: inventory.signatures.map { [Bool](repeating: true, count: $0.keys.count) })
    let needed = try Selection(all, of: inventory, in: thinned.archive)
    let unneeded = inventory.entries.indices.first { !needed.isKept[$0] }
    guard let entry = unneeded ?? needed.shrunkTables.first?.table else { return nil }
    return .unneededCarrier(asset: thinned.name(ofEntry: entry))
  }
}

// MARK: - Counterexamples

// Writes the counter-examples of a proof as text.

extension CounterExample: CustomStringConvertible {
  package var description: String {
    switch self {
    case .answer(let asset, let traits, let full, let thinned):
      "\"\(asset)\" in \(traits): the full archive gives \(named(full)), "
        + "the thinned one \(named(thinned))"
    case .unneeded(let asset, let key):
      "\"\(asset)\": \(named(key)) was kept, but no window in reach shows it"
    case .contents(let asset, let key):
      "\"\(asset)\": the contents of \(named(key)) changed"
    case .missing(let asset): "\"\(asset)\" lacks a rendition that is kept for every device"
    case .foreign(let asset): "\"\(asset)\" has a rendition that the full archive lacks"
    case .unneededCarrier(let asset):
      "\"\(asset)\": an atlas or a table of sizes was kept that no rendition needs"
    }
  }

  private func named(_ key: VariantKey?) -> String {
    key.map { $0.summary() } ?? "nothing"
  }
}
