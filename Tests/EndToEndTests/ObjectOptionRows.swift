// A row for every option of linking, and for the options of compiling that are about objects or
// about watching.

import Support

private let object = "compile --object A.xcassets -o a.caro"
private let namespaces = "\(sampleCatalogs)/Namespaces.xcassets"
private let grouped = "compile --object \(namespaces) -o a.caro"
private let link = "link a.caro -o out.car"

let objectOptionRows: [OptionRow] = [
  OptionRow("compile --object", object) {
    try $0.result.code == 0 && $0.folder.read("a.caro").starts(with: "CARVEOBJ".utf8)
  },
  OptionRow("compile --without", "\(grouped) --without \(namespaces)/Roots") {
    try $0.result.code == 0 && !contents($0).contains("xcassets/Roots/")
  },
  OptionRow("compile --without", grouped) { try contents($0).contains("xcassets/Roots/") },
  // WatchTests tests that changes are followed.
  OptionRow("compile --watch", "compile A.xcassets -o out.car --watch --touch") {
    $0.result.code == 2 && $0.result.stderr.contains("--touch would itself be a change")
  },
  OptionRow("link --output", object, "link a.caro --output ./") { $0.has("Assets.car") },
  OptionRow("link --no-index", object, link, "\(link) --no-index") {
    try !String(decoding: $0.folder.read("out.car"), as: UTF8.self).contains("CARVEINDEX")
  },
  OptionRow("link --memory", object, "\(link) --memory 1") { $0.result.code == 0 },
  OptionRow("link --memory", object, "\(link) --memory 0") { $0.result.code == 2 },
  OptionRow("link --depfile", object, "\(link) --depfile out.d") {
    try String(decoding: $0.folder.read("out.d"), as: UTF8.self).hasPrefix("out.car: \\\n  a.caro")
  },
  OptionRow("link --touch", object, "\(link) --touch") { $0.result.code == 0 && $0.has("out.car") },
  OptionRow("link --timing", object, "\(link) --timing") { $0.result.stderr.contains("write: ") },
  OptionRow("link --timing", object, "\(link) --timing=json") { $0.result.stdout.hasPrefix("{") },
  OptionRow("link --swift", object, "\(link) --swift ids.swift") {
    try text($0, "ids.swift").contains("AssetID")
  },
  OptionRow("link --type", object, "\(link) --swift ids.swift --type Look") {
    try text($0, "ids.swift").contains("enum Look")
  },
  OptionRow("link --bundle", object, "\(link) --swift ids.swift --type Look --bundle B") {
    try text($0, "ids.swift").contains("B")
  },
  OptionRow("link --public", object, "\(link) --swift ids.swift --public") {
    try text($0, "ids.swift").contains("public ")
  },
  OptionRow("link --c", object, "\(link) --c ids.h") { try text($0, "ids.h").contains("ASSET_") },
  OptionRow("link --prefix", object, "\(link) --c ids.h --prefix LOOK") {
    try text($0, "ids.h").contains("LOOK_") && !text($0, "ids.h").contains("ASSET_")
  },
  OptionRow("link --cache", object, "\(link) --cache kept") {
    try !$0.folder.files(below: "kept").isEmpty
  },
  OptionRow("link --cache-size", object, "\(link) --cache kept --cache-size 0") {
    $0.result.code == 2
  },
  OptionRow("link --no-cache", object, "\(link) --cache kept --no-cache") { !$0.has("kept") },
  OptionRow("link --remote-cache", object, "\(link) --remote-cache http://127.0.0.1:9") {
    $0.result.code == 0 && $0.text.contains("warning: remote cache 127.0.0.1:9: ")
  },
  OptionRow("link --remote-cache", object, "\(link) --remote-cache nothing") {
    $0.result.code == 2
  },
  OptionRow("link --jobs", object, "link a.caro -o one.car -j 1", "\(link) --jobs 3") {
    try $0.folder.read("out.car") == $0.folder.read("one.car")
  },
  OptionRow("link --jobs", object, "\(link) --jobs 0") { $0.result.code == 2 },
  OptionRow("link --diagnostics", object, "\(link) --diagnostics json") {
    $0.result.stderr.hasPrefix("{") || $0.result.stderr.hasPrefix("[")
  },
  OptionRow("link --werror", object, "\(link) --werror=unsupported-set") {
    $0.result.code == 1 && !$0.has("out.car")
  },
  OptionRow("link --no-warn", object, "\(link) --no-warn unsupported-set") {
    $0.result.code == 0 && !$0.text.contains("unsupported-set")
  },
  OptionRow("link --min-severity", object, "\(link) --min-severity error") {
    $0.result.code == 0 && $0.result.stderr.isEmpty
  },
  OptionRow("link --verbose", object, "\(link) -v") {
    $0.result.code == 0 && $0.result.stderr.contains("settings: none")
  },
  OptionRow("link --all", object, "\(link) --all") {
    $0.result.stderr.contains("[unsupported-set]") && !$0.result.stderr.contains("--all shows them")
  },
]

private func contents(_ run: OptionRun) throws -> String { try text(run, "a.caro") }

private func text(_ run: OptionRun, _ file: String) throws -> String {
  String(decoding: try run.folder.read(file), as: UTF8.self)
}
