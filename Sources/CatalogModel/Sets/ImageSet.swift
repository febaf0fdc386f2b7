// Image sets: pictures that stand for each other on different devices and in different modes.
import Traits

public enum RenderingIntent: String, CaseIterable, Sendable, Hashable { case original, template }

/// How pixels may be packed. Absent means lossless, unless a group above says otherwise.
public enum Compression: String, CaseIterable, Sendable, Hashable {
  case automatic, lossless, lossy
  case gpuBest = "gpu-optimized-best"
  case gpuSmallest = "gpu-optimized-smallest"
  case none
}

/// Distances from the edges, in pixels of the picture.
public struct Insets: Sendable, Hashable {
  public var top = 0.0
  public var left = 0.0
  public var bottom = 0.0
  public var right = 0.0

  public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }
}

/// How a small picture fills a large area.
public struct Resizing: Sendable, Hashable {
  public enum Mode: String, CaseIterable, Sendable, Hashable {
    case ninePart = "9-part"
    case horizontal = "3-part-horizontal"
    case vertical = "3-part-vertical"
  }
  public enum Center: String, CaseIterable, Sendable, Hashable { case tile, stretch }

  public var mode: Mode
  public var center: Center
  /// Of the part in the middle, in pixels; nil where the picture's size decides.
  public var centerWidth: Double?
  public var centerHeight: Double?
  public var capInsets: Insets

  public init(
    mode: Mode, center: Center, centerWidth: Double? = nil, centerHeight: Double? = nil,
    capInsets: Insets
  ) {
    self.mode = mode
    self.center = center
    self.centerWidth = centerWidth
    self.centerHeight = centerHeight
    self.capInsets = capInsets
  }
}

/// One slot of an image set.
public struct ImageEntry: Sendable, Hashable {
  public var slot: Slot
  /// nil for an empty slot.
  public var file: SourceFile?
  public var insets: Insets?
  public var resizing: Resizing?
  /// Of the entry, else of the set, else of the groups above.
  public var compression: Compression?
  /// Whether Xcode marked the file as belonging to no slot: such an entry is not compiled.
  public var isUnassigned = false

  public init(slot: Slot) { self.slot = slot }
}

/// A set of pictures under one name.
public struct ImageSet: Sendable, Hashable {
  public var entries: [ImageEntry] = []
  /// nil where the set does not say: a name that ends in "Template" then makes a template.
  public var renderingIntent: RenderingIntent?
  public var preservesVector = false
  public var scalesAutomatically = false
  public var isLocalizable = false

  public init() {}
}
