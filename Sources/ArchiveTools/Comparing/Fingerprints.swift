// Fingerprints of the pictures of an archive, by which equal and similar pictures are found: in one
// archive, in several, and in loose files. Each picture is decoded once, and each atlas, too.

import Archive
import Bytes
import Host
import Imaging

/// A picture as two digests: one that only equal pixels have, and a small picture that similar
/// pictures have, too.
package struct PictureFingerprint: Sendable, Hashable {
  package let width: Int
  package let height: Int
  /// The digest of the size and of all pixels.
  package let digest: Digest128
  /// The picture scaled to 12 × 12 pixels of four bytes; empty if its colours are wide.
  package let thumbnail: [UInt8]

  /// The number of pixels on each side of a thumbnail.
  package static let thumbnailSide = 12

  package init(_ picture: Bitmap) {
    let plain = picture.withFourChannels
    (width, height) = (plain.width, plain.height)
    var digest = BLAKE2b()
    digest.add(UInt64(plain.layout.rawValue))
    digest.add(UInt64(width))
    digest.add(UInt64(height))
    digest.add(pixelsOf: plain)
    self.digest = digest.digest()
    let side = PictureFingerprint.thumbnailSide
    if plain.layout == .bgra8 {
      let small = plain.scaled(width: side, height: side)
      thumbnail = Array(small.withoutPadding().pixels)
    } else {
      thumbnail = []
    }
  }

  /// Whether every pixel is equal to every other: such pictures are too simple to be copies of one
  /// another.
  package var isFlat: Bool {
    guard thumbnail.count > 4 else { return true }
    return (4..<thumbnail.count).allSatisfy { thumbnail[$0] == thumbnail[$0 - 4] }
  }
}

extension BLAKE2b {
  /// Adds the pixels of a picture, without the bytes between its rows.
  package mutating func add(pixelsOf picture: Bitmap) {
    let length = picture.width * picture.layout.bytesPerPixel
    picture.pixels.withUnsafeBytes { pixels in
      for row in 0..<picture.height {
        let start = row * picture.bytesPerRow
        add(UnsafeRawBufferPointer(rebasing: pixels[start..<start + length]))
      }
    }
  }
}

extension Bitmap {
  /// The picture with blue, green, red and alpha if it has only grey and alpha of one byte each.
  package var withFourChannels: Bitmap {
    guard layout == .ga8 else { return self }
    let stride = BitmapLayout.bgra8.bytesPerRow(width: width)
    var wide = [UInt8](repeating: 0, count: stride * height)
    for y in 0..<height {
      for x in 0..<width {
        let (from, to) = (y * bytesPerRow + 2 * x, y * stride + 4 * x)
        for channel in 0..<3 { wide[to + channel] = pixels[from] }
        wide[to + 3] = pixels[from + 1]
      }
    }
    return Bitmap(
      width: width, height: height, layout: .bgra8, isOpaque: isOpaque, isGray: true, pixels: wide)
  }
}

extension OpenedArchive {
  /// Pictures that are decoded together: those of one atlas, or one alone.
  private struct Portion: Sendable {
    var atlas: Int?
    var entries: [(entry: Int, link: InternalLink?)]
  }

  /// Returns the fingerprint of each picture, by its entry, on `jobs` threads. A picture that
  /// cannot be decoded is left out, as is a picture for which the archive is too small to justify
  /// the memory.
  package func fingerprints(jobs: Int) throws(FormatError) -> [Int: PictureFingerprint] {
    let gate = MemoryGate()
    let results = parallelMap(try portions(), jobs: jobs) { portion in
      self.fingerprints(of: portion, gate)
    }
    var fingerprints: [Int: PictureFingerprint] = [:]
    for (entry, fingerprint) in results.joined() { fingerprints[entry] = fingerprint }
    return fingerprints
  }

  /// Returns the pixels of an entry, which may lie in an atlas; nil if they cannot be decoded.
  package func picture(of entry: Int) -> Bitmap? {
    guard let rendition = try? archive.rendition(inventory.entries[entry]) else { return nil }
    guard let link = try? rendition.link() else { return (try? pixels(of: entry)) ?? nil }
    guard let atlas = inventory.atlasesByKey[link.target] else { return nil }
    return ((try? pixels(of: atlas)) ?? nil)?.cut(link)
  }

  private func portions() throws(FormatError) -> [Portion] {
    let atlases = inventory.atlasesByKey
    var portions: [Portion] = []
    var portionOfAtlas: [Int: Int] = [:]
    for entry in inventory.entries.indices where !inventory.isAtlas[entry] {
      let layout = inventory.outlines[entry].layout
      guard layout == .internalLink else {
        if layout.isImage { portions.append(Portion(entries: [(entry, nil)])) }
        continue
      }
      guard let rendition = try? archive.rendition(inventory.entries[entry]),
        let link = try? rendition.link(), let atlas = atlases[link.target]
      else { continue }
      if let portion = portionOfAtlas[atlas] {
        portions[portion].entries.append((entry, link))
      } else {
        portionOfAtlas[atlas] = portions.count
        portions.append(Portion(atlas: atlas, entries: [(entry, link)]))
      }
    }
    return portions
  }

  private func fingerprints(
    of portion: Portion, _ gate: MemoryGate
  ) -> [(Int, PictureFingerprint)] {
    let decoded = portion.atlas ?? portion.entries[0].entry
    guard let rendition = try? archive.rendition(inventory.entries[decoded]) else { return [] }
    return gate.share(Bitmap.memory(of: rendition)) {
      guard let whole = (try? pixels(of: decoded)) ?? nil else { return [] }
      if portion.atlas == nil { return [(decoded, PictureFingerprint(whole))] }
      return portion.entries.compactMap { entry, link in
        link.flatMap { whole.cut($0) }.map { (entry, PictureFingerprint($0)) }
      }
    }
  }
}
