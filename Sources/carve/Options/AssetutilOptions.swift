// The command line of Apple's assetutil: every option, its form, and its effect on a filter.

import ArchiveTools
import Bytes
import CommandLineKit
import Documents
import Queries
import Traits

enum AssetutilOption: String, CaseIterable {
  case idiom, hostedidioms, subtype, subtypefallbacks, scale, graphicsclass
  case gamut = "display-gamut"
  case graphicsFallbacks = "graphicsclassfallbacks"
  case memory
  case deploymentTarget = "deployment-target"
  case preserved = "preserve-assets-named"
  case compare = "compare-thinning"
  case compareBatch = "compare-thinning-batch"
  case output, info, version
  case updateBitmap = "update-bitmap"
  case validate = "validate-file"
  case inPlace = "in-place"

  var letter: Character? {
    switch self {
    case .idiom: "i"
    case .hostedidioms: "h"
    case .subtype: "t"
    case .subtypefallbacks: "u"
    case .scale: "s"
    case .gamut: "p"
    case .graphicsclass: "g"
    case .graphicsFallbacks: "k"
    case .memory: "M"
    case .deploymentTarget: "r"
    case .preserved: "n"
    case .compare: "T"
    case .compareBatch: "L"
    case .output: "o"
    case .info: "I"
    case .version: "V"
    case .updateBitmap: "U"
    case .validate: "Z"
    case .inPlace: nil
    }
  }

  var takesValue: Bool {
    switch self {
    case .info, .version, .updateBitmap, .validate, .inPlace: false
    default: true
    }
  }

  /// Options whose repetitions belong together: the first occurrences of all of them make one set
  /// of parameters, the second occurrences the next.
  static let zipped: [AssetutilOption] = [.idiom, .subtype, .scale, .graphicsclass]

  var row: OptionRow {
    OptionRow(long: rawValue, short: letter, form: form, help: help)
  }

  private var form: ValueForm {
    switch self {
    case _ where !takesValue: .none
    case .idiom: .choice(placeholder, of: Idiom.names)
    case .scale: .choice(placeholder, of: ["1", "2", "3"])
    case .gamut: .choice(placeholder, of: ["srgb", "p3", "all"])
    case .output: .path(placeholder, extensions: ["car"])
    case .compareBatch: .path(placeholder, extensions: ["json"])
    default: .text(placeholder)
    }
  }

  private var placeholder: String {
    switch self {
    case .output: "ARCHIVE"
    case .compareBatch: "FILE"
    case .compare: "A/B"
    case .preserved: "NAME,NAME"
    case .hostedidioms: "IDIOM,IDIOM"
    case .subtypefallbacks, .graphicsFallbacks: "VALUE:VALUE"
    default: "VALUE"
    }
  }

  private var help: String {
    switch self {
    case .idiom: "keep this idiom and the universal one"
    case .hostedidioms: "idioms that are always kept"
    case .subtype: "keep this display subtype, and renditions without a subtype"
    case .subtypefallbacks: "subtypes that can replace it"
    case .scale: "keep this scale if there is a choice"
    case .gamut: "keep this gamut if there is a choice"
    case .graphicsclass: "keep what this graphics class shows, such as MTL2,2 or APPLE5"
    case .graphicsFallbacks: "graphics classes that can replace it"
    case .memory: "keep what this memory class shows"
    case .deploymentTarget: "keep what this system generation shows"
    case .preserved: "assets of which nothing is dropped"
    case .compare: "whether two sets of parameters, written KEY=VALUE,..., give the same file"
    case .compareBatch: "the same for a JSON file of pairs"
    case .output: "the archive to write"
    case .info: "describe the archive in JSON, or one asset of it"
    case .version: "show the version"
    case .updateBitmap: "rebuild the table of bitmap keys"
    case .validate: "check the archive; exit with 2, as Apple's tool does, if it is damaged"
    case .inPlace: "overwrite the archive, as Apple's tool does without -o"
    }
  }
}

/// A parsed command line of assetutil.
struct AssetutilWords {
  private(set) var values: [AssetutilOption: [String]] = [:]
  private(set) var operands: [ByteString] = []

  init(_ words: [String]) throws(CommandFailure) {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word.count > 1 else {
        operands.append(ByteString(word: word))
        continue
      }
      let (option, attached) = try AssetutilWords.option(word)
      guard option.takesValue else {
        if attached != nil { throw .usage("option '--\(option.rawValue)' takes no value") }
        values[option, default: []].append("")
        continue
      }
      guard let value = attached ?? rest.popFirst() else {
        throw .usage("option '--\(option.rawValue)' needs a value")
      }
      values[option, default: []].append(value)
    }
  }

  private static func option(
    _ word: String
  ) throws(CommandFailure) -> (AssetutilOption, String?) {
    let body = word.drop { $0 == "-" }
    let name = String(body.prefix { $0 != "=" })
    let attached = body.count > name.count ? String(body.dropFirst(name.count + 1)) : nil
    let found = AssetutilOption.allCases.first { option in
      word.hasPrefix("--")
        ? option.rawValue == name : option.letter.map { String($0) == name } ?? false
    }
    if let found { return (found, attached) }
    let known = AssetutilOption.allCases.map(\.rawValue)
    throw .usage("unknown option '\(word)'\(suggestion(for: name, in: known, prefix: "--"))")
  }

  func has(_ option: AssetutilOption) -> Bool { values[option] != nil }
  func last(_ option: AssetutilOption) -> String? { values[option]?.last }

  /// Returns one filter for each repetition of the zipped options.
  func filters() throws(CommandFailure) -> [ItemFilter] {
    let counts = Set(AssetutilOption.zipped.compactMap { values[$0]?.count })
    if counts.count > 1 {
      throw .usage("--idiom, --subtype, --scale and --graphicsclass must be given equally often")
    }
    var filters: [ItemFilter] = []
    for place in 0..<(counts.first ?? 1) {
      var pairs: [(AssetutilOption, String)] = []
      for (option, list) in values where option.takesValue {
        let isZipped = AssetutilOption.zipped.contains(option)
        if let value = isZipped ? list[place] : list.last { pairs.append((option, value)) }
      }
      filters.append(try itemFilter(pairs))
    }
    return filters
  }
}

/// Returns the filter of some options; options that do not filter are ignored.
func itemFilter(_ pairs: [(AssetutilOption, String)]) throws(CommandFailure) -> ItemFilter {
  try queried { () throws(QueryError) in
    try ItemFilter(
      pairs.compactMap { option, value in
        FilterParameter(rawValue: option.rawValue).map { ($0, value) }
      })
  }
}
