// The variants from which `resolve` and `explain` choose, in JSON.

import CatalogModel
import Documents
import Traits

extension Candidate {
  package var json: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("file", fileName.map { .name($0) } ?? .null),
      .init("idiom", .string(key.idiom.name)), .init("subtype", .integer(Int(key.subtype))),
      .init("scale", .integer(isVector ? 0 : Int(key.scale))),
      .init("width", .string(key.width.name)),
      .init("height", .string(key.height.name)), .init("style", .string(key.style.name)),
      .init("contrast", .string(key.contrast.name)), .init("gamut", .string(key.gamut.name)),
      .init("direction", .string(key.direction.name)), .init("memory", .integer(Int(key.memory))),
      .init("graphics", .string(key.graphics.name)),
      .init("language", languageName.map { .string($0) } ?? .null),
      .init("vector", .bool(isVector)),
    ]
    if let color = self.color?.text { members.append(.init("color", .string(color))) }
    if isNothing { members.append(.init("nothing", true)) }
    if key.contentSize != .any {
      members.append(.init("content-size", .string(key.contentSize.name)))
    }
    if let start = (platform ?? Platform(of: key.idiom)).start(of: key.osGeneration) {
      members.append(.init("os", .string(start.description)))
    }
    return .object(members)
  }

  private typealias Platform = Traits.Platform

  /// The tag; the number if the archive does not name the localization.
  private var languageName: String? {
    key.locale == 0 ? nil : language ?? String(key.locale)
  }
}

extension Insets {
  package var json: JSONOutput {
    [
      "top": .number(top), "left": .number(left), "bottom": .number(bottom),
      "right": .number(right),
    ]
  }
}

extension SlicingFacts {
  package var json: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("mode", .string(mode.rawValue)), .init("center", .string(center.rawValue)),
      .init("capInsets", caps.json),
    ]
    if let centerWidth, let centerHeight {
      members.append(.init("centerSize", [.number(centerWidth), .number(centerHeight)]))
    }
    return .object(members)
  }
}
