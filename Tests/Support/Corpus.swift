// Real files for tests, if the environment variable CARVE_CORPUS names a folder of such files.

import Foundation

/// The folder of real files; nil if there is no such folder. Then the tests that need it are
/// skipped.
public let corpusRoot = ProcessInfo.processInfo.environment["CARVE_CORPUS"]

/// Returns the files below the corpus whose names have this ending, sorted, as absolute paths.
public func corpusFiles(endingWith ending: String) -> [String] {
  guard let root = corpusRoot, let all = FileManager.default.enumerator(atPath: root) else {
    return []
  }
  let found = all.compactMap { $0 as? String }.filter { $0.lowercased().hasSuffix(ending) }
  return found.sorted().map { "\(root)/\($0)" }
}

/// Returns the contents of a file; empty if it cannot be read.
public func contents(ofFile path: String) -> [UInt8] {
  (FileManager.default.contents(atPath: path)).map { Array($0) } ?? []
}
