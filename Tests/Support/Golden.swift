// Goldens: expected texts that are kept as files beside the tests.

import Foundation
import Testing

/// Whether goldens are rewritten instead of compared.
public let updatesGoldens = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

/// Expects `text` to be equal to the file `Tests/Goldens/MODULE/NAME`. MODULE is the folder of the
/// calling test.
///
/// With `UPDATE_GOLDEN=1` the file is rewritten instead; read the difference before you commit it.
public func golden(
  _ text: String, _ name: String, file: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let module = URL(fileURLWithPath: file).deletingLastPathComponent().lastPathComponent
  let place = URL(fileURLWithPath: "\(packageRoot)/Tests/Goldens/\(module)/\(name)")
  golden(text, at: place, sourceLocation: sourceLocation)
}

/// Expects `text` to be equal to the file at `place`.
public func golden(
  _ text: String, at place: URL, sourceLocation: SourceLocation = #_sourceLocation
) {
  let expected = try? String(contentsOf: place, encoding: .utf8)
  if expected == text { return }
  if updatesGoldens {
    do {
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: place)
      print("golden rewritten: \(place.path)")
    } catch {
      Issue.record("cannot write \(place.path): \(error)", sourceLocation: sourceLocation)
    }
    return
  }
  guard let expected else {
    Issue.record(
      "no golden \(place.path); UPDATE_GOLDEN=1 makes it. Text:\n\(text)",
      sourceLocation: sourceLocation)
    return
  }
  Issue.record(
    "differs from \(place.path):\n\(firstDifference(expected, text))",
    sourceLocation: sourceLocation)
}

/// Returns the first line that differs, with its number and both texts.
func firstDifference(_ expected: String, _ actual: String) -> String {
  let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
  let new = actual.split(separator: "\n", omittingEmptySubsequences: false)
  var line = 0
  while line < old.count, line < new.count, old[line] == new[line] { line += 1 }
  let before = line < old.count ? String(old[line]) : "(end)"
  let after = line < new.count ? String(new[line]) : "(end)"
  return "line \(line + 1) of \(new.count) (\(old.count) expected)\n- \(before)\n+ \(after)"
}
