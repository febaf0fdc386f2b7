// Turns keys of renditions into constraints of variants and back: appearances by the numbers of
// their names, memory classes, vectors, Carve's own content sizes. No other code does this.

import Traits

/// The meanings of the numbers of appearances in one archive.
package struct VariantNumbers: Sendable {
  /// The appearances by their numbers. The numbers of unknown names are absent.
  private var appearances: [UInt16: Appearance] = [:]
  private var numbers: [Appearance: UInt16] = [:]

  struct Appearance: Hashable, Sendable {
    var style: Style
    var contrast: Contrast
  }

  /// Reads the meanings from the names of an archive, and adds the standard names of its platform.
  package init(appearances named: [NamedNumber], semantics: KeySemantics) {
    let standard = VariantNumbers.standard(semantics)
    for entry in named + standard {
      guard let appearance = VariantNumbers.appearance(named: entry.name),
        appearances[entry.number] == nil, numbers[appearance] == nil
      else { continue }
      appearances[entry.number] = appearance
      numbers[appearance] = entry.number
    }
    // The number of an unknown name must not be taken for the standard appearance of this number.
    for entry in named where VariantNumbers.appearance(named: entry.name) == nil {
      appearances[entry.number] = nil
    }
  }

  /// Reads the meanings of the numbers in an archive.
  package init(of archive: Archive) throws(FormatError) {
    self.init(
      appearances: try archive.appearances(), semantics: archive.header.keySemantics)
  }

  private static func appearance(named name: String) -> Appearance? {
    switch name {
    case "UIAppearanceAny", "NSAppearanceNameSystem": Appearance(style: .any, contrast: .normal)
    case "UIAppearanceDark", "NSAppearanceNameDarkAqua":
      Appearance(style: .dark, contrast: .normal)
    case "UIAppearanceLight", "NSAppearanceNameAqua": Appearance(style: .light, contrast: .normal)
    case "UIAppearanceHighContrastAny", "NSAppearanceNameAccessibilitySystem":
      Appearance(style: .any, contrast: .high)
    case "UIAppearanceHighContrastDark", "NSAppearanceNameAccessibilityDarkAqua":
      Appearance(style: .dark, contrast: .high)
    case "UIAppearanceHighContrastLight", "NSAppearanceNameAccessibilityAqua":
      Appearance(style: .light, contrast: .high)
    case "ISAppearanceTintable": Appearance(style: .tinted, contrast: .normal)
    default: nil
    }
  }

  /// Returns the names and numbers that archives of a platform use.
  static func standard(_ semantics: KeySemantics) -> [NamedNumber] {
    let tinted = NamedNumber("ISAppearanceTintable", 10)
    if semantics == .mac {
      return [
        NamedNumber("NSAppearanceNameSystem", 0), NamedNumber("NSAppearanceNameDarkAqua", 1),
        NamedNumber("NSAppearanceNameAccessibilitySystem", 3),
        NamedNumber("NSAppearanceNameAccessibilityDarkAqua", 6),
        NamedNumber("NSAppearanceNameAqua", 8),
        NamedNumber("NSAppearanceNameAccessibilityAqua", 9), tinted,
      ]
    }
    return [
      NamedNumber("UIAppearanceAny", 0), NamedNumber("UIAppearanceDark", 1),
      NamedNumber("UIAppearanceHighContrastAny", 2), NamedNumber("UIAppearanceHighContrastDark", 3),
      NamedNumber("UIAppearanceLight", 4), NamedNumber("UIAppearanceHighContrastLight", 5), tinted,
    ]
  }

  /// Returns the names that an archive with these keys lists: those in use, and the name of "any
  /// appearance". On a Mac the list is empty if no key has an appearance, as in Apple's archives.
  package static func names(
    usedBy keys: some Sequence<RenditionKey>, semantics: KeySemantics
  ) -> [NamedNumber] {
    let used = keys.reduce(into: Set<UInt16>([0])) { $0.insert($1[.appearance]) }
    if semantics == .mac && used.count == 1 { return [] }
    return standard(semantics).filter { used.contains($0.number) }
  }
}

