// swift-tools-version: 6.2
// The fuzzer. It is a package of its own, because a fuzzer has no `main` and would break the other
// builds.

import PackageDescription

let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "carve", path: "../..")],
  targets: [
    .executableTarget(
      name: "Fuzz", dependencies: [.product(name: "FuzzTargets", package: "carve")])
  ]
)
