// Fuzz targets for the decoders and encoders of compressed bytes.

@testable import Codecs
@testable import Colors

extension FuzzTarget {
  /// Decodes compressed bytes. The first byte chooses the format of the others.
  static let codecs = FuzzTarget("codecs") { bytes in
    guard let choice = bytes.first else { return }
    let source = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    withOutput(1 << 16) { target in
      switch choice % 5 {
      case 0: _ = try? LZFSE.decode(source, into: target)
      case 1: _ = try? LZVN.decode(source, into: target)
      case 2: _ = try? Inflate.decode(source, wrapper: .raw, into: target)
      case 3: _ = try? Inflate.decode(source, wrapper: .zlib, into: target)
      default: _ = try? Inflate.decode(source, wrapper: .gzip, into: target)
      }
    }
  }

  /// Decodes one entropy-coded LZFSE block. Its header is always sound, so that every input reaches
  /// the loops: the first 64 bytes give the states and the frequencies of the symbols, the others
  /// are the two streams.
  static let entropyBlock = FuzzTarget("entropy-block") { bytes in
    guard bytes.count > 64 else { return }
    let streams = bytes.dropFirst(64)
    let literalBytes = streams.count * Int(bytes[0]) / 255
    func states(_ place: Int, _ count: Int) -> [UInt8] {
      let state = (Int(bytes[place]) << 8 | Int(bytes[place + 1])) % count
      return [UInt8(state & 255), UInt8(state >> 8)]
    }
    var source = Array("bvx1".utf8)
    for word in [Int(bytes[1]) << 8, 0, Int(bytes[2]) * 4, Int(bytes[3])] { source += word32(word) }
    source += word32(literalBytes) + word32(streams.count - literalBytes)
    source += word32(-Int(bytes[4] & 7))
    for place in [5, 7, 9, 11] { source += states(place, 1024) }
    source += word32(-Int(bytes[13] & 7)) + states(14, 64) + states(16, 64) + states(18, 256)
    var seed = bytes[20...].makeIterator()
    for (symbols, count) in [(20, 64), (20, 64), (64, 256), (256, 1024)] {
      var left = count
      for symbol in 0..<symbols {
        // Many symbols never occur; sometimes the last one gets the rest of the frequencies.
        let byte = Int(seed.next() ?? bytes[20 + symbol % 44])
        let wanted = byte & 1 == 0 ? 0 : symbol == symbols - 1 ? left : byte * count / 512
        source += [UInt8(min(wanted, left) & 255), UInt8(min(wanted, left) >> 8)]
        left -= min(wanted, left)
      }
    }
    source += [0, 0] + streams + Array("bvx$".utf8)
    withOutput(1 << 16) { target in
      source.withUnsafeBytes { _ = try? LZFSE.decode($0, into: target) }
    }
  }

  /// Compresses pixels in every way, and decodes them again. The first bytes are the pixel format,
  /// the width, and the options of the encoder.
  static let encoders = FuzzTarget("encoders") { bytes in
    guard bytes.count > 4 else { return }
    let formats: [PixelFormat] = [.argb, .ga8, .rgbw, .ga16]
    let format = formats[Int(bytes[0]) % formats.count]
    let width = 1 + Int(bytes[1])
    let stride = width * format.bytesPerPixel + Int(bytes[2] & 3) * 16
    let height = (bytes.count - 4) / stride
    guard height > 0 else { return }
    let pixels = UnsafeRawBufferPointer(rebasing: bytes[4..<4 + stride * height])
    let rows = BitmapRows(
      pixels, format: format, width: width, height: height, bytesPerRow: stride, isOpaque: false,
      isHalfGray: bytes[2] & 4 == 4)
    // Without the demand to be exact, an encoder may round colours: bytes by one, half floats by
    // more.
    let demands = BitmapDemands(isExact: bytes[3] & 128 == 128)
    let readers = OldestReader.allCases
    let efforts = LZFSEEncoder.Effort.allCases
    var encoder = BitmapEncoder(
      optimization: Optimization.allCases[Int(bytes[2] >> 3) % Optimization.allCases.count],
      oldestReader: readers[Int(bytes[3]) % readers.count],
      effort: efforts[Int(bytes[3] >> 2 & 31) % efforts.count])
    var payload: [UInt8] = []
    let kind = encoder.encode(rows, demands: demands, appendingTo: &payload)
    let rounds = kind == .deepMap2 && !demands.isExact
    withOutput(stride * height) { target in
      payload.withUnsafeBytes { source in
        let isDecoded: Void? = try? BitmapPayload.decode(
          source, format: format, width: width, height: height, bytesPerRow: stride, into: target,
          rowStride: stride)
        precondition(isDecoded != nil, "what was encoded is not decoded")
      }
      for y in 0..<height {
        let row = y * stride..<y * stride + width * format.bytesPerPixel
        let isSame = target[row].elementsEqual(pixels[row])
        let isNear = Swift.zip(target[row], pixels[row]).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
        let isRounded = rounds && (isNear || format == .rgbw || format == .ga16)
        precondition(isSame || isRounded, "row \(y) has changed")
      }
    }
  }

  /// Decodes the payload of a bitmap. The first three bytes are the pixel format, the width and the
  /// height.
  static let bitmap = FuzzTarget("bitmap") { bytes in
    guard bytes.count > 3 else { return }
    let kinds: [PixelFormat.Kind] = [.argb, .ga8, .rgbw, .ga16, .rgb5, .gray]
    let format = PixelFormat(kinds[Int(bytes[0]) % kinds.count])
    let width = Int(bytes[1])
    let height = Int(bytes[2])
    // The first byte also gives the padding of a row in the payload, and in memory.
    let stated = width * format.bytesPerPixel + Int(bytes[0]) / 24 * 32
    let stride = width * format.bytesPerPixel + Int(bytes[0]) / 6 % 4 * 16
    let payload = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(3))
    withOutput(stride * height) { target in
      try? BitmapPayload.decode(
        payload, format: format, width: width, height: height, bytesPerRow: stated, into: target,
        rowStride: stride)
    }
  }
}

private func word32(_ value: Int) -> [UInt8] {
  [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
}

private func withOutput(_ count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
  // The output is a block of its own, so that the sanitizer finds a write of one byte too many.
  let target = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
  body(target)
  target.deallocate()
}
