// Templates of symbols for tests: a page of 1,000 by 500 with guides, and with rectangles as
// drawings.

package struct SymbolSample: Sendable {
  /// The elements of each drawing, by its id.
  package var drawings: [(id: String, body: String)] = []
  package var version: String? = "2.0"
  package var style = ""
  /// The guides, each with its id and its element.
  package var guides: [(id: String, element: String)] = []

  package init(guides sizes: String = "SML") {
    for (place, size) in ["S", "M", "L"].enumerated() where sizes.contains(size) {
      let base = 100 + 150 * place
      guides.append(
        ("Baseline-\(size)", "<line x1=\"0\" x2=\"1000\" y1=\"\(base)\" y2=\"\(base)\"/>"))
      let cap = Double(base) - 70.5
      guides.append(("Capline-\(size)", "<line x1=\"0\" x2=\"1000\" y1=\"\(cap)\" y2=\"\(cap)\"/>"))
    }
  }

  /// Returns a rectangle whose lower edge is `depth` below the base line of its size.
  package static func box(
    _ size: Int, x: Double, width: Double, height: Double = 80, depth: Double = 10,
    attributes: String = ""
  ) -> String {
    let bottom = Double(100 + 150 * (size - 1)) + depth
    let top = bottom - height
    return "<path \(attributes) d=\"M\(x) \(top)H\(x + width)V\(bottom)H\(x)Z\"/>"
  }

  package mutating func addMargin(_ side: String, _ drawing: String? = nil, x: Double) {
    let id = side + "-margin" + (drawing.map { "-" + $0 } ?? "")
    guides.append((id, "<line x1=\"\(x)\" x2=\"\(x)\" y1=\"0\" y2=\"500\"/>"))
  }

  package var text: String {
    let notes = version.map { "<text x=\"900\" y=\"480\">Template v.\($0)</text>" } ?? ""
    let lines = guides.map { id, element in
      element.replacing(
        "<line ", with: "<line id=\"\(id)\" stroke=\"#27aae1\" stroke-width=\"0.5\" ")
    }
    let groups = drawings.map { "<g id=\"\($0.id)\">\($0.body)</g>" }
    let sheet = style.isEmpty ? "" : "<style>\(style)</style>"
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1000\" height=\"500\">\(sheet)\n"
      + "<g id=\"Notes\">\(notes)</g>\n<g id=\"Guides\">\(lines.joined(separator: "\n"))</g>\n"
      + "<g id=\"Symbols\">\(groups.joined(separator: "\n"))</g></svg>\n"
  }

  /// Returns a template with small drawings of three weights. They are 10, 40 and 80 wide and have
  /// margins of 8 and 6.
  package static func variable(version: String = "5.0") -> SymbolSample {
    var sample = SymbolSample(guides: "S")
    sample.version = version
    for (id, x, width) in [
      ("Ultralight-S", 100.0, 10.0), ("Regular-S", 300.0, 40.0), ("Black-S", 600.0, 80.0),
    ] {
      sample.drawings.append((id, box(1, x: x, width: width)))
      sample.addMargin("left", id, x: x - 8)
      sample.addMargin("right", id, x: x + width + 6)
    }
    return sample
  }
}

extension SampleSources {
  package mutating func symbol(_ name: String, _ template: String, entry more: String = "") {
    add("\(name).symbolset/\(name).svg", template)
    let entry = #"{"idiom":"universal","filename":"\#(name).svg"\#(more)}"#
    add("\(name).symbolset/Contents.json", #"{"symbols":[\#(entry)]}"#)
  }
}
