// A row for every option of the commands that ask, check and describe, and of assetutil.

import Foundation
import Support

private let packed = "compile A.xcassets -o packed.car"
private let full = OptionCatalog.compiling.joined(separator: " ")
private let star = "A.xcassets Star"
private let wide = "A.xcassets Wide --device iPad5,3"

/// `resolve` and `explain` share their options and the first line of their output.
let askingOptionRows: [OptionRow] = ["resolve", "explain"].flatMap { command in
  func shows(_ file: String) -> @Sendable (OptionRun) throws -> Bool {
    { run in
      let first = run.result.stdout.split(separator: "\n").first ?? ""
      return first.contains(file + " (")
    }
  }
  return [
    OptionRow(
      "\(command) --kind", "\(command) A.xcassets Facts --kind data", check: shows("facts.json")),
    OptionRow("\(command) --kind", "\(command) A.xcassets Facts --kind image") {
      $0.text.contains("there is no image 'Facts'")
    },
    OptionRow("\(command) --batch", "\(command) A.xcassets --batch none.jsonl") {
      $0.result.code == 4 && $0.text.contains("none.jsonl")
    },
    OptionRow("\(command) --json", "\(command) \(star) --json") {
      try $0.object()["asset"] as? String == "Star"
    },
    OptionRow(
      "\(command) --device", "\(command) \(star) --device iPhone8,1", check: shows("phone.png")),
    OptionRow(
      "\(command) --device", "\(command) \(star) --device iPad5,3", check: shows("pad.png")),
    OptionRow(
      "\(command) --traits", "\(command) \(star) --traits idiom=mac,scale=2",
      check: shows("mac.png")),
    OptionRow(
      "\(command) --orientation", "\(command) \(wide) --window split-1/3 --orientation portrait",
      check: shows("compact.png")),
    OptionRow("\(command) --orientation", "\(command) \(wide) --orientation sideways") {
      $0.result.code == 2
    },
    OptionRow(
      "\(command) --window", "\(command) \(wide) --window slide-over", check: shows("compact.png")),
    OptionRow("\(command) --window", "\(command) \(wide)", check: shows("regular.png")),
    OptionRow("\(command) --windows", "\(command) \(wide) --windows all") {
      $0.text.hasPrefix("DEVICE") && $0.text.contains("compact.png")
        && $0.text.contains("regular.png")
    },
    OptionRow(
      "\(command) --style", "\(command) A.xcassets Star --device iPhone8,1 --style dark",
      check: shows("dark.png")),
    OptionRow(
      "\(command) --contrast", "\(command) A.xcassets Edge --device iPhone8,1 --contrast high",
      check: shows("strong.png")),
    OptionRow(
      "\(command) --contrast", "\(command) A.xcassets Edge --device iPhone8,1",
      check: shows("edge.png")),
    OptionRow(
      "\(command) --language", "\(command) A.xcassets Arrow --device iPhone8,1 --language ar"
    ) {
      $0.text.contains("mirrored")
    },
    OptionRow(
      "\(command) --language", "\(command) A.xcassets Arrow --device iPhone8,1 --language fr"
    ) {
      $0.text.contains("arrow.png") && !$0.text.contains("mirrored")
    },
    OptionRow(
      "\(command) --language", "\(command) A.xcassets Word --device iPhone8,1 --language de:en",
      check: shows("de.png")),
    OptionRow(
      "\(command) --language", "\(command) A.xcassets Word --device iPhone8,1 --language fr",
      check: shows("word.png")),
    OptionRow(
      "\(command) --language", "\(command) A.xcassets Word --device iPhone8,1 --language fr,de",
      check: shows("de.png")),
    OptionRow(
      "\(command) --language",
      "\(command) A.xcassets Word --device iPhone8,1 --language de,contrast=high"
    ) {
      $0.result.code == 2 && $0.text.contains("'contrast=high' is not the tag of a language")
        && $0.text.contains("separated by ':' or ','")
    },
    OptionRow("\(command) --os", "\(command) \(star) --device iPhone6,1 --os 13") {
      $0.result.code == 2 && $0.text.contains("does not take iOS 13; it runs iOS 7 to 12")
    },
    OptionRow("\(command) --os", "\(command) \(star) --device iPhone17,1 --os 9") {
      $0.result.code == 2 && $0.text.contains("does not take iOS 9; it runs iOS 18 and later")
    },
    OptionRow("\(command) --os", "\(command) \(star) --device iPhone8,1 --os 9") {
      $0.result.code == 0
    },
    OptionRow(
      "\(command) --traits", "\(command) \(star) --traits scale=3", check: shows("three.png")),
    OptionRow(
      "\(command) --traits", "\(command) A.xcassets Wide --traits scale=2,width=compact",
      check: shows("compact.png")),
  ]
}

