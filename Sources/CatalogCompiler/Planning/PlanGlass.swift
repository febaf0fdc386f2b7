// A layered icon as the values from which its bitmaps are drawn. They are made from the rows and
// paints that the archive gets, so that a bitmap shows what the stacks show.

import Archive
import Bytes
import CatalogModel
import Documents
import Imaging

extension IconParts {
  /// Returns the icon in a look as systems without layered icons show it.
  func glass(_ look: IconLook, isMac: Bool, side: Int, hasGlass: Bool) -> GlassDrawing {
    let paints = PaintsByName(self.paints)
    var icon = GlassIcon(
      plate: isMac ? .mac : .square, background: paints[background(look).facet])
    icon.hasGlass = hasGlass
    var files: [SourceFile] = []
    for row in groupRows(look) {
      guard let named = groups.first(where: { $0.facet == row.facet }) else { continue }
      var group = GlassGroup(
        opacity: row.opacity, blendMode: row.blendMode, row.attributes, row.effects)
      for row in layerRows(of: named, look) {
        guard let file = pictures.first(where: { $0.facet == row.facet })?.file else { continue }
        let number = files.firstIndex(of: file) ?? files.count
        if number == files.count { files.append(file) }
        var layer = GlassLayer(
          picture: number, x: Double(row.frame.x), y: Double(row.frame.y),
          width: Double(row.frame.width), height: Double(row.frame.height))
        layer.set(opacity: row.opacity, blendMode: row.blendMode, row.attributes)
        layer.fill = paints[row.attributes.fill]
        group.layers.append(layer)
      }
      icon.groups.append(group)
    }
    switch look {
    case .light: break
    case .dark: icon.show(.dark)
    case .tinted: icon.show(.tinted)
    }
    return GlassDrawing(icon: icon, files: files, side: side)
  }
}

/// The paints of an icon by their names.
private struct PaintsByName {
  private var paints: [ByteString: GlassPaint] = [:]

  init(_ paints: IconPaints) {
    var colors: [ByteString: GlassColor] = [:]
    for (facet, color) in paints.colors {
      colors[facet] = GlassColor(color)
      self.paints[facet] = .color(GlassColor(color))
    }
    for (facet, gradient) in paints.gradients {
      self.paints[facet] = GlassPaint(gradient, colors: gradient.stops.map { colors[$0.color] })
    }
  }

  subscript(name: ByteString) -> GlassPaint? { paints[name] }
}

extension IconParts {
  /// The reason why bitmaps of an icon cannot be drawn, and the layer or group that is the cause.
  struct Obstacle {
    var reason: String
    var pointer: ByteString
  }

  /// Returns the reason why bitmaps of up to `side` pixels cannot be drawn; nil if they can.
  func obstacle(_ looks: Set<IconLook>, side: Int) -> Obstacle? {
    for look in IconLook.allCases where looks.contains(look) {
      var count = 0
      for group in groups where group.source.hidden.value(look, platform) != true {
        for ((layer, picture), row) in zip(shownLayers(of: group, look), layerRows(of: group, look))
        {
          count += 1
          if count > GlassIcon.mostLayers {
            return Obstacle(
              reason: "it has more than \(GlassIcon.mostLayers) layers", pointer: layer.pointer)
          }
          let longest = Double(max(row.frame.width, row.frame.height)) * Double(side) / 1024
          if picture.file.isVector, longest > GlassIcon.longestVector {
            return Obstacle(
              reason: "\(quoted(picture.file.name)) would have a side of \(grouped(Int(longest))) "
                + "pixels, and may have \(grouped(Int(GlassIcon.longestVector)))",
              pointer: layer.pointer)
          }
        }
      }
    }
    return nil
  }

  /// Says how well the glass of the icon is known, as the rest of a sentence about its bitmaps.
  /// `looks` are those that are drawn.
  func approximation(isMac: Bool, looks: [GlassLook]) -> String {
    var doubts: [String] = []
    let unproven = looks.filter { $0 != .light }.map { $0.rawValue }
    if !unproven.isEmpty {
      let noun = unproven.count == 1 ? "look" : "looks"
      doubts.append("the \(noun) \(listed(unproven, joinedBy: "and"))")
    }
    if !isMac { doubts.append("the rim and the shadows of icons for phones") }
    let rows = Set(looks.map(\.drawn)).flatMap { groupRows($0) }
    if rows.contains(where: { $0.blendMode != 0 }) { doubts.append("the blend modes of groups") }
    if rows.contains(where: { $0.attributes.blur > 0 }) { doubts.append("blurred backgrounds") }
    if refracts { doubts.append("refraction, which is not drawn") }
    if rows.contains(where: { $0.effects.placement != 0 }) {
      doubts.append("the place of the light")
    }
    let all = doubts.isEmpty ? "" : "; less is known about \(listed(doubts, joinedBy: "and"))"
    return "drawn with a model of Apple's glass, which is close to it and not equal" + all
  }
}

extension GlassLook {
  /// The look whose layers are shown. Clear icons have those of the tinted one.
  var drawn: IconLook {
    switch self {
    case .light: .light
    case .dark: .dark
    case .tinted, .clearLight, .clearDark: .tinted
    }
  }
}

extension IconLook {
  /// The look of bitmaps that show these layers.
  var glass: GlassLook {
    switch self {
    case .light: .light
    case .dark: .dark
    case .tinted: .tinted
    }
  }
}
