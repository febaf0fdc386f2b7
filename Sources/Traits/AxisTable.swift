// The table of axes: one row for each. Requests, reports and explanations read it. The code that
// runs at every decision has the same facts as constants (Rule.swift, Request.swift,
// VariantKey.packed); a test compares it with the table. A new axis is a case of Axis and a row.
// The compiler then names every switch that must decide.

/// A row of the table.
package struct AxisRow: Sendable {
  /// The name of the axis in options and messages. If the axis excluded every variant, this name is
  /// the reason.
  package let name: String
  /// The values that a request can name; empty for numbers, versions and languages.
  package let choices: [String]
  /// The advice for a request whose value cannot be read.
  package let expectation: String
  /// The value of a key without a constraint on the axis. Only the scale has no such value: the
  /// number is the scale of a key that names none.
  package let unconstrained: UInt16
  /// The bits of the axis in a packed key, counted from the lowest bit of its lower half.
  package let keyBits: Range<Int>
  /// The bits of the axis in a packed rank.
  let rank: RankField

  fileprivate init(
    _ name: String, choices: [String] = [], expectation: String? = nil, unconstrained: UInt16 = 0,
    keyBits: Range<Int>, rank: RankField
  ) {
    self.name = name
    self.choices = choices
    self.expectation = expectation ?? "choose from \(choices.joined(separator: ", "))"
    self.unconstrained = unconstrained
    self.keyBits = keyBits
    self.rank = rank
  }
}

extension Axis {
  private static let table: [AxisRow] = allCases.map { $0.makeRow() }

  /// The row of the axis.
  package var row: AxisRow { Axis.table[Int(rawValue)] }

  private func makeRow() -> AxisRow {
    switch self {
    case .style: AxisRow("style", choices: Style.names, keyBits: 120..<128, rank: .style)
    case .contrast:
      AxisRow("contrast", choices: Contrast.names, keyBits: 112..<120, rank: .contrast)
    case .language:
      AxisRow(
        "language", expectation: "give language tags joined by ':', such as es-MX:es",
        keyBits: 96..<112, rank: .language)
    case .memory:
      AxisRow(
        "memory", expectation: "give gigabytes as a whole number from 0 to 254",
        keyBits: 88..<96, rank: .memory)
    case .subtype:
      AxisRow(
        "subtype", expectation: "give a number from 0 to 65535, such as 2436", keyBits: 64..<80,
        rank: .subtype)
    case .graphics:
      AxisRow("graphics", choices: GraphicsClass.names, keyBits: 80..<88, rank: .graphics)
    case .scale:
      AxisRow("scale", choices: ["1", "2", "3"], unconstrained: 1, keyBits: 56..<64, rank: .scale)
    case .os:
      AxisRow("os", expectation: "give a version such as 17.4", keyBits: 48..<56, rank: .os)
    case .direction:
      AxisRow("direction", choices: Direction.names, keyBits: 40..<48, rank: .direction)
    case .gamut: AxisRow("gamut", choices: Gamut.names, keyBits: 32..<40, rank: .gamut)
    case .idiom: AxisRow("idiom", choices: Idiom.names, keyBits: 24..<32, rank: .idiom)
    case .width: AxisRow("width", choices: SizeClass.names, keyBits: 16..<24, rank: .width)
    case .height: AxisRow("height", choices: SizeClass.names, keyBits: 8..<16, rank: .height)
    case .contentSize:
      AxisRow("content-size", choices: ContentSize.names, keyBits: 0..<8, rank: .contentSize)
    }
  }

  /// The name of the axis in options and messages.
  public var name: String { row.name }

  public init?(named name: String) {
    guard let axis = Axis.allCases.first(where: { $0.name == name }) else { return nil }
    self = axis
  }

  /// Every allowed value in a request; empty for numbers, versions and languages.
  public var choices: [String] { row.choices }

  /// The axes in the order in which messages and help list them.
  public static let inRequests: [Axis] = [
    .idiom, .subtype, .scale, .width, .height, .style, .contrast, .gamut, .direction, .memory,
    .graphics, .language, .os, .contentSize,
  ]

  /// The names of the axes in the order in which messages and help list them.
  public static var requestNames: [String] { inRequests.map { $0.name } }
}
