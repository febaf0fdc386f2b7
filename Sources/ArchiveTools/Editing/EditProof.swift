// Proves that an edit changed the intended names and renditions and nothing else, from the two
// archives and the intent alone. Every name and every rendition must be as before, byte for byte,
// unless the intent names it; and in every situation of every device, the rule must give the same
// answer before and after, unless the intent names the rendition that answers. The proof uses none
// of the editor's decisions, and no lookup index.

import Archive
import Bytes
import Documents
import Imaging
import Traits

/// A change that no operation asked for.
package enum EditCounterExample: Sendable, Hashable {
  /// A name is lost, or new, or leads to other renditions.
  case name(ByteString)
  /// A rendition has other bytes, although no operation names it.
  case contents(asset: ByteString, VariantKey?)
  case missing(asset: ByteString, VariantKey?)
  case foreign(asset: ByteString, VariantKey?)
  /// An environment gets another answer. Nil is "no answer".
  /// `traits` are those of the environment, as `carve explain --traits` reads them.
  case answer(asset: ByteString, traits: String, before: VariantKey?, after: VariantKey?)
}

/// The result of a proof: numbers, and a counter-example if the proof fails.
package struct EditProof: Sendable {
  package private(set) var assetCount = 0
  package private(set) var renditionCount = 0
  /// The number of answers that were compared, and of those that differ, as asked for.
  package private(set) var answerCount = 0
  package private(set) var changedCount = 0
  package private(set) var counterExample: EditCounterExample?

  package var holds: Bool { counterExample == nil }

  /// Compares the bytes of an archive before and after an edit.
  package init(
    before: UnsafeRawBufferPointer, after: UnsafeRawBufferPointer, _ intent: EditIntent
  ) throws(FormatError) {
    var run = try EditProofRun(
      ProvedArchive(Archive(before)), ProvedArchive(Archive(after)), intent)
    counterExample = try run.firstCounterExample()
    assetCount = run.before.facets.count
    renditionCount = run.before.renditions.count
    (answerCount, changedCount) = (run.answerCount, run.changedCount)
  }

  /// The proof as an object.
  package var json: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("holds", .bool(holds)), .init("names", .integer(assetCount)),
      .init("renditions", .integer(renditionCount)), .init("answers", .integer(answerCount)),
      .init("changedAnswers", .integer(changedCount)),
    ]
    if let counterExample { members.append(.init("counterExample", .string("\(counterExample)"))) }
    return .object(members)
  }

  /// The proof as a sentence.
  package var text: String {
    if let counterExample { return "the edit changes more than was asked for: \(counterExample)" }
    let changed =
      changedCount == 0 ? "none differs" : "\(grouped(changedCount)) differ, as asked for"
    return "proved: \(counted(renditionCount, "rendition")) of \(counted(assetCount, "name")) and "
      + "\(counted(answerCount, "answer")) compared; \(changed)"
  }
}

/// The tables of an archive, without an index.
private struct ProvedArchive {
  let archive: Archive
  var facets: [ByteString: Facet] = [:]
  var nameOf: [UInt16: ByteString] = [:]
  var renditions: [RenditionKey: BlockID] = [:]
  let numbers: VariantNumbers

  init(_ archive: Archive) throws(FormatError) {
    self.archive = archive
    for facet in try archive.facets() {
      facets[facet.name] = facet
      guard let identifier = facet.identifier else { continue }
      if nameOf[identifier] == nil { nameOf[identifier] = facet.name }
    }
    var found: [RenditionKey: BlockID] = [:]
    try archive.renditionTree().forEach { (entry) throws(FormatError) in
      found[try archive.keyFormat.key(entry.key)] = entry.value
    }
    renditions = found
    numbers = try VariantNumbers(of: archive)
  }

  func name(of key: RenditionKey) -> ByteString {
    nameOf[key.identifier] ?? "identifier \(key.identifier)"
  }

  /// The variants of each asset and kind, by the attributes that they share.
  func groups() -> [SharedKey: [VariantKey: RenditionKey]] {
    var groups: [SharedKey: [VariantKey: RenditionKey]] = [:]
    for key in renditions.keys where !key.isAtlas {
      guard let variant = numbers.variant(of: key) else { continue }
      groups[SharedKey(key, isData: false), default: [:]][variant] = key
    }
    return groups
  }
}

private struct EditProofRun {
  let before: ProvedArchive
  let after: ProvedArchive
  private let intent: EditIntent
  /// The keys of the old renditions that an operation changes.
  private let touched: Set<RenditionKey>
  private let reaches: [Reach]
  private(set) var answerCount = 0
  private(set) var changedCount = 0
  /// The situations that the keys of a signature distinguish.
  private var situations: [Signature: [Environment]] = [:]

  init(
    _ before: ProvedArchive, _ after: ProvedArchive, _ intent: EditIntent
  ) throws(FormatError) {
    (self.before, self.after, self.intent) = (before, after, intent)
    touched = intent.replaced.union(intent.removed)
    let metadata = try before.archive.metadata()
    let oldest = metadata.flatMap { OSVersion($0.platformVersion) }
    reaches = Device.all(reading: metadata?.platform).compactMap {
      try? Reach(of: $0, app: AppTraits(), os: oldest)
    }
  }

