// The stream cipher RC4, in which older PDFs are encrypted.

package enum RC4 {
  /// Encrypts or decrypts: both are the same. A key has from 1 to 256 bytes.
  package static func apply(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    guard !key.isEmpty else { return bytes }
    var box = (0...255).map { UInt8($0) }
    var j = 0
    for i in 0..<256 {
      j = (j + Int(box[i]) + Int(key[i % key.count])) & 255
      box.swapAt(i, j)
    }
    var result = bytes
    var i = 0
    j = 0
    for index in result.indices {
      i = (i + 1) & 255
      j = (j + Int(box[i])) & 255
      box.swapAt(i, j)
      result[index] ^= box[(Int(box[i]) + Int(box[j])) & 255]
    }
    return result
  }
}
