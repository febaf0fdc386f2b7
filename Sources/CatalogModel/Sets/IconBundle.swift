// Layered icons of Icon Composer: a folder with icon.json and Assets/.

package struct IconLayer: Sendable, Hashable {
  package var name: String
  package var image: SourceFile?
  package var isHidden: Bool
  package var pointer: String

  package init(name: String, image: SourceFile?, isHidden: Bool, pointer: String) {
    self.name = name
    self.image = image
    self.isHidden = isHidden
    self.pointer = pointer
  }
}

package struct IconBundle: Sendable, Hashable {
  /// Front to back, the layers of all groups.
  package var layers: [IconLayer] = []

  package init() {}
}
