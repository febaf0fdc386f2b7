// swift-tools-version: 6.2
// The modules of Carve and the only arrows between them.
// `Tests/EndToEndTests/ArrowsTests.swift` fails on any edge that is not drawn in ARCHITECTURE.md.
import PackageDescription

// What `make test` asks for, and a package that others depend on may not say: what is tested is optimised
// (the tests are not), which makes them twice as fast; and warnings are errors, where SwiftPM silences
// those of dependencies, which Swift Build takes for a contradiction.
let isTested = Context.environment["CARVE_OPTIMIZED_TESTS"] != nil
let language: [SwiftSetting] =
  [.swiftLanguageMode(.v6), .enableExperimentalFeature("Lifetimes")]
  + (isTested ? [.treatAllWarnings(as: .error)] : [])
let swift = language + (isTested ? [.unsafeFlags(["-O"])] : [])
let c: [CSetting] = isTested ? [.treatAllWarnings(as: .error), .unsafeFlags(["-O2"])] : []

func module(
  _ name: String, _ dependencies: [Target.Dependency] = [],
  exclude: [String] = []
) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: swift)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies + ["Support"], swiftSettings: language)
}

let package = Package(
  name: "carve",
  products: [
    .executable(name: "carve", targets: ["carve"]),
    .library(name: "CarveRuntime", targets: ["CarveRuntime"]),
    // For the package Tests/Fuzz.
    .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
  ],
  targets: [
    .target(name: "CJSON", cSettings: c, linkerSettings: [.linkedLibrary("json-c")]),
    .target(name: "CPNG", cSettings: c, linkerSettings: [.linkedLibrary("png16")]),
    .target(name: "CDeflate", cSettings: c, linkerSettings: [.linkedLibrary("deflate")]),
    .target(name: "CRows", cSettings: c),
    .target(name: "CPosix", cSettings: c),
    module(
      "Traits",
      exclude: [
        "Devices/Tables/devices.tsv", "Devices/Tables/windows.tsv", "Devices/Tables/generate.py",
      ]),
    // Unoptimised, rounding is a call of the mathematical library.
    .target(
      name: "Codecs", swiftSettings: swift, linkerSettings: [.linkedLibrary("m")]),
    module("Colors"),
    module("Vectors", ["Codecs", "Colors"]),
    module("Archive", ["Traits"]),
    .target(name: "CCarve", cSettings: c),
    module(
      "CarveRuntime", ["Archive", "Codecs", "Colors", "Traits", "Vectors", "CPosix", "CCarve"]),
    module("Host", ["CPosix"]),
    module("Documents", ["CJSON"]),
    module(
      "ArchiveTools",
      [
        "Archive", "Codecs", "Colors", "Traits", "Host", "Documents", "Vectors", "CDeflate",
        "CPosix",
      ]),
    module("CatalogModel", ["Codecs", "Traits", "Host", "Documents", "Vectors"]),
    module(
      "CatalogCompiler",
      [
        "CatalogModel", "ArchiveTools", "Archive", "Codecs", "Colors", "Traits", "Host",
        "Documents", "Vectors", "CPNG", "CDeflate", "CRows", "CPosix", "CCarve",
      ]),
    module("CommandLineKit", ["Documents"]),
    module("AssetSymbols", ["CatalogModel", "Archive", "Documents", "Traits"]),
    module(
      "DropIn",
      [
        "AssetSymbols", "CatalogCompiler", "CatalogModel", "ArchiveTools", "CarveRuntime", "Codecs",
        "Documents", "Host", "Traits",
      ]),
    .executableTarget(
      name: "carve",
      dependencies: [
        "CommandLineKit", "DropIn", "AssetSymbols", "CatalogCompiler", "CatalogModel",
        "ArchiveTools", "CarveRuntime", "Archive", "Codecs", "Traits", "Host", "Documents",
        "CPosix",
        "CCarve",
      ],
      swiftSettings: swift),

    // What README.md shows of the run time; the tests compare the text and run it.
    .executableTarget(
      name: "ReadmeExample", dependencies: ["CarveRuntime"], path: "Tests/ReadmeExample",
      swiftSettings: swift),
    .executableTarget(
      name: "pairs",
      dependencies: [
        "CatalogCompiler", "CatalogModel", "ArchiveTools", "Archive", "CarveRuntime", "Codecs",
        "Host", "Traits", "Vectors",
      ],
      path: "Tests/Pairs", swiftSettings: swift),
    .executableTarget(
      name: "pictures",
      dependencies: ["CatalogCompiler", "ArchiveTools", "CPNG", "CDeflate"],
      path: "Tests/Benchmarks/pictures", swiftSettings: swift),
    // The program in C of the interface's tests, as built with the header of today and of the first
    // release.
    .target(name: "CurrentProgram", dependencies: ["CCarve"], path: "Tests/CInterface/Current"),
    .target(
      name: "FirstReleaseProgram", path: "Tests/CInterface/FirstRelease",
      cSettings: [.headerSearchPath(".")]),
    .target(
      name: "Support",
      dependencies: ["CPosix", "Traits", "Archive", "ArchiveTools", "CatalogCompiler", "Host"],
      path: "Tests/Support",
      swiftSettings: swift),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "Archive", "ArchiveTools", "CCarve", "CarveRuntime", "CatalogCompiler", "CatalogModel",
        "Codecs", "CommandLineKit", "Documents", "Host", "Traits", "Vectors", "CDeflate",
      ],
      path: "Tests/FuzzTargets", swiftSettings: swift),
    tests("Traits", ["Traits"]),
    tests("Codecs", ["Codecs"]),
    tests("Vectors", ["Vectors", "Codecs"]),
    tests("Archive", ["Archive", "Traits"]),
    tests(
      "CarveRuntime",
      [
        "CarveRuntime", "Archive", "CCarve", "CatalogModel", "Codecs", "CurrentProgram",
        "FirstReleaseProgram", "FuzzTargets", "ReadmeExample", "Traits",
      ]),
    tests("Host", ["Host"]),
    tests("Documents", ["Documents", "CatalogModel", "Traits"]),
    tests(
      "ArchiveTools",
      [
        "ArchiveTools", "CatalogCompiler", "CatalogModel", "CarveRuntime", "Archive", "Codecs",
        "Documents", "Host", "Traits",
      ]),
    tests("CatalogModel", ["CatalogModel", "Documents", "Host", "Traits"]),
    tests(
      "CatalogCompiler",
      [
        "CatalogCompiler", "ArchiveTools", "CatalogModel", "CarveRuntime", "Archive", "CCarve",
        "Codecs", "Documents", "Host", "Traits",
      ]),
    tests("CommandLineKit", ["CommandLineKit", "Documents"]),
    tests("AssetSymbols", ["AssetSymbols", "CatalogModel", "Host"]),
    tests("DropIn", ["DropIn", "ArchiveTools", "CatalogModel", "Documents", "Host", "Traits"]),
    tests("EndToEnd", ["carve"]),
    tests("FuzzTargets", ["FuzzTargets"]),
  ]
)
