// The answer to one question about one asset, and its output.

import Bytes
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Traits

/// The variant of an asset that a window shows.
struct Resolution: Sendable {
  var name: ByteString
  var kind: AssetKind
  /// The asset; nil if it does not exist.
  var asset: AssetCandidates?
  var environment: Environment
  var explanation: Explanation

  var winner: Candidate? { explanation.winner.flatMap { asset?.candidates[$0] } }
  var isMirrored: Bool { winner.map { environment.mirrors($0.key) } ?? false }
  var reason: String { explanation.obstacle?.name ?? "name" }

  init(_ name: ByteString, _ kind: AssetKind, asset: AssetCandidates?, in environment: Environment)
  {
    self.name = name
    self.kind = kind
    self.asset = asset
    self.environment = environment
    explanation = Explanation(of: asset?.keys ?? [], in: environment)
  }
}

/// The error for a question whose answer depends on unknown facts about a device.
struct Undecided: Error, Sendable {
  var device: String
  var axes: [Axis]
  /// The possible answers.
  var names: [String]

  var message: String {
    let traits = axes.map(\.name).joined(separator: " and ")
    return "\(device): \(traits) can have several values or is not known, and decides between "
      + "\(names.joined(separator: " and ")); say it with --traits instead of --device"
  }
}

extension Question {
  /// Returns the answer if all facts that matter are known.
  func resolution(
    of name: ByteString, _ kind: AssetKind, _ asset: AssetCandidates?
  ) throws(Undecided) -> Resolution {
    let keys = asset?.keys ?? []
    let environments = environments(distinguishedBy: keys)
    let first = Resolution(name, kind, asset: asset, in: environments.first ?? Environment())
    let different = environments.disagreeing(about: keys).map {
      Resolution(name, kind, asset: asset, in: $0)
    }
    if different.isEmpty { return first }
    var names: [String] = []
    for resolution in [first] + different where !names.contains(resolution.label) {
      names.append(resolution.label)
    }
    let axes = Axis.allCases.filter { axis in
      different.contains { $0.environment.differences(from: first.environment).contains(axis) }
    }
    throw Undecided(device: device?.identifier ?? "", axes: axes, names: names)
  }
}

extension Candidate {
  /// The name of the file, or the traits that distinguish a colour.
  var label: String { isNothing ? "nothing" : file?.text ?? key.summary(language: language) }
}

extension Resolution {
  var label: String { winner?.label ?? "nothing" }

  /// The members of `resolve --json`.
  var members: [JSONOutput.Member] {
    var members: [JSONOutput.Member] = [
      .init("asset", .name(name)), .init("kind", .string(kind.name)),
      .init("found", .bool(winner != nil)),
    ]
    guard let winner else { return members + [.init("reason", .string(reason))] }
    members.append(.init("mirrored", .bool(isMirrored)))
    members.append(.init("variant", winner.json))
    let size = winner.readPixels()
    if let size {
      members.append(.init("pixelSize", [.integer(size.width), .integer(size.height)]))
    }
    if let insets = winner.insets { members.append(.init("alignmentInsets", insets.json)) }
    if let slicing = winner.slicing {
      let scale = Double(max(winner.key.scale, 1))
      members.append(.init("slicing", slicing.completed(size, scale).json))
    }
    return members
  }
}

extension Candidate {
  var json: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("file", file.map { .name($0) } ?? .null),
      .init("idiom", .string(key.idiom.name)), .init("subtype", .integer(Int(key.subtype))),
      .init("scale", .integer(Int(key.scale))), .init("width", .string(key.width.name)),
      .init("height", .string(key.height.name)), .init("style", .string(key.style.name)),
      .init("contrast", .string(key.contrast.name)), .init("gamut", .string(key.gamut.name)),
      .init("direction", .string(key.direction.name)), .init("memory", .integer(Int(key.memory))),
      .init("graphics", .string(key.graphics.name)),
      .init("language", languageName.map { .string($0) } ?? .null),
      .init("vector", .bool(key.scale == 0)),
    ]
    if isNothing { members.append(.init("nothing", true)) }
    if key.contentSize != .any {
      members.append(.init("content-size", .string(key.contentSize.name)))
    }
    if let start = Platform(of: key.idiom).start(of: key.osGeneration) {
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

extension Candidate {
  /// Returns the size of the picture; nil if there is no picture or it cannot be read.
  func readPixels() -> PixelCount? {
    guard let path else { return pixels }
    if let drawing {
      return drawnSize(of: path, drawing, in: .disk).map {
        PixelCount(width: $0.width, height: $0.height)
      }
    }
    guard let header = try? ImageHeader.read(path, in: .disk) else { return nil }
    let size = header.uprightSize
    return size.width > 0 ? PixelCount(width: size.width, height: size.height) : nil
  }
}

extension SlicingFacts {
  /// Returns the slicing with the size of the middle that follows from the picture's size.
  fileprivate func completed(_ size: PixelCount?, _ scale: Double) -> SlicingFacts {
    guard let size else { return self }
    var facts = self
    facts.centerWidth = centerWidth ?? Double(size.width) / scale - caps.left - caps.right
    facts.centerHeight = centerHeight ?? Double(size.height) / scale - caps.top - caps.bottom
    return facts
  }
}

extension Insets {
  var json: JSONOutput {
    [
      "top": .number(top), "left": .number(left), "bottom": .number(bottom),
      "right": .number(right),
    ]
  }
}

extension SlicingFacts {
  var json: JSONOutput {
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
