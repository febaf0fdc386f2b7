// `pairs --suites FOLDER`: draws the vectors of public test suites and compares each with a
// reference picture, which is beside it or in the folder of references. There are five results:
//
//   close     the drawing is close to the reference
//   warned    the drawing differs, and a finding names a feature that is not drawn
//   refused   the file gives an error
//   accepted  the drawing differs, and the list of accepted names has the file
//   silent    the drawing differs without a finding

import ArchiveTools
import Bytes
import CatalogCompiler
import Glibc
import Imaging
import Vectors
@testable import Host

/// The result of one file of a suite.
struct SuiteResult {
  enum Outcome: Int, CaseIterable {
    case close, warned, refused, accepted, silent
  }

  var path: String
  var outcome: Outcome
  /// The findings, the error, or the reason why the difference is accepted.
  var words = ""
  var comparison: Comparison?
  var distance = 0.0

  var folder: String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }
}

/// The difference between two pictures. Differences that result only from another way to draw edges
/// do not count.
struct Closeness {
  /// The largest difference of channels that does not count.
  static let tolerance = 24
  /// The largest shares of different pixels: of all pixels, and of those that are not background.
  static let (ofAll, ofInk) = (0.001, 0.05)

  var different = 0
  var ink = 0
  let all: Int

  /// Creates the comparison. A pixel differs if one of its channels is outside of the range that
  /// the other picture has within `reach` pixels, in either direction.
  init(_ comparison: Comparison, reach: Int) {
    all = comparison.ours.count
    let (width, height) = (comparison.width, comparison.height)
    let (a, b) = (comparison.ours, comparison.apples)
    let blank = b.isEmpty ? 0 : Closeness.background(b)
    for y in 0..<height {
      for x in 0..<width {
        let place = y * width + x
        if a[place] != blank || b[place] != blank { ink += 1 }
        guard Comparison.difference(a[place], b[place]) > Closeness.tolerance else { continue }
        let isNear =
          Closeness.isNear(a[place], b, x, y, width, height, reach)
          && Closeness.isNear(b[place], a, x, y, width, height, reach)
        if !isNear { different += 1 }
      }
    }
  }

  var isClose: Bool {
    let most = min(Double(all) * Closeness.ofAll, Double(ink) * Closeness.ofInk)
    return Double(different) <= max(16, most)
  }

  /// Returns the most frequent pixel of the picture.
  private static func background(_ pixels: [UInt32]) -> UInt32 {
    var counts: [UInt32: Int] = [:]
    for pixel in pixels { counts[pixel, default: 0] += 1 }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
  }

  private static func isNear(
    _ pixel: UInt32, _ others: [UInt32], _ x: Int, _ y: Int, _ width: Int, _ height: Int,
    _ reach: Int
  ) -> Bool {
    for shift in [UInt32(0), 8, 16, 24] {
      let value = Int(pixel >> shift & 255)
      var (low, high) = (255, 0)
      for row in max(0, y - reach)...min(height - 1, y + reach) {
        for column in max(0, x - reach)...min(width - 1, x + reach) {
          let other = Int(others[row * width + column] >> shift & 255)
          (low, high) = (min(low, other), max(high, other))
        }
      }
      if value < low - tolerance || value > high + tolerance { return false }
    }
    return true
  }
}

/// A suite on disk, with the names of files whose difference is explained.
struct Suite {
  var folder: String
  /// The folder in which `.ci/vector-references` stores the reference pictures of PDF files.
  var references: String?
  var accepted: [String: String]

  /// Reads a list of accepted names. A line has a name, blanks and the reason; `#` begins a remark.
  static func acceptedNames(_ path: String?) -> [String: String] {
    guard let path, let bytes = try? FileTree.disk.read(ByteString(path), 1 << 20) else {
      return [:]
    }
    var names: [String: String] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    where !line.hasPrefix("#") {
      let parts = line.split(separator: " ", maxSplits: 1)
      if parts.count == 2 { names[String(parts[0])] = String(parts[1].drop { $0 == " " }) }
    }
    return names
  }

  /// Calls `visit` for each file with a reference, and returns the names of the files without one.
  func compareAll(only: String?, _ visit: (SuiteResult) -> Void) -> [String] {
    var missing: [String] = []
    for path in files(below: "").sorted() where only.map({ path.contains($0) }) ?? true {
      guard let reference = reference(of: path) else {
        missing.append(path)
        continue
      }
      visit(result(of: path, reference))
    }
    return missing
  }

  private func files(below part: String) -> [String] {
    guard let entries = try? FileTree.disk.list(ByteString(folder + "/" + part)) else { return [] }
    return entries.flatMap { entry -> [String] in
      let path = part.isEmpty ? entry.name.text : part + "/" + entry.name.text
      if entry.kind == .folder { return files(below: path) }
      let isVector = [".svg", ".svgz", ".pdf"].contains { path.hasSuffix($0) }
      return isVector ? [path] : []
    }
  }

  private func reference(of path: String) -> Bitmap? {
    let stem = path.split(separator: ".", omittingEmptySubsequences: false).dropLast()
      .joined(separator: ".")
    for place in [folder + "/" + stem, (references ?? folder) + "/" + path] {
      guard let bytes = try? FileTree.disk.read(ByteString(place + ".png"), 1 << 28) else {
        continue
      }
      var decoder = PictureDecoder()
      let options = PictureOptions(allowsGray: false)
      if let bitmap = try? bytes.withUnsafeBytes({ try decoder.decode($0, options: options) }) {
        return bitmap
      }
    }
    return nil
  }

