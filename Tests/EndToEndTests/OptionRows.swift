// A row for every option of compiling, thinning and comparing: command lines over one catalogue,
// and the expected result of the last one.

import Foundation
import Support

private let compile = "compile A.xcassets -o out.car"
private let compileSolid = "compile Solid.xcassets --app-icon Solid --platform xros -o out.car"
private let compileIcon = "compile Boat.icon --app-icon Boat --platform macosx -o out.car"

let compileOptionRows: [OptionRow] = [
  OptionRow("compile --output", "compile A.xcassets --output ./") {
    $0.has("Assets.car")
  },
  OptionRow("compile --platform", "\(compile) --platform macosx") {
    try $0.files().contains("mac.png") && !$0.files().contains("phone.png")
      && $0.header()["Platform"] as? String == "macosx"
  },
  OptionRow("compile --minimum-deployment-target", "\(compile) --minimum-deployment-target 9.0") {
    try $0.header()["PlatformVersion"] as? String == "9.0"
      && $0.renditions().contains { ($0["Compression"] as? String) == "lzfse" }
  },
  OptionRow("compile --target-device", "\(compile) --target-device ipad") {
    try $0.files().contains("pad.png") && !$0.files().contains("phone.png")
  },
  OptionRow("compile --target-device", "\(compile) --platform macosx --target-device watch") {
    $0.result.code == 2 && !$0.has("out.car")
      && $0.text.contains(
        "--target-device watch contradicts the platform macosx; its families are mac, ipad")
  },
  OptionRow("compile --target-device", "\(compile) --target-device ipad --target-device tv") {
    try $0.isFine && $0.files().contains("pad.png")
  },
  OptionRow(
    "compile --target-device",
    "\(compile) --platform macosx --target-device iphone --target-device ipad --target-device mac"
  ) { try $0.files().contains("pad.png") },
  OptionRow("compile --app-icon", "\(compile) --include-all-app-icons --app-icon Othre") {
    $0.result.code == 1 && $0.text.contains(#"no catalogue has an app icon named "Othre""#)
      && !$0.has("out.car")
  },
  OptionRow("compile --app-icon", "\(compile) --app-icon Other") {
    try $0.files().contains("Other.png") && !$0.files().contains("AppIcon.png")
  },
  OptionRow("compile --include-all-app-icons", "\(compile) --include-all-app-icons") {
    try $0.files().contains("Other.png") && $0.files().contains("AppIcon.png")
  },
  OptionRow(
    "compile --optimization", "compile A.xcassets -o time.car --optimization time",
    "compile A.xcassets -o standard.car", "\(compile) --optimization space"
  ) {
    let run = $0
    let sizes = try ["out.car", "standard.car", "time.car"].map { try run.folder.read($0).count }
    return sizes == sizes.sorted() && sizes[0] < sizes[2]
  },
  OptionRow(
    "compile --exact-pixels", "compile A.xcassets -o rounded.car", "\(compile) --exact-pixels"
  ) {
    try $0.folder.read("out.car") != $0.folder.read("rounded.car")
  },
  OptionRow("compile --no-packing", "compile A.xcassets -o packed.car", "\(compile) --no-packing") {
    func hasAtlas(_ run: OptionRun, _ archive: String) throws -> Bool {
      try String(decoding: run.folder.read(archive), as: UTF8.self).contains("ZZZZPackedAsset")
    }
    return try !hasAtlas($0, "out.car") && hasAtlas($0, "packed.car")
  },
  OptionRow("compile --no-rasters", "\(compile) --no-rasters") {
    $0.text.contains("[vector-not-rasterized]")
  },
  OptionRow("compile --no-rasters", compile) { !$0.text.contains("[vector-not-rasterized]") },
  OptionRow(
    "compile --keep-vectors", "compile A.xcassets -o rewritten.car", "\(compile) --keep-vectors"
  ) {
    try $0.folder.read("out.car") != $0.folder.read("rewritten.car")
  },
  OptionRow("compile --max-vector-pixels", "\(compile) --max-vector-pixels 9") {
    $0.text.contains("raise the limit with --max-vector-pixels")
  },
  OptionRow("compile --no-icon-bitmaps", "\(compileIcon) --no-icon-bitmaps") {
    $0.result.code == 0 && !$0.text.contains("[icon-glass-approximated]")
  },
  OptionRow("compile --no-icon-bitmaps", compileIcon) {
    $0.result.code == 0 && $0.text.contains("[icon-glass-approximated]")
  },
  OptionRow("compile --plain-icons", "\(compileIcon) --plain-icons") {
    $0.result.code == 0 && $0.text.contains("[icon-drawn-plainly]")
  },
  OptionRow("compile --allow-incomplete", "\(compileSolid) --allow-incomplete solidimagestack") {
    $0.result.code == 0 && $0.text.contains("[unproven-form]")
  },
  OptionRow("compile --allow-incomplete", compileSolid) {
    $0.result.code == 0 && $0.text.contains("[unsupported-set]")
  },
  OptionRow("compile --no-index", "compile A.xcassets -o whole.car", "\(compile) --no-index") {
    func hasIndex(_ run: OptionRun, _ archive: String) throws -> Bool {
      try String(decoding: run.folder.read(archive), as: UTF8.self).contains("CARVEINDEX")
    }
    return try !hasIndex($0, "out.car") && hasIndex($0, "whole.car")
  },
  OptionRow("compile --cache", "\(compile) --cache kept") {
    try !$0.folder.files(below: "kept").isEmpty
  },
  OptionRow("compile --cache-size", "\(compile) --cache kept --cache-size 1") {
    try $0.result.code == 0 && !$0.folder.files(below: "kept").isEmpty
  },
  OptionRow("compile --cache-size", "\(compile) --cache kept --cache-size 0") {
    $0.result.code == 2
  },
  OptionRow(
    "compile --cache-verify", "\(compile) --cache kept",
    "\(compile) --cache kept --cache-verify --timing"
  ) { $0.result.stderr.contains("record: ") },
  OptionRow("compile --remote-cache", "\(compile) --remote-cache http://127.0.0.1:9") {
    $0.result.code == 0 && $0.text.contains("warning: remote cache 127.0.0.1:9: ")
  },
  OptionRow("compile --no-cache", "\(compile) --cache kept --no-cache") { !$0.has("kept") },
  OptionRow("compile --jobs", "compile A.xcassets -o one.car -j 1", "\(compile) --jobs 3") {
    try $0.folder.read("out.car") == $0.folder.read("one.car")
  },
  OptionRow("compile --jobs", "\(compile) --jobs 0") { $0.result.code == 2 },
  OptionRow("compile --memory", "compile A.xcassets -o much.car", "\(compile) --memory 1") {
    try $0.folder.read("out.car") == $0.folder.read("much.car")
  },
  OptionRow("compile --depfile", "\(compile) --depfile out.d") {
    let text = String(decoding: try $0.folder.read("out.d"), as: UTF8.self)
    return text.hasPrefix("out.car:") && text.contains("A.xcassets/Star.imageset/two.png")
  },
  OptionRow("compile --touch", compile, "\(compile) --touch") {
    try changes($0, "out.car") { try runTool("\(compile)".words, in: $0) }
      == false && changes($0, "out.car") { try runTool("\(compile) --touch".words, in: $0) }
  },
  OptionRow("compile --timing", "\(compile) --timing") {
    ["read: ", "plan: ", "encode: ", "write: "].allSatisfy($0.result.stderr.contains)
  },
  OptionRow("compile --timing", "\(compile) --timing=json") {
    $0.result.stdout.hasPrefix("{") && $0.result.stdout.contains("\"passes\"")
  },
  OptionRow("compile --show-tool", "\(compile) --show-tool") {
    $0.result.stderr.hasPrefix("carve ") && $0.result.stderr.contains("/carve\n")
  },
  OptionRow("compile --device", "\(compile) --device iPhone8,1") {
    try $0.files().contains("phone.png") && !$0.files().contains("pad.png")
  },
  OptionRow("compile --os", "\(compile) --device iPhone8,1 --os 99") {
    $0.result.code == 2 && $0.text.contains("99")
  },
  OptionRow("compile --info-plist", "\(compile) --device iPad16,5 --info-plist Info.plist") {
    try $0.files().contains("regular.png") && !$0.files().contains("compact.png")
  },
  OptionRow("compile --language", "\(compile) --device iPhone8,1 --language fr") {
    try $0.files().contains("word.png") && !$0.files().contains("de.png")
  },
  OptionRow("compile --diagnostics", "\(compile) --diagnostics json") {
    $0.result.stderr.hasPrefix("{") || $0.result.stderr.hasPrefix("[")
  },
  OptionRow("compile --werror", "\(compile) --werror=unsupported-set") {
    $0.result.code == 1 && !$0.has("out.car")
  },
  OptionRow("compile --werror", "\(compile) --werror") { $0.result.code == 1 },
  OptionRow("compile --werror", "\(compile) --werror missing-scale") {
    $0.result.code == 2 && $0.text.contains("write '--werror=missing-scale'")
  },
  OptionRow("compile --timing", "\(compile) --timing json") {
    $0.result.code == 2 && $0.text.contains("write '--timing=json'")
  },
  OptionRow("compile --output", "compile A.xcassets -o -") {
    $0.result.code == 2 && $0.text.contains("writes a file, not standard output")
      && !$0.text.contains("note: ")
  },
  OptionRow("compile --output", "compile A.xcassets ./A.xcassets/ -o out.car") {
    $0.result.code == 2 && $0.text.contains("./A.xcassets/ is given twice")
  },
  OptionRow("compile --no-warn", "\(compile) --no-warn unsupported-set") {
    $0.result.code == 0 && !$0.text.contains("unsupported-set")
  },
  OptionRow("compile --min-severity", "\(compile) --min-severity error") {
    $0.result.code == 0 && $0.result.stderr.isEmpty
  },
  OptionRow("compile --verbose", "\(compile) -v") {
    $0.result.code == 0 && $0.result.stderr.contains("settings: none")
  },
  OptionRow("compile --all", "\(compile) --all") {
    $0.result.stderr.contains("[unsupported-set]") && !$0.result.stderr.contains("--all shows them")
  },
]

private let full = "compile A.xcassets -o full.car --include-all-app-icons --no-packing"
private let thin = "thin full.car -o out.car"

let thinOptionRows: [OptionRow] = [
  OptionRow("thin --output", full, "thin full.car -o ./ --device iPhone8,1") {
    $0.has("Assets.car")
  },
  OptionRow("thin --all-devices", full, "thin full.car -o variants --all-devices") {
    $0.has("variants/app-thinning.plist") && $0.text.contains("iPhone8,1")
  },
  OptionRow("thin --all-devices", full, "thin full.car -o deep/er/variants --all-devices") {
    $0.has("deep/er/variants/app-thinning.plist")
  },
  OptionRow("thin --prove", full, "\(thin) --device iPhone8,1 --prove") {
    $0.result.stdout.contains("proved: ")
  },
  OptionRow("thin --report", full, "\(thin) --device iPhone8,1 --report json") {
    try $0.object()["devices"] != nil
  },
  OptionRow("thin --report", full, "\(thin) --device iPhone8,1,iPad5,3 --report summary") {
    // The report is one screen, however many variants are dropped.
    $0.result.stdout.contains("bytes dropped by axis") && $0.result.stdout.contains("iPad5,3")
      && $0.result.stdout.split(separator: "\n").count < 40
  },
  OptionRow("thin --report", full, "\(thin) --device iPhone8,1 --report markdown") {
    $0.result.stdout.hasPrefix("| device | name |")
  },
  OptionRow("thin --budget", full, "\(thin) --device iPhone8,1 --budget 1KB") {
    $0.result.code == 1 && $0.text.contains("over its budget of 1,000")
  },
  OptionRow("thin --budget", full, "\(thin) --device iPhone8,1 --report json --budget 1KB") {
    // The limit is compared with the number that is printed beside it.
    $0.result.code == 1 && $0.text.contains("error: out.car: the file has ")
  },
  OptionRow(
    "thin --no-index", "\(compile) --device iPhone8,1",
    "thin out.car -o small.car "
      + "--device iPhone8,1 --no-index", "thin small.car -o again.car --device iPhone8,1"
  ) {
    func hasIndex(_ run: OptionRun, _ archive: String) throws -> Bool {
      try String(decoding: run.folder.read(archive), as: UTF8.self).contains("CARVEINDEX")
    }
    return try hasIndex($0, "out.car") && !hasIndex($0, "small.car") && !hasIndex($0, "again.car")
  },
  OptionRow(
    "thin --min-severity", "thin A.xcassets -o a.car --device iPhone8,1 --min-severity error"
  ) {
    $0.result.code == 0 && $0.result.stderr.contains("--app-icon Other compiles it")
      && !$0.result.stderr.contains("warning: ")
  },
  OptionRow(
    "thin --no-warn", "thin A.xcassets -o a.car --device iPhone8,1 --no-warn icon-not-chosen"
  ) { !$0.result.stderr.contains("icon-not-chosen") },
  OptionRow("thin --language", "thin A.xcassets -o a.car --device iPhone8,1 --language xx,de-CH") {
    $0.result.stderr.contains("note: no asset has a variant for xx; there are variants for de")
  },
  OptionRow("thin --language", "thin A.xcassets -o a.car --device iPhone8,1 --language de") {
    !$0.result.stderr.contains("no asset has a variant")
  },
  OptionRow("thin --language", "thin B.xcassets -o folder --all-devices --language xx,fr") {
    $0.result.stderr.contains("note: no asset has a variant for xx or fr, or for another language")
  },
  OptionRow("compile --language", "compile A.xcassets -o a.car --device iPhone8,1 --language xx") {
    $0.result.stderr.contains("note: no asset has a variant for xx; there are variants for ")
  },
  OptionRow("thin --index", "thin out.car -o a.car --device iPhone8,1 --index --no-index") {
    $0.result.code == 2 && $0.text.contains("--index and --no-index exclude each other")
  },
  OptionRow(
    "thin --index", "\(compile) --no-index", "thin out.car -o large.car --device iPhone8,1 --index"
  ) {
    try String(decoding: $0.folder.read("large.car"), as: UTF8.self).contains("CARVEINDEX")
  },
  OptionRow(
    "thin --verbose", full,
    "thin full.car -o all --all-devices --info-plist Info.plist --os 17 --verbose"
  ) {
    $0.text.contains("cannot run the app and are left out:")
      && $0.text.contains("  iPhone 6s: iPhone8,1 runs systems up to 15, not 17")
  },
  OptionRow("thin --verbose", full, "thin full.car -o all --all-devices --os 17") {
    $0.text.contains("left out (--verbose names them)") && !$0.text.contains("iPhone 6s: ")
  },
  OptionRow("thin --touch", full, "\(thin) --device iPhone8,1") {
    let line = "\(thin) --device iPhone8,1"
    return try changes($0, "out.car") { try runTool(line.words, in: $0) }
      == false && changes($0, "out.car") { try runTool("\(line) --touch".words, in: $0) }
  },
  OptionRow("thin --device", full, "\(thin) --device iPad5,3,iPhone8,1") {
    try $0.files().contains("phone.png") && $0.files().contains("pad.png")
      && !$0.files().contains("one.png")
  },
  OptionRow("thin --os", full, "\(thin) --device iPhone8,1 --os soon") {
    $0.result.code == 2 && $0.text.contains("'soon' is not a version")
  },
  OptionRow("thin --info-plist", full, "\(thin) --device iPad16,5 --info-plist Info.plist") {
    try $0.files().contains("regular.png") && !$0.files().contains("compact.png")
  },
  OptionRow("thin --language", full, "\(thin) --device iPhone8,1 --language fr,en") {
    try $0.files().contains("word.png") && !$0.files().contains("de.png")
  },
  OptionRow("thin --language", full, "\(thin) --device iPhone8,1 --language FR,EN") {
    try $0.files().contains("word.png") && !$0.files().contains("de.png")
  },
  OptionRow("thin --language", full, "\(thin) --device iPhone8,1 --language fr:en") {
    try $0.files().contains("word.png") && !$0.files().contains("de.png")
  },
  OptionRow("thin --language", full, "\(thin) --device iPhone8,1 --language fr,scale=2") {
    $0.result.code == 2 && $0.text.contains("'scale=2' is not the tag of a language")
  },
  OptionRow("thin --platform", "thin A.xcassets -o out.car --device Mac --platform macosx") {
    try $0.files().contains("mac.png") && $0.header()["Platform"] as? String == "macosx"
  },
  OptionRow("thin --app-icon", "thin A.xcassets -o out.car --device iPhone8,1 --app-icon Other") {
    try $0.files().contains("Other.png") && !$0.files().contains("AppIcon.png")
  },
  OptionRow(
    "thin --include-all-app-icons",
    "thin A.xcassets -o out.car --device iPhone8,1 --include-all-app-icons"
  ) { try $0.files().contains("Other.png") && $0.files().contains("AppIcon.png") },
  OptionRow(
    "diff --device", full, "\(thin) --device iPhone8,1",
    "diff full.car out.car --device iPad5,3 --json"
  ) {
    let devices = try $0.object()["devices"] as? [[String: Any]]
    return devices?.map { $0["devices"] as? [String] } == [["iPad5,3"]]
  },
  OptionRow(
    "diff --device", full, "\(thin) --device iPhone8,1",
    "diff full.car out.car --device iPad5,3,iPhone8,1 --json"
  ) {
    let devices = try $0.object()["devices"] as? [[String: Any]]
    return Set(devices?.flatMap { $0["devices"] as? [String] ?? [] } ?? [])
      == ["iPad5,3", "iPhone8,1"]
  },
  OptionRow("diff --json", full, "diff full.car full.car --json") {
    try $0.object()["same"] as? Bool == true
  },
  OptionRow("diff --rounding", full, "diff full.car full.car --rounding") {
    $0.result.stdout.hasPrefix("both archives show the same\n")
  },
  OptionRow("diff --markdown", full, "diff full.car full.car --markdown") {
    $0.result.stdout.hasPrefix("### Asset catalogue: ")
  },
  OptionRow("diff --platform", full, "diff full.car A.xcassets --platform macosx") {
    $0.result.stdout.contains("platform: ios → macosx")
  },
  OptionRow(
    "diff --app-icon", full, "diff full.car A.xcassets --app-icon Other --json"
  ) {
    let names = try $0.object()["names"] as? [String: [String]]
    return names?["removed"] == ["AppIcon"]
  },
  OptionRow("diff --json", full, "diff full.car A.xcassets --json") {
    let names = try $0.object()["names"] as? [String: [String]]
    return names?["removed"] == []
  },
  OptionRow(
    "diff --include-all-app-icons", full, "diff full.car A.xcassets --include-all-app-icons --json"
  ) {
    let names = try $0.object()["names"] as? [String: [String]]
    return names?["removed"] == []
  },
]

extension String {
  var words: [String] { split(separator: " ").map(String.init) }
}

/// Returns whether a run sets the time of a file that was made long ago.
private func changes(
  _ run: OptionRun, _ file: String, _ again: (String) throws -> ToolResult
) throws -> Bool {
  let path = run.folder.path(file)
  let past = Date(timeIntervalSince1970: 1_000_000)
  try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path)
  _ = try again(run.folder.path)
  let now = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
  return now != past
}
