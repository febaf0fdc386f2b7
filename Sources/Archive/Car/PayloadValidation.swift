// Checks payloads: their kind is known, and their lengths account for every byte.

extension Rendition {
  func validatePayload(_ violations: inout Violations) throws(FormatError) {
    let at = payload.origin
    if payload.isEmpty { return }
    if let bitmap = try BitmapPayloadHeader(payload) {
      try validate(bitmap, &violations)
    } else if let file = try FilePayload(payload) {
      try validate(file, &violations)
    } else if let color = try ColorPayload(payload) {
      violations.require(
        color.bytes().count == payload.count, at: at, "\(header.name) has bytes after its colour")
      violations.require(
        header.layout == .color, at: at,
        "\(header.name) has the payload of a colour, but is not a colour")
    } else if let sizes = try MultisizePayload(payload) {
      violations.require(
        sizes.bytes().count == payload.count, at: at, "\(header.name) has bytes after its sizes")
      violations.require(
        header.layout == .multisize, at: at,
        "\(header.name) has the payload of a table of sizes, but is not such a table")
    } else if !["KLXE", "RTXT", "ARGG", "DARG", "XFTC"].contains(where: payload.begins) {
      violations.add(at: at, "\(header.name) has a payload of an unknown kind")
    }
  }

  private func validate(_ file: FilePayload, _ violations: inout Violations) throws(FormatError) {
    let at = payload.origin
    violations.require(
      file.contents.count + FilePayload.Record.size == payload.count, at: at,
      "\(header.name) has bytes after its file")
    let mark = try payload.load(FilePayload.Record.isCompressed)
    violations.require(mark <= 1, at: at, "\(header.name) is compressed in an unknown way, \(mark)")
    // Apple's tools never return from a payload that is marked as LZFSE and contains other bytes.
    violations.require(
      mark != 1 || file.contents.hasPrefix("bvx"), at: at,
      "\(header.name) is marked as LZFSE but is not LZFSE")
  }

  /// Checks the length of a bitmap's payload or of its parts, and the length of a stored row.
  private func validate(
    _ bitmap: BitmapPayloadHeader, _ violations: inout Violations
  ) throws(FormatError) {
    typealias Record = BitmapPayloadHeader.Record
    let at = payload.origin
    let flags = try payload.load(Record.flags)
    violations.require(flags <= 3, at: at, "the bitmap of \(header.name) has flags \(flags)")
    violations.require(
      bitmap.compression <= 12, at: at,
      "the bitmap of \(header.name) has compression \(bitmap.compression)")
    let stated = Int(try payload.load(Record.length))
    let end =
      bitmap.isChunked
      ? try endOfChunks(stated, &violations) : BitmapPayloadHeader.Record.size + stated
    violations.require(
      end == payload.count, at: at,
      "the bitmap of \(header.name) needs \(end) bytes and has \(payload.count)")
    // The deepmap compressions have rows of their own. The other compressions store the rows of the
    // picture.
    if [0, 2, 3, 4].contains(bitmap.compression), let bytes = header.pixelFormat.bytesPerPixel,
      let row = try bytesPerRow()
    {
      violations.require(
        UInt64(row) >= UInt64(header.width) * UInt64(bytes), at: at,
        "the rows of \(header.name) have \(row) bytes for \(header.width) pixels")
    }
  }
  /// Returns the end of the last part, and checks each part.
  private func endOfChunks(
    _ count: Int, _ violations: inout Violations
  ) throws(FormatError) -> Int {
    typealias Chunk = BitmapPayloadHeader.Chunk
    var end = BitmapPayloadHeader.Record.size
    var rows = 0
    for number in 0..<count {
      let what = "part \(number) of the bitmap of \(header.name)"
      let chunk = try payload.slice(at: end, count: Chunk.size, what)
      try chunk.require(Chunk.magic, what)
      violations.require(
        chunk.trusted(Chunk.flags) == 0 && chunk.trusted(Chunk.version) == 0, at: chunk.origin,
        "\(what) is of an unknown kind")
      rows += Int(chunk.trusted(Chunk.rows))
      end += Chunk.size + Int(chunk.trusted(Chunk.length))
    }
    violations.require(
      rows == Int(header.height), at: payload.origin,
      "the parts of the bitmap of \(header.name) hold \(rows) of \(header.height) rows")
    return end
  }
}

extension Bytes {
  fileprivate func begins(with magic: String) -> Bool {
    count >= magic.utf8.count && buffer.prefix(magic.utf8.count).elementsEqual(magic.utf8)
  }
}
