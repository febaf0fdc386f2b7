// swift-tools-version: 6.2
// The modules of Carve and the only dependencies between them.
// `Tests/EndToEndTests/ModuleDependencyTests.swift` fails on every dependency that ARCHITECTURE.md does not
// show.
import Foundation
import PackageDescription

// Whether this is a build of `make test`. It has settings that a package on which others depend may
// not have. The tested code is optimised (the tests are not), which makes the tests twice as fast.
// Warnings are errors; SwiftPM silences the warnings of dependencies, and Swift Build considers the
// two settings contradictory.
let isTested = Context.environment["CARVE_OPTIMIZED_TESTS"] != nil
/// Whether a sanitizer is used (make asan, make tsan): it must see every allocation of the Swift
/// library, too.
let isSanitized = Context.environment["CARVE_SANITIZER"] != nil
/// Debug information takes a fifth of the time of a build; CARVE_DEBUG_INFO=1 asks for it.
let hasDebugInfo = Context.environment["CARVE_DEBUG_INFO"] != nil
/// Whether each module is compiled as one unit, which takes less time in a clean folder and more
/// after a change of one file. The checks of a clean clone ask for it.
let hasWholeModules = Context.environment["CARVE_WHOLE_MODULES"] != nil
let language: [SwiftSetting] =
  [.swiftLanguageMode(.v6), .enableExperimentalFeature("Lifetimes")]
  + (isTested ? [.treatAllWarnings(as: .error)] : [])
  + (isTested && !hasDebugInfo ? [.unsafeFlags(["-gnone"])] : [])
  + (isTested && hasWholeModules ? [.unsafeFlags(["-wmo", "-num-threads", "2"])] : [])
/// The settings of modules that do much with each byte of a picture. The others are not optimised for
/// tests: optimising takes four times as long as compiling, and their tests hardly become faster.
/// Each of them is compiled as one unit, which takes a tenth less time than file by file.
let hot =
  language + (isTested ? [.unsafeFlags(["-O", "-wmo", "-num-threads", "2"])] : [])
/// The settings of tests. No module depends on them, so nothing is gained if their interface is made
/// before they are compiled, and every macro would be expanded twice.
let testing =
  isTested && hasWholeModules ? [SwiftSetting.unsafeFlags(["-no-emit-module-separately-wmo"])] : []
let c: [CSetting] = isTested ? [.treatAllWarnings(as: .error), .unsafeFlags(["-O2"])] : []

func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], isOptimized: Bool = true,
  exclude: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: exclude,
    swiftSettings: isOptimized ? hot : language)
}

/// Makes a target of tests. Tests with their own loops over many bytes are optimised, which takes
/// longer to build.
func testTarget(
  _ name: String, _ dependencies: [Target.Dependency], isOptimized: Bool = false
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies + ["Support"],
    swiftSettings: (isOptimized ? hot : language) + testing)
}

/// The modules of `CarveRuntime`: they use no C library except the system's.
let runTime: [Target] = [
  .target(name: "CPosix", cSettings: c),
  module(
    "Traits",
    exclude: [
      "Devices/Tables/devices.tsv", "Devices/Tables/windows.tsv", "Devices/Tables/sources.tsv",
      "Devices/Tables/generate.py",
    ]),
  module("Bytes"),
  .target(name: "CRows", cSettings: c),
  // In unoptimised code, rounding is a call of the mathematical library.
  .target(
    name: "Codecs", dependencies: ["Bytes", "CRows"], swiftSettings: hot,
    linkerSettings: [.linkedLibrary("m")]),
  module("Colors"),
  module("Vectors", ["Bytes", "Codecs", "Colors"]),
  module("Archive", ["Bytes", "Traits"]),
  .target(name: "CCarve", cSettings: c),
  module(
    "CarveRuntime",
    ["Archive", "Bytes", "Codecs", "Colors", "Traits", "Vectors", "CPosix", "CCarve"]),
]

