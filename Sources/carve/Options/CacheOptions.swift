// The options about the cache, for every command that compiles, and the usual place of the cache.

import Bytes
import CPosix
import CatalogCompiler
import CommandLineKit
import Documents
import Host

struct CacheArguments: Sendable {
  var isAsked = false
  var folder: ByteString?
  var isRefused = false
  /// The limit in megabytes.
  var limit: Int?
  /// The address of the remote cache.
  var remote: String?
}

/// The arguments of a command that uses the cache.
protocol CacheUsing {
  var cache: CacheArguments { get set }
}

extension Option where Arguments: CacheUsing & Sendable {
  static var cacheOptions: [Option] {
    [
      cacheFolder(
        help:
          "keep compressed pictures for the next run: in this folder, or in the user's own if "
          + "none is given"
      ),
      .flag("no-cache", \.cache.isRefused, help: "keep nothing, even with --cache"),
      .number(
        "cache-size", "MB", in: 1...1_048_576, \.cache.limit,
        help:
          "the largest size of the cache; the least recently used entries are removed first "
          + "(4096)"),
      .text(
        "remote-cache", "URL", \.cache.remote,
        help: """
          share compressed pictures with other machines, through a server of the kind that \
          Bazel uses; CARVE_REMOTE_CACHE_KEY names a file with the secret by which they are signed
          """),
    ]
  }

  static func cacheFolder(help: String) -> Option {
    .folderOrUsual("cache", "DIR", \.cache.isAsked, \.cache.folder, help: help)
  }
}

extension Terminal {
  /// Prints a warning of one line. It is not a finding: the build is correct without the server.
  func warn(ofRemoteCache trouble: String?) {
    if let trouble {
      diagnose("\(tinted("warning:", .yellow)) remote cache \(onOneLine(trouble))")
    }
  }
}

extension CacheArguments {
  /// Warns if the run keeps nothing in its cache, or has no cache although an option asks for it.
  func warn(about cache: ByteString?, on terminal: Terminal) {
    if let cache, let trouble = CacheFolder.prepare(cache) {
      terminal.diagnose("warning: nothing is cached in \(cache): \(trouble)")
    } else if isAsked, cache == nil, !isRefused {
      terminal.diagnose("warning: nothing is cached: neither XDG_CACHE_HOME nor HOME is set")
    }
  }

  /// Returns the folder of the cache; nil if there is no cache. `usually` means that the usual
  /// folder is also used if no option asks for it.
  func path(usually: Bool) -> ByteString? {
    if isRefused { return nil }
    if let folder { return folder }
    return isAsked || usually ? CacheArguments.usualFolder() : nil
  }

  /// Returns the server of the option or of CARVE_REMOTE_CACHE; nil if neither names a server.
  func server() throws(CommandFailure) -> HTTPAddress? {
    let variable = "CARVE_REMOTE_CACHE"
    guard !isRefused, let address = remote ?? CacheArguments.text(getenv(variable))?.text else {
      return nil
    }
    do throws(HTTPError) { return try HTTPAddress(address) } catch {
      let source = remote == nil ? "\(variable)=" : "--remote-cache "
      throw .usage("\(source)\(onOneLine(address)): \(error.reason)")
    }
  }

  /// Adds the options of the cache to those of a compilation.
  func add(to options: inout CompileOptions) throws(CommandFailure) {
    options.cache = path(usually: false)
    if limit != nil, options.cache == nil, !isRefused {
      throw .usage("--cache-size belongs to --cache")
    }
    options.cacheLimit = byteLimit
    try addServer(to: &options)
  }

  /// Adds the remote cache alone.
  func addServer(to options: inout CompileOptions) throws(CommandFailure) {
    options.remoteCache = try server()
    if options.remoteCache != nil { options.remoteSecret = try CacheArguments.secret() }
  }

  /// Returns the contents of the file that CARVE_REMOTE_CACHE_KEY names, without a line break at
  /// the end; nil if the variable is not set. If the file cannot be read, the run ends: without a
  /// secret, unsigned entries would be accepted.
  private static func secret() throws(CommandFailure) -> [UInt8]? {
    guard let path = text(getenv(secretVariable)) else { return nil }
    var secret: [UInt8]
    do throws(FileError) {
      secret = try FileTree.disk.read(path, FileLimit.secret)
    } catch {
      throw .inputOutput("\(secretVariable): \(CommandFailure(error, reading: path).message)")
    }
    if secret.last == UInt8(ascii: "\n") { secret.removeLast() }
    if secret.last == UInt8(ascii: "\r") { secret.removeLast() }
    if secret.isEmpty { throw .usage("\(secretVariable): \(onOneLine(path)) contains no secret") }
    return secret
  }

  private static let secretVariable = "CARVE_REMOTE_CACHE_KEY"

  var byteLimit: Int { limit.map { $0 << 20 } ?? CacheFolder.usualLimit }

  /// Returns the cache folder of the user: the folder that CARVE_CACHE names, or else the one in
  /// the system's folder of caches, whose parents are created.
  static func usualFolder() -> ByteString? {
    if let named = text(getenv("CARVE_CACHE")) { return named }
    let parent =
      text(getenv("XDG_CACHE_HOME")).flatMap { $0.isAbsolute ? $0 : nil }
      ?? text(getenv("HOME")).map { joined($0, ".cache") }
    guard let parent else { return nil }
    // If this fails, creating the folder itself reports the reason.
    try? OutputSet().makeFolder(parent)
    return joined(parent, "carve")
  }

  /// Returns the value of a variable; nil if it is empty.
  private static func text(_ value: UnsafeMutablePointer<CChar>?) -> ByteString? {
    value.flatMap { $0.pointee == 0 ? nil : ByteString(cString: $0) }
  }
}