private let turning = "transitions A.xcassets --device"

private let call = "-- actool A.xcassets --compile . --platform iphoneos --export-dependency-info d"

private let explainBuildOptionRows: [OptionRow] = [
  OptionRow("explain-build --json", "explain-build --json \(call)") {
    try $0.object()["verdict"] as? String == "differs"
  },
  OptionRow("explain-build --same", "explain-build --same \(call)") {
    $0.result.code == 1 && $0.text.contains("the output will differ in ")
  },
  OptionRow("explain-build --same", "explain-build \(call)") { $0.result.code == 0 },
  // The words after actool belong to its command line, also without a "--".
  OptionRow("explain-build --json", "explain-build --json \(call.dropFirst(3))") {
    try $0.object()["verdict"] as? String == "differs"
  },
]

private let transitionsOptionRows: [OptionRow] = [
  OptionRow("transitions --device", "\(turning) iPhone19,4") {
    $0.text.hasPrefix("iPhone19,4 (iPhone Duo), from portrait full: 466x678 points")
      && $0.text.contains("to portrait unfolded: 669x951 points, regular width, regular height")
  },
  OptionRow("transitions --device", "transitions A.xcassets") { $0.result.code == 2 },
  OptionRow("transitions --device", "\(turning) iPhone77,1") {
    $0.result.stderr.contains("warning: 'iPhone77,1' is not known; it counts as")
  },
  OptionRow("transitions --from", "\(turning) iPad5,3 --from slide-over --to full") {
    $0.text.contains("Wide (image): compact.png (2x, compact width) becomes regular.png")
  },
  OptionRow("transitions --to", "\(turning) iPad5,3 --to split-1/3,portrait") {
    $0.text.contains("to portrait split-1/3: 320x1024 points") && $0.text.contains("compact.png")
      && !$0.text.contains("slide-over")
  },
  OptionRow("transitions --to", "\(turning) iPad5,3 --to nowhere") { $0.result.code == 2 },
  OptionRow("transitions --json", "\(turning) iPad5,3 --to slide-over --json") {
    try $0.object()["device"] as? String == "iPad5,3"
  },
  OptionRow("transitions --style", "\(turning) iPhone19,4 --style dusk") { $0.result.code == 2 },
  OptionRow("transitions --contrast", "\(turning) iPhone19,4 --contrast low") {
    $0.result.code == 2
  },
  OptionRow("transitions --language", "\(turning) iPhone19,4 --language de") {
    $0.result.code == 0
  },
  OptionRow("transitions --platform", "\(turning) iPad5,3 --platform toaster") {
    $0.result.code == 2
  },
  OptionRow(
    "transitions --target-device", "\(turning) iPad5,3 --to slide-over --target-device toaster"
  ) { $0.result.code == 2 },
  // Icons that are not chosen are left out, so fewer assets are compared.
  OptionRow(
    "transitions --app-icon", "\(turning) iPad5,3 --to slide-over --json --app-icon Other"
  ) {
    let all = try runTool(
      ["transitions", "A.xcassets", "--device", "iPad5,3", "--to", "slide-over"],
      in: $0.folder.path)
    let count = try $0.object()["assets"] as? Int ?? .max
    return all.stdout.contains("of ") && !all.stdout.contains("of \(count) assets")
  },
  OptionRow(
    "transitions --include-all-app-icons",
    "\(turning) iPad5,3 --to slide-over --json --app-icon Other --include-all-app-icons"
  ) {
    let all = try runTool(
      ["transitions", "A.xcassets", "--device", "iPad5,3", "--to", "slide-over"],
      in: $0.folder.path)
    let count = try $0.object()["assets"] as? Int ?? 0
    return all.stdout.contains("of \(count) assets")
  },
  OptionRow("transitions --os", "\(turning) iPhone6,1 --os 13") {
    $0.result.code == 2 && $0.text.contains("does not take iOS 13")
  },
]

/// Lines that make a folder with archives, as an app has them.
private let folder = [
  "compile A.xcassets --app-icon AppIcon -o icons.car", "thin icons.car --all-devices -o App",
]

private func appRow(
  _ option: String, _ words: String, _ check: @escaping @Sendable (OptionRun) throws -> Bool
) -> OptionRow {
  OptionRow("app \(option)", folder[0], folder[1], "app App \(words)", check: check)
}

