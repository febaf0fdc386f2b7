// Chooses variants of an asset by their traits: `scale=2,style=dark`.

import Traits

/// The traits that the chosen variants have. An axis that is not named may have any value.
package struct VariantChoice: Sendable, Hashable {
  private let wanted: VariantKey
  private let axes: [Axis]
  private let language: String?
  /// The traits as they were written.
  package let text: String

  /// The choice of all variants.
  package static let all = VariantChoice()

  private init() { (wanted, axes, language, text) = (VariantKey(), [], nil, "") }

  /// Reads `KEY=VALUE,KEY=VALUE`.
  package init(_ text: String) throws(TraitError) {
    var axes: [Axis] = []
    var language: String?
    let environment = try Environment(traits: text)
    for part in text.split(separator: ",") {
      let words = part.split(separator: "=", maxSplits: 1)
      guard let word = words.first, let axis = Axis(named: String(word)) else { continue }
      axes.append(axis)
      if axis == .language { language = words.count == 2 ? String(words[1]) : "" }
    }
    (self.axes, self.language, self.text) = (axes, language, text)
    var key = VariantKey()
    key.style = environment.style
    key.contrast = environment.contrast
    key.subtype = environment.subtype
    key.memory = environment.memory
    key.graphics = environment.graphics.newest
    key.scale = environment.scale
    key.osGeneration = environment.osGeneration
    key.direction = environment.direction
    key.gamut = environment.gamut
    key.idiom = environment.idiom
    key.width = environment.width
    key.height = environment.height
    key.contentSize = environment.contentSize
    wanted = key
  }

  /// Returns whether a variant has the traits. `locale` returns the number of a language tag.
  package func admits(_ variant: VariantKey, locale: (String) -> UInt16) -> Bool {
    axes.allSatisfy { axis in
      if axis == .language { return variant.locale == locale(language ?? "") }
      return variant.value(on: axis) == wanted.value(on: axis)
    }
  }

  package var isAll: Bool { axes.isEmpty }
}
