// Pictures of Game Center: leaderboards, sets of them, and the dashboard.

import Bytes

package struct GameCenterItem: Sendable, Hashable {
  package var identifier: String?
  package var referencedImage: ByteString?

  package init() {}
}

// MARK: - Reading

extension GameCenterItem {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    identifier = properties?.string("identifier")
    referencedImage = properties?.object("content-reference").flatMap {
      reader.referencedName($0)
    }
    info?.finish()
    properties?.finish()
  }
}
