// The options about what is kept from one run to the next, for every command that compiles, and where it
// is kept where nothing is said.

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
  /// In megabytes.
  var limit: Int?
  /// The address of a server.
  var remote: String?
}

/// The arguments of a command that keeps pictures.
protocol CacheUsing {
  var keeping: CacheArguments { get set }
}

extension Option where Arguments: CacheUsing & Sendable {
  static var cacheOptions: [Option] {
    [
      cacheFolder(
        help: "keep compressed pictures for the next run: in this folder, or else in the user's own"
      ),
      .flag("no-cache", \.keeping.isRefused, help: "keep nothing, whatever --cache says"),
      .number(
        "cache-size", "MB", in: 1...1_048_576, \.keeping.limit,
        help: "the room of the cache; what was not used for longest goes first (4096)"),
      .text(
        "remote-cache", "URL", \.keeping.remote,
        help: "share compressed pictures with other machines, by a server that Bazel could use"),
    ]
  }

  static func cacheFolder(help: String) -> Option {
    .folderOrUsual("cache", "DIR", \.keeping.isAsked, \.keeping.folder, help: help)
  }
}

extension Terminal {
  /// One line, and no finding: a build is as right without the server.
  func warn(ofRemoteCache trouble: String?) {
    if let trouble {
      diagnose("\(tinted("warning:", .yellow)) remote cache \(onOneLine(trouble))")
    }
  }
}

extension CacheArguments {
  /// The folder to use; nil for none. `usually`: also where nothing is said about it.
  func path(usually: Bool) -> ByteString? {
    if isRefused { return nil }
    if let folder { return folder }
    return isAsked || usually ? CacheArguments.usualFolder() : nil
  }

  /// The server to ask, by the option or CARVE_REMOTE_CACHE; nil for none.
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

  /// Says to a compilation what is kept, and where.
  func add(to options: inout CompileOptions) throws(CommandFailure) {
    options.cache = path(usually: false)
    options.cacheLimit = byteLimit
    try addServer(to: &options)
  }

  /// The same of the server alone.
  func addServer(to options: inout CompileOptions) throws(CommandFailure) {
    options.remoteCache = try server()
    if options.remoteCache != nil { options.remoteSecret = try CacheArguments.secret() }
  }

  /// Returns what the file holds that CARVE_REMOTE_CACHE_KEY names, without the end of a last line; nil if the
  /// variable names none. A file that cannot be read ends the run: entries would be believed unsigned.
  private static func secret() throws(CommandFailure) -> [UInt8]? {
    guard let path = text(getenv(secretVariable)) else { return nil }
    var secret: [UInt8]
    do throws(FileError) {
      secret = try FileTree.disk.read(path, largestSecret)
    } catch {
      throw .inputOutput("\(secretVariable): \(CommandFailure(error, reading: path).message)")
    }
    if secret.last == UInt8(ascii: "\n") { secret.removeLast() }
    if secret.last == UInt8(ascii: "\r") { secret.removeLast() }
    if secret.isEmpty { throw .usage("\(secretVariable): \(onOneLine(path)) holds no secret") }
    return secret
  }

  private static let secretVariable = "CARVE_REMOTE_CACHE_KEY"
  private static let largestSecret = 1 << 16

  var byteLimit: Int { limit.map { $0 << 20 } ?? CacheFolder.usualLimit }

  /// The folder of the user: what CARVE_CACHE names, or else where such things belong. Its parents are made.
  static func usualFolder() -> ByteString? {
    if let named = text(getenv("CARVE_CACHE")) { return named }
    let parent =
      text(getenv("XDG_CACHE_HOME")).flatMap { $0.isAbsolute ? $0 : nil }
      ?? text(getenv("HOME")).map { joined($0, ".cache") }
    guard let parent else { return nil }
    // Where that fails, making the folder says why.
    try? OutputSet().makeFolder(parent)
    return joined(parent, "carve")
  }

  /// What a variable says; nil where it is empty.
  private static func text(_ value: UnsafeMutablePointer<CChar>?) -> ByteString? {
    value.flatMap { $0.pointee == 0 ? nil : ByteString(cString: $0) }
  }
}
