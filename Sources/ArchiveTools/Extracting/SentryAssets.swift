// Describes an archive as the upload tool of the crash reporter Sentry does (the reader of asset
// catalogues in getsentry/sentry-cli): a row for each rendition, and a picture for each row.
//
// Rows have the fields, the order and the omissions of that reader. It asks Apple's CoreUI for the
// values, so four things differ: `imageId` follows from the path and the key, and is not random;
// `size` is the size of the stored block; a picture is always a PNG file, except for stored JPEG
// and HEIF files; and Carve draws vectors.

import Archive
import Bytes
import Documents
import Host
import Imaging
import Vectors

/// The rows about an archive.
package struct ParsedAssets: Sendable {
  package var rows: JSONOutput
  /// The renditions whose picture cannot be made.
  package var skipped: [SkippedRendition]
}

/// Describes an archive on `jobs` threads, which call `body` with each picture at the same time.
/// `path` is the path of the archive in its app; two archives with one content then have other ids.
package func parsedAssets<Failure: Error>(
  _ file: UnsafeRawBufferPointer, at path: ByteString, jobs: Int,
  _ body: @escaping @Sendable (ExtractedFile) throws(Failure) -> Void
) throws(ExtractError<Failure>) -> ParsedAssets {
  let parsing: AssetParsing
  do throws(FormatError) { parsing = try AssetParsing(Archive(file), path: path) } catch {
    throw .format(error)
  }
  let outcomes = parallelMap(parsing.parts, jobs: jobs) { part -> Result<SkipReason?, Failure> in
    let picture: ExtractedFile?
    do throws(SkipReason) { picture = try parsing.picture(of: part) } catch {
      return .success(error)
    }
    do throws(Failure) {
      if let picture { try body(picture) }
      return .success(nil)
    } catch {
      return .failure(error)
    }
  }
  var skipped = parsing.skipped
  for (part, outcome) in zip(parsing.parts, outcomes) {
    switch outcome {
    case .success(let reason):
      if let reason { skipped.append(reason.skipped(part.rendition.header.name, "")) }
    case .failure(let error): throw .body(error)
    }
  }
  return ParsedAssets(rows: parsing.rows, skipped: skipped)
}

/// The renditions that have a row, in the order of the archive.
private struct AssetParsing: Sendable {
  struct Row: Sendable {
    var key: RenditionKey
    var rendition: Rendition
    /// The name in the row.
    var name: ByteString
    var identifier: String
  }

  /// The attributes of a table of icon sizes by which its icons are found.
  private struct SizedIcon: Hashable {
    var element: UInt16
    var identifier: UInt16
    var idiom: UInt16
    var subtype: UInt16

    init(_ key: RenditionKey) {
      (element, identifier) = (key.element, key.identifier)
      (idiom, subtype) = (key[.idiom], key[.subtype])
    }
  }

  private(set) var parts: [Row] = []
  private(set) var skipped: [SkippedRendition] = []
  private let gate = MemoryGate()
  private let allowance: PictureAllowance
  private var colorCount = 0
  private var colorBytes = 0

  init(_ archive: Archive, path: ByteString) throws(FormatError) {
    allowance = PictureAllowance(fileSize: archive.bytes.count)
    let (readable, damaged) = try archive.readableRenditions()
    let (names, words) = (try FacetNames(of: archive), try KeyWords(of: archive))
    skipped = damaged.map { key, error in
      let rendition = DamagedRendition(key, error, names: names, words: words)
      return SkippedRendition(
        name: rendition.name, variant: rendition.variant, reason: "\(error)", isDamage: true)
    }
    var sets: [SizedIcon: ByteString] = [:]
    for (entry, rendition) in readable where rendition.header.layout == .multisize {
      sets[SizedIcon(entry.key)] = rendition.header.name
    }
    for (entry, rendition) in readable {
      switch rendition.header.layout {
      case .atlas, .multisize, .internalLink: continue
      case .color:
        colorCount += 1
        colorBytes += entry.range.count
        continue
      default: break
      }
      var name = rendition.header.name
      if name.hasPrefix("ZZZZPacked") { continue }
      if name == "CoreStructuredImage" { name = names[entry.key] ?? name }
      if let set = sets[SizedIcon(entry.key)] { name = "\(set)/\(name)" }
      parts.append(
        Row(
          key: entry.key, rendition: rendition, name: name,
          identifier: AssetParsing.identifier(of: entry.key, at: path)))
    }
  }

