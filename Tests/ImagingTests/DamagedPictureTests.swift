// Truncated, changed and wrong files give a typed error with the place, or a picture, but never a
// crash. Memory is not allocated for pixels that the file cannot contain.

import Support
import Testing

@testable import Imaging

private let start: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

private func header(
  _ width: UInt32, _ height: UInt32, _ tail: [UInt8] = [8, 6, 0, 0, 0]
) -> [UInt8] {
  pngChunk("IHDR", bigEndian(width) + bigEndian(height) + tail)
}

private func failure(_ file: [UInt8], _ options: PictureOptions = PictureOptions()) -> PictureError?
{
  var decoder = PictureDecoder()
  if case .failure(let error) = decoded(file, &decoder, options: options) { return error }
  return nil
}

@Suite struct DamagedPictureTests {
  @Test(arguments: PNGKind.all)
  func `a file that is cut anywhere is refused`(kind: PNGKind) {
    var random = SeededGenerator(seed: 5)
    let sample = PNGSample(kind, width: 5, height: 4, random: &random, pieces: 2)
    for count in 0..<sample.file.count {
      #expect(failure(Array(sample.file[..<count])) != nil, "cut at \(count)")
    }
  }

  @Test(arguments: PNGKind.all)
  func `changed bytes are refused or decoded alike by both paths`(kind: PNGKind) {
    var random = SeededGenerator(seed: 6)
    var fast = PictureDecoder()
    var slow = PictureDecoder()
    slow.usesFastPath = false
    for _ in 0..<40 {
      var file = PNGSample(kind, width: 6, height: 5, random: &random).file
      for _ in 0..<random.pick(1...3) {
        file[random.pick(0...file.count - 1)] = UInt8(random.pick(0...255))
      }
      // Right checksums let the changes reach the decoders.
      file = withChecksums(file)
      let options = PictureOptions(maximumPixels: 1 << 20)
      switch (decoded(file, &fast, options: options), decoded(file, &slow, options: options)) {
      case (.success(let quick), .success(let thorough)): #expect(quick == thorough)
      case (.failure, .failure): break
      case (let quick, let thorough): Issue.record("\(quick) \(thorough)")
      }
    }
  }

  @Test(arguments: ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"])
  func `a wrong checksum is named with its chunk`(name: String) throws {
    var random = SeededGenerator(seed: 7)
    let kind = PNGKind(color: .palette, depth: 8, hasTransparency: true)
    var file = PNGSample(kind, width: 5, height: 4, random: &random).file
    let place = try #require(offset(of: name, in: file))
    let length = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    file[place + 8 + length] ^= 1
    #expect(
      failure(file) == PictureError(chunk: name, offset: place, reason: .wrongChecksum))
  }

  @Test func `chunks that are not read may have wrong checksums`() {
    var text = pngChunk("tEXt", [1, 2, 3])
    text[text.count - 1] ^= 1
    #expect(failure(png(width: 1, height: 1, color: .gray, samples: [1], extra: [text])) == nil)
  }

  @Test func `absurd sizes are refused before anything is allocated`() {
    for size in [0, 1 << 31, .max] as [UInt32] {
      let file = start + header(size, 1) + pngChunk("IDAT", [0]) + pngChunk("IEND", [])
      #expect(failure(file)?.reason == .invalid("size"))
    }
    let most = UInt32(1 << 31 - 1)
    let file = start + header(most, most) + pngChunk("IDAT", [0]) + pngChunk("IEND", [])
    let reason = PictureError.Reason.tooLarge(
      width: Int(most), height: Int(most), maximumPixels: 1 << 32)
    #expect(failure(file, PictureOptions(maximumPixels: .max))?.reason == reason)
    #expect(failure(png(width: 3, height: 3), PictureOptions(maximumPixels: 8))?.chunk == "IHDR")
    #expect(failure(png(width: 3, height: 3), PictureOptions(maximumPixels: 9)) == nil)
  }

  @Test(arguments: [[8, 6, 0, 0, 0], [8, 6, 0, 0, 1], [16, 6, 0, 0, 0]] as [[UInt8]])
  func `a few bytes of pixels justify no large picture`(tail: [UInt8]) {
    // 4,096 × 4,096 pixels, as many as any file may have, would take 67 megabytes.
    let file =
      start + header(4_096, 4_096, tail) + pngChunk("IDAT", storedZlib([0]))
      + pngChunk("IEND", [])
    for gamut in [PictureOptions.DecodedGamut.sRGB, .displayP3] {
      let options = PictureOptions(maximumPixels: 1 << 32, gamut: gamut)
      #expect(failure(file, options)?.reason == .corruptPixels)
    }
  }

