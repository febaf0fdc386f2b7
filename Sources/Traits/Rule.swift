// The one rule: each axis turns a request into a fallback chain; a variant is eligible when each of
// its values occurs in its chain; the smallest tuple of positions in axis order wins.
// Every part of Carve that decides which variant is shown calls this file.

/// How far a variant is from what was asked: the tuple of positions, packed so that the smallest
/// number wins.
public struct Rank: Sendable, Hashable, Comparable {
  @usableFromInline let tuple: UInt64
  @inlinable init(tuple: UInt64) { self.tuple = tuple }
  @inlinable public static func < (a: Rank, b: Rank) -> Bool { a.tuple < b.tuple }
}

extension Environment {
  /// The position of the key's value in the fallback chain of one axis; nil where it does not occur.
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

  /// The rank of a variant; nil where it may not be shown.
  public func rank(of key: VariantKey) -> Rank? { Request(self).rank(of: key) }

  /// The ordinal of the winning key; nil where no key is eligible. Equal keys: the first wins.
  public func winner(among keys: some RandomAccessCollection<VariantKey>) -> Int? {
    let request = Request(self)
    return keys.withContiguousStorageIfAvailable { request.winner(among: $0) }
      ?? Array(keys).withUnsafeBufferPointer { request.winner(among: $0) }
  }

  /// Whether a variant that wins here is to be drawn mirrored.
  @inlinable public func mirrors(_ key: VariantKey) -> Bool {
    key.direction != .none && key.direction != direction
  }

  /// The first axis on which the key may not be shown.
  public func obstacle(of key: VariantKey) -> Axis? {
    Axis.allCases.first { position(of: key, on: $0) == nil }
  }

  /// Where nothing is eligible: the axis that removed the last candidate.
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

  /// [each preferred localization, none]
  @inlinable func languagePosition(_ locale: UInt16) -> UInt64? {
    if locale == 0 { return UInt64(min(languages.count, 4095)) }
    for (position, number) in languages.enumerated() where number == locale {
      return position < 4095 ? UInt64(position) : nil
    }
    return nil
  }

  /// [the device's class, its recorded fallbacks from the newest down, GLES2]
  @inlinable func graphicsPosition(_ wanted: GraphicsClass) -> UInt64? {
    let above = graphics.classes >> UInt32(wanted.rawValue)
    return above & 1 == 0 ? nil : UInt64((above >> 1).nonzeroBitCount)
  }

  /// [asked, vector, lower ones descending, higher ones ascending]
  @inlinable func scalePosition(_ candidate: UInt8) -> UInt64? {
    if candidate == scale { return 0 }
    if candidate == 0 { return 1 }
    guard candidate <= 7, scale <= 7 else { return nil }
    return candidate < scale ? 1 + UInt64(scale - candidate) : 1 + UInt64(candidate)
  }

  /// [asked, the opposite, none]
  @inlinable func directionPosition(_ candidate: Direction) -> UInt64? {
    if candidate == direction { return 0 }
    if candidate == .none { return 2 }
    return candidate == direction.opposite ? 1 : nil
  }

  /// [asked, smaller ones descending, any]
  @inlinable func contentSizePosition(_ candidate: ContentSize) -> UInt64? {
    candidate.rawValue <= contentSize.rawValue
      ? UInt64(contentSize.rawValue - candidate.rawValue) : nil
  }
}

/// Display subtypes. Only watches have fallbacks: a smaller face can stand in for a larger one.
public enum Subtype {
  /// [asked, its fallbacks, 0]
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

  /// The subtypes of watches, the only ones with fallbacks.
  static let watchFaces: [UInt16] = [320, 340, 384, 390, 430, 446, 484, 496, 502, 514]

  /// The face that stands in first. Every chain is a walk along these steps.
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
