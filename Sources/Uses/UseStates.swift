// The state of each asset: used if a place proves it, unknown if a place leaves it in doubt,
// otherwise unused.

import Bytes
import CatalogModel

struct UseStates {
  /// The greatest number of steps in which names are compared with patterns. The assets of which
  /// it is not known then whether a pattern has their names stay in doubt.
  static let mostSteps = 1 << 25

  private let names: AssetNames
  private let sources: [ScannedSource]
  private let hasUnread: Bool
  /// The hashes of all texts and cases.
  private let words: Set<UInt64>
  private let patterns: PatternTable
  /// The first place that takes all names of a generated list.
  private let takesAll: SourcePlace?
  /// The first call that takes a name that no source gives.
  private let foreign: SourcePlace?

  init(_ names: AssetNames, _ sources: [ScannedSource], hasUnread: Bool) {
    (self.names, self.sources, self.hasUnread) = (names, sources, hasUnread)
    var words: Set<UInt64> = []
    var seen: Set<NamePattern> = []
    var patterns: [(NamePattern, SourcePlace)] = []
    for source in sources {
      words.formUnion(source.evidence.words)
      for found in source.evidence.patterns where seen.insert(found.pattern).inserted {
        patterns.append((found.pattern, source.place(of: found.offset)))
      }
    }
    (self.words, self.patterns) = (words, PatternTable(patterns))
    takesAll = sources.compactMap { source in
      source.evidence.takesAll.map { source.place(of: $0) }
    }.min()
    foreign = foreignName(in: sources)
  }

  func assets(_ contents: [CatalogContents]) -> [AssetUse] {
    var uses = [[Use]](repeating: [], count: names.assets.count)
    for source in sources {
      for hit in source.evidence.hits where uses[hit.asset].count < UseReport.mostUses {
        uses[hit.asset].append(Use(place: source.place(of: hit.offset), kind: hit.kind))
      }
    }
    addNamesOfIdentifiers(&uses)
    addReferences(of: contents, &uses)
    var steps = UseStates.mostSteps
    return names.assets.indices.map { index in
      var own = Set(uses[index]).sorted()
      let asset = names.assets[index]
      if !(own.first?.kind.isProof ?? false) { own += doubts(about: asset, own, &steps) }
      let state: UseState = own.isEmpty ? .unused : own[0].kind.isProof ? .used : .unknown
      return AssetUse(asset: asset, state: state, uses: own)
    }
  }

  /// Adds identifiers of C if a macro makes texts of identifiers, and members if a type has members
  /// of any name.
  private func addNamesOfIdentifiers(_ uses: inout [[Use]]) {
    let makesTexts = sources.contains { $0.evidence.makesTexts }
    let hasOpenMembers = sources.contains { $0.evidence.hasOpenMembers }
    for source in sources {
      func add(_ offsets: [Int: Int], _ kind: UseKind) {
        for (asset, offset) in offsets where uses[asset].count < UseReport.mostUses {
          uses[asset].append(Use(place: source.place(of: offset), kind: kind))
        }
      }
      if makesTexts { add(source.evidence.identifiers, .declaration) }
      if hasOpenMembers { add(source.evidence.members, .member) }
    }
  }

  // MARK: Other assets

  /// Adds the references of assets to others.
  private func addReferences(of contents: [CatalogContents], _ uses: inout [[Use]]) {
    func visit(_ asset: AssetSet) {
      if case .imageStackLayer(let layer) = asset.contents, let name = layer.referencedImage {
        let place = SourcePlace(file: asset.contentsFile, line: 1, column: 1)
        for index in names.named(name) { uses[index].append(Use(place: place, kind: .asset)) }
      }
      if case .gameCenter(let item) = asset.contents, let name = item.referencedImage {
        let place = SourcePlace(file: asset.contentsFile, line: 1, column: 1)
        for index in names.named(name) { uses[index].append(Use(place: place, kind: .asset)) }
      }
      for child in asset.children { visit(child) }
    }
    for asset in contents.flatMap(\.assets) {
      visit(asset)
      // A program asks an atlas for all its pictures at once.
      guard let atlas = asset.atlas else { continue }
      let place = SourcePlace(file: asset.contentsFile, line: 1, column: 1)
      let isNamed = names.named(atlas).contains { !uses[$0].isEmpty }
      guard isNamed else { continue }
      for index in names.named(asset.name) where names.assets[index].folder == asset.folder {
        uses[index].append(Use(place: place, kind: .asset, text: "the atlas \(atlas.text)"))
      }
    }
  }

