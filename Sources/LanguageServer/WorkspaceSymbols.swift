// The assets of the workspace by name.

import Bytes
import CatalogModel
import Documents

extension LanguageServer {
  private static let mostSymbols = 1000

  /// Returns the assets whose names contain a text.
  mutating func symbols(_ params: JSONValue) -> JSONOutput {
    guard let query = params.name("query") else { return [] }
    let wanted = query.lowercased().bytes
    var found: [JSONOutput] = []
    for contents in workspace.allContents() {
      for asset in contents.assets {
        guard found.count < LanguageServer.mostSymbols else { return .array(found) }
        guard contains(asset.name.lowercased().bytes, wanted) else { continue }
        found.append([
          "name": .string(onOneLine(asset.name)), "kind": 13,
          "containerName": .string(asset.type.rawValue),
          "location": location(asset.shownFile),
        ])
      }
    }
    return .array(found)
  }
}

/// Returns whether a text contains another one.
private func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
  guard let first = part.first else { return true }
  guard text.count >= part.count else { return false }
  return (0...(text.count - part.count)).contains {
    text[$0] == first && text[$0..<($0 + part.count)].elementsEqual(part)
  }
}