let tool: [Target] = [
  .target(name: "CJSON", cSettings: c, linkerSettings: [.linkedLibrary("json-c")]),
  .target(name: "CPNG", cSettings: c, linkerSettings: [.linkedLibrary("png16")]),
  .target(name: "CDeflate", cSettings: c, linkerSettings: [.linkedLibrary("deflate")]),
  module("Host", ["Bytes", "CPosix"], isOptimized: false),
  module("Documents", ["Bytes", "CJSON"], isOptimized: false),
  module(
    "Imaging", ["Archive", "Bytes", "Codecs", "Colors", "Vectors", "CPNG", "CDeflate", "CRows"]),
  module(
    "ArchiveTools",
    [
      "Imaging", "Archive", "Bytes", "Codecs", "Colors", "Traits", "Host", "Documents", "Vectors",
      "CDeflate", "CPosix",
    ], isOptimized: false),
  module(
    "CatalogModel", ["Bytes", "Codecs", "Traits", "Host", "Documents", "Vectors"],
    isOptimized: false),
  module(
    "CatalogCompiler",
    [
      "CatalogModel", "Imaging", "Archive", "Bytes", "Codecs", "Colors", "Traits", "Host",
      "Documents", "Vectors", "CDeflate", "CPosix",
    ], isOptimized: false),
  module("CommandLineKit", ["Bytes", "Documents"], isOptimized: false),
  module(
    "AssetSymbols", ["CatalogModel", "Archive", "Bytes", "Documents", "Traits"], isOptimized: false),
  module(
    "Uses", ["AssetSymbols", "CatalogModel", "Bytes", "Documents", "Host"], isOptimized: false),
  module(
    "Builds",
    [
      "AssetSymbols", "CatalogCompiler", "CatalogModel", "ArchiveTools", "Imaging", "Archive",
      "Bytes", "Documents", "Host", "Traits", "Vectors", "CPosix",
    ], isOptimized: false),
  module(
    "DropIn",
    [
      "Builds", "AssetSymbols", "CatalogCompiler", "CatalogModel", "ArchiveTools", "Imaging",
      "Bytes", "Codecs", "Documents", "Host", "Traits",
    ], isOptimized: false),
  module(
    "Apps",
    [
      "Builds", "CatalogCompiler", "CatalogModel", "ArchiveTools", "Imaging", "Archive", "Bytes",
      "Documents", "Host", "Traits", "CDeflate",
    ], isOptimized: false),
  module(
    "History",
    [
      "Apps", "Builds", "CatalogCompiler", "CatalogModel", "ArchiveTools", "Bytes", "Documents",
      "Host", "Traits",
    ], isOptimized: false),
  module(
    "Preview",
    [
      "ArchiveTools", "Imaging", "CarveRuntime", "Archive", "Bytes", "Codecs", "Colors",
      "Documents", "Host", "Traits", "Vectors",
    ], isOptimized: false, exclude: ["Page"]),
  module(
    "Queries",
    [
      "Apps", "History", "CatalogCompiler", "CatalogModel", "ArchiveTools", "CarveRuntime",
      "Archive", "Bytes", "Documents", "Host", "Traits",
    ], isOptimized: false),
  module(
    "LanguageServer",
    [
      "Apps", "Builds", "Uses", "AssetSymbols", "CatalogCompiler", "CatalogModel", "ArchiveTools",
      "Archive",
      "Bytes", "Documents", "Host", "Traits",
    ],
    isOptimized: false),
  .executableTarget(
    name: "carve",
    dependencies: [
      "CommandLineKit", "Apps", "History", "LanguageServer", "Queries", "Preview", "DropIn",
      "Builds", "Uses",
      "AssetSymbols",
      "CatalogCompiler", "CatalogModel", "ArchiveTools", "CarveRuntime", "Archive", "Bytes",
      "Traits", "Host",
      "Documents", "CPosix",
    ],
    swiftSettings: language,
    // The tests start the tool 1,800 times. With the Swift library inside, as in the released tool,
    // and at a fixed address, it starts in half of the time.
    linkerSettings: isTested && !isSanitized
      ? [.unsafeFlags(["-static-stdlib", "-Xclang-linker", "-no-pie"])] : []),
]

