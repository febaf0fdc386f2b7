// Entries of a server with right digests and wrong contents are never used and never kept, and the
// right ones are sent again. Right entries are used, for every system and kind of picture.

import Archive
import ArchiveTools
import Bytes
import Codecs
import Foundation
import Host
import Imaging
import Support
import Testing
import Traits

@testable import CatalogCompiler

@Suite struct ForgedEntryTests {
  /// Large and small pictures, opaque and transparent, grey and wide-gamut, and a vector.
  private static let sources: SampleSources = {
    var sources = SampleSources()
    func add(_ name: String, _ file: [UInt8], _ kind: String = "png") {
      sources.files["A.xcassets/\(name).imageset/\(name).\(kind)"] = .bytes(file)
      sources.add(
        "\(name).imageset/Contents.json",
        #"{"images":[{"idiom":"universal","scale":"2x","filename":"\#(name).\#(kind)"}]}"#)
    }
    func rgb(_ side: Int, extra: [[UInt8]] = []) -> [UInt8] {
      png(
        width: side, height: side + 40, color: .rgb,
        samples: (0..<side * (side + 40)).flatMap { place -> [UInt8] in
          [UInt8(place % 251), UInt8(place / side % 256), UInt8(place * 7 % 256)]
        }, extra: extra)
    }
    add("Large", rgb(260))
    add("Clear", patternPNG(width: 220, height: 240, seed: 3, isOpaque: false))
    add("Full", patternPNG(width: 230, height: 210, seed: 4))
    add(
      "Gray",
      png(
        width: 250, height: 200, color: .gray, samples: (0..<50_000).map { UInt8($0 * 3 % 256) }))
    add("Wide", rgb(240, extra: [pngChunk("cICP", [12, 13, 0, 1])]))
    for side in [11, 17, 23] { add("Small\(side)", rgb(side)) }
    add("Tiny", patternPNG(width: 20, height: 9, seed: 5, isOpaque: false))
    add(
      "Drawn",
      Array(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="150.5" height="120">\
        <circle cx="60" cy="60" r="55" fill="#c08"/></svg>
        """.utf8), "svg")
    return sources
  }()

  private static let clean = Result { try sources.compiled().bytes }

  private func compiled(
    _ server: HTTPServer, folder: String? = nil, secret: String? = nil,
    _ change: (inout CompileOptions) -> Void = { _ in }
  ) throws -> (report: CompileReport, bytes: [UInt8]) {
    let address = try HTTPAddress(server.address)
    return try Self.sources.compiled {
      $0.remoteCache = address
      $0.remoteSecret = secret.map { Array($0.utf8) }
      $0.cache = folder.map { ByteString($0) }
      change(&$0)
    }
  }

  /// Changes every entry of a server, and gives it the right digests.
  private func forge(_ kept: KeepingServer, _ change: (CachedPicture) -> CachedPicture) throws {
    let files = kept.files.withLock { $0 }
    for (place, bytes) in files where place.hasPrefix("/ac/") {
      let result = try #require(ActionResult(bytes))
      let entry = try #require(files["/cas/\(result.digest)"])
      let key = try #require(CacheEntry.key(entry))
      let picture = try #require(CacheEntry.picture(entry, of: key))
      let forged = CacheEntry.bytes(change(picture), of: key)
      let other = ActionResult(path: result.path, of: forged)
      kept.files.withLock {
        $0["/cas/\(other.digest)"] = forged
        $0[place] = other.bytes
      }
    }
  }

  private static func sized(
    _ facts: PictureFacts, _ width: Int, _ height: Int, _ bytesPerRow: Int? = nil,
    _ layout: BitmapLayout? = nil
  ) -> PictureFacts {
    PictureFacts(
      width: width, height: height, layout: layout ?? facts.layout, bytesPerRow: bytesPerRow,
      isOpaque: facts.isOpaque, hasWiderSource: facts.hasWiderSource)
  }

  private static let forgeries:
    [(name: String, change: @Sendable (CachedPicture) -> CachedPicture)] =
      [
        ("wider", { with($0) { $0.facts = sized($0.facts, $0.facts.width + 8, $0.facts.height) } }),
        ("lower", { with($0) { $0.facts = sized($0.facts, $0.facts.width, $0.facts.height - 1) } }),
        ("turned", { with($0) { $0.facts = sized($0.facts, $0.facts.height, $0.facts.width) } }),
        ("immense", { with($0) { $0.facts = sized($0.facts, 1 << 20, 1 << 20, 1 << 22) } }),
        ("large", { with($0) { $0.facts = sized($0.facts, 1 << 14, 1 << 14) } }),
        (
          "rows",
          { with($0) { $0.facts = sized($0.facts, $0.facts.width, $0.facts.height, 1 << 14) } }
        ),
        (
          "halves",
          {
            with($0) {
              let layout: BitmapLayout = $0.facts.layout == .rgbw ? .bgra8 : .rgbw
              $0.facts = sized($0.facts, $0.facts.width, $0.facts.height, nil, layout)
            }
          }
        ),
        (
          "gray",
          {
            with($0) {
              let layout: BitmapLayout = $0.facts.layout == .ga8 ? .bgra8 : .ga8
              $0.facts = sized($0.facts, $0.facts.width, $0.facts.height, nil, layout)
            }
          }
        ),
        ("opacity", { with($0) { $0.facts.isOpaque.toggle() } }),
        ("gamut", { with($0) { $0.facts.hasWiderSource.toggle() } }),
        ("excess", { with($0) { $0.facts.drawn.excessWidth += 1 } }),
        (
          "cut",
          {
            with($0) {
              $0.payload = Array($0.payload.dropLast(9)); $0.facts.isOpaque.toggle()
            }
          }
        ),
        ("unpacked", { with($0) { $0.payload = Array(repeating: 7, count: 4_000) } }),
      ]

  private static func with(
    _ picture: CachedPicture, _ change: (inout CachedPicture) -> Void
  ) -> CachedPicture {
    var picture = picture
    change(&picture)
    return picture
  }

  @Test(arguments: Self.forgeries.indices)
  func forgedEntriesAreNeverUsedOrKept(_ number: Int) throws {
    let (name, change) = Self.forgeries[number]
    let clean = try Self.clean.get()
    let kept = try KeepingServer()
    _ = try compiled(kept.server)
    try forge(kept, change)
    let folder = try TemporaryDirectory()
    let (report, bytes) = try compiled(kept.server, folder: folder.path("kept"))
    #expect(bytes == clean && report.diagnostics.isEmpty, "\(name): \(report.diagnostics)")
    let trouble = report.cacheTrouble ?? ""
    #expect(trouble.contains("that it sent do not match the file"), "\(name): \(trouble)")
    #expect(report.cache?.fetched == 0, "\(name)")
    // The server and the folder have the right entries again.
    let (again, _) = try compiled(kept.server)
    #expect(again.cacheTrouble == nil && again.cache?.misses == 0, "\(name)")
    kept.server.stop()
    let local = try Self.sources.compiled { $0.cache = ByteString(folder.path("kept")) }
    #expect(local.bytes == clean && local.report.cache?.misses == 0, "\(name)")
  }

  /// Entries are also used for systems whose pictures have other layouts, rows and codecs.
  @Test(arguments: [8, 9, 12, 15], [OptimizationGoal.standard, .space, .time])
  func trueEntriesAreUsed(system: UInt16, goal: OptimizationGoal) throws {
    if system < 9, goal != .standard { return }
    func set(_ options: inout CompileOptions) {
      options.target.minimum = OSVersion(system)
      options.optimization = goal
    }
    let clean = try Self.sources.compiled(set).bytes
    let kept = try KeepingServer()
    _ = try compiled(kept.server, set)
    let (report, bytes) = try compiled(kept.server, set)
    #expect(bytes == clean)
    #expect(report.cacheTrouble == nil && report.cache?.misses == 0, "\(report.cacheTrouble ?? "")")
  }

  @Test func entriesThatAreNotSignedAreNotRead() throws {
    let clean = try Self.clean.get()
    let kept = try KeepingServer()
    _ = try compiled(kept.server)
    let (report, bytes) = try compiled(kept.server, secret: "secret")
    #expect(bytes == clean && report.cache?.fetched == 0)
    let trouble = report.cacheTrouble ?? ""
    #expect(trouble.contains("are not signed with the secret"), "\(trouble)")
    // The entries were then sent signed. Entries that are signed with another secret are not used,
    // and a run without a secret reads all entries.
    let signed = try compiled(kept.server, secret: "secret").report
    #expect(signed.cacheTrouble == nil && signed.cache?.misses == 0)
    let plain = try compiled(kept.server).report
    #expect(plain.cacheTrouble == nil && plain.cache?.misses == 0)
    let other = try compiled(kept.server, secret: "Secret")
    #expect(other.bytes == clean && other.report.cache?.fetched == 0)
    #expect(other.report.cacheTrouble?.contains("not signed") == true)
  }

  /// A signature is valid for one key and all bytes of the entry.
  @Test func signaturesHoldForOneKeyAndEveryByte() {
    let secret = Array("secret".utf8)
    let entry = Array("some entry".utf8)
    let signed = EntrySignature.signed(entry, as: "ab", with: secret)
    #expect(signed.count == entry.count + EntrySignature.size)
    #expect(EntrySignature.isSigned(signed, as: "ab", with: secret))
    #expect(EntrySignature.unsigned(signed) == entry && EntrySignature.unsigned(entry) == entry)
    #expect(!EntrySignature.isSigned(signed, as: "ac", with: secret))
    #expect(!EntrySignature.isSigned(signed, as: "ab", with: Array("Secret".utf8)))
    #expect(!EntrySignature.isSigned(entry, as: "ab", with: secret))
    for place in signed.indices {
      var changed = signed
      changed[place] ^= 1
      #expect(!EntrySignature.isSigned(changed, as: "ab", with: secret), "\(place)")
    }
  }

  /// An entry under the name of another key counts as absent, in the folder and on the server.
  @Test func exchangedEntriesAreMisses() throws {
    let folder = try TemporaryDirectory()
    let clean = try Self.clean.get()
    let first = try Self.sources.compiled { $0.cache = ByteString(folder.path("kept")) }.report
    let entries = try folder.files(below: "kept").filter { $0.split(separator: "/").count == 3 }
    let contents = try entries.map { try folder.read($0) }
    for (place, entry) in entries.enumerated() {
      try folder.write(contents[(place + 1) % contents.count], to: entry)
    }
    let (report, bytes) = try Self.sources.compiled { $0.cache = ByteString(folder.path("kept")) }
    // If a run asks for a picture twice, it is found the second time, even in a new cache.
    #expect(bytes == clean && report.cache?.hits == first.cache?.hits)
    #expect(report.cache?.misses == first.cache?.misses)
    let cache = try #require(CacheFolder(ByteString(folder.path("kept"))))
    #expect(cache.verify(jobs: 1).damaged == 0)
    try folder.write(contents[0], to: entries[1])
    #expect(cache.verify(jobs: 1).damaged == 1)
  }
}
