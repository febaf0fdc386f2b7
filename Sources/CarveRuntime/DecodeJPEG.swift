// Decodes JPEG files, which archives keep as they are. Rows are converted from the samples of the
// file to a stored format; from there on they are treated as the rows of bitmaps.

import Codecs
import Colors

extension Catalog {
  /// Decodes a JPEG file. The picture is not turned: see `orientation(of:)`. The caller has called
  /// `checkSize`.
  func decodeJPEG(
    _ variant: Variant, as layout: PixelLayout, _ space: PixelSpace,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int, _ limits: DecodeLimits,
    _ room: inout DecodingRoom
  ) throws(CatalogError) {
    let size = try jpegSize(of: variant, limits)
    try Catalog.checkRoom(
      destination, rowStride: rowStride, width: size.width, height: size.height, layout: layout)
    guard let base = destination.baseAddress else { return }
    room.begin(limits, self, pixels: size.width * size.height)
    let pixels = try JPEGPixels(variant, size, of: self, limits, &room)
    pixels.convert(as: layout, space, to: base, rowStride: rowStride)
  }

  /// Returns the size that the archive states for a JPEG file, if it is within the limits.
  func jpegSize(of variant: Variant, _ limits: DecodeLimits) throws(CatalogError) -> PixelSize {
    let size = variant.pixelSize
    guard size.width > 0, size.height > 0, size.width <= limits.width,
      size.height <= limits.height
    else { throw .overLimit(width: size.width, height: size.height) }
    return size
  }
}

/// The samples of a JPEG file.
struct JPEGPixels {
  private let picture: JPEGPicture
  private let colors: WideSamples?
  /// The format of the rows: grey, colours of sRGB, or half floats if the file has a profile of
  /// another space.
  private let stored: StoredPixels

  /// Decodes the file of a variant. Throws an error if its size is not the one that the archive
  /// states.
  init(
    _ variant: Variant, _ size: PixelSize, of catalog: Catalog, _ limits: DecodeLimits,
    _ room: inout DecodingRoom
  ) throws(CatalogError) {
    // The file is copied, and decompressed before that if the archive compresses it.
    let count = try catalog.fileSize(of: variant)
    guard let copies = count.times(2) else {
      throw .overLimit(width: size.width, height: size.height)
    }
    try room.take(copies, width: size.width, height: size.height)
    let bytes = try catalog.file(of: variant, limits: limits)
    let found = JPEGDecoder.size(of: bytes)
    guard found.width == size.width, found.height == size.height else {
      throw .codec(.corrupt(at: 0))
    }
    do throws(JPEGError) {
      picture = try JPEGDecoder.decode(file: bytes, memory: room.left)
    } catch {
      switch error {
      case .codec(let error): throw .codec(error)
      case .overBudget: throw .overLimit(width: size.width, height: size.height)
      }
    }
    guard picture.width == size.width, picture.height == size.height else {
      throw .codec(.corrupt(at: 0))
    }
    try room.take(picture.samples.count, width: size.width, height: size.height)
    let profile = picture.profile.withUnsafeBytes { ColorProfile($0) }
    colors = profile.flatMap { LightFromProfile($0) }.map { WideSamples($0) }
    stored = colors != nil ? .rgbw : picture.components == 1 ? .ga8 : .argb
  }

  /// Writes all rows in a layout. The caller has checked that they fit.
  func convert(
    as layout: PixelLayout, _ space: PixelSpace, to base: UnsafeMutableRawPointer, rowStride: Int
  ) {
    let conversion = PixelConversion(source: stored, layout: layout, space: space)
    let lineSize = picture.width * stored.bytesPerPixel
    withUnsafeTemporaryAllocation(byteCount: lineSize, alignment: 16) { line in
      guard let line = line.baseAddress else { return }
      for y in 0..<picture.height {
        let row = base + y * rowStride
        write(y, to: conversion.isCopy ? row : line)
        if !conversion.isCopy { conversion.convert(line, to: row, width: picture.width) }
      }
    }
  }

  /// Writes a row in the stored format.
  private func write(_ y: Int, to row: UnsafeMutableRawPointer) {
    let width = picture.width
    picture.samples.withUnsafeBufferPointer { all in
      // The decoder returns the samples of all pixels.
      let count = picture.components
      let samples = UnsafeBufferPointer(rebasing: all[y * width * count..<(y + 1) * width * count])
      if let colors {
        colors.write(samples, components: count, to: row, width: width)
      } else if count == 1 {
        for x in 0..<width {
          row.storeBytes(of: UInt16(samples[x]) | 0xFF00, toByteOffset: x &* 2, as: UInt16.self)
        }
      } else {
        for x in 0..<width {
          let pixel =
            0xFF00_0000 | UInt32(samples[x &* 3]) << 16 | UInt32(samples[x &* 3 &+ 1]) << 8
            | UInt32(samples[x &* 3 &+ 2])
          row.storeBytes(of: pixel, toByteOffset: x &* 4, as: UInt32.self)
        }
      }
    }
  }
}

/// A conversion of samples of another space than sRGB to half floats of extended sRGB.
private struct WideSamples {
  private let tables: [[Float]]
  private let matrix: [Float]

  init(_ light: LightFromProfile) {
    tables = light.tables(256)
    matrix = light.matrix
  }

  func write(
    _ samples: UnsafeBufferPointer<UInt8>, components: Int, to row: UnsafeMutableRawPointer,
    width: Int
  ) {
    let (second, third) = components == 1 ? (0, 0) : (1, 2)
    for x in 0..<width {
      let first = x &* components
      let red = tables[0][Int(samples[first])]
      let green = tables[1][Int(samples[first &+ second])]
      let blue = tables[2][Int(samples[first &+ third])]
      let colors = (
        matrix[0] * red + matrix[1] * green + matrix[2] * blue,
        matrix[3] * red + matrix[4] * green + matrix[5] * blue,
        matrix[6] * red + matrix[7] * green + matrix[8] * blue
      )
      let pixel =
        UInt64(half(encoded(colors.0))) | UInt64(half(encoded(colors.1))) << 16
        | UInt64(half(encoded(colors.2))) << 32 | UInt64(half(1)) << 48
      row.storeBytes(of: pixel, toByteOffset: x &* 8, as: UInt64.self)
    }
  }
}