  private func result(of path: String, _ reference: Bitmap) -> SuiteResult {
    var result = SuiteResult(path: path, outcome: .close)
    do {
      let file = try FileTree.disk.read(ByteString(folder + "/" + path), 1 << 28)
      let (drawing, source) = try VectorFile.read(file)
      let comparison = try compare(path, drawing, source, reference)
      // Poppler moves letters to whole pixels.
      let closeness = Closeness(comparison, reach: source == .pdf ? 2 : 1)
      result.comparison = comparison
      result.distance = Double(closeness.different) / Double(max(1, closeness.all))
      result.words = drawing.unsupported.map { "\($0.name)" }.joined(separator: ", ")
      if closeness.isClose { return result }
      result.outcome = result.words.isEmpty ? .silent : .warned
    } catch {
      result.outcome = .refused
      result.words = (error as? VectorError)?.words ?? "\(error)"
    }
    if result.outcome == .silent,
      let reason = accepted.first(where: { path == $0.key || path.hasSuffix("/\($0.key)") })?.value
    {
      result.outcome = .accepted
      result.words = reason
    }
    return result
  }

  /// Draws in the size of the reference. If the size has a fraction, the page is at the lower left
  /// corner in Carve's drawing, and at the upper left corner in the reference.
  private func compare(
    _ path: String, _ drawing: Drawing, _ source: PagePlacement.Source, _ reference: Bitmap
  ) throws -> Comparison {
    let scale = max(
      Double(reference.width) / drawing.width, Double(reference.height) / drawing.height)
    let isWide = drawing.width >= drawing.height
    let exact =
      isWide
      ? Double(reference.width) / drawing.width : Double(reference.height) / drawing.height
    var placement = try PagePlacement(
      source, width: drawing.width, height: drawing.height,
      scale: abs(exact - scale) < scale / 50 ? exact : scale)
    let bottom = Double(placement.height) - drawing.height * placement.transform.a
    placement.transform.ty -= bottom
    var ours = [UInt32](repeating: 0, count: placement.width * placement.height)
    var rasterizer = Rasterizer()
    try ours.withUnsafeMutableBytes {
      try rasterizer.draw(drawing, placement, into: $0, bytesPerRow: placement.width * 4)
    }
    var fitted = [UInt32](repeating: 0, count: reference.width * reference.height)
    var theirs = fitted
    for y in 0..<reference.height {
      for x in 0..<reference.width {
        let place = y * reference.width + x
        let at = y * reference.bytesPerRow + x * 4
        for channel in 0..<4 {
          theirs[place] |= UInt32(reference.pixels[at + channel]) << UInt32(8 * channel)
        }
        if x < placement.width, y < placement.height {
          fitted[place] = ours[y * placement.width + x]
        }
      }
    }
    return Comparison(
      name: path, kind: kind(of: drawing, source, scale), scale: 1, width: reference.width,
      height: reference.height, ours: fitted, apples: theirs)
  }
}

/// Prints the table of a suite and the silent files, and writes pictures of the worst of them.
func compareSuite(_ suite: Suite, _ options: SuiteOptions) {
  var rows: [String: [Int]] = [:]
  var shown: [SuiteResult] = []
  let outcomes = SuiteResult.Outcome.allCases
  let missing = suite.compareAll(only: options.only) { result in
    rows[result.folder, default: [Int](repeating: 0, count: outcomes.count)][
      result.outcome.rawValue] += 1
    if options.isVerbose, result.outcome != .silent {
      print("\(result.outcome) \(result.path): \(result.words)")
    }
    if result.outcome == .silent || options.isVerbose && result.outcome == .warned {
      shown.append(result)
    }
  }
  var sum = [Int](repeating: 0, count: outcomes.count)
  print(suiteRow("folder", outcomes.map { "\($0)" }))
  for (folder, counts) in rows.sorted(by: { $0.key < $1.key }) {
    print(suiteRow(folder, counts.map { "\($0)" }))
    for place in counts.indices { sum[place] += counts[place] }
  }
  print(suiteRow("all", sum.map { "\($0)" }))
  if !missing.isEmpty {
    print("\(missing.count) without a reference:", missing.joined(separator: " "))
  }
  shown.sort { $0.distance > $1.distance }
  if options.worst > 0 { mkdir(options.worstFolder, 0o777) }
  for (number, result) in shown.enumerated() {
    let share = Int(result.distance * 10_000)
    print(
      "\(number): \(result.outcome) \(result.path): \(share / 100).\(share % 100 / 10)\(share % 10) %",
      result.words)
    if number < options.worst, let comparison = result.comparison {
      write(comparison, to: "\(options.worstFolder)/\(number).png")
    }
  }
}

struct SuiteOptions {
  var worst: Int
  var worstFolder: String
  var only: String?
  var isVerbose: Bool
}

private func suiteRow(_ title: String, _ cells: [String]) -> String {
  cells.reduce(title + String(repeating: " ", count: max(1, 42 - title.count))) { row, cell in
    row + String(repeating: " ", count: max(1, 10 - cell.count)) + cell
  }
}
