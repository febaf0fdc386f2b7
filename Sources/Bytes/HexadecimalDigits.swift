// The values of hexadecimal digits in texts.

/// Returns the value of a digit in upper or lower case; nil for other bytes.
@inlinable package func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x41...0x46: byte - 0x37
  case 0x61...0x66: byte - 0x57
  default: nil
  }
}
