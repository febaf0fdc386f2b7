// Tells whether a picture file is complete, by the parts at its end. Pixels are not decoded.

import Bytes
import Host

extension ImageHeader {
  /// Returns false if the file ends before the picture does. Reads some kilobytes, unless a PNG or
  /// a JPEG has other data after its picture.
  package func isComplete(_ path: ByteString, in tree: FileTree) -> Bool {
    guard var source = try? ImageSource(path, in: tree) else { return true }
    return isComplete(&source) { try? tree.read(path, FileLimit.searchedPicture) }
  }

  /// Returns false if the file, whose bytes are in memory, ends before the picture does.
  package func isComplete(_ bytes: [UInt8]) -> Bool {
    var source = ImageSource(bytes)
    return isComplete(&source) { bytes }
  }

  /// `all` returns the whole file, or nil if it is too large to be searched.
  private func isComplete(_ source: inout ImageSource, all: () -> [UInt8]?) -> Bool {
    switch kind {
    case .png: return isAtEnd(pngEnd, &source) || all().map(hasEndChunk) ?? true
    case .jpeg:
      guard let scan = scanStart(&source), hasBytesForPixels(source) else { return false }
      if isAtEnd(jpegEnd, &source) { return scan < source.size - jpegEnd.count }
      return all().map { hasEndMarker($0, after: scan) } ?? true
    case .gif:
      let length = min(source.size, 4096)
      return (try? source.bytes(source.size - length, length))?.contains(0x3B) ?? false
    case .webp:
      guard let length = try? source.number(4, bytes: 4, little: true) else { return false }
      return length + 8 <= source.size
    case .heic, .avif: return hasAllBoxes(&source)
    // A vector is complete if its reader accepts it.
    case .pdf, .svg: return true
    case .tiff, .psd, .bmp, .icns: return true
    }
  }

  /// Returns false if a large JPEG states more pixels than its bytes can hold: a block of 64 pixels
  /// takes at least a bit.
  private func hasBytesForPixels(_ source: ImageSource) -> Bool {
    width * height <= (1 << 25) + 512 * source.size
  }

  private func isAtEnd(_ mark: [UInt8], _ source: inout ImageSource) -> Bool {
    (try? source.bytes(source.size - mark.count, mark.count))?.elementsEqual(mark) ?? false
  }

  private func hasEndChunk(_ file: [UInt8]) -> Bool {
    var offset = 8
    while offset <= file.count - 8 {
      let head = file[offset..<offset + 8]
      if head.suffix(4).elementsEqual("IEND".utf8) { return offset + 12 <= file.count }
      offset += head.prefix(4).reduce(0) { $0 << 8 | Int($1) } + 12
    }
    return false
  }

  /// Returns the offset of the compressed pixels of the first scan; nil if the file has no scan.
  private func scanStart(_ source: inout ImageSource) -> Int? {
    var offset = 2
    while let head = try? source.bytes(offset, 2), head.first == 0xFF, let marker = head.last {
      switch marker {
      case 0xFF: offset += 1
      case 0x01, 0xD0...0xD8: offset += 2
      default:
        guard let length = try? source.number(offset + 2, bytes: 2), length >= 2 else { return nil }
        offset += 2 + length
        if marker == 0xDA { return offset <= source.size ? offset : nil }
      }
    }
    return nil
  }

  /// Returns whether the end marker follows the pixels. It need not be at the end of the file,
  /// because cameras append films and other data.
  private func hasEndMarker(_ file: [UInt8], after scan: Int) -> Bool {
    let rest = file[min(scan + 1, file.count)...]
    return zip(rest, rest.dropFirst()).contains { $0 == 0xFF && $1 == 0xD9 }
  }
}

private let pngEnd: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
private let jpegEnd: [UInt8] = [0xFF, 0xD9]
