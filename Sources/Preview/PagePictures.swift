// The pictures of a page. Each payload is decoded or drawn once, on all cores, and becomes one file
// that browsers can show. Several variants may share a picture.

import ArchiveTools
import Bytes
import CarveRuntime
import Host
import Imaging
import Traits
import Vectors

/// A picture in the page.
struct PagePicture: Sendable, Hashable {
  var type = "png"
  var width: Int
  var height: Int
  /// Whether its colours may be outside sRGB.
  var isWide = false
  var bytes: [UInt8]
  /// A remark about parts of the file that the picture does not show.
  var remark: String?
  /// The picture before it was reduced; nil if it was not.
  var original: OriginalPicture?

  /// Returns whether both pictures show the same, also if they are reduced in the page.
  func showsSame(as other: PagePicture) -> Bool {
    bytes == other.bytes && original == other.original
  }

  func hash(into hasher: inout Hasher) {
    // The synthesised function passes the bytes one by one.
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    hasher.combine(original)
  }
}

/// The facts about a picture that is reduced in the page.
struct OriginalPicture: Sendable, Hashable {
  var size: PixelSize
  /// The digest of its pixels, for a page that compares archives: pictures that differ in few
  /// pixels can be equal once reduced.
  var pixels: Digest128?

  init(_ bitmap: Bitmap, isCompared: Bool) {
    size = PixelSize(width: bitmap.width, height: bitmap.height)
    guard isCompared else { return }
    var digest = BLAKE2b()
    digest.add(pixelsOf: bitmap)
    self.pixels = digest.digest()
  }
}

/// A picture to make.
enum PictureRequest: Hashable, Sendable {
  case pixels(Range<Int>, atlas: Range<Int>?)
  case drawing(Range<Int>, scale: Int)
  /// A file that browsers show without conversion.
  case file(Range<Int>, type: String)
  case glyph(name: ByteString, weight: SymbolWeight, size: SymbolSize, isDark: Bool)
  /// A layered icon in one look, by its number among the stacks of the archive.
  case icon(Int, hasGlass: Bool)
}

struct PagePictures: Sendable {
  private(set) var pictures: [PagePicture] = []
  /// The numbers in the page of the pictures.
  private var numbers: [Int] = []
  /// The pictures that the page contains because of this value.
  private(set) var stored: [PagePicture] = []
  private var indices: [PictureRequest: Result<Int, PictureFault>] = [:]

  /// Makes the pictures, in the order of the requests.
  init(
    _ requests: [PictureRequest], of catalog: Catalog, _ file: UnsafeRawBufferPointer,
    icons: LayeredIcons? = nil, _ options: PreviewOptions
  ) {
    let source = PictureSource(file)
    let maker = PictureMaker(
      source: source, catalog: catalog, longestSide: options.longestSide,
      isCompared: options.comparesArchives, icons: icons,
      allowance: PictureAllowance(fileSize: file.count))
    let made = parallelMap(PagePictures.jobs(requests), jobs: availableProcessors()) {
      maker.work($0)
    }
    var results: [PictureRequest: Result<PagePicture, PictureFault>] = [:]
    for (request, result) in made.joined() { results[request] = result }
    var known: [PagePicture: Int] = [:]
    for request in requests where indices[request] == nil {
      indices[request] = results[request]?.map { picture in
        if let index = known[picture] { return index }
        known[picture] = pictures.count
        pictures.append(picture)
        return pictures.count - 1
      }
    }
    numbers = Array(pictures.indices)
    stored = pictures
  }

  /// The number of a picture in the page.
  subscript(request: PictureRequest) -> Result<Int, PictureFault>? {
    indices[request]?.map { numbers[$0] }
  }

  /// Returns the picture; nil if it could not be made.
  func picture(_ request: PictureRequest) -> PagePicture? {
    guard case .success(let index)? = indices[request] else { return nil }
    return pictures[index]
  }

  /// Returns only the pictures of these requests, numbered so that they can follow those of a
  /// page. A picture that the page already has gets its number there.
  func selecting(_ requests: Set<PictureRequest>, after page: PagePictures) -> PagePictures {
    var selected = PagePictures()
    let known = Dictionary(
      zip(page.pictures, page.numbers), uniquingKeysWith: { first, _ in first })
    var newIndices: [Int: Int] = [:]
    let wanted = Set(requests.compactMap { try? indices[$0]?.get() })
    for (index, picture) in pictures.enumerated() where wanted.contains(index) {
      newIndices[index] = selected.pictures.count
      selected.pictures.append(picture)
      if let number = known[picture] {
        selected.numbers.append(number)
      } else {
        selected.numbers.append(page.pictures.count + selected.stored.count)
        selected.stored.append(picture)
      }
    }
    selected.indices = indices.filter { requests.contains($0.key) }.mapValues { result in
      result.map { newIndices[$0] ?? 0 }
    }
    return selected
  }