  mutating func firstCounterExample() throws(FormatError) -> EditCounterExample? {
    if let found = examineNames() ?? examineRenditions() { return found }
    return try examineAnswers()
  }

  private func examineNames() -> EditCounterExample? {
    var expected: [ByteString: Facet] = [:]
    for (name, facet) in before.facets where !intent.removedNames.contains(name) {
      var facet = facet
      facet.name = intent.renames[name] ?? name
      expected[facet.name] = facet
    }
    for (name, facet) in expected.sorted(by: { $0.key < $1.key })
    where after.facets[name] != facet {
      return .name(name)
    }
    let foreign = after.facets.keys.filter {
      expected[$0] == nil && !intent.addedNames.contains($0)
    }
    return foreign.min().map { .name($0) }
  }

  private func examineRenditions() -> EditCounterExample? {
    // Any number of keys may share a block, which is compared once.
    var equal: Set<UInt64> = []
    for (key, block) in before.renditions where !intent.removed.contains(key) {
      let (name, variant) = (before.name(of: key), before.numbers.variant(of: key))
      guard let other = after.renditions[key] else { return .missing(asset: name, variant) }
      let pair = UInt64(block.number) << 32 | UInt64(other.number)
      if intent.replaced.contains(key) || equal.contains(pair) { continue }
      // A block that does not lie in the file has no bytes.
      let bytes = try? before.archive.store.bytes(of: block)
      let others = try? after.archive.store.bytes(of: other)
      guard let bytes, let others else {
        if bytes == nil, others == nil { continue }
        return .contents(asset: name, variant)
      }
      if !bytes.buffer.isSame(as: others.buffer) { return .contents(asset: name, variant) }
      equal.insert(pair)
    }
    let foreign = after.renditions.keys.first {
      before.renditions[$0] == nil && !intent.added.contains($0)
    }
    return foreign.map { .foreign(asset: after.name(of: $0), after.numbers.variant(of: $0)) }
  }

  private mutating func examineAnswers() throws(FormatError) -> EditCounterExample? {
    let (old, new) = (before.groups(), after.groups())
    for shared in Set(old.keys).union(new.keys).sorted() {
      if let found = try examine(old[shared] ?? [:], new[shared] ?? [:]) { return found }
    }
    return nil
  }

  private mutating func examine(
    _ old: [VariantKey: RenditionKey], _ new: [VariantKey: RenditionKey]
  ) throws(FormatError) -> EditCounterExample? {
    let signature = Signature(Set(old.keys).union(new.keys))
    let environments = try environments(of: signature)
    answerCount += environments.count
    let isTouched =
      old.count != signature.keys.count || new.count != signature.keys.count
      || old.values.contains { touched.contains($0) }
    // Both archives have these variants with the same contents, so each situation gets the same
    // answer twice.
    if !isTouched { return nil }
    let (mine, theirs) = (Signature(old.keys), Signature(new.keys))
    let (dividedMine, dividedTheirs) = (
      DividedKeys(mine.keys), DividedKeys(theirs.keys)
    )
    for environment in environments {
      let first = dividedMine.winner(in: environment).map { mine.keys[$0] }
      let second = dividedTheirs.winner(in: environment).map { theirs.keys[$0] }
      let (before, after) = (first.flatMap { old[$0] }, second.flatMap { new[$0] })
      let isAskedBefore = before.map { touched.contains($0) } ?? false
      if before == after, !isAskedBefore { continue }
      let isAskedAfter =
        after.map { intent.added.contains($0) || intent.replaced.contains($0) } ?? false
      guard isAskedBefore || isAskedAfter else {
        let key = before ?? after ?? RenditionKey()
        return .answer(
          asset: self.before.name(of: key), traits: self.before.archive.traitsText(of: environment),
          before: first, after: second)
      }
      changedCount += 1
    }
    return nil
  }

  /// Returns one environment for each order into which an environment of any device puts the keys.
  private mutating func environments(
    of signature: Signature
  ) throws(FormatError) -> [Environment] {
    if let known = situations[signature] { return known }
    try checkCombinations(of: signature.keys)
    let found = ThinningTarget(reaches).environments(distinguishedBy: signature.keys)
    situations[signature] = found
    return found
  }
}

extension EditCounterExample: CustomStringConvertible {
  package var description: String {
    switch self {
    case .name(let name): "the name '\(onOneLine(name))' changed"
    case .contents(let asset, let key): "the contents of '\(onOneLine(asset))'\(words(key)) changed"
    case .missing(let asset, let key): "'\(onOneLine(asset))'\(words(key)) is gone"
    case .foreign(let asset, let key): "'\(onOneLine(asset))'\(words(key)) was added"
    case .answer(let asset, let traits, let before, let after):
      "'\(onOneLine(asset))' in \(traits) was\(words(before)) and is\(words(after))"
    }
  }

  private func words(_ key: VariantKey?) -> String {
    key.map { " (\($0.summary()))" } ?? ""
  }
}
