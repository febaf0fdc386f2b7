// The rule that decides which variant of an asset is shown. Every decision in Carve calls this
// file.
//
// 1. Each axis turns the value that the environment asks for into a chain: the values that may be
//    shown, best first. If the environment has scale 2, the chain of scales is 2x, vector, 1x, 3x.
// 2. The position of a variant on an axis is the place of its value in that chain; it grows along
//    the chain, with gaps. If the value is not in the chain, the variant cannot be shown.
// 3. The positions on all axes, strongest axis first, form a tuple. The smallest tuple wins.
//
// An example: an iPad in dark style with scale 2. The other axes are equal and left out.
//
//                        style        scale                   idiom
//     chain              dark, any    2x, vector, 1x, 3x      pad, universal     tuple
//     2x                 any → 1      2x → 0                  universal → 1      (1, 0, 1)
//     1x, dark           dark → 0     1x → 2                  universal → 1      (0, 2, 1)  wins
//     2x, dark, phone    dark → 0     2x → 0                  not in the chain   cannot be shown
//
// The variant of scale 1 wins, because style is a stronger axis than scale.

/// The distance of a variant from the request: the tuple of positions, packed into one number. The
/// smallest number wins.
public struct Rank: Sendable, Hashable, Comparable {
  @usableFromInline let tuple: UInt64
  @inlinable init(tuple: UInt64) { self.tuple = tuple }
  @inlinable public static func < (a: Rank, b: Rank) -> Bool { a.tuple < b.tuple }
}

extension Environment {
  /// Returns the position of the key's value in the chain of one axis; nil if the chain does not
  /// contain it.
  @inlinable @inline(__always)
  public func position(of key: VariantKey, on axis: Axis) -> UInt64? {
    switch axis {
    case .style: exactOrDefault(key.style == style, key.style == .any)
    case .contrast: key.contrast == contrast ? 0 : key.contrast == .normal ? 1 : nil
    case .language: languagePosition(key.locale)
    case .memory: key.memory <= memory ? UInt64(memory &- key.memory) : nil
    case .subtype: Subtype.position(of: key.subtype, asked: subtype)
    case .graphics: graphicsPosition(key.graphics)
    case .scale: scalePosition(key.scale)
    case .os: key.osGeneration <= osGeneration ? UInt64(osGeneration &- key.osGeneration) : nil
    case .direction: directionPosition(key.direction)
    case .gamut: exactOrDefault(key.gamut == gamut, key.gamut == .sRGB)
    case .idiom: exactOrDefault(key.idiom == idiom, key.idiom == .universal)
    case .width: exactOrDefault(key.width == width, key.width == .any)
    case .height: exactOrDefault(key.height == height, key.height == .any)
    case .contentSize: contentSizePosition(key.contentSize)
    }
  }

  /// Returns the rank of a variant; nil if the environment cannot show it.
  public func rank(of key: VariantKey) -> Rank? { Request(self).rank(of: key) }

  /// Returns the index of the winning key; nil if no key can be shown. The first of equal keys
  /// wins.
  public func winner(among keys: some RandomAccessCollection<VariantKey>) -> Int? {
    let request = Request(self)
    return keys.withContiguousStorageIfAvailable { request.winner(among: $0) }
      ?? Array(keys).withUnsafeBufferPointer { request.winner(among: $0) }
  }

  /// Returns whether the winning variant has to be drawn mirrored.
  @inlinable public func mirrors(_ key: VariantKey) -> Bool {
    key.direction != .none && key.direction != direction
  }

  /// Returns the first axis that excludes the key.
  public func obstacle(of key: VariantKey) -> Axis? {
    Axis.allCases.first { position(of: key, on: $0) == nil }
  }

  /// Returns the axis that excluded the last candidate, if no key can be shown.
  public func obstacle(among keys: some Sequence<VariantKey>) -> Axis? {
    keys.compactMap { obstacle(of: $0) }.max { $0.rawValue < $1.rawValue }
  }
}

// MARK: - Chains

extension Environment {
  @inlinable @inline(__always)
  func exactOrDefault(_ isExact: Bool, _ isDefault: Bool) -> UInt64? {
    isExact ? 0 : isDefault ? 1 : nil
  }

  /// Returns the position in the chain: each preferred localization, no localization.
  @inlinable func languagePosition(_ locale: UInt16) -> UInt64? {
    if locale == 0 { return UInt64(min(languages.count, 4095)) }
    for (position, number) in languages.enumerated() where number == locale {
      return position < 4095 ? UInt64(position) : nil
    }
    return nil
  }

  /// Returns the position in the chain: the device's class, its recorded fallbacks from the newest
  /// to the oldest, GLES2.
  @inlinable func graphicsPosition(_ wanted: GraphicsClass) -> UInt64? {
    let above = graphics.classes >> UInt32(wanted.rawValue)
    return above & 1 == 0 ? nil : UInt64((above >> 1).nonzeroBitCount)
  }

  /// Returns the position in the chain: requested, vector, lower scales descending, higher
  /// ascending.
  @inlinable func scalePosition(_ candidate: UInt8) -> UInt64? {
    if candidate == scale { return 0 }
    if candidate == 0 { return 1 }
    guard candidate <= 7, scale <= 7 else { return nil }
    return candidate < scale ? 1 + UInt64(scale - candidate) : 1 + UInt64(candidate)
  }

  /// Returns the position in the chain: requested, opposite, no direction.
  @inlinable func directionPosition(_ candidate: Direction) -> UInt64? {
    if candidate == direction { return 0 }
    if candidate == .none { return 2 }
    return candidate == direction.opposite ? 1 : nil
  }

  /// Returns the position in the chain: requested, smaller ones descending, any.
  @inlinable func contentSizePosition(_ candidate: ContentSize) -> UInt64? {
    candidate.rawValue <= contentSize.rawValue
      ? UInt64(contentSize.rawValue - candidate.rawValue) : nil
  }
}

/// The display subtypes. Only watches have fallbacks: the picture of a smaller face can be shown on
/// a larger one.
public enum Subtype {
  /// Returns the position in the chain: requested, its fallbacks, 0.
  @inlinable public static func position(of candidate: UInt16, asked: UInt16) -> UInt64? {
    if candidate == asked { return 0 }
    if candidate == 0 { return 15 }
    return fallbackPosition(of: candidate, asked: asked)
  }

  @usableFromInline static func fallbackPosition(of candidate: UInt16, asked: UInt16) -> UInt64? {
    var next = fallback(of: asked)
    var position: UInt64 = 1
    while let current = next {
      if current == candidate { return position }
      next = fallback(of: current)
      position += 1
    }
    return nil
  }

  /// Returns the subtypes in the chain: requested, its fallbacks, 0.
  static func chain(of asked: UInt16) -> [UInt16] {
    Array(sequence(first: asked, next: fallback)) + (asked == 0 ? [] : [0])
  }

  /// The subtypes of watches, the only ones with fallbacks.
  static let watchFaces: [UInt16] = [320, 340, 384, 390, 430, 446, 484, 496, 502, 514]

  /// Returns the first fallback of a watch face. A chain is a walk along these steps.
  static func fallback(of subtype: UInt16) -> UInt16? {
    switch subtype {
    case 514: 502
    case 502, 496: 484
    case 484: 390
    case 446: 430
    case 430, 390: 340
    case 340: 384
    case 384: 320
    default: nil
    }
  }
}
