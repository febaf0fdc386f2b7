// Makes the start of a HEIF file, box by box: the part that states the size of the picture.

/// Returns a box of an ISO media file.
private func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
  let length = UInt32(body.count + 8)
  return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + type.utf8 + body
}

/// Returns the part of a HEIF or AVIF file that states the size of its picture. `rotation` counts
/// quarter turns anticlockwise.
public func heif(
  _ brand: String, width: UInt8, height: UInt8, rotation: UInt8? = nil
) -> [UInt8] {
  let size = box("ispe", [0, 0, 0, 0, 0, 0, 0, width, 0, 0, 0, height])
  let color = box("colr", Array("nclx".utf8) + [0, 12, 0, 13, 0, 0, 0x80])
  let pixels = box("pixi", [0, 0, 0, 0, 3, 10, 10, 10])
  let turn = rotation.map { box("irot", [$0]) } ?? []
  let properties = box("iprp", box("ipco", size + color + pixels + turn))
  return box("ftyp", Array("\(brand)".utf8) + [0, 0, 0, 0] + Array("mif1".utf8))
    + box("meta", [0, 0, 0, 0] + properties) + box("mdat", [1, 2, 3])
}
