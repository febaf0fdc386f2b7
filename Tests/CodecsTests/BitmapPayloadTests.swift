// Bitmap payloads: the choice of codec and chunks, round trips, and the payloads that are refused.

import Support
import Testing

@testable import Codecs

/// The rows of a synthetic picture, as payloads store them.
private struct Picture {
  let format: PixelFormat
  let width: Int
  let height: Int
  let bytesPerRow: Int
  var bytes: [UInt8]

  init(_ format: PixelFormat, _ width: Int, _ height: Int, colors: Int, seed: UInt64 = 1) {
    self.format = format
    self.width = width
    self.height = height
    let size = format.bytesPerPixel
    bytesPerRow = (width * size + 31) & ~31
    var generator = SeededGenerator(seed: seed)
    let pixels = (0..<colors).map { _ in generator.bytes(size / 2) + generator.bytes(size / 2) }
    bytes = []
    for _ in 0..<height {
      var row: [UInt8] = []
      var pixel = pixels[0]
      for _ in 0..<width {
        if generator.next() & 3 == 0 { pixel = pixels[generator.pick(0...colors - 1)] }
        row += pixel
      }
      bytes += row + [UInt8](repeating: 0, count: bytesPerRow - row.count)
    }
  }

  func encode(
    _ encoder: inout BitmapEncoder, _ demands: BitmapDemands = BitmapDemands()
  ) -> (payload: [UInt8], kind: Compression) {
    var payload: [UInt8] = []
    let kind = bytes.withUnsafeBytes { pixels in
      encoder.encode(
        BitmapRows(
          pixels, format: format, width: width, height: height, bytesPerRow: bytesPerRow,
          isOpaque: false),
        demands: demands, appendingTo: &payload)
    }
    return (payload, kind)
  }

  /// Returns the pixels without padding, decoded to rows at the given distance.
  func decode(_ payload: [UInt8], stride: Int) throws -> [UInt8] {
    var output = [UInt8](repeating: 0, count: stride * height)
    try payload.withUnsafeBytes { payload in
      try output.withUnsafeMutableBytes { target in
        try BitmapPayload.decode(
          payload, format: format, width: width, height: height, bytesPerRow: bytesPerRow,
          into: target, rowStride: stride)
      }
    }
    return packed(output, stride)
  }

  var packed: [UInt8] { packed(bytes, bytesPerRow) }

  private func packed(_ bytes: [UInt8], _ stride: Int) -> [UInt8] {
    (0..<height).flatMap { bytes[$0 * stride..<$0 * stride + width * format.bytesPerPixel] }
  }
}

struct BitmapPayloadTests {
  @Test("Other pixels are packed in the compression and by the method of a payload")
  func packsAsAnother() throws {
    let pictures = [
      (Picture(.argb, 70, 64, colors: 17), Picture(.argb, 50, 41, colors: 12)),
      (Picture(.argb, 90, 91, colors: 300), Picture(.argb, 60, 90, colors: 290)),
      (Picture(.ga8, 65, 64, colors: 9), Picture(.ga8, 64, 50, colors: 9)),
    ]
    for optimization in Optimization.allCases {
      for reader in OldestReader.allCases {
        var encoder = BitmapEncoder(optimization: optimization, oldestReader: reader)
        for (whole, part) in pictures {
          let (model, kind) = whole.encode(&encoder, BitmapDemands(isExact: true))
          var payload: [UInt8] = []
          let chosen = try model.withUnsafeBytes { model in
            try part.bytes.withUnsafeBytes { pixels in
              let rows = BitmapRows(
                pixels, format: part.format, width: part.width, height: part.height,
                bytesPerRow: part.bytesPerRow, isOpaque: false)
              return encoder.encode(rows, as: try BitmapPayload(model), appendingTo: &payload)
            }
          }
          #expect(chosen == kind)
          #expect(try part.decode(payload, stride: part.bytesPerRow) == part.packed)
          let methods = try [model, payload].map { bytes in
            try bytes.withUnsafeBytes { try BitmapPayload($0).method }
          }
          #expect(methods[0] == methods[1])
          #expect((methods[0] != nil) == (kind == .deepMap2))
        }
      }
    }
  }