let tests: [Target] = [
  // The example of Docs/reference-run-time.md; the tests compare the text and run it.
  .executableTarget(
    name: "ReadmeExample", dependencies: ["CarveRuntime"], path: "Tests/ReadmeExample",
    swiftSettings: language),
  .executableTarget(
    name: "pairs",
    dependencies: [
      "Bytes", "CatalogCompiler", "CatalogModel", "ArchiveTools", "Imaging", "Archive",
      "CarveRuntime", "Codecs", "Host", "Traits", "Vectors",
    ],
    path: "Tests/Pairs", swiftSettings: language),
  .executableTarget(
    name: "kept-vectors", dependencies: ["Bytes", "Imaging", "Vectors"],
    path: "Tests/KeptVectors", exclude: ["run"], swiftSettings: language),
  .executableTarget(
    name: "pictures",
    dependencies: ["Imaging", "CPNG", "CDeflate"],
    path: "Tests/Benchmarks/pictures", swiftSettings: language),
  // The program in C of the interface's tests, built with the current header and with the header of
  // the first release.
  .target(name: "CurrentProgram", dependencies: ["CCarve"], path: "Tests/CInterface/Current"),
  .target(
    name: "FirstReleaseProgram", path: "Tests/CInterface/FirstRelease",
    cSettings: [.headerSearchPath(".")]),
  .target(name: "CSpawn", path: "Tests/CSpawn", cSettings: c),
  // Measures the cost of work, for the tests of the bounds of readers.
  .target(name: "CCost", path: "Tests/CCost", cSettings: c),
  // Writes the small files that request much, for the benchmark.
  .executableTarget(
    name: "bombs", dependencies: ["FuzzTargets"], path: "Tests/Benchmarks/bombs",
    swiftSettings: language),
  .target(
    name: "Support",
    dependencies: [
      "Bytes", "CPosix", "CSpawn", "Traits", "Archive", "ArchiveTools", "CatalogCompiler", "Host",
    ],
    path: "Tests/Support",
    swiftSettings: hot),
  .target(
    name: "FuzzTargets",
    dependencies: [
      "Apps", "Archive", "ArchiveTools", "Builds", "CCarve", "CarveRuntime", "CatalogCompiler",
      "CatalogModel", "Bytes", "Codecs", "CommandLineKit", "Documents", "DropIn", "History", "Host",
      "Imaging", "LanguageServer", "Queries", "Traits", "Uses",
      "Vectors", "CCost", "CDeflate",
    ],
    path: "Tests/FuzzTargets", swiftSettings: hot),
  testTarget("Traits", ["Traits"]),
  testTarget("Codecs", ["Codecs", "Bytes"], isOptimized: true),
  testTarget("Bytes", ["Bytes"]),
  testTarget("Vectors", ["Vectors", "Bytes", "Codecs", "FuzzTargets"]),
  testTarget("Archive", ["Archive", "Traits"], isOptimized: true),
  testTarget(
    "CarveRuntime",
    [
      "CarveRuntime", "Archive", "CCarve", "CatalogModel", "Codecs", "CurrentProgram",
      "FirstReleaseProgram", "FuzzTargets", "ReadmeExample", "Traits",
    ]),
  testTarget("Host", ["Host"]),
  testTarget("History", ["History", "Bytes", "CatalogCompiler", "Host", "Traits"]),
  testTarget(
    "Apps",
    [
      "Apps", "Archive", "ArchiveTools", "Bytes", "CDeflate", "Documents", "Host", "Imaging",
      "Traits",
    ]),
  testTarget("Documents", ["Documents", "Bytes", "CatalogModel", "Traits"]),
  testTarget("Imaging", ["Imaging", "Archive", "Bytes", "Colors", "Vectors"]),
  testTarget(
    "ArchiveTools",
    [
      "ArchiveTools", "Imaging", "CatalogCompiler", "CatalogModel", "CarveRuntime", "Archive",
      "Codecs",
      "Documents", "Host", "Traits",
    ]),
  testTarget("CatalogModel", ["CatalogModel", "Documents", "Host", "Traits"]),
  testTarget(
    "CatalogCompiler",
    [
      "CatalogCompiler", "ArchiveTools", "Imaging", "CatalogModel", "CarveRuntime", "Archive",
      "CCarve", "Codecs", "Documents", "Host", "Traits",
    ]),
  testTarget("CommandLineKit", ["CommandLineKit", "Bytes", "Documents"]),
  testTarget(
    "LanguageServer",
    ["LanguageServer", "Bytes", "CatalogCompiler", "CatalogModel", "Documents", "Host", "Traits"]),
  testTarget("AssetSymbols", ["AssetSymbols", "CatalogModel", "Host"]),
  testTarget("Uses", ["Uses", "Bytes", "CatalogModel", "Documents", "Host"]),
  testTarget(
    "Builds",
    ["Builds", "Archive", "ArchiveTools", "Bytes", "CatalogCompiler", "Host", "Traits"]),
  testTarget(
    "DropIn",
    [
      "DropIn", "Archive", "ArchiveTools", "AssetSymbols", "Bytes", "CatalogCompiler",
      "CatalogModel", "Documents", "Host", "Traits",
    ]),
  testTarget(
    "Preview",
    [
      "Preview", "Archive", "ArchiveTools", "CatalogCompiler", "CarveRuntime", "Documents", "Host",
      "Traits",
    ]),
  testTarget(
    "Queries",
    [
      "Queries", "Archive", "ArchiveTools", "Bytes", "CarveRuntime", "CatalogCompiler",
      "CatalogModel", "Documents", "Host", "Traits",
    ]),
  // The test runs the tool, which every build of the tests makes. It does not depend on the tool,
  // because then the settings for linking the tool would also apply to the program of the tests.
  testTarget("EndToEnd", []),
  testTarget("FuzzTargets", ["FuzzTargets"]),
  // Tests the decisions of the plugin, through links to its sources.
  testTarget("CarvePlugin", []),
]

