// The options about constants for assets, which `symbols` and `compile` share.

import Builds
import CommandLineKit
import Host

/// The arguments of a command that writes constants.
protocol SymbolWriting {
  var symbols: ConstantFiles { get set }
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

extension ConstantFiles {
  var named: [NamedFile?] { [NamedFile("--swift", swift), NamedFile("--c", header)] }

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
