// Finds pictures that an app holds several times: with equal pixels, or so similar that one is a
// copy of the other.

import ArchiveTools
import Bytes
import Imaging

/// The place of a picture in an app.
package enum PicturePlace: Sendable, Hashable {
  /// An entry of an archive, which is the archive's number in the report.
  case archive(Int, entry: Int)
  /// A loose file, by its index.
  case file(Int)
}

/// A picture of an app.
package struct FoundPicture: Sendable, Hashable {
  package var place: PicturePlace
  /// The path of the archive or of the loose file.
  package var path: ByteString
  /// The name of the asset; empty for a loose file.
  package var asset: ByteString
  package var bytes: Int
  package var fingerprint: PictureFingerprint
}

/// Pictures of which one would be enough.
package struct DuplicateGroup: Sendable, Hashable {
  /// The pictures, the largest first.
  package var pictures: [FoundPicture]
  /// The bytes that one copy would save in the whole app.
  package var saved: Int
  /// The bytes that one copy would save on each device that keeps several, by device.
  package var savedOnDevices: [ByteString: Int] = [:]

  init(_ pictures: [FoundPicture]) {
    self.pictures = pictures.sorted { a, b in
      a.bytes == b.bytes ? (a.path, a.asset) < (b.path, b.asset) : a.bytes > b.bytes
    }
    saved = DuplicateGroup.saved(pictures.map(\.bytes))
  }

  /// Returns the bytes of all copies except the largest.
  static func saved(_ bytes: [Int]) -> Int { bytes.reduce(0, +) - (bytes.max() ?? 0) }
}

/// Returns the groups of pictures with equal pixels, those that cost most first. The variants of
/// one asset in one archive are no duplicates: they are there on purpose.
func equalPictures(_ pictures: [FoundPicture]) -> [DuplicateGroup] {
  var groups: [PictureFingerprint: [FoundPicture]] = [:]
  for picture in pictures { groups[picture.fingerprint, default: []].append(picture) }
  return ordered(groups.values.filter(\.isRepeated).map(DuplicateGroup.init))
}

/// Returns the groups of similar pictures with other names: the same picture in another size, or
/// in the same size with small differences. `pixels` returns the pixels of a picture, to check two
/// of equal size: they are similar if no byte differs by more than 2.
func similarPictures(
  _ pictures: [FoundPicture], pixels: (PicturePlace) -> Bitmap?
) -> [DuplicateGroup] {
  // One picture of each fingerprint is enough, and flat ones are similar to many others.
  var seen: Set<PictureFingerprint> = []
  let distinct = pictures.filter { !$0.fingerprint.isFlat && seen.insert($0.fingerprint).inserted }
    .sorted { a, b in
      a.bytes == b.bytes ? (a.path, a.asset) < (b.path, b.asset) : a.bytes > b.bytes
    }
  // Each group is found by its first picture, in buckets of pictures of about the same mean.
  var groups: [[FoundPicture]] = []
  var buckets: [Int: [Int]] = [:]
  for found in distinct {
    let (own, neighbors) = found.fingerprint.buckets
    let match = neighbors.flatMap { buckets[$0] ?? [] }.sorted().first { group in
      groups[group][0].isSimilar(to: found, pixels)
    }
    if let match {
      groups[match].append(found)
    } else if buckets[own, default: []].count < mostGroupsInBucket {
      buckets[own, default: []].append(groups.count)
      groups.append([found])
    }
  }
  return ordered(groups.filter(\.isRepeated).map { DuplicateGroup($0.withoutVariants) })
}

/// The greatest number of groups of one bucket with which a picture is compared. It bounds the work
/// for an app of many pictures with one mean.
private let mostGroupsInBucket = 256

private func ordered(_ groups: [DuplicateGroup]) -> [DuplicateGroup] {
  groups.sorted { a, b in
    if a.saved != b.saved { return a.saved > b.saved }
    let (one, other) = (a.pictures[0], b.pictures[0])
    return (one.path, one.asset) < (other.path, other.asset)
  }
}

extension [FoundPicture] {
  /// Whether there are pictures of several assets or files. The variants of one asset in one
  /// archive may be equal on purpose, and share their bytes.
  fileprivate var isRepeated: Bool {
    guard let first else { return false }
    return contains { $0.path != first.path || $0.asset != first.asset }
  }

  /// The pictures with the first variant of each asset alone: its other variants are similar on
  /// purpose.
  fileprivate var withoutVariants: [FoundPicture] {
    var seen: Set<[ByteString]> = []
    return filter { seen.insert([$0.path, $0.asset]).inserted }
  }
}

extension FoundPicture {
  /// The largest difference of a byte of two thumbnails of one picture in two sizes.
  private static let thumbnailTolerance = 8

  fileprivate func isSimilar(
    to other: FoundPicture, _ pixels: (PicturePlace) -> Bitmap?
  ) -> Bool {
    let (mine, theirs) = (fingerprint, other.fingerprint)
    guard mine.hasShape(of: theirs),
      zip(mine.thumbnail, theirs.thumbnail).allSatisfy({
        abs(Int($0) - Int($1)) <= FoundPicture.thumbnailTolerance
      })
    else { return false }
    guard mine.width == theirs.width, mine.height == theirs.height else { return true }
    guard let one = pixels(place), let two = pixels(other.place) else { return false }
    return one.greatestDifference(from: two).map { $0 <= Bitmap.greatestRounding } ?? false
  }
}

extension PictureFingerprint {
  /// Returns whether one size is the other one scaled, within a pixel and a part in 64.
  fileprivate func hasShape(of other: PictureFingerprint) -> Bool {
    let scaled = Double(other.width) * Double(height) / Double(max(1, width))
    return abs(scaled - Double(other.height)) <= 1 + Double(other.height) / 64
  }

  /// The bucket of the picture, by its mean opacity and lightness, and the buckets around it.
  fileprivate var buckets: (own: Int, neighbors: [Int]) {
    var (color, alpha) = (0, 0)
    for offset in stride(from: 0, to: thumbnail.count - 3, by: 4) {
      color += Int(thumbnail[offset]) + Int(thumbnail[offset + 1]) + Int(thumbnail[offset + 2])
      alpha += Int(thumbnail[offset + 3])
    }
    let count = max(1, thumbnail.count / 4)
    let (x, y) = (color / (3 * count) / 8, alpha / count / 8)
    let around = (-1...1).flatMap { dx in (-1...1).map { dy in (x + dx) * 64 + y + dy } }
    return (x * 64 + y, around)
  }
}
