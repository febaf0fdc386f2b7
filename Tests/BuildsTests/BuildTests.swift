// Tests the runs that all commands share: catalogues are read once for all outputs, and a
// thinned archive is the thinned whole one.

import ArchiveTools
import Builds
import Bytes
import CatalogCompiler
import Host
import Support
import Synchronization
import Testing
import Traits

/// Counts the questions to a tree.
private final class Counter: Sendable {
  private let counts = Mutex([ByteString: Int]())

  func add(_ path: ByteString) { counts.withLock { $0[path, default: 0] += 1 } }

  var all: [ByteString: Int] { counts.withLock { $0 } }
}

@Suite struct BuildTests {
  private let folder: TemporaryDirectory
  private let sources: SampleSources

  init() throws {
    folder = try TemporaryDirectory()
    var sources = SampleSources()
    sources.image("Star", scales: [1, 2, 3])
    sources.image("Moon", scales: [2])
    self.sources = sources
  }

  private var options: CompileOptions {
    CompileOptions(target: CompileTarget(platform: .iOS), icons: .all)
  }

  private func path(_ name: String) -> ByteString { ByteString(folder.path(name)) }

  /// Returns the folders that a run lists, and how often.
  private func listed(_ files: BuildFiles) throws -> [ByteString: Int] {
    let counter = Counter()
    let base = FileTree.memory(sources.files)
    var tree = base
    tree.list = { (path) throws(FileError) in
      counter.add(path)
      return try base.list(path)
    }
    var build = Build(.archive(of: [sources.root]), options, files, in: tree)
    try build.makeProduct(CompileObserver())
    #expect(!build.report.isRefused, "\(build.report.diagnostics)")
    #expect(try build.writeConstants().isEmpty)
    _ = try build.writeDepfile(on: [])
    let answer = try build.place()
    #expect(answer.nameCount == 2)
    return counter.all
  }

  @Test func constantsNeedNoSecondReading() throws {
    let alone = try listed(BuildFiles(product: path("alone.car")))
    var files = BuildFiles(product: path("out.car"))
    files.constants.swift = path("Assets.swift")
    files.constants.header = path("assets.h")
    files.depfile = path("out.d")
    #expect(try listed(files) == alone)
    #expect(try folder.read("out.car") == folder.read("alone.car"))
    #expect(String(decoding: try folder.read("Assets.swift"), as: UTF8.self).contains("star"))
    #expect(String(decoding: try folder.read("assets.h"), as: UTF8.self).contains("ASSET_IMAGE"))
    #expect(String(decoding: try folder.read("out.d"), as: UTF8.self).contains("Star.imageset"))
  }

  @Test func aThinnedArchiveIsSmallerThanTheWhole() throws {
    let whole = try UnthinnedArchive()
    defer { withExtendedLifetime(whole) {} }
    var build = Build(
      .archive(of: [sources.root]), options, BuildFiles(product: path("thin.car")),
      in: .memory(sources.files))
    try build.makeProduct(in: whole, CompileObserver())
    let device = try #require(Device(named: "iPhone8,1"))
    let thinner = try Thinner(try whole.bytes())
    let reach = try thinner.reach(of: device)
    try build.thin(thinner, for: ThinningTarget([reach]))
    let answer = try build.place()
    let size = try folder.read("thin.car").count
    #expect(answer.thinnedSize == size && size < answer.byteCount)
  }
}
