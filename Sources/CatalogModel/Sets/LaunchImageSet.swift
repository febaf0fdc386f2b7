// Launch images: full-screen pictures shown while an app starts, superseded by storyboards.

public struct LaunchImageEntry: Sendable, Hashable {
  public var slot: Slot
  public var file: SourceFile?
  public var orientation: String?
  public var extent: String?
  public var minimumSystemVersion: String?
  public var isUnassigned = false

  public init(slot: Slot) { self.slot = slot }
}

public struct LaunchImageSet: Sendable, Hashable {
  public var entries: [LaunchImageEntry] = []

  public init() {}
}
