// Writes the data of a page as the text that its script reads. The text contains no markup:
// characters that could begin a tag are escaped.

import Bytes
import CarveRuntime
import Documents
import Traits

extension PageData {
  var json: JSONOutput {
    [
      "title": .string(options.title), "platform": .string(platform), "size": .integer(byteCount),
      "looks": situations.traits.json, "devices": .array(situations.devices.map(\.json)),
      "undecided": [
        .number(Window.undecidedWidths.lowerBound), .number(Window.undecidedWidths.upperBound),
        .number(Window.proposedRegularWidth),
      ],
      "signatures": .array(
        tables.map { $0.json(languages, Platform(archiveName: platform)) }),
      "assets": .array(assets.map { $0.json(pictures, layers) }),
      "pictures": .array(allPictures.map(\.json)), "bytes": bytes?.json ?? .null,
      "damaged": .array(
        damaged.map { [.name($0.name), .string($0.variant), .string("\($0.error)")] }),
      "difference": difference?.json(self) ?? .null,
    ]
  }
}

extension JSONOutput {
  /// The text on one line, which may be placed between tags.
  var markupSafe: [UInt8] {
    var bytes: [UInt8] = []
    for byte in line.utf8 {
      if byte == UInt8(ascii: "<") { bytes += "\\u003c".utf8 } else { bytes.append(byte) }
    }
    return bytes
  }
}

extension PageTraits {
  fileprivate var json: JSONOutput {
    [
      "styles": .array(styles.map { .string($0.name) }),
      "contrasts": .array(contrasts.map { .string($0.name) }),
      "languages": .array(
        languages.map { tag in
          let isTurned = !tag.isEmpty && writingDirection(ofLanguage: tag) == .rightToLeft
          return [.string(tag), .bool(isTurned)]
        }),
    ]
  }
}

extension DeviceWindows {
  fileprivate var json: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("id", .string(device.identifier)), .init("name", .string(device.name)),
      .init("idiom", .string(device.idiom.name)),
      .init("gamuts", .array(device.gamuts.map { .string($0.name) })),
      .init("scales", .array(device.scales.map { .integer(Int($0)) })),
    ]
    if let points = device.points {
      members.append(.init("pt", [.number(points.width), .number(points.height)]))
    }
    if let pixels = device.pixels {
      members.append(.init("px", [.number(pixels.width), .number(pixels.height)]))
    }
    if let unfolded = device.unfolded {
      let display: JSONOutput = [
        "pt": [.number(unfolded.points.width), .number(unfolded.points.height)],
        "px": [.number(unfolded.pixels.width), .number(unfolded.pixels.height)],
        "gamuts": [.string(unfolded.gamut.name)], "scales": [.integer(Int(unfolded.scale))],
      ]
      members.append(.init("unfolded", display))
    }
    if !device.supposed.isEmpty {
      members.append(.init("supposed", .array(device.supposed.map { .string($0.rawValue) })))
    }
    members.append(.init("windows", .array(windows.map { DeviceWindows.json($0, $1) })))
    return .object(members)
  }

  private static func json(_ shown: ShownWindow, _ situation: Int) -> JSONOutput {
    let window = shown.window
    var members: [JSONOutput.Member] = [
      .init("o", .string(window?.orientation.rawValue ?? "any")),
      .init("m", .string(window?.mode.rawValue ?? "full")), .init("c", .integer(situation)),
    ]
    if let points = window?.points {
      members.append(.init("p", [.number(points.width), .number(points.height)]))
    }
    if let width = shown.width ?? window?.widthClass {
      members.append(.init("w", .string(width.name)))
    }
    if let height = window?.heightClass { members.append(.init("h", .string(height.name))) }
    return .object(members)
  }
}

extension AnswerTable {
  fileprivate func json(_ languages: [UInt16: String], _ platform: Platform?) -> JSONOutput {
    [
      "k": .array(
        keys.map { .string($0.summary(language: languages[$0.locale], platform: platform)) }),
      "a": .array(answers.map(\.json)), "t": .array(cells.map { .integer($0) }),
    ]
  }
}

extension Answer {
  fileprivate var json: JSONOutput {
    var members: [JSONOutput.Member] = [.init("w", .integer(winner ?? -1))]
    if isMirrored { members.append(.init("m", true)) }
    if let obstacle { members.append(.init("x", .string(obstacle.name))) }
    if !remarks.isEmpty {
      members.append(
        .init(
          "f",
          .array(
            remarks.map { [.integer($0.level.rawValue), .string($0.text), .string($0.axis.name)] }))
      )
    }
    if !openAxes.isEmpty {
      members += [
        .init("ua", .array(openAxes.map { .string($0.name) })),
        .init("uw", .array(openWinners.map { .integer($0 ?? -1) })),
      ]
    }
    return .object(members + [.init("d", verdictRuns)])
  }

  /// The verdicts as runs of equal ones, each with its length. An asset with hundreds of languages
  /// has as many answers as languages, and in each of them nearly all verdicts are equal.
  private var verdictRuns: JSONOutput {
    var runs: [(count: Int, verdict: Verdict)] = []
    for verdict in verdicts {
      if runs.last?.verdict == verdict {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((1, verdict))
      }
    }
    return .array(
      runs.map { [.integer($0.count), .string($0.verdict == .wins ? "" : $0.verdict.words)] })
  }
}

extension PagePicture {
  fileprivate var json: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("t", .string(type)), .init("w", .integer(width)), .init("h", .integer(height)),
    ]
    if isWide { members.append(.init("wide", true)) }
    if let original {
      members.append(.init("o", [.integer(original.size.width), .integer(original.size.height)]))
    }
    return .object(members)
  }
}

// MARK: - Variants

// Writes variants and assets as the page's script reads them. Keys are short, because there are
// thousands of variants.

extension PageAsset {
  func json(_ pictures: PagePictures, _ layers: PageLayers?) -> JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("n", .string(asset.name)), .init("k", .string(asset.kind.name)),
      .init("s", .integer(signature)),
      .init("v", .array(variants.map { $0.json(pictures) })),
    ]
    if !glyphs.isEmpty {
      let list = glyphs.compactMap { glyph, request -> JSONOutput? in
        guard case .success(let number)? = pictures[request] else { return nil }
        return [
          "w": .string("\(glyph.weight)"), "z": .string("\(glyph.size)"), "p": .integer(number),
        ]
      }
      members.append(.init("g", .array(list)))
    }
    let name = ByteString(asset.name)
    if let layers = layers?.json(of: name) { members.append(.init("l", layers)) }
    if let looks = layers?.looks(of: name, pictures) { members.append(.init("i", looks)) }
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
