// The key of a rendition: a 16-bit value for every attribute, whichever columns an archive lists.
// VariantNumbers.swift turns keys into the constraints of variants.

import Traits

/// The values of all attributes. An attribute that a key format does not list is zero.
package struct RenditionKey: Sendable, Hashable {
  /// The values, four in each word, so that keys are compared and hashed by words.
  @usableFromInline var words: Words = Words()

  @usableFromInline struct Words: Hashable, Sendable {
    @usableFromInline var a: UInt64 = 0
    @usableFromInline var b: UInt64 = 0
    @usableFromInline var c: UInt64 = 0
    @usableFromInline var d: UInt64 = 0
    @usableFromInline var e: UInt64 = 0
    @usableFromInline var f: UInt64 = 0
    @usableFromInline var g: UInt64 = 0
    @usableFromInline var h: UInt64 = 0
  }

  package init() {}

  package init(_ pairs: KeyValuePairs<RenditionAttribute, UInt16>) {
    for (attribute, value) in pairs { self[attribute] = value }
  }

  @inlinable package subscript(attribute: RenditionAttribute) -> UInt16 {
    get {
      // An attribute is below 32, and a value has two of the 64 bytes.
      withUnsafeBytes(of: words) {
        $0.load(fromByteOffset: 2 * Int(attribute.rawValue), as: UInt16.self)
      }
    }
    set {
      withUnsafeMutableBytes(of: &words) {
        $0.storeBytes(of: newValue, toByteOffset: 2 * Int(attribute.rawValue), as: UInt16.self)
      }
    }
  }

  /// The attributes whose values are not zero.
  package var attributes: [RenditionAttribute] {
    (0..<UInt8(RenditionAttribute.limit)).compactMap(RenditionAttribute.init).filter {
      self[$0] != 0
    }
  }

  /// A mask in which bit n is set if attribute n is not zero.
  var columnsInUse: UInt32 {
    withUnsafeBytes(of: words) { values in
      var bits: UInt32 = 0
      for index in 0..<RenditionAttribute.limit
      where values.load(fromByteOffset: 2 * index, as: UInt16.self) != 0 {
        bits |= 1 << UInt32(index)
      }
      return bits
    }
  }

  /// Calls `body` with a function that returns the value of an attribute. This is faster for
  /// several values.
  @inlinable package func withValues<Result>(
    _ body: ((RenditionAttribute) -> UInt16) -> Result
  ) -> Result {
    withUnsafeBytes(of: words) { bytes in
      body { bytes.load(fromByteOffset: 2 * Int($0.rawValue), as: UInt16.self) }
    }
  }

  /// Returns a key in which the given attributes are zero and all bits of the other attributes are
  /// set.
  package static func bits(exceptIn attributes: [RenditionAttribute]) -> RenditionKey {
    var key = RenditionKey()
    for attribute in (0..<UInt8(RenditionAttribute.limit)).compactMap(RenditionAttribute.init)
    where !attributes.contains(attribute) { key[attribute] = .max }
    return key
  }

  /// Returns whether two keys are equal in the bits that are set in `bits`.
  @inlinable package func agrees(with other: RenditionKey, in bits: RenditionKey) -> Bool {
    let (x, y, z) = (words, other.words, bits.words)
    let first = (x.a ^ y.a) & z.a | (x.b ^ y.b) & z.b | (x.c ^ y.c) & z.c | (x.d ^ y.d) & z.d
    let second = (x.e ^ y.e) & z.e | (x.f ^ y.f) & z.f | (x.g ^ y.g) & z.g | (x.h ^ y.h) & z.h
    return first | second == 0
  }

  @inlinable package var identifier: UInt16 { self[.identifier] }
  @inlinable package var element: UInt16 { self[.element] }
  @inlinable package var part: UInt16 { self[.part] }
}

/// The part of a key that is no constraint of a variant: it distinguishes the renditions of one
/// asset.
package struct KeyDetails: Sendable, Hashable, Comparable {
  /// The number of an atlas.
  package var dimension1: UInt16 = 0
  /// The position of an icon's size.
  package var dimension2: UInt16 = 0
  /// The weight and the size of a symbol's drawing.
  package var glyphWeight: UInt16 = 0
  package var glyphSize: UInt16 = 0

  package init(dimension1: UInt16 = 0, dimension2: UInt16 = 0) {
    self.dimension1 = dimension1
    self.dimension2 = dimension2
  }

  package init(_ glyph: Glyph) {
    glyphWeight = UInt16(glyph.weight.rawValue)
    glyphSize = UInt16(glyph.size.rawValue)
  }

  package var glyph: Glyph? { Glyph(weight: glyphWeight, size: glyphSize) }

  package static func < (a: KeyDetails, b: KeyDetails) -> Bool { a.number < b.number }

  private var number: UInt64 {
    UInt64(glyphSize) << 48 | UInt64(glyphWeight) << 32 | UInt64(dimension2) << 16
      | UInt64(dimension1)
  }
}

extension RenditionKey {
  package var details: KeyDetails {
    get {
      var details = KeyDetails(dimension1: self[.dimension1], dimension2: self[.dimension2])
      details.glyphWeight = self[.glyphWeight]
      details.glyphSize = self[.glyphSize]
      return details
    }
    set {
      self[.dimension1] = newValue.dimension1
      self[.dimension2] = newValue.dimension2
      self[.glyphWeight] = newValue.glyphWeight
      self[.glyphSize] = newValue.glyphSize
    }
  }
}

/// The numbers of elements that catalogues of applications use.
package enum Element {
  package static let atlas: UInt16 = 9
  package static let texture: UInt16 = 41
  package static let universal: UInt16 = 85
}

/// Values of the attribute that names the oldest system (the deployment target).
package enum Generation {
  /// Systems that draw symbols from catalogues: those of 2019 and later.
  package static let ofSymbols: UInt16 = 5
}

/// The numbers of parts that catalogues of applications use.
package enum Part {
  /// A vector that is kept beside its rasters.
  package static let vector: UInt16 = 42
  package static let symbol: UInt16 = 59
  /// The list of the pictures in a sprite atlas.
  package static let spriteAtlas: UInt16 = 127
  /// Images, data, atlases and layer stacks.
  package static let regular: UInt16 = 181
  package static let arGroup: UInt16 = 206
  package static let arObject: UInt16 = 207
  package static let flattened: UInt16 = 208
  package static let radiosity: UInt16 = 209
  package static let color: UInt16 = 217
  /// The table of an icon's sizes.
  package static let multisize: UInt16 = 218
  package static let icon: UInt16 = 220
  package static let iconStack: UInt16 = 245
  package static let iconGroup: UInt16 = 246
  package static let gradient: UInt16 = 247
}
