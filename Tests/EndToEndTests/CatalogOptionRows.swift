// Rows for the options about catalogues, in every command that accepts a catalogue in place of an
// archive.

import Support

/// The command lines over the catalogue of options; each gives an answer that depends on the
/// target.
private let catalogCommands = [
  ("thin", "thin A.xcassets -o out.car --device iPhone8,1"),
  ("diff", "diff A.xcassets A.xcassets"),
  ("resolve", "resolve A.xcassets Star"),
  ("explain", "explain A.xcassets Star"),
  ("transitions", "transitions A.xcassets --device iPhone8,1"),
  ("preview", "preview A.xcassets -o page.html --devices iPhone8,1"),
]

let catalogOptionRows: [OptionRow] =
  catalogCommands.flatMap(sharedRows) + catalogCommands.flatMap(keepingRows) + targetRows
  + ["resolve", "explain"].flatMap(askingRows) + catalogCommands.flatMap(archiveRows)

/// Rows about options of the target, which have no effect for an archive.
private func archiveRows(_ command: String, _ line: String) -> [OptionRow] {
  let ofArchive = line.replacing("A.xcassets", with: "full.car")
  return [
    ("--platform", "macosx"), ("--minimum-deployment-target", "15.0"), ("--target-device", "ipad"),
    ("--app-icon", "Other"), ("--include-all-app-icons", ""),
  ].map { option, value in
    OptionRow("\(command) \(option)", full, "\(ofArchive) \(option) \(value)") {
      let are = command == "diff" ? "full.car and full.car are archives" : "full.car is an archive"
      return $0.isFine
        && $0.result.stderr.contains("warning: \(option) has no effect, because \(are)\n")
    }
  }
}