private let appOptionRows: [OptionRow] = [
  appRow("--json", "--json") { try !$0.object().isEmpty },
  appRow("--markdown", "--markdown") { $0.result.stdout.hasPrefix("### ") },
  appRow("--baseline", "--baseline App") {
    $0.result.stdout.hasSuffix("Both builds have the same sizes.\n")
  },
  appRow("--max-growth", "--baseline App --max-growth 2%") { $0.result.code == 0 },
  OptionRow(
    "app --max-growth", "compile A.xcassets -o few.car", "thin few.car --device iPhone8,1 -o a.car",
    "thin few.car --all-devices -o Few", folder[0], folder[1],
    "app App --baseline Few --max-growth 1"
  ) { $0.result.code == 1 && $0.result.stderr.contains("error: ") },
  appRow("--budget", "--budget 1") {
    $0.result.code == 1 && $0.result.stderr.contains("over their budget of 1")
  },
  appRow("--html", "--html page.html") { $0.result.code == 0 && $0.has("page.html") },
  OptionRow("app --icon", "app Shop.app --icon icon.png") { $0.has("icon.png") },
  OptionRow("app --style", "app Shop.app --icon icon.png --style dark") {
    $0.result.code == 1 && !$0.has("icon.png")
  },
  appRow("--as", "--as assetutil --output told") { try !$0.folder.files(below: "told").isEmpty },
  appRow("--output", "--as assetutil -o told") { try !$0.folder.files(below: "told").isEmpty },
  appRow("--jobs", "--jobs 1") { $0.result.code == 0 && !$0.result.stdout.isEmpty },
]

/// Lines that make a repository with two commits, of which the second one has no icon "Other".
private let repository = [
  "git init -q .", "git add A.xcassets", "git commit -q -m First",
  "git rm -q -r A.xcassets/Other.appiconset", "git commit -q -m Second",
]

private func historyRow(
  _ option: String, _ words: String, _ check: @escaping @Sendable (OptionRun) throws -> Bool
) -> OptionRow {
  var row = OptionRow("history \(option)", "history A.xcassets \(words)", check: check)
  row.lines = repository.map(\.words) + row.lines
  return row
}

extension OptionRun {
  /// The models of devices in a history.
  fileprivate func devices() throws -> [String] {
    let lines = try object()["lines"] as? [[String: Any]] ?? []
    return lines.flatMap { $0["devices"] as? [String] ?? [] }
  }

  /// The bytes of the archive in the last commit of a history.
  fileprivate func lastBytes() throws -> Int {
    let commits = try object()["commits"] as? [[String: Any]]
    return commits?.last?["bytes"] as? Int ?? 0
  }

  /// The bytes of the same archive without the option.
  fileprivate func usualBytes(_ words: String = "") throws -> Int {
    let line = "history A.xcassets --json \(words)"
    return try OptionRun(folder: folder, result: runTool(line.words, in: folder.path)).lastBytes()
  }
}

private let historyOptionRows: [OptionRow] = [
  historyRow("--commits", "--commits 1") { $0.result.stdout.contains(": 1 commit, ") },
  historyRow("--commits", "") { $0.result.stdout.contains(": 2 commits, ") },
  historyRow("--from", "--from HEAD~1") { $0.result.stdout.contains(": 1 commit, ") },
  historyRow("--json", "--json") { try ($0.object()["commits"] as? [Any])?.count == 2 },
  historyRow("--html", "--html page.html") { $0.result.code == 0 && $0.has("page.html") },
  historyRow("--device", "--device iPhone8,1 --json") { try $0.devices() == ["iPhone8,1"] },
  historyRow("--os", "--os 26 --json") { try !$0.devices().contains("iPhone8,1") },
  historyRow("--info-plist", "--info-plist Info.plist --json") {
    let run = $0
    let plain = try runTool("history A.xcassets --json".words, in: run.folder.path)
    return run.result.code == 0 && run.result.stdout != plain.stdout
  },
  historyRow("--language", "--device iPhone8,1 --language fr --json") {
    let run = $0
    let plain = try runTool(
      "history A.xcassets --device iPhone8,1 --json".words, in: run.folder.path)
    return run.result.code == 0 && run.result.stdout != plain.stdout
  },
  historyRow("--platform", "--platform macosx --json") {
    let devices = try $0.devices()
    return devices.contains("MacFamily20,1") && !devices.contains("iPhone8,1")
  },
  historyRow("--minimum-deployment-target", "--minimum-deployment-target 6.0") {
    $0.result.code == 2 && $0.text.contains("the oldest system is 7")
  },
  historyRow("--target-device", "--target-device ipad --json") {
    try $0.lastBytes() < $0.usualBytes()
  },
  // Without the option, all icons are compiled.
  // The last commit does not have this icon, so it does not compile.
  historyRow("--app-icon", "--app-icon Other --json") {
    try $0.lastBytes() == 0 && $0.usualBytes() > 0
  },
  historyRow("--include-all-app-icons", "--app-icon AppIcon --include-all-app-icons --json") {
    try $0.lastBytes() == $0.usualBytes()
  },
  historyRow("--cache", "--cache kept") { try !$0.folder.files(below: "kept").isEmpty },
  historyRow("--cache-size", "--cache kept --cache-size 0") { $0.result.code == 2 },
  historyRow("--no-cache", "--cache kept --no-cache") { $0.result.code == 0 && !$0.has("kept") },
  historyRow("--remote-cache", "--remote-cache nothing") {
    $0.result.code == 2
      && $0.text.contains("--remote-cache nothing: it does not begin with http://")
  },
  historyRow("--jobs", "--jobs 1 --json") {
    try $0.result.code == 0 && $0.lastBytes() == $0.usualBytes("--jobs 3")
  },
]

