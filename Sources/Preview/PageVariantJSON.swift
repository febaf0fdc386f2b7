// Writes variants and assets as the page's script reads them. Keys are short, because there are
// thousands of variants.

import Archive
import Bytes
import CarveRuntime
import Documents
import Traits

extension PageAsset {
  func json(_ pictures: PagePictures, _ layers: PageLayers?) -> JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("n", .string(asset.name)), .init("k", .string(asset.kind.name)),
      .init("s", .integer(signature)),
      .init("v", .array(variants.map { $0.json(pictures) })),
    ]
    if !glyphs.isEmpty {
      let list = glyphs.compactMap { glyph, request -> JSONOutput? in
        guard case .success(let place)? = pictures[request] else { return nil }
        return [
          "w": .string("\(glyph.weight)"), "z": .string("\(glyph.size)"), "p": .integer(place),
        ]
      }
      members.append(.init("g", .array(list)))
    }
    if let layers = layers?.json(of: ByteString(asset.name)) { members.append(.init("l", layers)) }
    return .object(members)
  }
}

extension PageVariant {
  func json(_ pictures: PagePictures) -> JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("t", .string("\(variant.content)")), .init("b", .integer(byteCount)),
      .init("x", .integer(Int(key.scale))),
    ]
    if let fileName { members.append(.init("f", .name(fileName))) }
    if let source { members.append(.init("src", .name(source))) }
    let size = variant.pixelSize
    if size.width > 0, size.height > 0 {
      members += [.init("w", .integer(size.width)), .init("h", .integer(size.height))]
    }
    members += pictureMembers(pictures) + layoutMembers + details
    return .object(members)
  }

  private func pictureMembers(_ pictures: PagePictures) -> [JSONOutput.Member] {
    var members: [JSONOutput.Member] = []
    var drawn: [JSONOutput.Member] = []
    for (scale, request) in self.pictures {
      switch pictures[request] {
      case .success(let number):
        if scale == 0 {
          members.append(.init("p", .integer(number)))
        } else {
          drawn.append(.init("\(scale)", .integer(number)))
        }
        if let remark = pictures.picture(request)?.remark, scale <= 1 || drawn.count == 1 {
          members.append(.init("r", .string(remark)))
        }
      case .failure(let fault):
        if !members.contains(where: { $0.key == "e" }) {
          members.append(.init("e", .string(fault.reason)))
        }
      case nil: break
      }
    }
    return drawn.isEmpty ? members : members + [.init("d", .object(drawn))]
  }

  private var layoutMembers: [JSONOutput.Member] {
    var members: [JSONOutput.Member] = []
    let insets = variant.alignmentInsets
    if !insets.isZero { members.append(.init("i", insets.json)) }
    if let slicing = variant.slicing { members.append(.init("s", slicing.json)) }
    if variant.templateIntent == .template { members.append(.init("tpl", true)) }
    return members
  }
}

extension EdgeInsets {
  /// The edges in the order top, left, bottom, right.
  fileprivate var json: JSONOutput {
    .array([top, left, bottom, right].map { .number(Double($0)) })
  }
}

extension Slicing {
  fileprivate var json: JSONOutput {
    [
      "mode": .string("\(mode)"), "across": .string("\(across)"), "down": .string("\(down)"),
      "caps": caps.json,
      "center": .array([.number(Double(centerWidth)), .number(Double(centerHeight))]),
    ]
  }
}
