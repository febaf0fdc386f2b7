// Layered icons of Icon Composer: a folder with icon.json and Assets/.

public struct IconLayer: Sendable, Hashable {
  public var name: String
  public var image: SourceFile?
  public var isHidden: Bool
  public var pointer: String

  public init(name: String, image: SourceFile?, isHidden: Bool, pointer: String) {
    self.name = name
    self.image = image
    self.isHidden = isHidden
    self.pointer = pointer
  }
}

public struct IconBundle: Sendable, Hashable {
  /// Front to back, the layers of all groups.
  public var layers: [IconLayer] = []

  public init() {}
}