  // MARK: Doubts

  /// Returns why it cannot be told whether an asset without a proof is used. The comparisons with
  /// patterns take some of the steps.
  private func doubts(about asset: NamedAsset, _ own: [Use], _ steps: inout Int) -> [Use] {
    var doubts: [Use] = []
    let place = SourcePlace(file: asset.contentsFile, line: 1, column: 1)
    if let role = asset.role { doubts.append(Use(place: place, kind: .role, text: role)) }
    if hasUnread {
      doubts.append(Use(place: place, kind: .unknownSource, text: "a source was not read"))
    }
    if let takesAll {
      doubts.append(Use(place: takesAll, kind: .unknownSource, text: "a list of all assets"))
    }
    if let foreign {
      doubts.append(
        Use(place: foreign, kind: .unknownSource, text: "a name that no source gives"))
    }
    let name = asset.name.bytes.map { lowercased($0) }
    for number in patterns.candidates(for: name, &steps) where doubts.count < 16 {
      let (pattern, place) = patterns[number]
      guard pattern.matches(name, &steps, isKnown: isKnown) else { continue }
      doubts.append(Use(place: place, kind: .pattern, text: pattern.text))
    }
    if steps <= 0 {
      doubts.append(
        Use(place: place, kind: .unknownSource, text: "too many names that are put together"))
    }
    if own.isEmpty, doubts.isEmpty, consistsOfWords(asset.name) {
      doubts.append(Use(place: place, kind: .parts, text: nil))
    }
    return doubts
  }

  /// Returns whether a part of a name can come from a text, a case or a number.
  private func isKnown(_ part: ArraySlice<UInt8>) -> Bool {
    if part.isEmpty || part.allSatisfy(isDigit) { return true }
    return words.contains(hash(of: part.lazy.map { lowercased($0) }))
  }

  /// Returns whether a name can be put together from texts, cases and numbers of the sources.
  private func consistsOfWords(_ name: ByteString) -> Bool {
    let bytes = name.bytes
    if bytes.allSatisfy(isDigit) { return true }
    guard (2...128).contains(bytes.count) else { return false }
    if consistsOfTwoWords(bytes) { return true }
    // The indices at which a word can begin.
    var starts: [Int] = [0]
    for index in 1..<bytes.count where begins(at: index, in: bytes) { starts.append(index) }
    guard starts.count > 1, starts.count <= 24 else { return false }
    // For each index, whether the name from there on consists of words.
    var fits = [Bool](repeating: false, count: bytes.count + 1)
    fits[bytes.count] = true
    for start in starts.reversed() {
      for end in starts.filter({ $0 > start }) + [bytes.count] where fits[end] {
        if start == 0, end == bytes.count { continue }
        let part = withoutSeparators(bytes[start..<end])
        if !part.isEmpty, isKnown(part) {
          fits[start] = true
          break
        }
      }
    }
    return fits[0]
  }

  /// Returns whether two texts make the name, such as "ace" and "spades".
  private func consistsOfTwoWords(_ bytes: [UInt8]) -> Bool {
    let least = bytes.count <= 4 ? 1 : 3
    guard bytes.count >= 2 * least else { return false }
    return (least...(bytes.count - least)).contains { index in
      !(bytes[..<index].allSatisfy(isDigit) && bytes[index...].allSatisfy(isDigit))
        && isKnown(bytes[..<index]) && isKnown(bytes[index...])
    }
  }

  private func begins(at index: Int, in bytes: [UInt8]) -> Bool {
    let (before, here) = (bytes[index - 1], bytes[index])
    if !isWordByte(before) { return isWordByte(here) }
    guard isWordByte(here) else { return false }
    if isDigit(before) != isDigit(here) || (before < 0x80) != (here < 0x80) { return true }
    return here &- 65 < 26 && !(before &- 65 < 26)
  }

  private func withoutSeparators(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var part = part
    while let last = part.last, !isWordByte(last) { part.removeLast() }
    return part
  }
}

