// Finds out whether a picture in an atlas is opaque. Only its pixels tell it.

import Archive
import Codecs

/// Returns, for each link into an atlas, whether every pixel of its frame has full alpha. A link is
/// left out if its atlas cannot be decoded. Each atlas is decoded once, and only one is in memory
/// at a time.
package func opaqueParts(
  of atlases: [RenditionKey: Rendition], _ links: [(key: RenditionKey, link: InternalLink)]
) throws(FormatError) -> [RenditionKey: Bool] {
  var members: [RenditionKey: [(key: RenditionKey, link: InternalLink)]] = [:]
  for member in links { members[member.link.target, default: []].append(member) }
  var opacity: [RenditionKey: Bool] = [:]
  for (target, members) in members {
    guard let atlas = atlases[target] else { continue }
    let isKnown = (try? BitmapPayload(atlas.payload.buffer))?.isOpaque == true
    let pixels = isKnown ? nil : try Bitmap(atlas)
    for (key, link) in members {
      if isKnown { opacity[key] = true } else { opacity[key] = pixels?.cut(link)?.hasFullAlpha }
    }
  }
  return opacity
}

extension Bitmap {
  /// Whether every pixel has full alpha. Unlike `isOpaque`, this reads the pixels.
  fileprivate var hasFullAlpha: Bool {
    let full: [UInt8]
    switch layout {
    case .bgra8, .ga8: full = [0xFF]
    case .ga16: full = [0xFF, 0xFF]
    // The half float 1.
    case .rgbw, .ga16Half: full = [0x00, 0x3C]
    }
    let size = layout.bytesPerPixel
    for row in 0..<height {
      let start = row * bytesPerRow
      for pixel in 0..<width {
        let alpha = start + (pixel + 1) * size - full.count
        if !pixels[alpha..<alpha + full.count].elementsEqual(full) { return false }
      }
    }
    return true
  }
}
