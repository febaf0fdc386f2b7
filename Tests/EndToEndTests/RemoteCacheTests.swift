// Tests machines that share a cache on a server: the bytes are the same as without a server, for
// any behaviour of the server, and one line is printed if it fails.

import Foundation
import Support
import Testing

@Suite struct RemoteCacheTests {
  private let folder: TemporaryDirectory

  /// The result of the catalogue without a cache.
  private static let clean = Result {
    let folder = try TemporaryDirectory()
    try writeCatalog(to: folder)
    let clean = try runTool(["compile", "A.xcassets", "-o", "clean.car"], in: folder.path)
    try #require(clean.code == 0, "\(clean.stderr)")
    return try folder.read("clean.car")
  }

  init() throws {
    folder = try TemporaryDirectory()
    try RemoteCacheTests.writeCatalog(to: folder)
  }

  private static func writeCatalog(to folder: TemporaryDirectory) throws {
    for name in ["Scales", "SizeClasses"] {
      try folder.copy("\(sampleCatalogs)/\(name).xcassets", to: "A.xcassets/\(name)")
    }
    try folder.write(#"{"info": {"version": 1, "author": "x"}}"#, to: "A.xcassets/Contents.json")
  }

  private func compile(
    _ server: HTTPServer, _ more: String..., environment: [String: String] = [:]
  ) throws -> ToolResult {
    try? FileManager.default.removeItem(atPath: folder.path("out.car"))
    let result = try runTool(
      ["compile", "A.xcassets", "-o", "out.car", "--timing", "--remote-cache", server.address]
        + more, in: folder.path, environment: environment)
    #expect(result.code == 0, "\(result.stderr)")
    #expect(try folder.read("out.car") == RemoteCacheTests.clean.get())
    return result
  }

  private func warnings(_ result: ToolResult) -> [Substring] {
    result.stderr.split(separator: "\n").filter { $0.contains("warning:") }
  }

  @Test func picturesThatOneMachineCompressedAreFetchedByAnother() throws {
    let kept = try KeepingServer()
    let first = try compile(kept.server, "--cache", "one")
    #expect(warnings(first).isEmpty && !first.stderr.contains("from the remote cache"))
    let entries = kept.files(below: "cas")
    #expect(entries.count > 10)
    for (path, bytes) in entries { #expect(path == "/cas/" + sha256(bytes)) }
    // The other machine has no cache yet, and keeps the entries that it receives.
    let count = kept.files(below: "ac").count
    let second = try compile(kept.server, "--cache", "other")
    #expect(
      second.stderr.contains(" 0 misses") && second.stderr.contains("\(count) from the remote"))
    // It does not need the server any more.
    let requests = kept.server.requests.count
    try FileManager.default.removeItem(atPath: folder.path("other/runs"))
    let third = try compile(kept.server, "--cache", "other")
    #expect(third.stderr.contains(" 0 misses") && !third.stderr.contains("remote"))
    #expect(kept.server.requests.count == requests)
  }

  private func sha256(_ bytes: [UInt8]) -> String {
    let path = folder.path("digested")
    _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
    let result = try? run(
      "/bin/sh", ["-c", "sha256sum digested"], in: folder.path,
      environment: ["PATH": "/usr/bin:/bin"])
    return String(result?.stdout.prefix(64) ?? "")
  }

  @Test func noFolderIsNeeded() throws {
    let kept = try KeepingServer()
    _ = try compile(kept.server)
    let second = try compile(kept.server)
    #expect(second.stderr.contains(" 0 misses, 0 bytes added"), "\(second.stderr)")
    // Another setting needs another picture.
    let other = try runTool(
      [
        "compile", "A.xcassets", "-o", "o.car", "--timing", "--remote-cache", kept.server.address,
        "--optimization", "time",
      ], in: folder.path)
    #expect(other.stderr.contains("cache: 0 hits"), "\(other.stderr)")
  }

  /// The connection to the server is slow: the processors do not wait for one answer after the
  /// other.
  @Test func aFarServerIsAskedForManyAtOnce() throws {
    let kept = try KeepingServer()
    _ = try compile(kept.server)
    let files = kept.files.withLock { $0 }
    let asked = Guarded((now: 0, most: 0))
    let far = try HTTPServer { request in
      asked.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      Thread.sleep(forTimeInterval: 0.01)
      asked.withLock { $0.now -= 1 }
      return HTTPServer.response(200, files[request.path] ?? [])
    }
    let result = try compile(far, "--jobs", "1")
    #expect(result.stderr.contains(" 0 misses"), "\(result.stderr)")
    #expect(asked.withLock { $0.most } >= 8)
  }

  @Test func aServerThatDoesNotAnswerGivesOneWarning() throws {
    let kept = try KeepingServer()
    kept.server.stop()
    let port = kept.server.port
    let result = try compile(kept.server, "--werror")
    #expect(
      warnings(result) == [
        "warning: remote cache 127.0.0.1:\(port): Connection refused"
      ])
    #expect(try compile(kept.server, "--no-cache").stderr.contains("warning") == false)
  }