/// The rows that every command has.
private func sharedRows(_ command: String, _ line: String) -> [OptionRow] {
  [
    OptionRow("\(command) --diagnostics", "\(line) --diagnostics json --min-severity note") {
      $0.result.stderr.contains(#""code" : "setting-not-applied""#)
    },
    OptionRow("\(command) --werror", "\(line) --werror=setting-not-applied") {
      $0.result.code == 1 && $0.result.stdout.isEmpty
        && $0.result.stderr.contains("error: ")
        && $0.result.stderr.contains("[setting-not-applied]")
    },
    OptionRow("\(command) --min-severity", "\(line) --min-severity note") {
      $0.result.code == 0 && $0.result.stderr.contains(": note: ")
    },
    OptionRow("\(command) --min-severity", line) { run in
      // An icon that is missing in the thinned archive is always named.
      let notes = run.result.stderr.split(separator: "\n").filter { $0.contains(": note: ") }
      return notes.isEmpty == (command != "thin")
        && notes.allSatisfy { $0.contains("[icon-not-chosen]") }
    },
    OptionRow("\(command) --no-warn", "\(line) --min-severity note --no-warn setting-not-applied") {
      $0.result.code == 0 && !$0.result.stderr.contains("[setting-not-applied]")
    },
    OptionRow("\(command) --all", "\(line) --min-severity note") {
      $0.result.stderr.contains("--all shows them")
    },
    OptionRow("\(command) --all", "\(line) --min-severity note --all") {
      $0.result.stderr.contains(": note: ") && !$0.result.stderr.contains("--all shows them")
    },
    OptionRow("\(command) --verbose", "\(line) --verbose") {
      $0.result.code == 0 && $0.result.stderr.contains("settings: none")
    },
    OptionRow("\(command) --jobs", "\(line) --jobs 0") { $0.result.code == 2 },
    OptionRow("\(command) --jobs", "\(line) --jobs 2") { $0.result.code == 0 },
    OptionRow(
      "\(command) --minimum-deployment-target", "\(line) --minimum-deployment-target 6.0"
    ) { $0.result.code == 2 && $0.text.contains("the oldest system is 7") },
  ]
}

/// The rows of the options of the cache, for commands that compress.
private func keepingRows(_ command: String, _ line: String) -> [OptionRow] {
  let compresses = ["thin", "diff", "preview"].contains(command)
  return [
    OptionRow("\(command) --cache", "\(line) --cache kept") {
      $0.result.code == 0 && $0.has("kept") == compresses
    },
    OptionRow("\(command) --cache-size", "\(line) --cache kept --cache-size 0") {
      $0.result.code == 2
    },
    OptionRow("\(command) --no-cache", "\(line) --cache kept --no-cache") {
      $0.result.code == 0 && !$0.has("kept")
    },
    OptionRow("\(command) --remote-cache", "\(line) --remote-cache http://127.0.0.1:9") {
      $0.result.code == 0 && $0.text.contains("warning: remote cache 127.0.0.1:9: ") == compresses
    },
    OptionRow("\(command) --remote-cache", "\(line) --remote-cache nothing") {
      $0.result.code == 2
        && $0.text.contains("--remote-cache nothing: it does not begin with http://")
    },
  ]
}

private let symbols = "\(sampleCatalogs)/Symbols.xcassets"
private let full = OptionCatalog.compiling.joined(separator: " ")

private let targetRows: [OptionRow] = [
  OptionRow(
    "thin --target-device", "thin A.xcassets -o out.car --device iPhone8,1 --target-device ipad"
  ) {
    try !$0.files().contains("phone.png") && $0.files().contains("two.png")
  },
  OptionRow("diff --target-device", full, "diff full.car A.xcassets --target-device ipad") {
    let lines = $0.result.stdout.split(separator: "\n")
    return lines.contains { $0.hasPrefix("  - Star (2x, phone") }
      && !lines.contains { $0.hasPrefix("  - Star (2x, pad") }
  },
  OptionRow(
    "diff --minimum-deployment-target", full,
    "diff full.car A.xcassets --minimum-deployment-target 9.0"
  ) { $0.result.stdout.contains("platform version: 15.0 → 9.0") },
]

private func askingRows(_ command: String) -> [OptionRow] {
  let star = "\(command) A.xcassets Star"
  return [
    OptionRow(
      "\(command) --weight", "compile \(symbols) -o s.car",
      "\(command) s.car Signal --weight black --symbol-size small"
    ) { $0.result.code == 0 && $0.result.stdout.contains("signal.svg") },
    OptionRow("\(command) --weight", "\(command) \(symbols) Signal --weight heavyish") {
      $0.result.code == 2
    },
    OptionRow("\(command) --symbol-size", "\(command) \(symbols) Signal --symbol-size small") {
      $0.result.code == 0 && $0.result.stdout.contains("signal.svg")
    },
    OptionRow(
      "\(command) --symbol-size", "\(command) \(symbols) Signal --symbol-size large --weight bold"
    ) {
      $0.result.code == 1
        && $0.result.stdout.contains(
          "no drawing of this weight and size; programs derive it from other drawings")
    },
    OptionRow(
      "\(command) --weight", "\(command) \(symbols) Signal --weight bold --kind symbol --json"
    ) { try $0.object()["reason"] as? String == "drawing" },
    OptionRow(
      "\(command) --weight", "compile \(symbols) -o s.car",
      "\(command) s.car Signal --weight bold --kind symbol --json"
    ) { try $0.object()["reason"] as? String == "drawing" },
    OptionRow("\(command) --weight", "\(command) \(symbols) Sig --kind symbol --json") {
      try $0.object()["reason"] as? String == "name"
    },
    OptionRow("\(command) --platform", "\(star) --traits scale=2 --platform macosx") {
      $0.result.stdout.contains("mac.png")
    },
    OptionRow("\(command) --platform", "\(star) --traits scale=2 --platform iphoneos") {
      $0.result.stdout.contains("two.png") && !$0.result.stdout.contains("mac.png")
    },
    OptionRow("\(command) --target-device", "\(star) --device iPhone8,1 --target-device ipad") {
      $0.result.stdout.contains("two.png") && !$0.result.stdout.contains("phone.png")
    },
    OptionRow("\(command) --app-icon", "\(command) A.xcassets AppIcon --app-icon Other") {
      $0.result.code == 1
    },
    OptionRow(
      "\(command) --include-all-app-icons",
      "\(command) A.xcassets AppIcon --device iPhone8,1 --app-icon Other --include-all-app-icons"
    ) { $0.result.code == 0 && $0.result.stdout.contains("AppIcon.png") },
  ]
}
