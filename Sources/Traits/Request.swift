// Ranks many keys for one environment, and packs the positions of a key into one number.
//
// A key without a constraint on an axis can always be shown as far as that axis is concerned, and
// most keys have no constraint on most axes. Therefore the rank of the key without constraints is
// computed once, and the rank of another key costs time only for the axes that the key constrains.

/// The bits of one axis in a packed rank. The strongest axis has the highest bits, so that
/// comparing two numbers compares the tuples of positions:
///
///     style 1 · contrast 1 · language 12 · memory 8 · subtype 4 · graphics 4 · scale 4 · os 8 ·
///     direction 2 · gamut 1 · idiom 1 · width 1 · height 1 · content size 4: 52 bits
struct RankField: Sendable {
  let shift: UInt64
  let bits: UInt64

  static let style = RankField(shift: 51, bits: 1)
  static let contrast = RankField(shift: 50, bits: 1)
  static let language = RankField(shift: 38, bits: 12)
  static let memory = RankField(shift: 30, bits: 8)
  static let subtype = RankField(shift: 26, bits: 4)
  static let graphics = RankField(shift: 22, bits: 4)
  static let scale = RankField(shift: 18, bits: 4)
  static let os = RankField(shift: 10, bits: 8)
  static let direction = RankField(shift: 8, bits: 2)
  static let gamut = RankField(shift: 7, bits: 1)
  static let idiom = RankField(shift: 6, bits: 1)
  static let width = RankField(shift: 5, bits: 1)
  static let height = RankField(shift: 4, bits: 1)
  static let contentSize = RankField(shift: 0, bits: 4)

  @inline(__always)
  init(shift: UInt64, bits: UInt64) {
    self.shift = shift
    self.bits = bits
  }
}

/// An environment, and the rank of the key that constrains only the scale.
package struct Request: Sendable {
  package let environment: Environment
  private let unconstrained: UInt64

  package init(_ environment: Environment) {
    self.environment = environment
    let key = VariantKey()
    var unconstrained: UInt64 = 0
    func set(_ field: RankField, _ axis: Axis) {
      unconstrained |= (environment.position(of: key, on: axis) ?? 0) << field.shift
    }
    set(.style, .style)
    set(.contrast, .contrast)
    set(.language, .language)
    set(.memory, .memory)
    set(.subtype, .subtype)
    set(.graphics, .graphics)
    set(.os, .os)
    set(.direction, .direction)
    set(.gamut, .gamut)
    set(.idiom, .idiom)
    set(.width, .width)
    set(.height, .height)
    set(.contentSize, .contentSize)
    self.unconstrained = unconstrained
  }

  /// Replaces the position on one axis by the position of the key. Returns false if the chain does
  /// not contain the key's value.
  @inline(__always)
  private func place(
    _ key: VariantKey, _ axis: Axis, _ field: RankField, in tuple: inout UInt64
  ) -> Bool {
    guard let position = environment.position(of: key, on: axis) else { return false }
    tuple = tuple & ~((1 << field.bits - 1) << field.shift) | position << field.shift
    return true
  }

  /// Returns the rank of a variant; nil if the environment cannot show it.
  @inline(__always)
  package func rank(of key: VariantKey) -> Rank? {
    var tuple = unconstrained
    guard place(key, .scale, .scale, in: &tuple) else { return nil }
    if key.style != .any, !place(key, .style, .style, in: &tuple) { return nil }
    if key.contrast != .normal, !place(key, .contrast, .contrast, in: &tuple) { return nil }
    if key.locale != 0, !place(key, .language, .language, in: &tuple) { return nil }
    if key.memory != 0, !place(key, .memory, .memory, in: &tuple) { return nil }
    if key.subtype != 0, !place(key, .subtype, .subtype, in: &tuple) { return nil }
    if key.graphics != .gles2, !place(key, .graphics, .graphics, in: &tuple) { return nil }
    if key.osGeneration != 0, !place(key, .os, .os, in: &tuple) { return nil }
    if key.direction != .none, !place(key, .direction, .direction, in: &tuple) { return nil }
    if key.gamut != .sRGB, !place(key, .gamut, .gamut, in: &tuple) { return nil }
    if key.idiom != .universal, !place(key, .idiom, .idiom, in: &tuple) { return nil }
    if key.width != .any, !place(key, .width, .width, in: &tuple) { return nil }
    if key.height != .any, !place(key, .height, .height, in: &tuple) { return nil }
    if key.contentSize != .any, !place(key, .contentSize, .contentSize, in: &tuple) { return nil }
    return Rank(tuple: tuple)
  }

  /// Returns the index of the winning key; nil if no key can be shown. The first of equal keys
  /// wins.
  package func winner(among keys: UnsafeBufferPointer<VariantKey>) -> Int? {
    var best = UInt64.max
    var winner: Int?
    for ordinal in keys.indices {
      guard let rank = rank(of: keys[ordinal]), rank.tuple < best else { continue }
      best = rank.tuple
      winner = ordinal
    }
    return winner
  }
}
