// The rows of stacks and groups, and which group of a name belongs to a look: the rule that all
// readers of layered icons share.

import Archive
import Bytes
import Traits

/// A row of a stack or a group: what it shows, where and how.
package struct LayerRow: Sendable {
  package var reference: LayerReference
  package var attributes: LayerAttributes?
  package var effects: LayerEffects?
  package var refraction: LayerRefraction?

  package var target: RenditionKey { reference.target }
}

extension Rendition {
  /// Returns the rows from back to front. More than `limit` are left out.
  package func layerRows(atMost limit: Int) throws(FormatError) -> [LayerRow] {
    var references: [LayerReference] = []
    var attributes: [LayerAttributes] = []
    var effects: [LayerEffects] = []
    var refraction: [LayerRefraction] = []
    for property in try allProperties() {
      switch property {
      case .layers(let found): references = found
      case .layerAttributes(let found): attributes = found
      case .layerEffects(let found): effects = found
      case .layerRefraction(let found): refraction = found
      default: break
      }
    }
    return references.prefix(limit).enumerated().map { place, reference in
      LayerRow(
        reference: reference,
        attributes: place < attributes.count ? attributes[place] : nil,
        effects: place < effects.count ? effects[place] : nil,
        refraction: place < refraction.count ? refraction[place] : nil)
    }
  }
}

extension LayerReference {
  /// The key of the picture, group or paint, without its traits.
  package var target: RenditionKey {
    var target = RenditionKey()
    for pair in key { target[pair.attribute] = pair.value }
    return target
  }
}

/// The groups of one name, at most one for each look.
package struct IconGroups: Sendable {
  private var groups: [(style: Style, rendition: Rendition)] = []

  package init() {}

  /// Adds a group. The first one of a look counts.
  package mutating func add(_ rendition: Rendition, for style: Style) {
    if !groups.contains(where: { $0.style == style }) { groups.append((style, rendition)) }
  }

  /// Returns the group that an icon shows in a look: the group of the look itself, otherwise the
  /// light one, otherwise the first.
  package func group(for style: Style) -> Rendition? {
    let found =
      groups.first { $0.style == style } ?? groups.first { $0.style == .light || $0.style == .any }
      ?? groups.first
    return found?.rendition
  }
}
