// The texts about uses: the counts of a run, and every use of an asset.

import Bytes
import Documents

extension UseReport {
  /// The numbers of assets by state.
  package var summary: String {
    let parts = [
      "\(grouped(count(.used))) used", "\(grouped(count(.unused))) unused",
      "\(grouped(count(.unknown))) in doubt",
    ]
    return "\(counted(assets.count, "asset")) in \(counted(fileCount, "source")): "
      + parts.joined(separator: ", ")
  }

  /// Returns the uses of the assets with a name; nil if no asset has it.
  package func uses(of name: ByteString) -> String? {
    let found = assets.filter { $0.asset.name == name }
    return found.isEmpty ? nil : found.map(\.text).joined(separator: "\n")
  }

  /// Returns the end of a sentence that no asset has a name.
  package func advice(for name: ByteString) -> String {
    suggestion(for: name, in: assets.map(\.asset.name))
  }
}

extension AssetUse {
  /// A line about the asset, and a line for each use.
  fileprivate var text: String {
    let head =
      "\(asset.type.noun) \(quoted(asset.name)) (\(onOneLine(asset.folder))): \(state.words)\n"
    return head + uses.map { "  \($0.words)\n" }.joined()
  }
}

extension UseState {
  fileprivate var words: String {
    switch self {
    case .used: "used"
    case .unused: "unused; no source names it"
    case .unknown: "in doubt"
    }
  }
}

extension Use {
  fileprivate var words: String {
    let more = text.map { " (\($0))" } ?? ""
    return "\(onOneLine(place.file)):\(place.line):\(place.column): \(kind.words)\(onOneLine(more))"
  }
}

extension UseKind {
  fileprivate var words: String {
    switch self {
    case .call: "a call takes the name"
    case .literal: "a text is the name"
    case .symbol: "a generated symbol"
    case .interface: "an interface file names it"
    case .setting: "a build setting names it"
    case .propertyList: "a property list names it"
    case .data: "a document names it"
    case .asset: "another asset names it"
    case .similarText: "perhaps: a text differs from the name in case or separators"
    case .word: "perhaps: a text contains the name"
    case .enumCase: "perhaps: a case has the name"
    case .member: "perhaps: a member has the name"
    case .typeName: "perhaps: a type has the name"
    case .declaration: "perhaps: an identifier of which code makes a text has the name"
    case .pattern: "perhaps: the name can be put together here"
    case .parts: "perhaps: all parts of the name stand in sources"
    case .role: "perhaps: a target or the system can name it"
    case .unknownSource: "perhaps: a name comes from elsewhere"
    }
  }
}