  @Test("Every bitmap comes back exactly, for any aim, reader and distance of rows")
  func roundTrips() throws {
    let pictures = [
      Picture(.argb, 1, 1, colors: 1), Picture(.argb, 31, 30, colors: 2),
      Picture(.argb, 70, 64, colors: 17), Picture(.argb, 90, 91, colors: 300),
      Picture(.ga8, 65, 64, colors: 9), Picture(.rgbw, 40, 30, colors: 3),
      Picture(.argb, 4500, 1, colors: 250), Picture(.gray, 100, 50, colors: 2),
    ]
    for optimization in Optimization.allCases {
      for reader in OldestReader.allCases {
        var encoder = BitmapEncoder(optimization: optimization, oldestReader: reader)
        for picture in pictures {
          let (payload, kind) = picture.encode(&encoder, BitmapDemands(isExact: true))
          let read = try payload.withUnsafeBytes { try BitmapPayload($0).compression }
          #expect(read == kind)
          for stride in [picture.bytesPerRow, picture.bytesPerRow + 5] {
            #expect(try picture.decode(payload, stride: stride) == picture.packed)
          }
        }
      }
    }
  }

  @Test(
    "LZFSE is cut into halves below 20,480 bytes and thirds above",
    arguments: [
      (64, 64, [32, 32]), (80, 60, [30, 30]), (96, 53, [26, 26, 1]), (100, 184, [61, 61, 61, 1]),
      (5000, 1, [1]), (64, 80, [26, 26, 26, 2]),
    ])
  func cutsChunks(_ width: Int, _ height: Int, _ rows: [Int]) {
    var encoder = BitmapEncoder()
    let (payload, kind) = Picture(.argb, width, height, colors: 40).encode(&encoder)
    var found: [Int] = []
    var offset = 16
    func word(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(payload[at + $1]) << (8 * $1) } }
    while offset < payload.count {
      found.append(word(offset + 12))
      offset += 20 + word(offset + 16)
    }
    #expect(kind == .lzfse)
    #expect(found == rows)
    #expect(word(12) == rows.count)
  }

  @Test("Small bitmaps are run-length coded, unless that does not shrink them")
  func choosesForSmallOnes() {
    var encoder = BitmapEncoder()
    #expect(Picture(.argb, 30, 30, colors: 2).encode(&encoder).kind == .runLength)
    var noise = Picture(.argb, 8, 2, colors: 1)
    noise.bytes = Array(0..<64)
    #expect(noise.encode(&encoder).kind == .uncompressed)
    #expect(Picture(.argb, 32, 32, colors: 2).encode(&encoder).kind == .lzfse)
  }

  @Test("For the oldest readers bitmaps are deflated, unless that does not shrink them")
  func choosesForOldReaders() {
    for optimization in [Optimization.standard, .space] {
      var encoder = BitmapEncoder(optimization: optimization, oldestReader: .plain)
      let (payload, kind) = Picture(.argb, 90, 91, colors: 20).encode(&encoder)
      #expect(kind == .zip)
      // One member for all rows, without name and time.
      #expect(payload[16..<26] == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
      var noise = Picture(.argb, 8, 2, colors: 1)
      noise.bytes = Array(0..<64)
      #expect(noise.encode(&encoder).kind == .uncompressed)
    }
    var fast = BitmapEncoder(optimization: .time, oldestReader: .plain)
    #expect(Picture(.argb, 90, 91, colors: 20).encode(&fast).kind == .uncompressed)
  }

  @Test("Run-length rows equal to the one before are stored once")
  func runLengthBytes() {
    let row: [UInt8] = [1, 2, 3, 4, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9]
    var output: [UInt8] = []
    (row + row).withUnsafeBytes {
      RunLength.encode(
        $0, bytesPerPixel: 4, width: 5, height: 2, rowStride: 20, appendingTo: &output)
    }
    let header: [UInt8] = [4, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 20, 0, 0, 0, 20, 0, 0, 0]
    #expect(output == header + [1, 0, 0, 0, 1, 2, 3, 4, 4, 0, 0, 0x80, 9, 9, 9, 9])
  }

  @Test("A palette image of four colours takes two bits a pixel, the first in the highest")
  func paletteBytes() throws {
    var colors: [UInt8] = []
    for index in 0..<9 as Range<UInt8> { colors += [index % 4, 10, 20, 255] }
    var encoder = LZFSEEncoder()
    var output: [UInt8] = []
    let fits = colors.withUnsafeBytes {
      Palette.encode(
        $0, format: .argb, width: 9, height: 1, rowStride: 36, with: &encoder,
        appendingTo: &output)
    }
    #expect(fits)
    let plain = try decoded(output, room: 100) { try LZFSE.decode($0, into: $1) }
    let entries: [UInt8] = [255, 20, 10, 0, 255, 20, 10, 1, 255, 20, 10, 2, 255, 20, 10, 3]
    let indices: [UInt8] = [0b0001_1011, 0b0001_1011, 0, 0]
    #expect(plain == [0x0D, 0xF0, 0xFE, 0xCA, 1, 0, 0, 0, 4, 0] + entries + indices)
  }

  @Test(
    "A palette holds a colour exactly or not at all", arguments: [0x8000, 0x7C00, 1] as [UInt16])
  func refusesInexactColors(_ channel: UInt16) {
    let picture = (0..<64).flatMap { _ -> [UInt16] in [channel, 0, 0, HalfFloat.one] }
    var encoder = LZFSEEncoder()
    var output: [UInt8] = []
    let fits = picture.withUnsafeBytes {
      Palette.encode(
        $0, format: .rgbw, width: 8, height: 8, rowStride: 64, with: &encoder, appendingTo: &output)
    }
    #expect(!fits && output.isEmpty)
  }

  @Test("Rows of wide pixels under a narrow name are cut to the name", arguments: [8, 16])
  func longRows(_ bytesPerPixel: Int) throws {
    let (width, height) = (200, 2)
    var generator = SeededGenerator(seed: 3)
    let rows = generator.bytes(width * bytesPerPixel * height)
    var payload: [UInt8] = []
    for word in [0x4345_4C4D, 0, 0, UInt32(rows.count)] { payload.append(littleEndian: word) }
    payload += rows
    let pixels = try decoded(payload, room: width * 4 * height) { source, target in
      try BitmapPayload.decode(
        source, format: .argb, width: width, height: height, bytesPerRow: width * bytesPerPixel,
        into: target, rowStride: width * 4)
      return target.count
    }
    let expected = (0..<height).flatMap { y -> ArraySlice<UInt8> in
      rows[y * width * bytesPerPixel..<y * width * bytesPerPixel + width * 4]
    }
    #expect(pixels == expected)
  }

  @Test("Rows whose padding is most of them, and chunks without rows, are refused")
  func refusesWhatOnlyCosts() throws {
    var picture = Picture(.argb, 64, 64, colors: 8)
    var encoder = BitmapEncoder()
    var payload = picture.encode(&encoder).payload
    #expect(throws: CodecError.corrupt(at: 36)) {
      try payload.withUnsafeBytes { source in
        try picture.bytes.withUnsafeMutableBytes { target in
          try BitmapPayload.decode(
            source, format: .argb, width: 64, height: 64, bytesPerRow: 4 * 64 * 4 + 257,
            into: target,
            rowStride: 256)
        }
      }
    }
    payload[28] = 0  // The number of rows of the first chunk.
    #expect(throws: CodecError.corrupt(at: 16)) { try picture.decode(payload, stride: 256) }
  }

  @Test(
    "Compressions that Carve does not decode are refused by name",
    arguments: [5, 6, 7, 9, 12] as [UInt8])
  func refusesByName(_ kind: UInt8) {
    let payload = [0x4D, 0x4C, 0x45, 0x43, 0, 0, 0, 0, kind, 0, 0, 0, 4, 0, 0, 0, 1, 2, 3, 4]
    let name = Compression(rawValue: UInt32(kind))?.name.description ?? ""
    let error = #expect(throws: CodecError.self) {
      try Picture(.argb, 1, 1, colors: 1).decode(payload, stride: 4)
    }
    #expect(error?.description == "\(name) compression is not supported")
  }

  @Test("Payloads cut at any byte are refused; changed ones never trap")
  func survivesDamage() throws {
    let picture = Picture(.argb, 20, 17, colors: 5)
    var generator = SeededGenerator.forTest(8)
    for optimization in Optimization.allCases {
      var encoder = BitmapEncoder(optimization: optimization, oldestReader: .deepMap2)
      let payload = picture.encode(&encoder).payload
      for count in 0..<payload.count {
        #expect(throws: CodecError.self) {
          try picture.decode(Array(payload.prefix(count)), stride: 80)
        }
      }
      for _ in 0..<300 {
        var damaged = payload
        damaged[generator.pick(0...payload.count - 1)] = UInt8(truncatingIfNeeded: generator.next())
        _ = try? picture.decode(damaged, stride: generator.pick(80...96))
      }
    }
  }
}
