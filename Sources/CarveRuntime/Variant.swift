// The results of lookups: plain values, put together from the index, that stay valid after the view
// and the archive are gone. The archive provides pixels and bytes (Decode.swift,
// Content.swift).

import Archive
import Traits

/// The number of a name and a kind, for repeated lookups. It depends on nothing else: it is the
/// same in every archive, before and after thinning, and may be a constant in generated code.
@frozen public struct AssetID: Sendable, Hashable, BitwiseCopyable {
  public let rawValue: UInt64

  @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }

  public init(_ name: String, _ kind: AssetKind = .image) {
    self = name.withName { AssetID(utf8: $0, kind) }
  }

  public init(utf8 name: UnsafeRawBufferPointer, _ kind: AssetKind = .image) {
    rawValue = AssetNameHash(of: name, kind: kind.rawValue).value
  }
}

/// The decision alone: which rendition of an archive is shown. Two choices are equal if they show
/// the same picture in the same way.
@frozen public struct Choice: Sendable, Hashable, BitwiseCopyable {
  /// The number of the rendition in its archive.
  public let rendition: UInt32
  /// Whether the picture was made for the opposite direction of writing and has to be drawn
  /// mirrored.
  public let isMirrored: Bool

  @inlinable init(rendition: UInt32, isMirrored: Bool) {
    self.rendition = rendition
    self.isMirrored = isMirrored
  }
}

public struct PixelSize: Sendable, Hashable, BitwiseCopyable {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// Distances from the edges, in points.
public struct EdgeInsets: Sendable, Hashable, BitwiseCopyable {
  public var top: Float
  public var left: Float
  public var bottom: Float
  public var right: Float

  public init(top: Float = 0, left: Float = 0, bottom: Float = 0, right: Float = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  init(_ insets: IndexedInsets) {
    self.init(top: insets.top, left: insets.left, bottom: insets.bottom, right: insets.right)
  }

  public var isZero: Bool { top == 0 && left == 0 && bottom == 0 && right == 0 }
}

/// A rectangle in points, from the upper left corner.
public struct PointRect: Sendable, Hashable, BitwiseCopyable {
  public var x: Float
  public var y: Float
  public var width: Float
  public var height: Float

  public init(x: Float, y: Float, width: Float, height: Float) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

public enum TemplateIntent: UInt8, Sendable, CaseIterable {
  case automatic = 0
  case original, template
}

/// The stretching of a picture, in points.
public struct Slicing: Sendable, Hashable {
  public var mode: SlicingMode
  /// How the middle fills its room horizontally and vertically.
  public var across: SlicingFill
  public var down: SlicingFill
  public var caps: EdgeInsets
  public var centerWidth: Float
  public var centerHeight: Float

  init?(_ record: RenditionRecord) {
    guard let mode = SlicingMode(rawValue: record.kinds.slicing) else { return nil }
    self.mode = mode
    across = SlicingFill(rawValue: record.kinds.across) ?? .stretch
    down = SlicingFill(rawValue: record.kinds.down) ?? .stretch
    caps = EdgeInsets(record.caps)
    centerWidth = record.centerWidth
    centerHeight = record.centerHeight
  }
}

/// A variant of an asset, with all facts that layout needs.
public struct Variant: Sendable, BitwiseCopyable {
  public let choice: Choice
  let record: RenditionRecord

  @inline(__always) init(choice: Choice, record: RenditionRecord) {
    self.choice = choice
    self.record = record
  }

  public var isMirrored: Bool { choice.isMirrored }
  public var pixelSize: PixelSize {
    PixelSize(width: Int(record.pixelWidth), height: Int(record.pixelHeight))
  }
  /// The scale 1, 2 or 3; 0 for a vector, which is drawn at any scale.
  public var scale: Int { Int(record.kinds.scale) }
  public var content: RenditionContent {
    RenditionContent(rawValue: record.kinds.content) ?? .other
  }
  /// The insets of the picture as it is stored. If the picture is drawn mirrored, left and right
  /// change places.
  public var alignmentInsets: EdgeInsets { EdgeInsets(record.insets) }
  public var slicing: Slicing? { Slicing(record) }
  public var templateIntent: TemplateIntent {
    TemplateIntent(rawValue: record.kinds.templateIntent) ?? .automatic
  }
  public var preservesVector: Bool { record.kinds.preservesVector != 0 }
  public var isVector: Bool { content == .pdf || content == .svg }
  /// The size on the screen in points; nil if the content has no size of its own.
  public var pointSize: (width: Float, height: Float)? {
    guard scale != 0, record.pixelWidth != 0 else { return nil }
    let scale = Float(scale)
    return (Float(record.pixelWidth) / scale, Float(record.pixelHeight) / scale)
  }
  /// The part of the picture on the screen that layout aligns; the rest is a shadow, a badge or a
  /// glow.
  public var alignmentRect: PointRect? {
    guard let size = pointSize else { return nil }
    let insets = alignmentInsets
    return PointRect(
      x: isMirrored ? insets.right : insets.left, y: insets.top,
      width: max(0, size.width - insets.left - insets.right),
      height: max(0, size.height - insets.top - insets.bottom))
  }
}
