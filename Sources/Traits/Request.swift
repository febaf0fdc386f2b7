// A request prepared for ranking many keys: the chains of Rule.swift, written out as tables. This is
// the one place that packs positions into a rank.

/// The positions of up to sixteen values in a fallback chain, four bits each; 15 where a value does
/// not occur in it.
struct ChainTable: Sendable {
  private var positions = UInt64.max

  /// Asks for the position of each raw value below `count`. Positions of 15 and more do not occur.
  @inline(__always)
  init(_ count: UInt8, _ position: (UInt8) -> UInt64?) {
    for value in 0..<count {
      guard let position = position(value) else { continue }
      positions &= ~(15 << UInt64(value * 4)) | position << UInt64(value * 4)
    }
  }

  @inline(__always)
  subscript(value: UInt8) -> UInt64 { positions >> (UInt64(value & 15) * 4) & 15 }
}

/// An environment whose short chains are looked up instead of walked.
public struct Request: Sendable {
  private let environment: Environment
  private let style: ChainTable
  private let contrast: ChainTable
  private let graphics: ChainTable
  private let scale: ChainTable
  private let direction: ChainTable
  private let gamut: ChainTable
  private let idiom: ChainTable
  private let width: ChainTable
  private let height: ChainTable
  private let contentSize: ChainTable

  public init(_ environment: Environment) {
    self.environment = environment
    /// The positions of all values of an axis, given how a key takes one; a number that is no value
    /// leaves the key alone and is not asked for.
    @inline(__always)
    func table(_ axis: Axis, _ count: UInt8, _ set: (inout VariantKey, UInt8) -> Bool) -> ChainTable
    {
      var key = VariantKey()
      return ChainTable(count) { set(&key, $0) ? environment.position(of: key, on: axis) : nil }
    }
    style = table(.style, 4) { key, raw in
      Style(rawValue: raw).map { key.style = $0 } != nil
    }
    contrast = table(.contrast, 2) { key, raw in
      Contrast(rawValue: raw).map { key.contrast = $0 } != nil
    }
    graphics = table(.graphics, 12) { key, raw in
      GraphicsClass(rawValue: raw).map { key.graphics = $0 } != nil
    }
    scale = table(.scale, 8) { key, raw in
      key.scale = raw
      return true
    }
    direction = table(.direction, 6) { key, raw in
      Direction(rawValue: raw).map { key.direction = $0 } != nil
    }
    gamut = table(.gamut, 2) { key, raw in
      Gamut(rawValue: raw).map { key.gamut = $0 } != nil
    }
    idiom = table(.idiom, 9) { key, raw in
      Idiom(rawValue: raw).map { key.idiom = $0 } != nil
    }
    width = table(.width, 3) { key, raw in
      SizeClass(rawValue: raw).map { key.width = $0 } != nil
    }
    height = table(.height, 3) { key, raw in
      SizeClass(rawValue: raw).map { key.height = $0 } != nil
    }
    contentSize = table(.contentSize, 13) { key, raw in
      ContentSize(rawValue: raw).map { key.contentSize = $0 } != nil
    }
  }

  /// The rank of a variant; nil where it may not be shown.
  ///
  /// Bits per axis: style 4, contrast 4, language 12, memory 8, subtype 4, graphics 4, scale 4, os 8,
  /// direction 4, then 1 each for gamut, idiom, width and height, and 4 for the content size: 60.
  @inline(__always)
  public func rank(of key: VariantKey) -> Rank? {
    guard key.scale < 8, key.memory <= environment.memory,
      key.osGeneration <= environment.osGeneration
    else { return nil }
    let style = style[key.style.rawValue]
    let contrast = contrast[key.contrast.rawValue]
    let graphics = graphics[key.graphics.rawValue]
    let scale = scale[key.scale]
    let direction = direction[key.direction.rawValue]
    let gamut = gamut[key.gamut.rawValue]
    let idiom = idiom[key.idiom.rawValue]
    let width = width[key.width.rawValue]
    let height = height[key.height.rawValue]
    let size = contentSize[key.contentSize.rawValue]
    // Only 15 becomes 16 when one is added: the fifth bit gathers what may not be shown.
    let absent =
      (style + 1) | (contrast + 1) | (graphics + 1) | (scale + 1) | (direction + 1) | (gamut + 1)
      | (idiom + 1) | (width + 1) | (height + 1) | (size + 1)
    guard absent & 16 == 0, let language = environment.position(of: key, on: .language),
      let subtype = environment.position(of: key, on: .subtype)
    else { return nil }
    let memory = UInt64(environment.memory - key.memory)
    let os = UInt64(environment.osGeneration - key.osGeneration)
    let strong = style << 28 | contrast << 24 | language << 12 | memory << 4 | subtype
    let display = graphics << 16 | scale << 12 | os << 4 | direction
    let window = gamut << 7 | idiom << 6 | width << 5 | height << 4 | size
    return Rank(tuple: strong << 28 | display << 8 | window)
  }

  /// The ordinal of the winning key; nil where no key is eligible. Equal keys: the first wins.
  public func winner(among keys: UnsafeBufferPointer<VariantKey>) -> Int? {
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
