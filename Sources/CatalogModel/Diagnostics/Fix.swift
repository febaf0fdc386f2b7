// The change that `carve lint --fix` makes for a finding. Lint/ApplyFixes.swift applies it.

import Bytes
import Documents

/// A change of a JSON file that keeps its meaning.
package struct Fix: Sendable, Hashable {
  /// The step of the fix, in the imperative: `write "cap-insets"`.
  package var summary: String
  /// The changes; empty if it is enough to rewrite the file (a BOM, a comma too many).
  var edits: [Edit]

  init(_ summary: String, _ edits: [Edit] = []) {
    self.summary = summary
    self.edits = edits
  }
}

/// One change of a JSON value. The pointers refer to the file before any change.
enum Edit: Sendable, Hashable {
  case rename(pointer: ByteString, to: ByteString)
  case replace(pointer: ByteString, with: JSONValue)
  case remove(pointer: ByteString)
  /// Moves a member into the object with this name in the root. The object is created if it does
  /// not exist.
  case move(pointer: ByteString, toObject: ByteString)
}