extension VariantNumbers {
  /// Returns the constraints of a variant. Nil if the key holds a value that the axes cannot
  /// express, as the keys of system themes do; thinning keeps such a rendition, and no lookup
  /// returns it.
  package func variant(of key: RenditionKey) -> VariantKey? {
    guard let appearance = appearances[key[.appearance]],
      let graphics = UInt8(exactly: key[.graphicsClass]).flatMap(GraphicsClass.init),
      let direction = UInt8(exactly: key[.direction]).flatMap(Direction.init),
      let gamut = UInt8(exactly: key[.displayGamut]).flatMap(Gamut.init),
      let idiom = UInt8(exactly: key[.idiom]).flatMap(Idiom.init),
      let width = UInt8(exactly: key[.horizontalSizeClass]).flatMap(SizeClass.init),
      let height = UInt8(exactly: key[.verticalSizeClass]).flatMap(SizeClass.init),
      let memory = VariantNumbers.gigabytes(ofClass: key[.memoryClass]),
      let osGeneration = UInt8(exactly: key[.deploymentTarget]),
      let scale = key.part == Part.vector ? 0 : UInt8(exactly: key[.scale]),
      let contentSize = contentSize(of: key), VariantNumbers.isFreeOfThemes(key)
    else { return nil }
    var variant = VariantKey()
    variant.style = appearance.style
    variant.contrast = appearance.contrast
    variant.locale = key[.localization]
    variant.subtype = key[.subtype]
    variant.memory = memory
    variant.graphics = graphics
    variant.scale = scale
    variant.osGeneration = osGeneration
    variant.direction = direction
    variant.gamut = gamut
    variant.idiom = idiom
    variant.width = width
    variant.height = height
    variant.contentSize = contentSize
    return variant
  }

  /// Returns the key of a rendition with a variant's constraints; nil if the platform has no number
  /// for the variant's appearance. The caller sets the dimensions and the weight and size of a
  /// drawing.
  package func key(
    element: UInt16 = Element.universal, part: UInt16, identifier: UInt16, variant: VariantKey
  ) -> RenditionKey? {
    let appearance = Appearance(style: variant.style, contrast: variant.contrast)
    guard let number = numbers[appearance] else { return nil }
    var key = RenditionKey()
    key[.element] = element
    key[.part] = part
    key[.identifier] = identifier
    key[.appearance] = number
    key[.localization] = variant.locale
    key[.subtype] = variant.subtype
    key[.memoryClass] = VariantNumbers.memoryClass(ofGigabytes: variant.memory)
    key[.graphicsClass] = UInt16(variant.graphics.rawValue)
    key[.scale] = part == Part.vector ? 1 : UInt16(variant.scale)
    key[.deploymentTarget] = UInt16(variant.osGeneration)
    key[.direction] = UInt16(variant.direction.rawValue)
    key[.displayGamut] = UInt16(variant.gamut.rawValue)
    key[.idiom] = UInt16(variant.idiom.rawValue)
    key[.horizontalSizeClass] = UInt16(variant.width.rawValue)
    key[.verticalSizeClass] = UInt16(variant.height.rawValue)
    key[.value] = UInt16(variant.contentSize.rawValue)
    return key
  }

  /// Returns the content size of a key. Apple's run time requests value 0 for pictures, so it never
  /// sees Carve's content sizes.
  private func contentSize(of key: RenditionKey) -> ContentSize? {
    if key.element != Element.universal { return key[.value] == 0 ? .any : nil }
    return UInt8(exactly: key[.value] & ~RenditionKey.nothing).flatMap(ContentSize.init)
  }

  private static func isFreeOfThemes(_ key: RenditionKey) -> Bool {
    key[.look] | key[.size] | key[.state] | key[.layer] | key[.presentationState]
      | key[.previousValue] | key[.previousState] == 0
  }

  /// Returns the gigabytes of a memory class. The classes 3 and 4 are 4 and 3 gigabytes; the
  /// meaning of 15 is not known.
  package static func gigabytes(ofClass number: UInt16) -> UInt8? {
    switch number {
    case 3: 4
    case 4: 3
    case 15: nil
    default: UInt8(exactly: number)
    }
  }

  private static func memoryClass(ofGigabytes gigabytes: UInt8) -> UInt16 {
    switch gigabytes {
    case 3: 4
    case 4: 3
    default: UInt16(gigabytes)
    }
  }
}

extension RenditionKey {
  /// The bit of the value attribute that marks a rendition that shows nothing.
  fileprivate static let nothing: UInt16 = 64

  /// Marks the rendition as one that shows nothing. Apple's run time does not look for such keys.
  package mutating func markAsNothing() { self[.value] |= RenditionKey.nothing }
}

/// The kind of an asset, from its renditions.
extension AssetKind {
  /// Returns the kind of asset to which a rendition belongs; nil if renditions of this part are not
  /// looked up by name: atlases, flattened stacks, theme parts. Pictures and data have the same
  /// part, and differ in the layout.
  package init?(part: UInt16, layout: RenditionLayout) {
    switch part {
    case Part.regular, Part.vector: self = layout == .data ? .data : .image
    case Part.color: self = .color
    case Part.symbol: self = .symbol
    case Part.icon, Part.multisize: self = .icon
    default: return nil
    }
  }
}
