// App icon sets, classic (one file per size) and single-size, and the icons of sticker packs.

/// A size in points.
public struct PointSize: Sendable, Hashable {
  public var width: Double
  public var height: Double

  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

public struct AppIconEntry: Sendable, Hashable {
  public var slot: Slot
  public var file: SourceFile?
  public var size: PointSize?
  /// On a watch: "notificationCenter", "appLauncher" ….
  public var role: String?
  /// As written ("44mm"); its number is in the slot's key.
  public var subtype: String?
  public var isUnassigned = false

  public init(slot: Slot) { self.slot = slot }

  /// What the file must measure in pixels; nil where the entry names no size. A single-size icon
  /// has no scale and measures as many pixels as points.
  public var pixelSize: PointSize? {
    guard let size else { return nil }
    let scale = Double(slot.scale ?? 1)
    return PointSize(width: size.width * scale, height: size.height * scale)
  }
}

public struct AppIconSet: Sendable, Hashable {
  public var entries: [AppIconEntry] = []
  public var isPrerendered = false

  public init() {}
}
