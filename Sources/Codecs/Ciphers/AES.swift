// AES with keys of 128 and 256 bits in chains of blocks (CBC), as PDFs are encrypted with it.

package struct AES {
  private var keys: [UInt8]
  private let rounds: Int

  /// Nil if the key has neither 16 nor 32 bytes.
  package init?(key: [UInt8]) {
    guard key.count == 16 || key.count == 32 else { return nil }
    rounds = key.count / 4 + 6
    keys = key
    var factor: UInt8 = 1
    for word in key.count / 4..<4 * (rounds + 1) {
      var last = Array(keys[(4 * word - 4)..<4 * word])
      if word % (key.count / 4) == 0 {
        last = [last[1], last[2], last[3], last[0]].map { AES.boxes.forward[Int($0)] }
        last[0] ^= factor
        factor = AES.doubled(factor)
      } else if key.count == 32, word % 8 == 4 {
        last = last.map { AES.boxes.forward[Int($0)] }
      }
      for i in 0..<4 { keys.append(keys[4 * word - key.count + i] ^ last[i]) }
    }
  }

  /// Decrypts whole blocks; what is left after the last one is dropped.
  package func decrypt(_ bytes: [UInt8], start: [UInt8]) -> [UInt8] {
    guard start.count == 16 else { return [] }
    var result = [UInt8](repeating: 0, count: bytes.count / 16 * 16)
    var block = [UInt8](repeating: 0, count: 16)
    for at in stride(from: 0, to: result.count, by: 16) {
      for i in 0..<16 { block[i] = bytes[at + i] }
      decryptBlock(&block)
      for i in 0..<16 { result[at + i] = block[i] ^ (at == 0 ? start[i] : bytes[at - 16 + i]) }
    }
    return result
  }

  /// Encrypts whole blocks; what is left after the last one is dropped.
  package func encrypt(_ bytes: [UInt8], start: [UInt8]) -> [UInt8] {
    guard start.count == 16 else { return [] }
    var result = [UInt8](repeating: 0, count: bytes.count / 16 * 16)
    var block = start
    for at in stride(from: 0, to: result.count, by: 16) {
      for i in 0..<16 { block[i] ^= bytes[at + i] }
      encryptBlock(&block)
      for i in 0..<16 { result[at + i] = block[i] }
    }
    return result
  }

  // MARK: Blocks, column by column

  private func addKey(_ block: inout [UInt8], _ round: Int) {
    for i in 0..<16 { block[i] ^= keys[16 * round + i] }
  }

  private func encryptBlock(_ block: inout [UInt8]) {
    addKey(&block, 0)
    var moved = block
    for round in 1...rounds {
      for i in 0..<16 { moved[i] = AES.boxes.forward[Int(block[(i + i % 4 * 4) % 16])] }
      if round < rounds {
        for column in stride(from: 0, to: 16, by: 4) {
          for i in 0..<4 {
            let (a, b) = (moved[column + i], moved[column + (i + 1) % 4])
            let rest = moved[column + (i + 2) % 4] ^ moved[column + (i + 3) % 4]
            block[column + i] = AES.doubled(a) ^ AES.doubled(b) ^ b ^ rest
          }
        }
      } else {
        for i in 0..<16 { block[i] = moved[i] }
      }
      addKey(&block, round)
    }
  }

  private func decryptBlock(_ block: inout [UInt8]) {
    addKey(&block, rounds)
    var moved = block
    for round in (0..<rounds).reversed() {
      for i in 0..<16 { moved[(i + i % 4 * 4) % 16] = AES.boxes.backward[Int(block[i])] }
      addKey(&moved, round)
      guard round > 0 else { break }
      for column in stride(from: 0, to: 16, by: 4) {
        for i in 0..<4 {
          block[column + i] =
            AES.products.by14[Int(moved[column + i])]
            ^ AES.products.by11[Int(moved[column + (i + 1) % 4])]
            ^ AES.products.by13[Int(moved[column + (i + 2) % 4])]
            ^ AES.products.by9[Int(moved[column + (i + 3) % 4])]
        }
      }
    }
    for i in 0..<16 { block[i] = moved[i] }
  }

  // MARK: Tables

  private static func doubled(_ x: UInt8) -> UInt8 { x << 1 ^ (x & 0x80 == 0 ? 0 : 0x1B) }

  private static func product(_ x: UInt8, _ y: UInt8) -> UInt8 {
    var (power, factor, sum) = (x, y, UInt8(0))
    while factor > 0 {
      if factor & 1 != 0 { sum ^= power }
      power = doubled(power)
      factor >>= 1
    }
    return sum
  }

  /// Multiplied by each factor of the inverse mixing of columns.
  private static let products: (by9: [UInt8], by11: [UInt8], by13: [UInt8], by14: [UInt8]) = {
    func row(_ factor: UInt8) -> [UInt8] { (0...255).map { product(UInt8($0), factor) } }
    return (row(9), row(11), row(13), row(14))
  }()

  /// The substitution of bytes, and its inverse: reciprocals of the field, mixed.
  private static let boxes: (forward: [UInt8], backward: [UInt8]) = {
    var forward = [UInt8](repeating: 0, count: 256)
    var backward = forward
    var (x, reciprocal) = (UInt8(1), UInt8(1))
    func turned(_ value: UInt8, _ bits: UInt8) -> UInt8 { value << bits | value >> (8 - bits) }
    for _ in 0..<255 {
      x ^= doubled(x)
      // Divided by three, as x is multiplied by three.
      reciprocal ^= reciprocal << 1
      reciprocal ^= reciprocal << 2
      reciprocal ^= reciprocal << 4
      if reciprocal & 0x80 != 0 { reciprocal ^= 0x09 }
      let mixed =
        reciprocal ^ turned(reciprocal, 1) ^ turned(reciprocal, 2) ^ turned(reciprocal, 3)
        ^ turned(reciprocal, 4) ^ 0x63
      forward[Int(x)] = mixed
    }
    forward[0] = 0x63
    for (index, value) in forward.enumerated() { backward[Int(value)] = UInt8(index) }
    return (forward, backward)
  }()
}
