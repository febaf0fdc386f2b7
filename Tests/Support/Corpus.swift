// Real material for tests, where the environment variable CARVE_CORPUS names a folder of it.

import Foundation

/// The folder of real material; nil where there is none, and the tests that need it are skipped.
public let corpusRoot = ProcessInfo.processInfo.environment["CARVE_CORPUS"]

/// The files below the corpus whose names end so, sorted, as whole paths.
public func corpusFiles(endingWith ending: String) -> [String] {
  guard let root = corpusRoot, let all = FileManager.default.enumerator(atPath: root) else {
    return []
  }
  let found = all.compactMap { $0 as? String }.filter { $0.lowercased().hasSuffix(ending) }
  return found.sorted().map { "\(root)/\($0)" }
}

/// The whole of a file; empty where it cannot be read.
public func contents(ofFile path: String) -> [UInt8] {
  (FileManager.default.contents(atPath: path)).map { Array($0) } ?? []
}
