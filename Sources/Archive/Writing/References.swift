// Changes the references of a rendition: the keys of its atlas, its layers and its mip levels, and
// the names of its members, fills and stops. Everything else of the block stays.

import Bytes

extension Rendition {
  /// Returns the block with other keys of the renditions to which it refers; nil if `map` changes
  /// none of them.
  package func block(
    mapping map: (RenditionKey) -> RenditionKey
  ) throws(FormatError) -> [UInt8]? {
    var properties = try allProperties()
    var isChanged = false
    for index in properties.indices {
      switch properties[index] {
      case .link(var link):
        let pairs = AttributePair.mapped(link.key, map)
        isChanged = isChanged || pairs != link.key
        link.key = pairs
        properties[index] = .link(link)
      case .layers(var layers):
        for layer in layers.indices {
          let pairs = AttributePair.mapped(layers[layer].key, map)
          isChanged = isChanged || pairs != layers[layer].key
          layers[layer].key = pairs
        }
        properties[index] = .layers(layers)
      default: break
      }
    }
    let payload = header.layout == .texture ? try TexturePayload.mapped(payload, map) : nil
    guard isChanged || payload != nil else { return nil }
    return RenditionHead(header, properties).block(payload: payload ?? Array(self.payload.buffer))
  }

  /// Returns the block with other names of its members, its fills and the stops of its gradient;
  /// nil if `rename` changes none of them. A member for which `rename` returns nil is left out of
  /// the list.
  package func block(
    renaming rename: (ByteString) -> ByteString?
  ) throws(FormatError) -> [UInt8]? {
    var properties = try allProperties()
    var isChanged = false
    for index in properties.indices {
      switch properties[index] {
      case .names(let names):
        let new = names.compactMap(rename)
        isChanged = isChanged || new != names
        properties[index] = .names(new)
      case .layerAttributes(var layers):
        for layer in layers.indices where !layers[layer].fill.isEmpty {
          guard let new = rename(layers[layer].fill) else { continue }
          isChanged = isChanged || new != layers[layer].fill
          layers[layer].fill = new
        }
        properties[index] = .layerAttributes(layers)
      default: break
      }
    }
    var payload = Array(self.payload.buffer)
    if header.layout == .namedGradient, var gradient = try GradientPayload(self.payload) {
      let stops = gradient.stops
      for index in stops.indices {
        gradient.stops[index].color = rename(stops[index].color) ?? stops[index].color
      }
      if gradient.stops != stops { (payload, isChanged) = (gradient.bytes(), true) }
    }
    guard isChanged else { return nil }
    return RenditionHead(header, properties).block(payload: payload)
  }

  /// The names of the fills of the layers, and of the colours of a gradient.
  package func fills() throws(FormatError) -> [ByteString] {
    if header.layout == .namedGradient {
      return try GradientPayload(payload)?.stops.map(\.color) ?? []
    }
    guard let body = try body(of: .layerAttributes) else { return [] }
    return try LayerAttributes.read(body).map(\.fill).filter { !$0.isEmpty }
  }

  /// The keys of the layers; empty if the rendition is no stack.
  package func layerKeys() throws(FormatError) -> [RenditionKey] {
    guard let body = try body(of: .layers) else { return [] }
    return try LayerReference.read(body).map { AttributePair.key($0.key) }
  }
}

extension AttributePair {
  /// Returns the pairs with the values of another key, in their order. An attribute that had no
  /// pair gets one if its value is not 0.
  fileprivate static func mapped(
    _ pairs: [Facet.Pair], _ map: (RenditionKey) -> RenditionKey
  ) -> [Facet.Pair] {
    let old = key(pairs)
    let new = map(old)
    if new == old { return pairs }
    let listed = Set(pairs.map(\.attribute))
    return pairs.map { Facet.Pair($0.attribute, new[$0.attribute]) }
      + new.attributes.filter { !listed.contains($0) }.map { Facet.Pair($0, new[$0]) }
  }
}

extension TexturePayload {
  /// Returns the payload with other keys of its mip levels; nil if `map` changes none of them.
  fileprivate static func mapped(
    _ payload: FileBytes, _ map: (RenditionKey) -> RenditionKey
  ) throws(FormatError) -> [UInt8]? {
    let count = try keys(payload).count
    if count == 0 { return nil }
    var bytes = Array(try payload.slice(at: 0, count: size, "a texture").buffer)
    var offset = size
    var isChanged = false
    for _ in 0..<count {
      let length = Int(try payload.load(Mip.keyLength, at: offset))
      let stored = try payload.slice(at: offset + Mip.size, count: length, "the key of a mip level")
      let pairs = try AttributePair.read(stored)
      let new = AttributePair.mapped(pairs, map)
      isChanged = isChanged || new != pairs
      let base = bytes.count
      bytes.append(
        contentsOf: try payload.slice(at: offset, count: Mip.size, "a mip level").buffer)
      AttributePair.append(new, to: &bytes)
      bytes.store(UInt32(bytes.count - base - Mip.size), Mip.keyLength, at: base)
      offset += Mip.size + length
    }
    bytes.append(contentsOf: try payload.suffix(from: offset, "a texture").buffer)
    return isChanged ? bytes : nil
  }
}
