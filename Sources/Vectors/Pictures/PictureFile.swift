// Pictures that are files of their own inside of a vector: PNG and JPEG.

import Bytes
import Codecs
import Colors

enum PictureFile {
  /// Returns the picture in a file; nil if it cannot be decoded, and the reason in `fault`. The
  /// kind follows from the first bytes, because names of kinds are often wrong.
  static func read(
    _ bytes: [UInt8], interpolates: Bool, budget: Budget, fault: inout UnsupportedFeature?
  ) -> Image? {
    let picture: Straight?
    if PNGDecoder.begins(bytes) {
      picture = png(bytes, budget)
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      picture = jpeg(bytes, budget)
    } else {
      fault = .image
      return nil
    }
    guard var picture else {
      fault = .damagedImage
      return nil
    }
    if picture.usesInks { fault = .approximateColor }
    let width = picture.width
    let height = picture.height
    picture.finish(budget)
    return Image(
      width: width, height: height, kind: .color, interpolates: interpolates,
      pixels: picture.pixels)
  }

  private static func png(_ bytes: [UInt8], _ budget: Budget) -> Straight? {
    guard let file = try? PNGDecoder.decode(bytes, budget: budget) else { return nil }
    let components = file.isGray ? 1 : 3
    var kind = ICCProfile.kind(
      of: ColorProfile(codePoints: file.codePoints), components: components)
    if case .unknown = kind { kind = ICCProfile.read(file.profile, components: components) }
    return Straight(
      width: file.width, height: file.height, pixels: file.pixels, profile: kind.calculated)
  }

  private static func jpeg(_ bytes: [UInt8], _ budget: Budget) -> Straight? {
    let size = JPEGDecoder.size(of: bytes)
    let before = budget.memoryHeld(by: .samples)
    defer { budget.hold(.samples, bytes: before) }
    guard let file = try? JPEGDecoder.decode(bytes, budget: budget),
      budget.borrow(.samples, bytes: size.width * size.height * (file.components + 4)),
      budget.spend(.samples, file.width * file.height)
    else { return nil }
    let count = file.width * file.height
    let samples = file.samples
    let pixels = [UInt8](unsafeUninitializedCapacity: count * 4) { target, filled in
      for pixel in 0..<count {
        let offset = pixel * file.components
        for channel in 0..<3 {
          target[4 * pixel + channel] = samples[file.components == 1 ? offset : offset + channel]
        }
        target[4 * pixel + 3] = file.components == 4 ? samples[offset + 3] : 255
      }
      filled = count * 4
    }
    let kind = ICCProfile.read(file.profile, components: file.components)
    return Straight(
      width: file.width, height: file.height, pixels: pixels, profile: kind.calculated,
      usesInks: file.components == 4)
  }
}

extension ICCProfile.Kind {
  /// The profile, if colours must be converted by it.
  fileprivate var calculated: ICCProfile? {
    if case .calculated(let profile) = self { profile } else { nil }
  }
}

/// Four bytes for each pixel: red, green, blue and alpha, not premultiplied; or four inks.
private struct Straight {
  let width: Int
  let height: Int
  var pixels: [UInt8]
  let profile: ICCProfile?
  var usesInks = false

  /// Converts the colours to sRGB and premultiplies them. If the budget is exceeded, the rest stays
  /// as it is.
  mutating func finish(_ budget: Budget) {
    budget.spend(.copiedBytes, pixels.count)
    // Neighbouring pixels are often equal, so the last result is kept.
    var last: (UInt8, UInt8, UInt8, UInt8)?
    var result: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
    for offset in stride(from: 0, to: pixels.count, by: 4) {
      let stored = (pixels[offset], pixels[offset + 1], pixels[offset + 2], pixels[offset + 3])
      if last == nil || stored != last ?? stored {
        if profile != nil || usesInks, !budget.spend(.operators, 2) { return }
        last = stored
        result = finished(stored)
      }
      (pixels[offset], pixels[offset + 1], pixels[offset + 2], pixels[offset + 3]) = result
    }
  }

  private func finished(_ stored: (UInt8, UInt8, UInt8, UInt8)) -> (UInt8, UInt8, UInt8, UInt8) {
    func part(_ value: UInt8) -> Double { Double(value) / 255 }
    func byte(_ value: Double) -> UInt8 { UInt8(whole(value * 255 + 0.5, from: 0, to: 255)) }
    var (red, green, blue, alpha) = stored
    if usesInks {
      let color = Inks.color(
        cyan: part(red), magenta: part(green), yellow: part(blue), black: part(alpha))
      return (byte(color.red), byte(color.green), byte(color.blue), 255)
    }
    if let profile {
      let color = profile.color([part(red), part(green), part(blue)])
      (red, green, blue) = (byte(color.red), byte(color.green), byte(color.blue))
    }
    func mixed(_ value: UInt8) -> UInt8 {
      let product = UInt32(value) * UInt32(alpha) + 128
      return UInt8((product + product >> 8) >> 8)
    }
    return (mixed(red), mixed(green), mixed(blue), alpha)
  }
}