  private init() {}

  /// Divides the requests into jobs, each request once. The pictures of an atlas are one job, and
  /// so are the drawings of a vector.
  private static func jobs(_ requests: [PictureRequest]) -> [[PictureRequest]] {
    var jobs: [[PictureRequest]] = []
    var seen: Set<PictureRequest> = []
    // The jobs by a request that stands for all their requests.
    var indices: [PictureRequest: Int] = [:]
    for request in requests where seen.insert(request).inserted {
      let whole: PictureRequest
      switch request {
      case .pixels(_, let atlas?): whole = .pixels(atlas, atlas: atlas)
      case .drawing(let block, _): whole = .drawing(block, scale: 0)
      case .pixels(_, nil), .file, .glyph, .icon: whole = request
      }
      if let index = indices[whole] {
        jobs[index].append(request)
      } else {
        indices[whole] = jobs.count
        jobs.append([request])
      }
    }
    return jobs
  }
}

/// The reason why a picture could not be made, in words.
struct PictureFault: Error, Hashable, Sendable {
  var reason: String

  init(_ reason: String) { self.reason = reason }

  init(_ skipReason: SkipReason) { reason = skipReason.reason }
}

/// Makes pictures; all threads share one value.
struct PictureMaker: Sendable {
  let source: PictureSource
  let catalog: Catalog
  /// The longest side of a picture that is not reduced; nil if none is.
  let longestSide: Int?
  /// Whether the pictures are compared with those of another archive.
  var isCompared = false
  /// The layered icons of the archive; nil if none are drawn.
  var icons: LayeredIcons?
  var allowance = PictureAllowance(fileSize: 0)
  let gate = MemoryGate()

  typealias PictureResult = (PictureRequest, Result<PagePicture, PictureFault>)

  func work(_ job: [PictureRequest]) -> [PictureResult] {
    if case .drawing(let block, _) = job[0] { return drawings(job, of: block) }
    let memory = job.reduce(0) { max($0, self.memory($1)) }
    return gate.share(memory) { make(job) }
  }

  /// Draws a vector at every requested scale. It is read once.
  private func drawings(_ job: [PictureRequest], of block: Range<Int>) -> [PictureResult] {
    let vector: StoredVector
    do throws(SkipReason) {
      vector = try gate.share(16 * source.fileMemory(at: block)) { () throws(SkipReason) in
        try source.vector(at: block)
      }
    } catch {
      return job.map { ($0, .failure(PictureFault(error))) }
    }
    var rasterizer = Rasterizer()
    return job.compactMap { request in
      guard case .drawing(_, let scale) = request else { return nil }
      return gate.share(vector.memory(scale: scale)) {
        do throws(SkipReason) {
          var picture = page(try vector.bitmap(scale: scale, &rasterizer))
          picture.remark = vector.remark
          return (request, .success(picture))
        } catch {
          return (request, .failure(PictureFault(error)))
        }
      }
    }
  }

  /// Returns the bytes of memory that making a picture takes, computed from the headers. `drawings`
  /// knows that of a vector.
  private func memory(_ request: PictureRequest) -> Int {
    switch request {
    case .pixels(_, let atlas?): 2 * source.memory(at: atlas)
    case .pixels(let block, nil): source.memory(at: block)
    case .file(let block, _): source.fileMemory(at: block)
    case .glyph: PictureMaker.glyphMemory
    case .icon: PictureMaker.iconMemory
    case .drawing: 0
    }
  }

  private func make(_ job: [PictureRequest]) -> [PictureResult] {
    if case .pixels(_, let atlas?) = job[0] {
      let links = job.compactMap { request in
        if case .pixels(let block, _) = request { block } else { nil }
      }
      let pages = source.pictures(at: links, inAtlas: atlas, page)
      return zip(job, pages).map { ($0, $1.mapError { PictureFault($0) }) }
    }
    return job.map { request in
      (request, Result { () throws(PictureFault) in try picture(request) })
    }
  }

