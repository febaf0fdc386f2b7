// Finds out whether a picture in an atlas is opaque. Only its pixels tell it.

import Archive
import Codecs
import Imaging

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
