// Writes the icon file of the Mac (.icns): a list of pictures, each with four letters that name its
// size. The two smallest are colour planes, packed by run lengths, with a mask; every system can
// show them. The others are PNG files.

import CatalogModel

/// One picture of the file.
struct MacIconPicture {
  /// The size in points. `scale` is the number of pixels for each point.
  var size: Int
  var scale: Int
  /// The picture that is scaled; nil if a layered icon is drawn.
  var source: SourceFile?

  var pixels: Int { size * scale }

  /// The four letters of a picture that is stored as PNG; nil for the two smallest, which are
  /// stored as planes.
  fileprivate var pngType: String? {
    switch (size, scale) {
    case (16, 2): "ic11"
    case (32, 2): "ic12"
    case (128, 1): "ic07"
    case (128, 2): "ic13"
    case (256, 1): "ic08"
    case (256, 2): "ic14"
    case (512, 1): "ic09"
    case (512, 2): "ic10"
    default: nil
    }
  }

  fileprivate var planeTypes: (color: String, mask: String)? {
    switch (size, scale) {
    case (16, 1): ("is32", "s8mk")
    case (32, 1): ("il32", "l8mk")
    default: nil
    }
  }
}

extension AssetSet {
  /// The pictures of a Mac icon, smallest first. Each size occurs once.
  var macIconPictures: [MacIconPicture] {
    var pictures: [MacIconPicture] = []
    switch contents {
    case .appIcons(let set):
      for entry in set.entries where !entry.slot.isUnassigned && entry.slot.key.style == .any {
        guard let file = entry.file, file.exists, let size = entry.size, entry.slot.idiom == "mac"
        else { continue }
        pictures.append(
          MacIconPicture(
            size: Int(size.width), scale: Int(entry.slot.scale ?? 1), source: file))
      }
    case .iconBundle:
      pictures = [16, 32, 128, 256, 512].flatMap { size in
        [1, 2].map { MacIconPicture(size: size, scale: $0, source: nil) }
      }
    case .images, .colors, .data, .symbols, .launchImages, .spriteAtlas, .textures, .mipmaps,
      .imageStack, .imageStackLayer, .brandAssets, .complications, .stickerPack, .sticker,
      .stickerSequence, .icons, .stickersIcons, .arGroup, .arImage, .arObject, .gameCenter:
      break
    }
    var seen: Set<[Int]> = []
    return pictures.sorted { ($0.size, $0.scale) < ($1.size, $1.scale) }
      .filter { $0.pngType != nil || $0.planeTypes != nil }
      .filter { seen.insert([$0.size, $0.scale]).inserted }
  }
}

/// An icon file under construction.
struct MacIconFile {
  private var elements: [UInt8] = []

  var isEmpty: Bool { elements.isEmpty }

  mutating func add(_ picture: MacIconPicture, _ pixels: IconPixels) {
    if let type = picture.pngType {
      add(type, pixels.png)
    } else if let types = picture.planeTypes {
      let planes = pixels.straightPlanes()
      add(types.color, planes.prefix(3).flatMap(packed))
      add(types.mask, planes[3])
    }
  }

  private mutating func add(_ type: String, _ bytes: [UInt8]) {
    elements += type.utf8
    elements += bigEndian(8 + bytes.count)
    elements += bytes
  }

  var bytes: [UInt8] { Array("icns".utf8) + bigEndian(8 + elements.count) + elements }

  private func bigEndian(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }

  /// Packs a plane: runs of 3 to 130 equal bytes, and up to 128 unpacked bytes.
  ///
  ///     byte 0…127     byte + 1 unpacked bytes follow
  ///     byte 128…255   the next byte, byte - 125 times
  private func packed(_ plane: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var start = 0
    var place = 0
    func run(_ place: Int) -> Int {
      var end = place + 1
      while end < plane.count, end - place < 130, plane[end] == plane[place] { end += 1 }
      return end - place
    }
    func flush(_ end: Int, _ result: inout [UInt8]) {
      while start < end {
        let count = min(128, end - start)
        result.append(UInt8(count - 1))
        result += plane[start..<start + count]
        start += count
      }
    }
    while place < plane.count {
      let length = run(place)
      if length >= 3 {
        flush(place, &result)
        result += [UInt8(length + 125), plane[place]]
        start = place + length
      }
      place += length
    }
    flush(plane.count, &result)
    return result
  }
}
