// A named gradient: points, and stops whose colours are other names of the archive.

import Bytes

package struct GradientPayload: Sendable, Hashable {
  package enum Style: UInt32, Sendable, Hashable {
    /// The gradient has one stop; the system derives the second from it.
    case automatic = 0
    case linear = 1
  }

  package struct Stop: Sendable, Hashable {
    package var position: Float
    /// The facet of the stop's colour.
    package var color: ByteString

    package init(position: Float, color: ByteString) {
      self.position = position
      self.color = color
    }
  }

  package var style: Style
  /// The start and the end as fractions of the canvas, with y downwards.
  package var startX: Float
  package var startY: Float
  package var endX: Float
  package var endY: Float
  package var stops: [Stop]

  package init(
    style: Style, start: (x: Float, y: Float), end: (x: Float, y: Float), stops: [Stop]
  ) {
    self.style = style
    (startX, startY) = start
    (endX, endY) = end
    self.stops = stops
  }

  enum Record {
    static let magic: StaticString = "ARGG"
    static let letters = Run(0, size: 4)
    static let count = Field<UInt32>(4)
    static let style = Field<UInt32>(8)
    static let reserved = Field<UInt32>(12)
    static let startX = Field<UInt32>(16)
    static let startY = Field<UInt32>(20)
    static let endX = Field<UInt32>(24)
    static let endY = Field<UInt32>(28)
    static let size = 32
    static let members: [any RecordMember] = [
      letters, count, style, reserved, startX, startY, endX, endY,
    ]
  }

  /// The record of a stop. The name of the colour and a zero byte follow it.
  enum StopRecord {
    static let position = Field<UInt32>(0)
    static let length = Field<UInt32>(4)
    static let size = 8
    static let members: [any RecordMember] = [position, length]
  }

  /// Reads a payload. Returns nil if it is of another kind.
  package init?(_ payload: Bytes) throws(FormatError) {
    guard payload.hasPrefix(Record.magic) else { return nil }
    let record = try payload.slice(at: 0, count: Record.size, "a gradient")
    func number(_ field: Field<UInt32>) -> Float { Float(bitPattern: record.trusted(field)) }
    style = Style(rawValue: record.trusted(Record.style)) ?? .linear
    startX = number(Record.startX)
    startY = number(Record.startY)
    endX = number(Record.endX)
    endY = number(Record.endY)
    stops = []
    var offset = Record.size
    for _ in 0..<record.trusted(Record.count) {
      let stop = try payload.slice(at: offset, count: StopRecord.size, "a stop of a gradient")
      let length = Int(stop.trusted(StopRecord.length))
      let name = try payload.slice(
        at: offset + StopRecord.size, count: length, "the colour of a gradient")
      stops.append(
        Stop(
          position: Float(bitPattern: stop.trusted(StopRecord.position)),
          color: ByteString(bytes: name.uptoZero.buffer)))
      offset += StopRecord.size + length
    }
  }

  package func bytes() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Record.size)
    bytes.store(magic: Record.magic)
    bytes.store(UInt32(stops.count), Record.count)
    bytes.store(style.rawValue, Record.style)
    bytes.store(startX.bitPattern, Record.startX)
    bytes.store(startY.bitPattern, Record.startY)
    bytes.store(endX.bitPattern, Record.endX)
    bytes.store(endY.bitPattern, Record.endY)
    for stop in stops {
      let base = bytes.count
      bytes.append(zeros: StopRecord.size)
      bytes.store(stop.position.bitPattern, StopRecord.position, at: base)
      bytes.store(UInt32(stop.color.count + 1), StopRecord.length, at: base)
      bytes.append(contentsOf: stop.color.bytes)
      bytes.append(0)
    }
    return bytes
  }
}
