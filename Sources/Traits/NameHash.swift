// Computes the number by which archives identify a name. Assets and localizations share the
// function.

/// Returns the 16-bit number of a name. The result is never 0, because 0 means "no name".
@inlinable
package func nameIdentifier(_ name: some Sequence<UInt8>) -> UInt16 {
  var hash: UInt64 = 0x189D7
  for byte in name { hash = hash &* 33 &+ UInt64(byte) }
  var folded: UInt64 = 0
  for shift in stride(from: UInt64(0), to: 64, by: 16) {
    folded = folded &* 33 &+ (hash >> shift & 0xFFFF)
  }
  let identifier = UInt16(truncatingIfNeeded: folded)
  return identifier == 0 ? 1 : identifier
}