  /// Returns a picture as pixels; nil if it cannot be made. Of the files that are kept unchanged,
  /// JPEG files alone are decoded.
  func bitmap(_ request: PictureRequest) -> Bitmap? {
    switch request {
    case .pixels(let block, let atlas?):
      return try? source.pictures(at: [block], inAtlas: atlas) { $0 }.first?.get()
    case .pixels(let block, nil): return try? source.picture(at: block)
    case .drawing(let block, let scale):
      var rasterizer = Rasterizer()
      return try? source.vector(at: block).bitmap(scale: scale, &rasterizer)
    case .file(let block, let type): return type == "jpeg" ? try? source.jpeg(at: block) : nil
    case .glyph(let name, let weight, let size, let isDark):
      return try? glyph(name, SymbolStyle(Glyph(weight, size)), isDark: isDark)
    case .icon(let number, let hasGlass): return try? icon(number, hasGlass: hasGlass)
    }
  }

  private func picture(_ request: PictureRequest) throws(PictureFault) -> PagePicture {
    switch request {
    case .glyph(let name, let weight, let size, let isDark):
      return page(try glyph(name, SymbolStyle(Glyph(weight, size)), isDark: isDark))
    case .icon(let number, let hasGlass): return page(try icon(number, hasGlass: hasGlass))
    case .pixels, .drawing, .file: break
    }
    do throws(SkipReason) {
      return try stored(request)
    } catch {
      throw PictureFault(error)
    }
  }

  private func stored(_ request: PictureRequest) throws(SkipReason) -> PagePicture {
    switch request {
    case .file(let block, let type):
      return PagePicture(type: type, width: 0, height: 0, bytes: try source.file(at: block))
    case .pixels(let block, _): return page(try source.picture(at: block))
    case .drawing, .glyph, .icon: throw .unsupported("a drawing that is not stored")
    }
  }

  private func page(_ bitmap: Bitmap) -> PagePicture {
    let side = max(bitmap.width, bitmap.height)
    guard let limit = longestSide, side > limit else {
      return PagePicture(
        width: bitmap.width, height: bitmap.height, isWide: bitmap.layout == .rgbw,
        bytes: bitmap.pngFile(.small))
    }
    let small = bitmap.scaled(
      width: max(1, bitmap.width * limit / side), height: max(1, bitmap.height * limit / side))
    return PagePicture(
      width: small.width, height: small.height, isWide: small.layout == .rgbw,
      bytes: small.pngFile(.small), original: OriginalPicture(bitmap, isCompared: isCompared))
  }

  /// Draws a symbol at the size of its text, with two pixels for each point.
  private func glyph(
    _ name: ByteString, _ style: SymbolStyle, isDark: Bool
  ) throws(PictureFault) -> Bitmap {
    var environment = Environment()
    if isDark { environment.style = .dark }
    guard let symbol = catalog.view(for: environment).symbol(name.text, style) else {
      throw PictureFault("the symbol has no drawing")
    }
    do throws(CatalogError) {
      let page = try catalog.page(of: symbol, pointSize: PictureMaker.glyphPoints)
      let width = Int(min(1024, max(1, (page.width * 2).rounded(.up))))
      let height = Int(min(1024, max(1, (page.height * 2).rounded(.up))))
      let stride = BitmapLayout.bgra8.bytesPerRow(width: width)
      var pixels = [UInt8](repeating: 0, count: stride * height)
      let failure = pixels.withUnsafeMutableBytes { target -> CatalogError? in
        do throws(CatalogError) {
          try catalog.drawSymbol(
            symbol, as: .bgra8, width: width, height: height, into: target, rowStride: stride)
          return nil
        } catch {
          return error
        }
      }
      if let failure { throw failure }
      return Bitmap(
        width: width, height: height, layout: .bgra8, isOpaque: false, isGray: true, pixels: pixels)
    } catch {
      throw PictureFault("\(error)")
    }
  }

  /// Draws a layered icon.
  private func icon(_ number: Int, hasGlass: Bool) throws(PictureFault) -> Bitmap {
    var bitmap: Bitmap?
    if let icons, icons.stacks.indices.contains(number) {
      do throws(FormatError) {
        bitmap = try icons.bitmap(
          of: icons.stacks[number], side: PictureMaker.iconSide, hasGlass: hasGlass, allowance)
      } catch {
        throw PictureFault("\(error)")
      }
    }
    guard let bitmap else { throw PictureFault("the icon cannot be drawn") }
    return bitmap
  }

  /// The side of the pictures of layered icons.
  private static let iconSide = 256

  /// The memory in bytes of a picture of a layered icon: its planes, and usual pictures of layers.
  private static let iconMemory = iconSide * iconSide * 512 + 1024 * 1024 * 16

  /// The memory in bytes of a drawing of a symbol, of at most 1,024 pixels in each direction.
  private static let glyphMemory = 1024 * 1024 * 16

  /// The point size of the text for which symbols are drawn.
  private static let glyphPoints = 28.0
}
