// What a lookup answers: plain values, copied out of the index, that stay true after the view and
// the catalogue are gone. Pixels and bytes are asked of the catalogue (Decode.swift, Content.swift).

import Archive
import Traits

/// A name of one kind in one catalogue, found once and asked often. An id from another build of the
/// catalogue finds nothing, unless that build gave the same name the same place.
@frozen public struct AssetID: Sendable, Hashable, BitwiseCopyable {
  /// The place among the sorted names below, a mark of the name above. Never 0 for an asset.
  public let rawValue: UInt64

  @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }

  @inlinable init(number: Int, tag: UInt32) {
    rawValue = UInt64(tag) << 32 | UInt64(truncatingIfNeeded: number &+ 1)
  }

  /// -1 for an id that never was one.
  @inlinable var number: Int { Int(UInt32(truncatingIfNeeded: rawValue)) &- 1 }
  @inlinable var tag: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }
}

/// The decision alone: which rendition of a catalogue is shown. Two are equal when the same picture
/// is shown in the same way.
@frozen public struct Choice: Sendable, Hashable, BitwiseCopyable {
  /// The number of the rendition in its catalogue.
  public let rendition: UInt32
  /// The picture was made for the other direction of writing: draw it mirrored.
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

/// How a picture stretches, in points.
public struct Slicing: Sendable, Hashable {
  public var mode: SlicingMode
  /// How the middle fills its room across and down.
  public var across: SlicingFill
  public var down: SlicingFill
  public var caps: EdgeInsets
  public var centerWidth: Float
  public var centerHeight: Float

  init?(_ record: SlicingRecord) {
    guard let mode = SlicingMode(rawValue: record.mode) else { return nil }
    self.mode = mode
    across = SlicingFill(rawValue: record.across) ?? .stretch
    down = SlicingFill(rawValue: record.down) ?? .stretch
    caps = EdgeInsets(
      top: record.top, left: record.left, bottom: record.bottom, right: record.right)
    centerWidth = record.centerWidth
    centerHeight = record.centerHeight
  }
}

/// One variant of an asset and all facts about it that layout needs.
public struct Variant: Sendable, BitwiseCopyable {
  public let choice: Choice
  let record: RenditionRecord
  let slicingRecord: SlicingRecord

  @inline(__always) init(choice: Choice, record: RenditionRecord, slicing: SlicingRecord) {
    self.choice = choice
    self.record = record
    slicingRecord = slicing
  }

  public var isMirrored: Bool { choice.isMirrored }
  public var pixelSize: PixelSize {
    PixelSize(width: Int(record.pixelWidth), height: Int(record.pixelHeight))
  }
  /// 1, 2 or 3; 0 for a vector, which is drawn at any scale.
  public var scale: Int { Int(record.scale) }
  public var content: RenditionContent { RenditionContent(rawValue: record.content) ?? .other }
  public var alignmentInsets: EdgeInsets {
    EdgeInsets(top: record.top, left: record.left, bottom: record.bottom, right: record.right)
  }
  public var slicing: Slicing? { Slicing(slicingRecord) }
  public var templateIntent: TemplateIntent { Variant.templateIntent(record.flags) }
  public var preservesVector: Bool { Variant.preservesVector(record.flags) }
  public var isVector: Bool { content == .pdf || content == .svg }
  /// The size on the screen in points; nil for what has no size of its own.
  public var pointSize: (width: Float, height: Float)? {
    guard record.scale != 0, record.pixelWidth != 0 else { return nil }
    let scale = Float(record.scale)
    return (Float(record.pixelWidth) / scale, Float(record.pixelHeight) / scale)
  }
  /// The part of the picture that layout aligns: the rest is shadow, badge or glow.
  public var alignmentRect: PointRect? {
    guard let size = pointSize else { return nil }
    let insets = alignmentInsets
    return PointRect(
      x: insets.left, y: insets.top, width: max(0, size.width - insets.left - insets.right),
      height: max(0, size.height - insets.top - insets.bottom))
  }

  @inline(__always) static func templateIntent(_ flags: UInt32) -> TemplateIntent {
    let flags = RenditionFlags(rawValue: flags)
    return flags.contains(.template)
      ? .template : flags.contains(.automatic) ? .automatic : .original
  }

  @inline(__always) static func preservesVector(_ flags: UInt32) -> Bool {
    RenditionFlags(rawValue: flags).contains(.preservesVector)
  }
}
