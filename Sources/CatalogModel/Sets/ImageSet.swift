// Image sets: variants of one picture for different devices and appearances; and sprite atlases,
// which pack image sets into shared pictures. The image sets are assets of their own and name the
// atlas that contains them.

import Bytes
import Documents

package enum RenderingIntent: String, CaseIterable, Sendable, Hashable { case original, template }

/// The compression that a catalogue requests. If it is absent here and in the groups above, the
/// compression is lossless.
package enum CompressionType: String, CaseIterable, Sendable, Hashable {
  case automatic, lossless, lossy
  case gpuBest = "gpu-optimized-best"
  case gpuSmallest = "gpu-optimized-smallest"
  case none
}

/// The distances from the edges, in pixels of the picture.
package struct Insets: Sendable, Hashable {
  package var top = 0.0
  package var left = 0.0
  package var bottom = 0.0
  package var right = 0.0

  package init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }
}

/// The way in which a small picture is resized to fill a large area.
package struct Resizing: Sendable, Hashable {
  package enum Mode: String, CaseIterable, Sendable, Hashable {
    case ninePart = "9-part"
    case horizontal = "3-part-horizontal"
    case vertical = "3-part-vertical"
  }
  package enum Center: String, CaseIterable, Sendable, Hashable { case tile, stretch }

  package var mode: Mode
  package var center: Center
  /// The width of the middle part in pixels; nil if it follows from the size of the picture.
  package var centerWidth: Double?
  package var centerHeight: Double?
  package var capInsets: Insets

  package init(
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
package struct ImageEntry: Sendable, Hashable {
  package var slot: Slot
  /// The file; nil for an empty slot.
  package var file: SourceFile?
  @BoxedOptional package var insets: Insets? = nil
  @BoxedOptional package var resizing: Resizing? = nil
  /// The colour space that the entry names; nil if it names none.
  package var colorSpace: ColorSpaceName?
  /// The compression of the entry, otherwise of the set, otherwise of the groups above.
  package var compression: CompressionType?

  package init(slot: Slot) { self.slot = slot }
}

/// A set of pictures under one name.
package struct ImageSet: Sendable, Hashable {
  package var entries: [ImageEntry] = []
  /// The rendering intent; nil if the set has none. Then a name that ends in "Template" makes a
  /// template.
  package var renderingIntent: RenderingIntent?
  package var preservesVector = false
  package var scalesAutomatically = false
  package var isLocalizable = false

  package init() {}
}

// MARK: - Reading

extension ImageSet {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    isLocalizable = properties?.bool("localizable") ?? false
    preservesVector = properties?.bool("preserves-vector-representation") ?? false
    scalesAutomatically = properties?.word("auto-scaling", of: ["auto"]) != nil
    renderingIntent = properties?.choice("template-rendering-intent")
    if let info, info.hasExactly("template-rendering-intent") {
      let legacy: RenderingIntent? = info.choice("template-rendering-intent")
      renderingIntent = renderingIntent ?? legacy
      let isFree =
        properties.map { !$0.has("template-rendering-intent") } ?? !root.has("properties")
      reader.reportMisplaced(
        "template-rendering-intent", in: info, isMovable: isFree,
        unlessSo: properties == nil
          ? "; make \"properties\" an object, and move the key there"
          : "; \"properties\" has the key, too, so remove it from \"info\"")
    }
    let compression: CompressionType? = properties?.choice("compression-type")
    entries = (root.objects("images") ?? []).compactMap { fields in
      reader.imageEntry(fields, compression: compression)
    }
    info?.finish()
    properties?.finish()
  }
}

extension SetReader {
  /// Reports a key that belongs to `properties` but is in `info`. It cannot move if `properties` is
  /// no object, or has the key already.
  func reportMisplaced(
    _ key: String, in info: Fields, isMovable: Bool, unlessSo wayOut: String
  ) {
    let pointer: ByteString = "\(info.pointer)/\(key)"
    findings.add(
      .misplacedKey,
      "\(quoted(key)) belongs to \"properties\", not to \"info\"\(isMovable ? "" : wayOut)",
      at: pointer, isKey: true,
      fix: isMovable
        ? Fix("move it to \"properties\"", [.move(pointer: pointer, toObject: "properties")]) : nil)
  }

  func imageEntry(_ fields: Fields, compression inherited: CompressionType?) -> ImageEntry? {
    let file = file(fields)
    guard let slot = slot(fields, file: file) else { return nil }
    var entry = ImageEntry(slot: slot)
    entry.file = file
    entry.compression = fields.choice("compression-type") ?? inherited
    entry.colorSpace = fields.word("color-space", of: ["srgb", "display-p3"])
      .flatMap { ColorSpaceName(rawValue: $0) }
    entry.insets = fields.object("alignment-insets").map { insets($0) }
    entry.resizing = fields.object("resizing").flatMap {
      resizing($0, isVector: file?.isVector == true)
    }
    fields.finish()
    return entry
  }

  private func insets(_ fields: Fields) -> Insets {
    let insets = Insets(
      top: fields.number("top") ?? 0, left: fields.number("left") ?? 0,
      bottom: fields.number("bottom") ?? 0, right: fields.number("right") ?? 0)
    fields.finish()
    return insets
  }

  private func resizing(_ fields: Fields, isVector: Bool) -> Resizing? {
    let mode: Resizing.Mode? = fields.choice("mode")
    let center = fields.object("center")
    // "fill" is an older word for "stretch".
    let centerWord = center?.word("mode", of: ["tile", "stretch"], aliases: ["fill": "stretch"])
    let width = center?.number("width")
    let height = center?.number("height")
    let capFields = fields.object("cap-insets")
    let caps = capFields.map { insets($0) } ?? Insets()
    center?.finish()
    fields.finish()
    guard let mode else {
      if !fields.has("mode") {
        findings.add(.missingKey, "the slicing has no \"mode\"", at: fields.pointer)
      }
      return nil
    }
    let resizing = Resizing(
      mode: mode, center: centerWord.flatMap { Resizing.Center(rawValue: $0) } ?? .stretch,
      centerWidth: width, centerHeight: height, capInsets: caps)
    let lengths = [
      ("left", caps.left, capFields), ("right", caps.right, capFields),
      ("width", width ?? 0, center), ("top", caps.top, capFields),
      ("bottom", caps.bottom, capFields), ("height", height ?? 0, center),
    ]
    for (key, length, owner) in lengths {
      guard let owner, owner.has(key) else { continue }
      check(length, owner, key, in: resizing, isVector: isVector)
    }
    if capFields == nil, resizing.center == .stretch, !fields.has("cap-insets") {
      findings.add(
        .missingKey, "the slicing has no \"cap-insets\", so its centre is the whole picture",
        at: fields.pointer)
    }
    return resizing
  }

  /// Reports a length of a slicing that does not count, or that is rounded, and an empty centre.
  private func check(
    _ length: Double, _ fields: Fields, _ key: String, in resizing: Resizing, isVector: Bool
  ) {
    let isAcross = ["left", "right", "width"].contains(key)
    if resizing.mode == (isAcross ? .vertical : .horizontal) {
      if length == 0 { return }
      let counting: Resizing.Mode = isAcross ? .horizontal : .vertical
      findings.add(
        .unknownKey,
        "\(quoted(key)) does not count in \(quoted(resizing.mode.rawValue)), but in "
          + "\(quoted(Resizing.Mode.ninePart.rawValue)) and \(quoted(counting.rawValue))",
        at: fields.pointer(of: key), isKey: true)
    } else if length == 0, key == "width" || key == "height" {
      findings.add(
        .numberRange, "the \(key) of the centre is 0, so nothing fills the area between the caps",
        at: fields.pointer(of: key))
    } else if !isVector, length != length.rounded() {
      // The lengths of a vector are multiplied by scales before they are rounded.
      findings.add(
        .numberRange,
        "\(quoted(key)) is \(brief(length)), and counts as \(brief(length.rounded())): slices have "
          + "whole pixels", at: fields.pointer(of: key))
    }
  }
}

// MARK: - Sprite atlases

package struct SpriteAtlas: Sendable, Hashable {
  package var compression: CompressionType?
  package var providesNamespace = false

  package init(compression: CompressionType? = nil, providesNamespace: Bool = false) {
    self.compression = compression
    self.providesNamespace = providesNamespace
  }
}
