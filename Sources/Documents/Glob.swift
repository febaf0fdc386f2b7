// Patterns of names and paths, as options and settings contain them.

import Bytes

/// Returns whether a name matches a pattern. `*` stands for any bytes, also for slashes, and `?`
/// for one byte. The time is proportional to the product of the lengths.
package func matches(glob: ByteString, _ name: ByteString) -> Bool {
  let (glob, name) = (glob.bytes, name.bytes)
  func isMatch(_ pattern: UInt8, _ byte: UInt8) -> Bool {
    pattern == UInt8(ascii: "?") || pattern == byte
  }
  // The part after the last star must be the end of the name. Most names have another end.
  if let last = glob.lastIndex(of: UInt8(ascii: "*")) {
    let end = glob[(last + 1)...]
    guard name.count >= end.count, zip(end, name.suffix(end.count)).allSatisfy(isMatch) else {
      return false
    }
  }
  var (index, pattern) = (0, 0)
  var star: (pattern: Int, index: Int)?
  while index < name.count {
    if pattern < glob.count, glob[pattern] == UInt8(ascii: "*") {
      star = (pattern + 1, index)
      pattern += 1
    } else if pattern < glob.count, isMatch(glob[pattern], name[index]) {
      pattern += 1
      index += 1
    } else if let (after, start) = star {
      star = (after, start + 1)
      (pattern, index) = (after, start + 1)
    } else {
      return false
    }
  }
  return glob[pattern...].allSatisfy { $0 == UInt8(ascii: "*") }
}