  @Test func `a palette of 100,000 entries is refused`() {
    let file =
      start + header(1, 1, [8, 3, 0, 0, 0])
      + pngChunk("PLTE", [UInt8](repeating: 9, count: 300_000))
      + pngChunk("IDAT", storedZlib([0, 0])) + pngChunk("IEND", [])
    #expect(failure(file)?.chunk == "PLTE")
    #expect(failure(file)?.reason == .invalid("number of entries"))
  }

  @Test func `a transparency chunk longer than the palette is passed over`() throws {
    let palette = pngChunk("PLTE", [1, 2, 3])
    let alphas = pngChunk("tRNS", [UInt8](repeating: 0, count: 100_000))
    let file = png(
      width: 1, height: 1, color: .palette, samples: [0], extra: [palette, alphas])
    var decoder = PictureDecoder()
    #expect(try bgraPixels(decoded(file, &decoder).get()) == [[3, 2, 1, 255]])
  }

  @Test(arguments: [1, 2, 4]) func `colours beyond the indices have no transparency`(
    depth: Int
  ) throws {
    let palette = pngChunk("PLTE", (0..<60).map { UInt8($0 * 4) })
    let alphas = pngChunk("tRNS", [UInt8](repeating: 7, count: 20))
    let file = png(
      width: 1, height: 1, color: .palette, depth: depth, samples: [0x40], extra: [palette, alphas])
    var fast = PictureDecoder()
    var slow = PictureDecoder()
    slow.usesFastPath = false
    let pixels = try bgraPixels(decoded(file, &fast).get())
    #expect(try pixels == bgraPixels(decoded(file, &slow).get()))
    #expect(pixels.first?.last == 255)
  }

  @Test func `a picture a pixel wide is as large as its rows`() {
    let file =
      start + header(1, 1 << 26, [1, 0, 0, 0, 0])
      + pngChunk("IDAT", [UInt8](repeating: 0, count: 1 << 17)) + pngChunk("IEND", [])
    let reason = PictureError.Reason.unjustified(
      width: 1, height: 1 << 26, most: 1 << 24 + 258 * file.count)
    #expect(failure(file)?.reason == reason)
    #expect(!Bitmap.isJustified(width: 1, height: 1 << 27, bytesPerPixel: 4, payload: 1 << 12))
    #expect(Bitmap.isJustified(width: 1, height: 1 << 16, bytesPerPixel: 4, payload: 32))
  }

  @Test func `a small file has no more pixels than its length justifies`() {
    func picture(_ bytes: Int) -> [UInt8] {
      start + header(16_000, 16_000, [1, 0, 0, 0, 0])
        + pngChunk("IDAT", [UInt8](repeating: 0, count: bytes)) + pngChunk("IEND", [])
    }
    let small = picture(30_000)
    let reason = PictureError.Reason.unjustified(
      width: 16_000, height: 16_000, most: 1 << 24 + 258 * small.count)
    #expect(failure(small)?.reason == reason)
    // A longer file is read, and its pixels are found to be damaged.
    #expect(failure(picture(950_000))?.reason == .refused("IDAT: unknown compression method"))
  }

  @Test func `chunks that must be there are named`() {
    #expect(failure([1, 2, 3])?.reason == .unknownKind)
    #expect(failure(start + pngChunk("IEND", []))?.chunk == "IHDR")
    #expect(failure(start + header(1, 1) + pngChunk("IEND", []))?.chunk == "IDAT")
    let noPalette =
      start + header(1, 1, [8, 3, 0, 0, 0]) + pngChunk("IDAT", storedZlib([0, 0]))
      + pngChunk("IEND", [])
    #expect(failure(noPalette)?.chunk == "PLTE")
    #expect(failure(noPalette).map { "\($0)" }?.contains("PLTE") == true)
  }
}

/// Returns the offset of the first chunk with this name.
private func offset(of name: String, in file: [UInt8]) -> Int? {
  file.indices.dropFirst(4).first { file[$0...].starts(with: name.utf8) }.map { $0 - 4 }
}

/// Returns the file with the right checksum in each chunk, up to the first chunk that does not fit.
func withChecksums(_ file: [UInt8]) -> [UInt8] {
  var file = file
  var place = 8
  while place + 12 <= file.count {
    let length = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    guard length <= file.count - place - 12 else { break }
    let end = place + 8 + length
    file.replaceSubrange(end..<end + 4, with: bigEndian(crc32(Array(file[place + 4..<end]))))
    place = end + 4
  }
  return file
}
