// What `carve lint --fix` does about a finding. Applying is in Lint/ApplyFixes.swift.

import Bytes
import Documents

/// A change of a JSON file that leaves its meaning as it is.
package struct Fix: Sendable, Hashable {
  /// What is done, in the imperative: `write "cap-insets"`.
  package var summary: String
  /// Empty where rewriting the file is enough (a BOM, a comma too many).
  var edits: [Edit]

  init(_ summary: String, _ edits: [Edit] = []) {
    self.summary = summary
    self.edits = edits
  }
}

/// One change of a JSON value. Pointers are those of the file before any change.
enum Edit: Sendable, Hashable {
  case rename(pointer: ByteString, to: ByteString)
  case replace(pointer: ByteString, with: JSONValue)
  case remove(pointer: ByteString)
  /// To a member of the root's object of that name, which is made where there is none.
  case move(pointer: ByteString, toObject: ByteString)
}
