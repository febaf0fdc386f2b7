// swift-tools-version: 6.2
// A program whose catalogue becomes an archive beside it and an enumeration of ids: `swift run`.
import PackageDescription

// The folder of Carve's sources, or the folder that `make artifactbundle` makes, which contains the
// built tool.
let carve = Context.environment["CARVE_PACKAGE"] ?? "../../.."

let package = Package(
  name: "builds",
  dependencies: [.package(name: "carve", path: carve)],
  targets: [
    .executableTarget(
      name: "app",
      dependencies: [.product(name: "CarveRuntime", package: "carve")],
      exclude: ["Assets.xcassets", "Assets.carve"],
      plugins: [.plugin(name: "CarvePlugin", package: "carve")])
  ])