  /// Returns a UUID that depends on the archive's path and the key alone.
  private static func identifier(of key: RenditionKey, at path: ByteString) -> String {
    var digest = BLAKE2b()
    digest.add(UInt64(path.count))
    path.bytes.withUnsafeBytes { digest.add($0) }
    for number in 0..<UInt8(RenditionAttribute.limit) {
      digest.add(UInt64(RenditionAttribute(rawValue: number).map { key[$0] } ?? 0))
    }
    let digits = Array(digest.digest().hexadecimal.uppercased())
    return [digits[..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20...]]
      .map { String($0) }.joined(separator: "-")
  }

  // MARK: Rows

  var rows: JSONOutput {
    let colors: JSONOutput = [
      "imageId": "", "size": .integer(colorBytes),
      "name": .string("\(colorCount) Color\(colorCount > 1 ? "s" : "")"), "vector": false,
    ]
    return .array(parts.map(row) + [colors])
  }

  private func row(_ part: Row) -> JSONOutput {
    let header = part.rendition.header
    let isVector = header.layout == .vector
    var members: [JSONOutput.Member] = [
      .init("imageId", .string(part.identifier)),
      .init("size", .integer(part.rendition.bytes.count)),
      .init("name", .name(part.name)), .init("vector", .bool(isVector)),
    ]
    if !isVector, let size = pixelSize(of: part.rendition) {
      members.append(.init("width", .integer(size.width)))
      members.append(.init("height", .integer(size.height)))
    }
    members.append(.init("filename", .name(header.name)))
    let isIcon = part.key.element == Element.universal && part.key.part == Part.icon
    members.append(.init("type", .integer(isIcon ? 1 : part.key.element == Element.atlas ? 2 : 0)))
    let idioms = [1: "phone", 2: "pad", 3: "tv", 4: "carplay", 5: "watch", 6: "marketing"]
    if let idiom = idioms[Int(part.key[.idiom])] { members.append(.init("idiom", .string(idiom))) }
    let spaces: [ColorSpaceID: String] = [
      .sRGB: "srgb", .grayGamma22: "gray gamma 22", .displayP3: "displayP3",
      .extendedSRGB: "extended srgb",
    ]
    if let space = spaces[header.colorSpace] {
      members.append(.init("colorspace", .string(space)))
    }
    return .object(members)
  }

  private func pixelSize(of rendition: Rendition) -> (width: Int, height: Int)? {
    let header = rendition.header
    guard header.layout.isImage else { return nil }
    if header.width > 0, header.height > 0 { return (Int(header.width), Int(header.height)) }
    guard let metrics = (try? rendition.metrics())?.first else { return nil }
    let width = metrics.width &+ UInt32(bitPattern: metrics.left &+ metrics.right)
    let height = metrics.height &+ UInt32(bitPattern: metrics.top &+ metrics.bottom)
    return (Int(width), Int(height))
  }

  // MARK: Pictures

  /// Returns the picture of a row; nil if the reader of sentry-cli writes none.
  func picture(of part: Row) throws(SkipReason) -> ExtractedFile? {
    let rendition = part.rendition
    let isPDF = rendition.header.layout == .vector && rendition.header.pixelFormat == .pdf
    guard rendition.header.layout.isImage || isPDF else { return nil }
    if pathExtension(rendition.header.name).lowercased() == "svg" { return nil }
    func file(_ ending: ByteString, _ bytes: [UInt8]) -> ExtractedFile {
      ExtractedFile(path: "\(part.identifier).\(ending)", bytes: bytes)
    }
    let stored: [StoredFormat: ByteString] = [.jpeg: "jpg", .heif: "heic"]
    if let ending = stored[rendition.header.pixelFormat] {
      try allowance.payOrSkip(rendition.fileMemory)
      return file(ending, try rendition.fileContents())
    }
    if isPDF {
      var rasterizer = Rasterizer()
      return file("png", try rendition.drawnFile(1, &rasterizer, gate, allowance))
    }
    guard rendition.payload.hasPrefix("MLEC") else { return nil }
    try allowance.payOrSkip(for: rendition)
    return try gate.share(Bitmap.memory(of: rendition)) { () throws(SkipReason) in
      file("png", try rendition.picture().pngFile(.fast))
    }
  }
}
