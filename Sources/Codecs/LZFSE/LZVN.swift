// Decodes LZVN: byte-aligned Lempel-Ziv, the faster sibling of LZFSE. LZVNEncoder.swift encodes.

package enum LZVN {
  /// Decodes a bare stream until its end mark or until `destination` is full, and returns the
  /// number of bytes written. The rest of `destination` may have been used as scratch memory.
  package static func decode(
    _ source: UnsafeRawBufferPointer, into destination: UnsafeMutableRawBufferPointer
  ) throws(CodecError) -> Int {
    try decodeStream(source, into: destination, from: 0, to: destination.count).written
  }

  /// Decodes into `output[from ..< to]`. Matches may reach back to the start of `output`.
  static func decodeStream(
    _ source: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, from: Int, to: Int
  ) throws(CodecError) -> (written: Int, ended: Bool) {
    guard let input = source.baseAddress, let target = output.baseAddress else {
      if from == to { return (0, false) }
      throw .truncated(at: 0)
    }
    var position = 0
    var written = from
    var distance = 0
    // Away from both ends one check for each instruction is enough. It covers the opcode (3 bytes),
    // up to 271 literal bytes, up to 271 match bytes and the slack of the wide copies.
    let safeInput = source.count - (3 + 271 + wideCopySlack)
    let safeOutput = min(to, output.count - (271 + 271 + wideCopySlack))
    while written < to {
      guard position < source.count else { throw .truncated(at: position) }
      let instruction = Instruction(input + position, available: source.count - position)
      guard let instruction else { throw .truncated(at: source.count) }
      if instruction.kind == .end { return (written - from, true) }
      guard instruction.kind == .copy else { throw .corrupt(at: position) }
      let start = position
      let isSafe = start < safeInput && written < safeOutput
      position &+= instruction.length
      let literals = min(instruction.literals, to - written)
      guard isSafe || literals <= source.count - position else {
        throw .truncated(at: source.count)
      }
      copyLiterals(to: target + written, from: input + position, count: literals, wide: isSafe)
      position &+= instruction.literals
      written &+= literals
      if instruction.distance >= 0 { distance = instruction.distance }
      let match = min(instruction.match, to - written)
      guard match > 0 else { continue }
      guard distance > 0, distance <= written else { throw .corrupt(at: start) }
      copyMatch(to: target + written, distance: distance, count: match, wide: isSafe)
      written &+= match
    }
    return (written - from, false)
  }

  @inline(__always)
  private static func copyMatch(
    to target: UnsafeMutableRawPointer, distance: Int, count: Int, wide: Bool
  ) {
    if wide {
      copyMatchWide(to: target, distance: distance, count: count)
    } else {
      copyBytewise(to: target, distance: distance, count: count)
    }
  }

  @inline(__always)
  private static func copyLiterals(
    to target: UnsafeMutableRawPointer, from source: UnsafeRawPointer, count: Int, wide: Bool
  ) {
    if !wide {
      target.copyMemory(from: source, byteCount: count)
    } else if count > 0 {
      copyWide(to: target, from: source, count: count)
    }
  }
}

/// One decoded opcode.
private struct Instruction {
  enum Kind { case copy, end, undefined }
  var kind = Kind.copy
  var length = 1
  var literals = 0
  var match = 0
  /// The distance of the match; -1 if the previous distance is used again.
  var distance = -1

  /// Decodes an opcode. Returns nil if not all of its bytes are available.
  @inline(__always)
  init?(_ input: UnsafeRawPointer, available: Int) {
    let opcode = Int(input.load(as: UInt8.self))
    if opcode >= 0xE0 {
      var count = opcode & 15
      if count == 0 {
        guard available >= 2 else { return nil }
        count = Int(input.load(fromByteOffset: 1, as: UInt8.self)) &+ 16
        length = 2
      }
      if opcode >= 0xF0 { match = count } else { literals = count }
    } else if opcode & 0xE0 == 0xA0 {
      guard available >= 3 else { return nil }
      let word = Int(UInt16(littleEndian: input.loadUnaligned(fromByteOffset: 1, as: UInt16.self)))
      literals = opcode >> 3 & 3
      match = ((opcode & 7) << 2 | word & 3) &+ 3
      distance = word >> 2
      length = 3
    } else if opcode >= 0xD0 || opcode & 0xF0 == 0x70 {
      kind = .undefined
    } else {
      literals = opcode >> 6
      match = (opcode >> 3 & 7) &+ 3
      switch opcode & 7 {
      case 7:
        guard available >= 3 else { return nil }
        let word = input.loadUnaligned(fromByteOffset: 1, as: UInt16.self)
        distance = Int(UInt16(littleEndian: word))
        length = 3
      case 6:
        guard literals == 0 else { break }
        // Without a literal, the codes for "previous distance" have other meanings.
        match = 0
        kind = opcode == 0x06 ? .end : opcode == 0x0E || opcode == 0x16 ? .copy : .undefined
      default:
        guard available >= 2 else { return nil }
        distance = (opcode & 7) << 8 | Int(input.load(fromByteOffset: 1, as: UInt8.self))
        length = 2
      }
    }
  }
}
