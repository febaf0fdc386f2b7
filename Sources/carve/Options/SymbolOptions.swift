// The options about constants for assets, which `symbols` and `compile` share, and the writing of
// the constants.

import AssetSymbols
import Bytes
import CatalogModel
import CommandLineKit
import Documents
import Host

struct SymbolArguments: Sendable {
  var swift: ByteString?
  var type: String?
  var bundle: String?
  var isPublic = false
  var header: ByteString?
  var prefix: String?

  var isAsked: Bool { swift != nil || header != nil }
  var outputFiles: [NamedFile?] { [NamedFile("--swift", swift), NamedFile("--c", header)] }
}

/// The arguments of a command that writes constants.
protocol SymbolWriting {
  var symbols: SymbolArguments { get set }
}

extension Option where Arguments: SymbolWriting {
  static var symbolOptions: [Option] {
    [
      .path(
        "swift", "FILE", extensions: ["swift"], \.symbols.swift,
        help: "the Swift source to write, with a constant for each asset"),
      .text(
        "type", "NAME", \.symbols.type,
        help: "put the Swift constants into an enumeration of this name; without it, into AssetID"
      ),
      .text(
        "bundle", "NAME", \.symbols.bundle,
        help: "let the enumeration open the archive, from this bundle of resources of the program"),
      .flag("public", \.symbols.isPublic, help: "let other modules use the Swift constants"),
      .path(
        "c", "HEADER", extensions: ["h"], \.symbols.header,
        help: "the C header to write, with a macro for each asset"),
      .text(
        "prefix", "WORD", \.symbols.prefix,
        help: "the beginning of the names of the C macros (ASSET)"),
    ]
  }
}

extension SymbolArguments {
  /// Throws before any work is done if the options do not allow a valid constant.
  func check() throws(CommandFailure) {
    guard isIdentifier(prefix ?? "ASSET") else {
      throw .usage("'\(prefix ?? "")' cannot begin the name of a macro")
    }
    if let type, !isIdentifier(type) || ["AssetID", "CarveRuntime", "Result"].contains(type) {
      throw .usage("'\(type)' cannot be the name of an enumeration")
    }
    if bundle != nil, type == nil {
      throw .usage(
        "--bundle names the archive that an enumeration opens; name the enumeration with --type")
    }
    if swift == nil, type != nil || isPublic {
      throw .usage("--type, --bundle and --public need --swift FILE")
    }
    if header == nil, prefix != nil { throw .usage("--prefix needs --c HEADER") }
  }

  /// Adds the sources to the outputs of the run, and returns findings about constants whose names
  /// differ from those of their assets.
  func write(
    _ assets: SymbolAssets, archive: ByteString, to outputs: OutputSet
  ) throws(OutputError) -> [Diagnostic] {
    var clashes: [SymbolClash] = []
    if let swift {
      var options = SwiftIDOptions()
      options.isPublic = isPublic
      options.type = type
      options.bundle = bundle.map { ($0, archive.text) }
      let source = assets.swiftIDs(options)
      try outputs.write(Array(source.text.utf8), to: swift)
      clashes += source.clashes
    }
    if let header {
      let source = assets.headerIDs(prefix: prefix ?? "ASSET")
      try outputs.write(Array(source.text.utf8), to: header)
      clashes += source.clashes
    }
    return clashes.map(\.diagnostic)
  }
}

private func isIdentifier(_ word: String) -> Bool {
  word.utf8.allSatisfy { $0 == 95 || $0 >= 128 || $0.isLetterOrDigit }
    && !(word.utf8.first.map { 48...57 ~= $0 } ?? true)
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    48...57 ~= self || 65...90 ~= self || 97...122 ~= self
  }
}

extension SymbolClash {
  fileprivate var diagnostic: Diagnostic {
    let reason =
      wanted.isEmpty
      ? "its name has no letter and no digit" : "\(wanted) is taken"
    return Diagnostic(
      .symbolClash, "the constant of \(quoted(asset.name)) is \(given): \(reason)",
      file: asset.folder)
  }
}
