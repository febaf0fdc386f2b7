// Writes the counter-examples of a proof as text. Environments are written so that they can be
// pasted behind `carve explain --traits`.

import Traits

extension CounterExample: CustomStringConvertible {
  package var description: String {
    switch self {
    case .answer(let asset, let environment, let full, let thinned):
      "\"\(asset)\" in \(environment.traitsText): the full archive gives \(named(full)), "
        + "the thinned one \(named(thinned))"
    case .unneeded(let asset, let key):
      "\"\(asset)\": no window in reach shows \(named(key)), and it was kept"
    case .contents(let asset, let key):
      "\"\(asset)\": the contents of \(named(key)) changed"
    case .missing(let asset): "\"\(asset)\" lacks a rendition that is kept whatever the device"
    case .foreign(let asset): "\"\(asset)\" has a rendition that the full archive lacks"
    case .unneededCarrier(let asset):
      "\"\(asset)\": an atlas or a table of sizes was kept that nothing needs"
    }
  }

  private func named(_ key: VariantKey?) -> String {
    key.map { $0.summary { "number \($0)" } } ?? "nothing"
  }
}

extension Environment {
  /// The traits that differ from the default, as in `idiom=phone,scale=2,...`.
  package var traitsText: String {
    let plain = Environment()
    var pairs: [String] = []
    func add(_ axis: Axis, _ isSet: Bool, _ value: String) {
      if isSet { pairs.append("\(axis.name)=\(value)") }
    }
    add(.idiom, idiom != plain.idiom, idiom.name)
    add(.subtype, subtype != plain.subtype, "\(subtype)")
    add(.scale, true, "\(scale)")
    add(.width, width != plain.width, width.name)
    add(.height, height != plain.height, height.name)
    add(.style, style != plain.style, style.name)
    add(.contrast, contrast != plain.contrast, contrast.name)
    add(.gamut, gamut != plain.gamut, gamut.name)
    add(.direction, direction != plain.direction, direction.name)
    add(.memory, memory != plain.memory, "\(memory)")
    add(.graphics, graphics != plain.graphics, graphics.newest.name)
    let start = Platform(of: idiom).start(of: osGeneration)
    add(.os, osGeneration != plain.osGeneration, start.map { "\($0)" } ?? "0")
    add(.contentSize, contentSize != plain.contentSize, contentSize.name)
    return pairs.joined(separator: ",")
  }
}
