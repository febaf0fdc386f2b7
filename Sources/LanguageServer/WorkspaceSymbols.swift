// The assets of the workspace by name.

import Bytes
import CatalogModel
import Documents

extension LanguageServer {
  private static let mostSymbols = 1000

  /// Returns the assets whose names contain a text.
  mutating func symbols(_ params: JSONValue) -> JSONOutput {
    guard let query = params.name("query") else { return [] }
    let wanted = query.lowercased().text
    var found: [JSONOutput] = []
    for contents in workspace.allContents() {
      for asset in contents.assets {
        guard found.count < LanguageServer.mostSymbols else { return .array(found) }
        guard wanted.isEmpty || asset.name.lowercased().text.contains(wanted) else { continue }
        found.append([
          "name": .string(onOneLine(asset.name)), "kind": 13,
          "containerName": .string(asset.type.rawValue),
          "location": location(asset.contentsFile),
        ])
      }
    }
    return .array(found)
  }
}
