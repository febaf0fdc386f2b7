// Checks by the last bytes of a picture file whether the file is complete.

import Bytes
import Host

extension ImageHeader {
  /// Returns false if the file ends before the picture does. Reads some kilobytes at the end. If a
  /// PNG does not end with its end chunk, all its chunks are visited.
  package func isComplete(_ path: ByteString, in tree: FileTree) -> Bool {
    guard let size = try? tree.status(path).size else { return true }
    let from = max(0, size - 4096)
    guard let end = try? tree.readPart(path, from, size - from).bytes else { return true }
    switch kind {
    case .png: return end.suffix(12).elementsEqual(pngEnd) || hasEndChunk(path, in: tree)
    case .jpeg:
      return end.suffix(2).elementsEqual([0xFF, 0xD9]) || hasEndMarker(path, size, in: tree)
    case .gif: return end.contains(0x3B)
    case .pdf: return position(of: "%%EOF", in: end[...]) != nil
    case .svg:
      return position(of: "</", in: end[...]) != nil || position(of: "/>", in: end[...]) != nil
    case .webp:
      guard let length = try? tree.readPart(path, 4, 4).bytes, length.count == 4 else {
        return false
      }
      return length.reversed().reduce(0) { $0 << 8 | Int($1) } + 8 <= size
    case .heic, .avif, .tiff, .psd, .bmp, .icns: return true
    }
  }

  private func hasEndChunk(_ path: ByteString, in tree: FileTree) -> Bool {
    guard var source = try? ImageSource(path, in: tree) else { return true }
    var offset = 8
    // A file with more chunks than this counts as complete.
    for _ in 0..<20_000 {
      guard let head = try? source.bytes(offset, 8) else { return false }
      if head.suffix(4).elementsEqual("IEND".utf8) { return offset + 12 <= source.size }
      offset += head.prefix(4).reduce(0) { $0 << 8 | Int($1) } + 12
    }
    return true
  }

  /// Returns whether the end marker follows the start of the scan. It need not be at the end of the
  /// file, because cameras append films and other data; and it is searched for only after the scan
  /// starts, because small pictures can precede the scan.
  private func hasEndMarker(_ path: ByteString, _ size: Int, in tree: FileTree) -> Bool {
    guard var source = try? ImageSource(path, in: tree) else { return true }
    var offset = 2
    while let head = try? source.bytes(offset, 4), let marker = head.dropFirst().first {
      let length = head.suffix(2).reduce(0) { $0 << 8 | Int($1) }
      offset += 2 + length
      if marker == 0xDA { break }
    }
    guard offset < size, size <= 64 << 20, let all = try? tree.read(path, 64 << 20) else {
      return size > 64 << 20
    }
    let scan = all[min(offset, all.count)...]
    return zip(scan, scan.dropFirst()).contains { $0 == 0xFF && $1 == 0xD9 }
  }
}

private let pngEnd: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
