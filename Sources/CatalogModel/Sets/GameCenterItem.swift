// Pictures of Game Center: leaderboards, sets of them, and the dashboard.

public struct GameCenterItem: Sendable, Hashable {
  public var identifier: String?
  public var referencedImage: String?

  public init() {}
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
