// Whether the part of an atlas that a picture shows is opaque: only its pixels know.

import Archive
import Codecs

/// For each link that leads into an atlas, whether every pixel of its frame has full alpha. What cannot be
/// decoded is left out. Each atlas is decoded once, and one at a time.
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
  /// Whether every pixel has full alpha, whatever the whole is said to be.
  fileprivate var hasFullAlpha: Bool {
    let full: [UInt8]
    switch layout {
    case .bgra8, .ga8: full = [0xFF]
    case .ga16: full = [0xFF, 0xFF]
    // One, as a half float.
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