/// Patterns of names, by a byte that each name that matches must have.
private struct PatternTable {
  private let patterns: [(pattern: NamePattern, place: SourcePlace)]
  /// The numbers of the patterns that begin with a byte, of those that only end with one, and of
  /// those that only contain one, by the byte in lower case.
  private var beginning = [[Int]](repeating: [], count: 256)
  private var ending = [[Int]](repeating: [], count: 256)
  private var containing = [[Int]](repeating: [], count: 256)

  init(_ patterns: [(NamePattern, SourcePlace)]) {
    self.patterns = patterns
    for (number, (pattern, _)) in patterns.enumerated() {
      guard let first = pattern.fixed.first?.first, let last = pattern.fixed.last?.last else {
        continue
      }
      if !pattern.isOpenBefore {
        beginning[Int(lowercased(first))].append(number)
      } else if !pattern.isOpenAfter {
        ending[Int(lowercased(last))].append(number)
      } else {
        containing[Int(lowercased(first))].append(number)
      }
    }
  }

  subscript(number: Int) -> (pattern: NamePattern, place: SourcePlace) { patterns[number] }

  /// Returns the numbers of the patterns that a name in lower case can match, in order. Each takes
  /// one of the steps; if there are too few, there are no numbers.
  func candidates(for name: [UInt8], _ steps: inout Int) -> [Int] {
    guard let first = name.first, let last = name.last else { return [] }
    let lists = [beginning[Int(first)], ending[Int(last)]] + Set(name).map { containing[Int($0)] }
    steps -= lists.reduce(0) { $0 + $1.count }
    return steps > 0 ? lists.joined().sorted() : []
  }
}

extension NamedAsset {
  /// The reason why a system or an option can use the asset without a source that names it; nil if
  /// only sources can.
  fileprivate var role: String? {
    switch type {
    case .appIconSet, .iconSet, .iconBundle, .solidImageStack, .brandAssets, .stickersIconSet:
      "an icon"
    case .launchImage: "a launch image"
    case .complicationSet: "a complication"
    case .stickerPack, .sticker, .stickerSequence: "a sticker"
    case .leaderboard, .leaderboardSet, .dashboardImage: "a picture of Game Center"
    case .colorSet:
      name == "AccentColor" || name == "WidgetBackground" ? "a colour that a target names" : nil
    case .imageStackLayer, .solidImageStackLayer, .arReferenceImage, .arObject: "a part of an asset"
    case .imageSet, .dataSet, .symbolSet, .spriteAtlas, .textureSet, .cubeTextureSet, .mipmapSet,
      .imageStack, .arResourceGroup:
      nil
    }
  }
}

/// Returns the first call that takes a name that no source gives: it comes from a server or from a
/// user. It is that of a property that is decoded, or of a key of a dictionary.
private func foreignName(in sources: [ScannedSource]) -> SourcePlace? {
  var decoded: Set<UInt64> = []
  var given: Set<UInt64> = []
  var givenKeys: Set<UInt64> = []
  var constants: [UInt64: [UInt64]] = [:]
  for source in sources {
    decoded.formUnion(source.evidence.decoded)
    given.formUnion(source.evidence.given)
    givenKeys.formUnion(source.evidence.givenKeys)
    for constant in source.evidence.constants {
      constants[constant.identifier, default: []].append(constant.name)
    }
  }
  decoded.subtract(given)
  // Many identifiers can have the value of one key, and a key many texts.
  let foreignConstants = Set(
    constants.filter { $0.value.contains { !givenKeys.contains($0) } }.keys)
  func isForeignKey(_ key: UInt64, _ kind: DynamicName.Kind) -> Bool {
    kind == .key ? !givenKeys.contains(key) : foreignConstants.contains(key)
  }
  let keyed = sources.flatMap { source in
    source.evidence.keyed.filter { isForeignKey($0.key, $0.kind) }.map(\.identifier)
  }
  let foreign = decoded.union(keyed)
  return sources.compactMap { source in
    source.evidence.dynamic.first { name in
      name.kind == .identifier
        ? foreign.contains(name.identifier) : isForeignKey(name.identifier, name.kind)
    }.map { source.place(of: $0.offset) }
  }.min()
}
