// Pictures of Game Center: leaderboards, sets of them, and the dashboard.

public struct GameCenterItem: Sendable, Hashable {
  public var identifier: String?
  public var referencedImage: String?

  public init() {}
}