let otherOptionRows: [OptionRow] =
  transitionsOptionRows + explainBuildOptionRows + appOptionRows + historyOptionRows + [
    OptionRow("icon --diagnostics", "icon render Boat.icon -o drawn --diagnostics json --size 32") {
      $0.text.contains(#""code" : "icon-glass-approximated""#)
    },
    OptionRow("icon --werror", "icon render New.icon -o drawn --size 32 --werror") {
      $0.result.code == 1
    },
    OptionRow("icon --werror", "icon render New.icon -o drawn --size 32") { $0.result.code == 0 },
    OptionRow(
      "icon --no-warn",
      "icon render Boat.icon -o drawn --size 32 --no-warn icon-glass-approximated"
    ) { !$0.text.contains("icon-glass-approximated") },
    OptionRow(
      "icon --min-severity", "icon render Boat.icon -o drawn --size 32 --min-severity warning"
    ) { !$0.text.contains("icon-glass-approximated") },
    OptionRow("icon --verbose", "icon render Boat.icon -o drawn --size 32 --verbose") {
      $0.text.contains("icon-glass-approximated")
    },
    OptionRow("icon --all", "icon render Boat.icon -o drawn --size 32 --all") {
      $0.text.contains("icon-glass-approximated")
    },
    OptionRow("resolve --vector", "resolve A.xcassets Sign --traits scale=2 --vector") {
      $0.result.stdout.hasPrefix("sign.svg (vector")
    },
    OptionRow("resolve --vector", full, "resolve full.car Sign --traits scale=2 --vector --json") {
      let variant = try $0.object()["variant"] as? [String: Any]
      return variant?["vector"] as? Bool == true
    },
    OptionRow("resolve --vector", "resolve \(star) --traits scale=2 --vector") {
      $0.result.code == 1 && $0.text.contains("no vector is kept")
    },
    OptionRow("icon --output", "icon rendr New.icon --output drawn") {
      $0.result.code == 2 && $0.text.contains("did you mean 'render'?")
    },
    OptionRow("icon --output", "icon New.icon Boat.icon --for 26 --output Old.icon") {
      $0.result.code == 2 && $0.text.contains("unexpected argument 'Boat.icon'")
    },
    OptionRow(
      "icon --platform", "icon render Boat.icon -o drawn --size 64 --platform ios",
      "icon render Boat.icon -o ios --size 64 --platform iphoneos"
    ) {
      try $0.folder.read("drawn/Boat-default-64.png") == $0.folder.read("ios/Boat-default-64.png")
    },
    OptionRow("icon --output", "icon New.icon --for 26 --output Old.icon") {
      $0.has("Old.icon/icon.json")
    },
    OptionRow("icon --for", "icon New.icon --for 26 -o Old.icon") {
      try $0.folder.read("Old.icon/icon.json") == Array(#"{"groups":[]}"#.utf8)
    },
    OptionRow("icon --size", "icon render Boat.icon -o drawn --size 64 --look dark") {
      try $0.folder.read("drawn/Boat-dark-64.png").count > 100
    },
    OptionRow("icon --look", "icon render Boat.icon -o drawn --look tinted --size 32") {
      try $0.folder.files(below: "drawn") == ["drawn/Boat-tinted-32.png"]
    },
    OptionRow(
      "icon --platform", "icon render Boat.icon -o mac --size 64",
      "icon render Boat.icon -o drawn --size 64 --platform ios"
    ) {
      try $0.folder.read("drawn/Boat-default-64.png") != $0.folder.read("mac/Boat-default-64.png")
    },
    OptionRow(
      "icon --plain", "icon render Boat.icon -o glass --size 64",
      "icon render Boat.icon -o drawn --size 64 --plain"
    ) {
      try $0.folder.read("drawn/Boat-default-64.png")
        != $0.folder.read("glass/Boat-default-64.png")
    },
    OptionRow("explain --os", "explain A.xcassets Star --device iPhone8,1 --os 12") {
      $0.text.contains("os=12")
    },
    OptionRow("info --json", full, "info --json full.car") { $0.result.stdout.hasPrefix("[") },
    OptionRow("info --name", full, "info full.car --name STAR") {
      $0.result.stdout.contains("Star") && !$0.result.stdout.contains("Wide")
    },
    OptionRow("info --kind", full, "info full.car --kind data") {
      $0.result.stdout.contains("Facts") && !$0.result.stdout.contains("Star")
    },
    OptionRow("info --min-size", full, "info full.car --min-size 1GB") {
      $0.result.stdout.contains("0 of these")
        && $0.result.stderr.hasPrefix("note: no such rendition has 1,000,000,000 bytes; ")
    },
    OptionRow("info --kind", full, "info full.car --kind movie") {
      $0.result.stderr.hasPrefix(#"note: no rendition has a kind with "movie"; the kinds are "#)
        && $0.result.stderr.contains("Data")
    },
    OptionRow("info --name", full, "info full.car --name Starr") {
      $0.result.stderr == "note: no asset has a name with \"Starr\"; did you mean 'Star'?\n"
    },
    OptionRow("info --name", packed, "info packed.car --name zzzzpacked") {
      $0.result.stdout.contains("PackedImage")
        && $0.result.stderr == "note: no asset has a name with \"zzzzpacked\"\n"
    },
    OptionRow("info --kind", packed, "info packed.car --kind packed") {
      $0.result.stdout.contains("PackedImage") && $0.result.stderr.isEmpty
    },
    OptionRow("info --name", full, "info full.car --name Facts --kind color --json") {
      $0.result.stderr == "note: no rendition has both such a name and such a kind\n"
    },
    OptionRow("info --sort", full, "info full.car --sort bytes") {
      let rows = $0.result.stdout.split(separator: "\n").drop { !$0.hasPrefix("NAME") }
        .dropFirst().dropLast(3)
      let bytes = rows.compactMap { Int($0.split(separator: " ").last?.filter { $0 != "," } ?? "") }
      return bytes.count > 10 && bytes.count == rows.count && bytes == bytes.sorted(by: >)
    },
    OptionRow(
      "extract --jobs", full, "extract full.car -o one -j 1", "extract full.car -o many -j 4"
    ) {
      let one = try $0.folder.files(below: "one").map { $0.dropFirst("one/".count) }
      let many = try $0.folder.files(below: "many").map { $0.dropFirst("many/".count) }
      guard one.count > 10, one == many else { return false }
      for file in one where try $0.folder.read("one/\(file)") != $0.folder.read("many/\(file)") {
        return false
      }
      return true
    },
    OptionRow("validate --json", full, "validate --json full.car") {
      $0.result.stdout.hasPrefix("{") || $0.result.stdout.hasPrefix("[")
    },
    OptionRow("extract --output", full, "extract full.car --output files") {
      $0.has("files/Star/two.png")
    },
    OptionRow("extract --catalog", full, "extract full.car --catalog sources") {
      $0.result.code == 0 && $0.has("sources/Assets.xcassets/Contents.json")
        && $0.text.contains("compile it with: carve compile sources/Assets.xcassets")
    },
    OptionRow("extract --catalog", full, "extract full.car --catalog deep/er/sources") {
      $0.result.code == 0 && $0.has("deep/er/sources/Assets.xcassets/Contents.json")
    },
    OptionRow("extract --catalog", full, "extract full.car --catalog B.xcassets") {
      $0.result.code == 2 && $0.text.contains("B.xcassets exists already")
    },
    OptionRow("extract --json", full, "extract full.car --catalog sources --json") {
      try $0.object()["folder"] as? String == "sources"
    },
    OptionRow("extract --json", full, "extract full.car -o files --json") {
      $0.result.code == 2 && $0.text.contains("--json needs --catalog")
    },
    OptionRow("adopt --output", "adopt B.xcassets/Wall.imageset -o New.xcassets") {
      $0.result.code == 0 && $0.has("New.xcassets/w.imageset/Contents.json")
    },
    OptionRow("adopt --output", "adopt B.xcassets/Wall.imageset -o New") {
      $0.result.code == 2 && $0.text.contains("ends in .xcassets")
    },
    OptionRow(
      "adopt --no-sizes", "adopt B.xcassets/Wall.imageset -o New.xcassets --no-sizes"
    ) { $0.result.code == 0 && !$0.text.contains("thinned") },
    OptionRow("adopt --json", "adopt B.xcassets/Wall.imageset -o New.xcassets --json") {
      // Devices are models, as in the JSON of other commands.
      let rows = try $0.object()["devices"] as? [[String: Any]] ?? []
      let models = rows.flatMap { $0["devices"] as? [String] ?? [] }
      return try $0.object()["sets"] as? Int == 1 && models.contains("iPhone8,1")
    },
    OptionRow("extract --png", full, "extract full.car --output files --png 2") {
      $0.has("files/Sign/sign@2x.png") && $0.has("files/Sign/sign.svg")
    },
    OptionRow("extract --png", full, "extract full.car --output files --png 0") {
      $0.result.code == 2
    },
    OptionRow("lint --diagnostics", "lint A.xcassets --diagnostics sarif") {
      try $0.object()["version"] as? String == "2.1.0"
    },
    OptionRow("lint --diagnostics", "lint A.xcassets --diagnostics github") {
      $0.result.stdout.contains("::warning file=") && !$0.result.stdout.contains("::notice file=")
    },
    OptionRow("lint --werror", "lint A.xcassets") { $0.result.code == 0 },
    OptionRow("lint --werror", "lint A.xcassets --werror=missing-scale") { $0.result.code == 1 },
    OptionRow("lint --no-warn", "lint A.xcassets --no-warn missing-scale") {
      !$0.text.contains("[missing-scale]")
    },
    OptionRow("lint --min-severity", "lint A.xcassets --min-severity warning") {
      !$0.text.contains(": note: ")
    },
    OptionRow("lint --min-severity", "lint A.xcassets --min-severity note") {
      $0.text.contains(": note: ")
    },
    OptionRow("lint --all", "lint A.xcassets --all") { !$0.text.contains("--all shows them") },
    OptionRow("lint --fix", "lint A.xcassets --fix") {
      $0.result.code == 0 && $0.text.contains("0 files fixed")
    },
    OptionRow("lint --fix", "lint A.xcassets --fix=forms") { $0.result.code == 2 },
    OptionRow("lint --fix", "lint A.xcassets --fix=format") {
      String(decoding: try $0.folder.read("A.xcassets/Large.imageset/Contents.json"), as: UTF8.self)
        .contains("\n  \"images\" : [\n")
    },
    OptionRow("lint --dry-run", "lint A.xcassets --fix=format --dry-run") {
      let text = try $0.folder.read("A.xcassets/Large.imageset/Contents.json")
      return !String(decoding: text, as: UTF8.self).contains("\n")
        && $0.text.contains("Large.imageset/Contents.json")
    },
    OptionRow("lint --check-format", "lint A.xcassets --check-format") {
      $0.text.contains("[json-format]")
    },
    OptionRow("lint --platform", "lint A.xcassets --platform macosx") {
      $0.text.contains("[unreachable-variant]")
    },
    OptionRow("lint --target-device", "lint A.xcassets --platform iphoneos --target-device iphone")
    {
      $0.text.split(separator: "\n").contains {
        $0.contains("[unreachable-variant]") && $0.contains("Star.imageset")
      }
    },
    OptionRow(
      "lint --minimum-deployment-target",
      "lint A.xcassets --platform iphoneos --minimum-deployment-target 9.0"
    ) { $0.text.contains("[older-target]") },
    OptionRow("lint --list", "lint --list") { $0.text.contains("## missing-scale\n") },
    OptionRow("lint --list", "lint --list missing-scale missing-file") {
      $0.text.hasPrefix("## missing-scale\n") && $0.text.contains("## missing-file\n")
        && $0.text.components(separatedBy: "**What to do:** ").count == 3
    },
    OptionRow("lint --list", "lint --list missing-scales") {
      $0.result.code == 2 && $0.text.contains("did you mean 'missing-scale'?")
    },
    OptionRow("lint --app-icon", "lint A.xcassets --app-icon Nobody") {
      $0.result.code == 1 && $0.text.contains("[missing-icon]")
    },
    OptionRow("lint --include-all-app-icons", "lint A.xcassets --app-icon Other --all") {
      $0.text.contains("[icon-not-chosen]")
    },
    OptionRow(
      "lint --include-all-app-icons", "lint A.xcassets --all --include-all-app-icons"
    ) { !$0.text.contains("[icon-not-chosen]") },
    OptionRow("lint --jobs", "lint A.xcassets --jobs 0") { $0.result.code == 2 },
    OptionRow("lint --device", "lint A.xcassets --platform iphoneos --device iPhone8,1 --all") {
      $0.text.split(separator: "\n").contains {
        $0.contains("[unreachable-variant]") && $0.contains("Star.imageset")
      }
    },
    OptionRow("lint --device", "lint A.xcassets --device iPhone0,0") { $0.result.code == 2 },
    OptionRow("lint --baseline", "lint A.xcassets --baseline none.json") { $0.result.code == 4 },
    OptionRow("lint --update-baseline", "lint A.xcassets --update-baseline") {
      $0.result.code == 2
    },
    OptionRow(
      "lint --update-baseline", "lint A.xcassets --baseline lint.json --update-baseline",
      "lint A.xcassets --baseline lint.json --werror"
    ) {
      $0.result.code == 0 && $0.result.stdout.hasPrefix("no findings in 1 catalogue; ")
    },
    OptionRow("lint --sources", "lint A.xcassets --sources . --all") {
      $0.text.contains("[unused-asset]") && $0.text.contains(" sources: ")
    },
    OptionRow("lint --sources", "lint A.xcassets --sources none") { $0.result.code == 4 },
    OptionRow("lint --project", "lint A.xcassets --project None.xcodeproj") {
      $0.result.code == 4
    },
    OptionRow("lint --why", "lint A.xcassets --why Star") { $0.result.code == 2 },
    OptionRow("lint --why", "lint A.xcassets --sources . --why Star") {
      $0.text.hasPrefix("image \"Star\" (A.xcassets/Star.imageset): ")
    },
    OptionRow("lint --summary", "lint A.xcassets --summary lint.md") {
      try String(decoding: $0.folder.read("lint.md"), as: UTF8.self).hasPrefix("### ")
    },
    OptionRow(
      "lint --base", "compile A.xcassets -o old.car",
      "lint A.xcassets --summary lint.md --base old.car --device iPhone8,1"
    ) {
      let text = String(decoding: try $0.folder.read("lint.md"), as: UTF8.self)
      return $0.result.code == 0 && text.contains("\n#### Growth\n\nThe archive: ")
        && text.contains("\n| iPhone 6s | ")
    },
    OptionRow("lint --base", "lint A.xcassets --summary lint.md --base A.xcassets") {
      String(decoding: try $0.folder.read("lint.md"), as: UTF8.self).contains(" and ")
        && $0.result.code == 0
    },
    OptionRow("lint --base", "lint A.xcassets --base A.xcassets") { $0.result.code == 2 },
    OptionRow("lint --base", "lint A.xcassets --summary lint.md --base none.car") {
      $0.result.code == 4
    },
    OptionRow(
      "lint --budget", "lint A.xcassets --summary lint.md --budget 1KB --device iPhone8,1"
    ) {
      let text = String(decoding: try $0.folder.read("lint.md"), as: UTF8.self)
      return $0.result.code == 1 && text.contains("\n| iPhone8,1 | the file | 1,000 | ")
        && $0.result.stderr.contains("over its budget of 1,000")
    },
    OptionRow(
      "lint --budget", "lint A.xcassets --summary lint.md --budget 90MB --device iPhone8,1"
    ) { $0.result.code == 0 },
    OptionRow("lint --init", "lint --init --app-icon Other") {
      try $0.has(".carve.schema.json")
        && String(decoding: $0.folder.read(".carve.json"), as: UTF8.self).contains("Other")
    },
    OptionRow("lint --init", "lint --init A.xcassets") { $0.result.code == 2 },
    OptionRow("lint --verbose", "lint A.xcassets -v") { $0.text.contains("settings: none") },
    // The input ends before a message asks for the end.
    OptionRow("lsp --stdio", "lsp --stdio") { $0.result.code == 1 && $0.text.isEmpty },
    OptionRow("cache --stats", "cache --stats --cache .") {
      $0.result.stdout == ".: 0 pictures, 0 bytes\n.: 0 runs, 0 bytes\n"
    },
    OptionRow("cache --cache", "cache --cache A.xcassets/none") {
      $0.result.stdout == "A.xcassets/none: the cache is empty\n"
    },
    OptionRow("cache --verify", "cache --verify --cache .") {
      $0.result.stdout == ".: 0 intact files, 0 damaged files removed\n"
    },
    OptionRow("cache --clear", "cache --clear --cache .") {
      $0.result.stdout == ".: 0 files of 0 bytes removed\n" && $0.has("A.xcassets")
    },
    OptionRow("cache --clear", "cache --stats --clear --cache .") {
      $0.result.code == 2 && $0.text.contains("--stats and --clear exclude each other")
    },
    OptionRow("cache --clear", "cache --verify --clear --cache .") { $0.result.code == 2 },
    OptionRow("devices --info-plist", "devices iPad16,5 --json --info-plist Info.plist") {
      let plain = try runTool(["devices", "iPad16,5", "--json"])
      return $0.result.output != plain.output && $0.result.code == 0
    },
    OptionRow("devices --os", "devices iPhone8,1 --json --os 12") {
      let plain = try runTool(["devices", "iPhone8,1", "--json", "--os", "15"])
      return $0.result.output != plain.output && $0.result.code == 0
    },
    OptionRow("devices --json", "devices --json") { try $0.object()["devices"] != nil },
  ] + assetutilOptionRows

private let item = "assetutil full.car -o out.car"

private let assetutilOptionRows: [OptionRow] = [
  OptionRow("assetutil --idiom", full, "\(item) --idiom pad") {
    try $0.files().contains("pad.png") && !$0.files().contains("phone.png")
  },
  OptionRow("assetutil --hostedidioms", full, "\(item) --idiom pad --hostedidioms phone") {
    try $0.files().contains("pad.png") && $0.files().contains("phone.png")
  },
  OptionRow("assetutil --subtype", full, "\(item) --subtype 2436") {
    try $0.files().contains("tall.png") && !$0.files().contains("small.png")
  },
  OptionRow("assetutil --subtypefallbacks", full, "\(item) --subtype 2436 --subtypefallbacks 568") {
    try $0.files().contains("tall.png") && $0.files().contains("small.png")
  },
  OptionRow("assetutil --scale", full, "\(item) --scale 3") {
    try $0.files().contains("three.png") && !$0.files().contains("one.png")
  },
  OptionRow("assetutil --graphicsclass", full, "\(item) --graphicsclass APPLE5") {
    try $0.files().contains("metal.png") && !$0.files().contains("weak.png")
  },
  OptionRow("assetutil --graphicsclass", full, "\(item) --graphicsclass MTL1,2") {
    try !$0.files().contains("metal.png") && $0.files().contains("weak.png")
  },
  OptionRow(
    "assetutil --graphicsclassfallbacks", full,
    "\(item) --graphicsclass APPLE5 --graphicsclassfallbacks MTL1,2:GLES2,0"
  ) { $0.result.code == 0 },
  OptionRow("assetutil --display-gamut", full, "\(item) --display-gamut srgb") {
    try !$0.files().contains("p3.png") && $0.files().contains("two.png")
  },
  OptionRow("assetutil --display-gamut", full, "\(item) --display-gamut p3") {
    try $0.files().contains("p3.png") && !$0.files().contains("two.png")
  },
  OptionRow("assetutil --display-gamut", full, "\(item) --display-gamut all --scale 2") {
    try $0.files().contains("p3.png") && $0.files().contains("two.png")
  },
  // Class 3 means 4 GB, and class 4 means 3 GB.
  OptionRow("assetutil --memory", full, "\(item) --memory 3") {
    try $0.files().contains("much.png") && !$0.files().contains("weak.png")
  },
  OptionRow("assetutil --memory", full, "\(item) --memory 4") {
    try !$0.files().contains("much.png") && $0.files().contains("weak.png")
  },
  OptionRow("assetutil --deployment-target", full, "\(item) --deployment-target 5") {
    $0.result.code == 0
  },
  OptionRow("assetutil --preserve-assets-named", full, "\(item) -s 3 --preserve-assets-named Star")
  {
    try $0.files().contains("one.png") && $0.files().contains("three.png")
  },
  OptionRow(
    "assetutil --compare-thinning", full, "assetutil --compare-thinning scale=1/scale=3 full.car"
  ) {
    $0.result.stdout == "different\n"
  },
  OptionRow(
    "assetutil --compare-thinning-batch", full, "assetutil --compare-thinning-batch none full.car"
  ) {
    $0.result.code != 0 && $0.text.contains("none")
  },
  OptionRow("assetutil --output", full, item) { $0.has("out.car") },
  OptionRow("assetutil --info", full, "assetutil --info full.car") {
    $0.result.stdout.hasPrefix("[")
  },
  OptionRow("assetutil --update-bitmap", full, "assetutil --update-bitmap full.car -o out.car") {
    $0.result.code == 0 && $0.has("out.car")
  },
  OptionRow("assetutil --validate-file", full, "assetutil --validate-file full.car") {
    $0.result.code == 0
  },
  OptionRow(
    "assetutil --validate-file", full,
    "assetutil --validate-file A.xcassets/Facts.dataset/facts.json"
  ) {
    $0.result.code == 2
  },
  OptionRow("assetutil --in-place", full, "assetutil full.car -s 3 --in-place") {
    try !$0.files("full.car").contains("one.png")
  },
]
