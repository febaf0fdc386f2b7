// The number by which archives know a name: the same for asset names and for localizations.

/// The 16-bit number of a name. Never 0, which stands for "none".
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