  @Test(arguments: [
    (500, "it answers with status 500 when a picture is requested"),
    (302, "it answers with status 302"), (200, "not a result"),
  ])
  func aServerThatIsNoCacheIsLeft(status: Int, words: String) throws {
    let server = try HTTPServer { _ in HTTPServer.response(status, Array("<html>".utf8)) }
    let result = try compile(server, "--jobs", "1")
    #expect(warnings(result).count == 1 && warnings(result)[0].contains(words), "\(result.stderr)")
    // At most as many requests are made as run at once before the first answer; there are more than
    // 25 pictures.
    if status != 200 { #expect(server.requests.count <= 17, "it is asked no more") }
  }

  @Test func aServerThatStoresNothingIsStillRead() throws {
    let kept = try KeepingServer()
    _ = try compile(kept.server)
    let files = kept.files.withLock { $0 }
    let half = Set(files.keys.filter { $0.hasPrefix("/ac/") }.sorted().prefix(5))
    let server = try HTTPServer { request in
      if request.method == "PUT" { return HTTPServer.response(403) }
      let isThere = half.contains(request.path) || request.path.hasPrefix("/cas/")
      return isThere
        ? HTTPServer.response(200, files[request.path] ?? []) : HTTPServer.response(404)
    }
    let result = try compile(server)
    #expect(result.stderr.contains(/[5-9] from the remote cache/), "\(result.stderr)")
    #expect(warnings(result).count == 1, "\(result.stderr)")
    #expect(warnings(result)[0].hasSuffix("it answers with status 403 when a picture is sent"))
    #expect(server.requests.filter { $0.method == "PUT" }.count <= 8)
  }

  /// Entries that were cut, changed, exchanged, or written by another program.
  @Test(arguments: 0..<5)
  func wrongEntriesAreNeverShown(kind: Int) throws {
    let kept = try KeepingServer()
    _ = try compile(kept.server)
    kept.files.withLock { files in
      let results = files.keys.filter { $0.hasPrefix("/ac/") }.sorted()
      let values = results.map { files[$0] ?? [] }
      for (place, path) in files.keys.sorted().enumerated() {
        let isResult = path.hasPrefix("/ac/")
        var bytes = files[path] ?? []
        switch kind {
        case 0 where !isResult: bytes.removeLast()
        case 1 where !isResult: bytes[place % bytes.count] ^= 1
        case 2 where isResult: bytes = Array("something else".utf8)
        default: break
        }
        files[path] = kind == 3 && !isResult ? nil : bytes
      }
      if kind == 4 {
        for (place, path) in results.enumerated() {
          files[path] = values[(place + 1) % values.count]
        }
      }
    }
    let result = try compile(kept.server)
    #expect(result.stderr.contains("cache: 0 hits"), "\(result.stderr)")
    #expect(warnings(result).count == (kind == 3 ? 0 : 1), "\(result.stderr)")
    // The wrong entries were sent again.
    let next = try compile(kept.server)
    #expect(next.stderr.contains(" 0 misses"), "\(next.stderr)")
  }

  /// Machines with a secret read entries that were signed with it, and one line counts the others.
  @Test func onlySignedEntriesAreReadWithASecret() throws {
    let kept = try KeepingServer()
    try folder.write("the secret of this test\n", to: "secret")
    try folder.write("another secret", to: "other")
    let secret = ["CARVE_REMOTE_CACHE_KEY": folder.path("secret")]
    #expect(warnings(try compile(kept.server)).isEmpty)
    let count = kept.files(below: "ac").count
    let first = try compile(kept.server, environment: secret)
    #expect(first.stderr.contains("cache: 0 hits"), "\(first.stderr)")
    #expect(warnings(first).count == 1, "\(first.stderr)")
    #expect(
      warnings(first).first?.contains(
        "\(count) pictures on it are not signed with the secret of CARVE_REMOTE_CACHE_KEY")
        == true, "\(first.stderr)")
    let second = try compile(kept.server, environment: secret)
    #expect(second.stderr.contains(" 0 misses") && warnings(second).isEmpty, "\(second.stderr)")
    let other = try compile(
      kept.server, environment: ["CARVE_REMOTE_CACHE_KEY": folder.path("other")])
    #expect(other.stderr.contains("cache: 0 hits") && warnings(other).count == 1)
    // A machine without a secret does not check signatures.
    let plain = try compile(kept.server)
    #expect(plain.stderr.contains(" 0 misses") && warnings(plain).isEmpty, "\(plain.stderr)")
  }

  @Test func aSecretThatCannotBeReadEndsTheRun() throws {
    let kept = try KeepingServer()
    try folder.write("\n", to: "empty")
    for (name, code, words) in [
      ("none", 4, "CARVE_REMOTE_CACHE_KEY: cannot read"), ("empty", 2, "contains no secret"),
    ] {
      let result = try runTool(
        ["compile", "A.xcassets", "-o", "out.car", "--remote-cache", kept.server.address],
        in: folder.path, environment: ["CARVE_REMOTE_CACHE_KEY": folder.path(name)])
      #expect(result.code == code && result.stderr.contains(words), "\(result.stderr)")
    }
    #expect(kept.server.requests.isEmpty)
  }

  @Test func theEnvironmentNamesAServerToo() throws {
    let kept = try KeepingServer()
    let environment = ["CARVE_REMOTE_CACHE": kept.server.address]
    let line = [
      "actool", "A.xcassets", "--compile", ".", "--platform", "iphoneos",
      "--minimum-deployment-target", "15.0", "--no-cache",
    ]
    _ = try runTool(line, in: folder.path, environment: environment)
    #expect(kept.server.requests.isEmpty)
    let result = try runTool(line.dropLast(), in: folder.path, environment: environment)
    #expect(result.code == 0 && kept.files(below: "cas").count > 10, "\(result.stderr)")
    let wrong = try runTool(
      ["compile", "A.xcassets", "-o", "out.car"], in: folder.path,
      environment: ["CARVE_REMOTE_CACHE": "https://cache"])
    #expect(wrong.code == 2)
    #expect(wrong.stderr.contains("CARVE_REMOTE_CACHE=https://cache: only plain http is supported"))
  }
}