// `make artifactbundle` writes this package with the tool as a program, and sets this to true
// there.
let hasBuiltTool = false

/// Returns whether the `carve` in PATH has this version. The plugin then runs it
/// (Sources/CarvePlugin/ToolChoice.swift), and the package manager must not build another one. It
/// keeps the answer until the environment or this file changes, or `swift package purge-cache`.
func hasInstalledTool() -> Bool {
  if Context.environment["CARVE_FROM_SOURCES"] != nil { return false }
  let places = (Context.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/carve" }
  let place = places.first { place in
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: place, isDirectory: &isFolder)
      && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: place)
  }
  guard let place else { return false }
  let (process, output) = (Process(), Pipe())
  process.executableURL = URL(fileURLWithPath: place)
  process.arguments = ["--version"]
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return false }
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return text == "carve 0.2.0\n"
}

// The plugin's tool is a program for this machine. The package manager builds it and all its
// modules a second time, so the tests of Carve itself leave the plugin out.
let plugin: [Target] =
  isTested
  ? []
  : [
    .plugin(
      name: "CarvePlugin", capability: .buildTool(),
      dependencies: hasBuiltTool || !hasInstalledTool() ? ["carve"] : [],
      path: "Sources/CarvePlugin")
  ]
let library: Product = .library(name: "CarveRuntime", targets: ["CarveRuntime"])
let pluginProduct: Product = .plugin(name: "CarvePlugin", targets: ["CarvePlugin"])

let package =
  hasBuiltTool
  ? Package(
    name: "carve", products: [library, pluginProduct],
    targets: runTime + plugin + [.binaryTarget(name: "carve", path: "carve.artifactbundle")])
  : Package(
    name: "carve",
    products: [
      .executable(name: "carve", targets: ["carve"]), library,
      // Used by the package Tests/Fuzz.
      .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
    ] + (isTested ? [] : [pluginProduct]),
    targets: runTime + tool + tests + plugin)
