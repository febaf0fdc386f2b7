// The answer to one query about one asset, as a value, as a sentence and as JSON.

import Bytes
import Documents
import Traits

/// The variant of an asset that a window shows.
package struct Resolution: Sendable {
  package var name: ByteString
  package var kind: AssetKind
  /// The assets among which the asset was looked up.
  package var table: CandidateTable
  /// The asset; nil if it does not exist.
  package var asset: AssetCandidates?
  package var environment: Environment
  package var explanation: Explanation
  /// The facts about the device that are only supposed, and without which the answer could differ.
  package var suppositions: [SupposedFact] = []
  /// Whether the request is for the vector of the shown variant, which draws it at any size.
  package var asksForVector = false

  package var winner: Candidate? { asksForVector ? vector : shown }
  private var shown: Candidate? { explanation.winner.flatMap { asset?.candidates[$0] } }

  /// The shown variant if it is a vector, otherwise the vector with the same traits that is kept
  /// beside it.
  private var vector: Candidate? {
    guard let asset, var key = shown?.key else { return nil }
    key.scale = 0
    return kind == .image ? asset.candidates.first { $0.key == key && !$0.isNothing } : nil
  }
  package var isMirrored: Bool { winner.map { environment.mirrors($0.key) } ?? false }
  /// The reason for no variant: an axis, a drawing or vector that the asset lacks, or its name.
  package var reason: String {
    if let obstacle = explanation.obstacle { return obstacle.name }
    guard let asset else { return "name" }
    return asset.candidates.isEmpty ? "drawing" : "vector"
  }
  package var label: String { winner?.label ?? "nothing" }

  package init(
    of name: ByteString, _ kind: AssetKind, in table: CandidateTable, for environment: Environment
  ) {
    self.name = name
    self.kind = kind
    self.table = table
    self.environment = environment
    asset = table.widenedAsset(name, kind)
    explanation = Explanation(of: asset?.keys ?? [], in: environment)
  }
}

/// The error for a query whose answer depends on unknown facts about a device.
package struct AmbiguousAnswer: Error, Sendable {
  package var device: String
  package var axes: [Axis]
  /// The possible answers.
  package var names: [String]

  package var message: String {
    let isOne = axes.count == 1
    let traits = listed(axes.map(\.name), joinedBy: "and")
    return
      "\(device): \(traits) can have several values or \(isOne ? "is" : "are") not known, and "
      + "\(isOne ? "decides" : "decide") between \(listed(names, joinedBy: "and")); give the value "
      + "with --traits instead of --device"
  }
}

extension Query {
  /// Returns the answer if all facts that matter are known.
  package func resolution(
    of name: ByteString, _ kind: AssetKind, in table: CandidateTable
  ) throws(AmbiguousAnswer) -> Resolution {
    let keys = table.widenedAsset(name, kind)?.keys ?? []
    let environments = environments(distinguishedBy: keys)
    let first = Resolution(
      of: name, kind, in: table, for: environments.first ?? Environment())
    let different = environments.disagreeing(about: keys).map {
      Resolution(of: name, kind, in: table, for: $0)
    }
    if different.isEmpty {
      var answer = first
      answer.suppositions = suppositions(behind: first.environment, keys)
      return answer
    }
    var names: [String] = []
    for resolution in [first] + different where !names.contains(resolution.label) {
      names.append(resolution.label)
    }
    let axes = Axis.allCases.filter { axis in
      different.contains { $0.environment.differences(from: first.environment).contains(axis) }
    }
    throw AmbiguousAnswer(device: device?.identifier ?? "", axes: axes, names: names)
  }
}

extension Query {
  /// Returns the supposed facts whose other values would show another variant.
  private func suppositions(
    behind environment: Environment, _ keys: [VariantKey]
  ) -> [SupposedFact] {
    guard let device else { return [] }
    let distinction = Distinction(keys)
    return device.supposed.filter { fact in
      let open = device.without([fact]).environments(
        of: shown, request: request, distinguishedBy: distinction)
      return !([environment] + open).disagreeing(about: keys).isEmpty
    }
  }
}

extension Resolution {
  /// The suppositions on which the answer rests, in words; nil if all facts are known.
  package func remark(about device: Device?) -> String? {
    guard let device, !suppositions.isEmpty else { return nil }
    let facts = suppositions.map(\.rawValue).joined(separator: " and ")
    let verb = suppositions.count == 1 ? "is" : "are"
    return
      "the \(facts) of \(device.identifier) \(verb) not confirmed, and another value would show "
      + "another variant"
  }

  /// The suppositions as a member of JSON, if the answer rests on some.
  var suppositionMembers: [JSONOutput.Member] {
    suppositions.isEmpty
      ? [] : [.init("supposed", .array(suppositions.map { .string($0.rawValue) }))]
  }
}

extension CandidateSource {
  /// Returns the kind of this name. Without one, it is image if there is an image of this name,
  /// otherwise the kind of another asset of this name.
  package func kind(
    named word: String?, of name: ByteString, for queries: [Query]
  ) -> AssetKind {
    if let word, let kind = AssetKind(named: word) { return kind }
    return queries.lazy.compactMap { self.table(for: $0).kinds(of: name).first }.first ?? .image
  }
}

extension Resolution {
  /// The answer in one line, which begins with the file.
  package var sentence: String {
    guard let winner else {
      guard let asset else { return table.absence(of: name, kind) }
      if kind == .symbol, asset.candidates.isEmpty {
        return
          "'\(name)' has no drawing of this weight and size; programs derive it from other drawings"
      }
      if shown != nil { return "nothing: no vector is kept for these traits" }
      return "nothing: \(reason) removes the last variant"
    }
    let mirrored = isMirrored ? ", mirrored" : ""
    let key = winner.traits
    if winner.isNothing { return "nothing, on purpose (\(key))" }
    let shown = winner.fileName?.text ?? winner.color?.text
    return shown.map { "\($0) (\(key)\(mirrored))" } ?? "\(key)\(mirrored)"
  }

  /// The members of `resolve --json`.
  package var members: [JSONOutput.Member] {
    var members: [JSONOutput.Member] = [
      .init("asset", .name(name)), .init("kind", .string(kind.name)),
      .init("found", .bool(winner != nil)),
    ]
    members += suppositionMembers
    guard let winner else { return members + [.init("reason", .string(reason))] }
    members.append(.init("mirrored", .bool(isMirrored)))
    members.append(.init("variant", winner.json))
    let size = winner.readPixels(in: table.tree)
    if let size {
      members.append(.init("pixelSize", [.integer(size.width), .integer(size.height)]))
    }
    let fitted = winner.fitted(to: size)
    if let insets = fitted.insets { members.append(.init("alignmentInsets", insets.json)) }
    if let slicing = fitted.slicing {
      let scale = Double(max(winner.key.scale, 1))
      members.append(.init("slicing", slicing.completed(size, scale).json))
    }
    return members
  }
}
