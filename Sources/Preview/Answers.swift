// The answer of each situation and request about a signature, with the reasons. The rule decides
// all answers before the page is written; the page only looks them up.

import Traits

/// The variant of a signature that one window shows, with remarks for the user.
struct Answer: Hashable, Sendable {
  enum Level: Int, Sendable { case note, warning }

  struct Remark: Hashable, Sendable {
    var level: Level
    var axis: Axis
    var text: String
  }

  /// The index of the shown variant; nil if no variant is shown.
  var winner: Int?
  var isMirrored = false
  /// The axis that excluded the last variant.
  var obstacle: Axis?
  var remarks: [Remark] = []
  /// The axes that decide between several winners although the device's values are unknown.
  var openAxes: [Axis] = []
  var openWinners: [Int?] = []
  /// One decision for each key, in the order of the keys.
  var verdicts: [Verdict] = []
}

/// The distinct answers of one signature, and the answer of each situation and request.
struct AnswerTable: Sendable {
  let keys: [VariantKey]
  private(set) var answers: [Answer] = []
  /// The number of the answer, by situation and then by request.
  private(set) var cells: [Int] = []

  init(_ keys: [VariantKey], in situations: Situations) {
    self.keys = keys
    let distinction = Distinction(keys)
    var known: [[Environment]: Int] = [:]
    var numbers: [Answer: Int] = [:]
    for situation in situations.all {
      for request in situations.traits.requests {
        let environments = situation.device.environments(
          of: situation.shown, request: request, distinguishedBy: distinction)
        if let number = known[environments] {
          cells.append(number)
          continue
        }
        let answer = Answer(keys, in: environments)
        let number = numbers[answer] ?? answers.count
        if number == answers.count {
          answers.append(answer)
          numbers[answer] = number
        }
        known[environments] = number
        cells.append(number)
      }
    }
  }

  /// Keeps only the cells of these situations.
  mutating func keep(_ situations: [Int], requests: Int) {
    cells = situations.flatMap { cells[$0 * requests..<($0 + 1) * requests] }
  }
}

extension Situations {
  /// Returns the answers of every signature. Situations with the same answers become one situation.
  mutating func answers(
    of signatures: [[VariantKey]], _ map: ([[VariantKey]], Situations) -> [AnswerTable]
  ) -> [AnswerTable] {
    var tables = map(signatures, self)
    let width = traits.requests.count
    var known: [[Int]: Int] = [:]
    var kept: [Int] = []
    let numbers = all.indices.map { situation in
      let column = tables.flatMap { $0.cells[situation * width..<(situation + 1) * width] }
      if let number = known[column] { return number }
      known[column] = kept.count
      kept.append(situation)
      return kept.count - 1
    }
    for index in tables.indices { tables[index].keep(kept, requests: width) }
    merge(numbers)
    return tables
  }
}

extension Answer {
  fileprivate init(_ keys: [VariantKey], in environments: [Environment]) {
    let environment = environments.first ?? Environment()
    let explanation = Explanation(of: keys, in: environment)
    winner = explanation.winner
    obstacle = explanation.obstacle
    verdicts = explanation.verdicts
    let different = environments.disagreeing(about: keys)
    if !different.isEmpty {
      let axes = Set(different.flatMap { $0.differences(from: environment) })
      openAxes = Axis.allCases.filter(axes.contains)
      let divided = DividedKeys(keys)
      var seen: Set<Int?> = []
      openWinners = ([environment] + different).map { divided.winner(in: $0) }
        .filter { seen.insert($0).inserted }
    }
    guard let winner else { return }
    isMirrored = environment.mirrors(keys[winner])
    remarks = environment.remarks(on: keys[winner])
  }
}

extension Environment {
  /// Returns remarks about the axes on which the winning variant is not exactly what was requested.
  fileprivate func remarks(on key: VariantKey) -> [Answer.Remark] {
    Axis.allCases.compactMap { axis in
      position(of: key, on: axis) ?? 0 > 0 ? remark(on: key, axis) : nil
    }
  }

  /// Returns nil for ordinary fallbacks: variants for all devices, windows or systems.
  private func remark(on key: VariantKey, _ axis: Axis) -> Answer.Remark? {
    func remark(_ level: Answer.Level, _ text: String) -> Answer.Remark {
      Answer.Remark(level: level, axis: axis, text: text)
    }
    switch axis {
    case .scale:
      if key.scale == 0 { return remark(.note, "vector at \(scale)x") }
      return remark(.warning, "\(key.scale)x shown on \(scale)x")
    case .style where style == .dark || style == .tinted:
      return remark(.note, "any style for \(style.name)")
    case .contrast: return remark(.note, "normal contrast for high")
    case .language: return key.locale == 0 ? remark(.note, "not for this language") : nil
    case .direction where mirrors(key):
      return remark(.warning, "\(key.direction.name) mirrored for \(direction.name)")
    case .subtype where key.subtype != 0:
      return remark(.warning, "display \(key.subtype) shown on \(subtype)")
    default: return nil
    }
  }
}
