// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "lookup",
  dependencies: [.package(name: "carve", path: "../../../..")],
  targets: [
    .executableTarget(
      name: "lookup", dependencies: [.product(name: "CarveRuntime", package: "carve")], path: ".",
      sources: ["main.swift"])
  ])
