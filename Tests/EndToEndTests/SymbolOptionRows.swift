// Rows of the options about constants for assets, which `symbols` and `compile` share.

import Support

private let compile = "compile A.xcassets -o out.car"

let symbolOptionRows: [OptionRow] =
  [
    OptionRow("symbols --type", "symbols A.xcassets --swift ids.swift --type Pictures") {
      let text = try $0.string("ids.swift")
      return text.contains("enum Pictures {") && text.contains("    static let star = AssetID(")
        && !text.contains("extension AssetID") && !text.contains("catalog()")
    },
    OptionRow("symbols --type", "symbols A.xcassets --swift ids.swift --type 2x") {
      $0.result.code == 2 && !$0.has("ids.swift")
    },
    OptionRow(
      "symbols --bundle", "symbols A.xcassets --swift ids.swift --type Pictures --bundle app_app"
    ) {
      try $0.string("ids.swift").contains(#"Catalog(archive: "A.car", inBundle: "app_app")"#)
    },
    OptionRow("symbols --c", "symbols A.xcassets --c -") {
      $0.result.code == 2 && !$0.has("-")
        && $0.result.stderr.contains("--c writes a file, not standard output")
    },
    OptionRow("symbols --c", "symbols A.xcassets --c ./-") { $0.result.code == 0 && $0.has("-") },
    OptionRow("symbols --bundle", "symbols A.xcassets --swift ids.swift --bundle app_app") {
      $0.result.code == 2 && $0.result.stderr.contains("--type")
    },
    OptionRow("compile --swift", "\(compile) --swift ids.swift") {
      try $0.has("out.car") && $0.string("ids.swift").contains("static let star = AssetID(")
    },
    OptionRow("compile --swift", "\(compile) --swift ids.swift --werror=symbol-clash") {
      $0.result.code == 1 && !$0.has("ids.swift") && !$0.has("out.car")
    },
    OptionRow("compile --type", "\(compile) --swift ids.swift --type Pictures") {
      try $0.string("ids.swift").contains("enum Pictures {")
    },
    OptionRow(
      "compile --usual-type", "\(compile) --swift ids.swift --usual-type A --type Pictures"
    ) {
      try $0.string("ids.swift").contains("enum Pictures {")
    },
    OptionRow("compile --usual-type", "\(compile) --swift ids.swift --usual-type A --bundle b") {
      try $0.string("ids.swift").contains("enum A {")
    },
    OptionRow("compile --bundle", "\(compile) --swift ids.swift --type Pictures --bundle app_app") {
      try $0.string("ids.swift").contains(#"Catalog(archive: "out.car", inBundle: "app_app")"#)
    },
    OptionRow("compile --public", "\(compile) --swift ids.swift --public") {
      try $0.string("ids.swift").contains("public static let star")
    },
    OptionRow("compile --c", "\(compile) --c ids.h --depfile out.d") {
      try $0.string("ids.h").contains("#define ASSET_IMAGE_STAR UINT64_C(0x")
        && $0.string("out.d").hasPrefix("out.car ids.h:")
    },
    OptionRow("compile --prefix", "\(compile) --c ids.h --prefix App") {
      try $0.string("ids.h").contains("#define App_IMAGE_STAR ")
    },
    OptionRow("compile --prefix", "\(compile) --prefix App") { $0.result.code == 2 },
    OptionRow("compile --options", "\(compile) --options none.carve") { $0.result.code == 4 },
  ]
