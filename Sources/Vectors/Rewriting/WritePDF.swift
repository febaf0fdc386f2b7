// Writes the objects of a PDF as a file: with numbers in the order in which the catalogue reaches
// them, a classic table of cross-references, and no blanks that are not needed. A value that occurs
// several times is an object of its own if that takes fewer bytes.

struct PDFWriter {
  private var objects: [PDFRewriter.NewObject]
  /// The number of references to each object.
  private var uses: [Int]
  /// The number of each object in the file; 0 if it has none.
  private var numbers: [Int]
  /// The objects in the order of their numbers.
  private var order: [Int] = []
  private var output: [UInt8] = []
  /// Values that occur in several places, by their text.
  private var shared = SharedValues()
  /// The number of bytes of the output after which values are no longer written.
  private var mostOutput = Int.max

  static func bytes(of objects: [PDFRewriter.NewObject], root: Int, version: Int) -> [UInt8] {
    var writer = PDFWriter(objects)
    writer.count(root)
    writer.share(root)
    writer.output += "%PDF-1.\(version)\n%".utf8
    // Bytes above 127 tell programs that the file is not a text.
    writer.output += [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
    writer.enumerate(root)
    return writer.file(root)
  }

  /// Returns the text of a value. A reference has the index of its object for a number.
  static func text(of value: PDFValue) -> [UInt8] {
    var writer = PDFWriter([])
    writer.write(value)
    return writer.output
  }

  private init(_ objects: [PDFRewriter.NewObject]) {
    self.objects = objects
    uses = [Int](repeating: 0, count: objects.count)
    numbers = uses
  }

  // MARK: Order

  /// Counts the references to all objects that a root reaches.
  private mutating func count(_ root: Int) {
    var waiting = [root]
    uses[root] = 2
    while let object = waiting.popLast() {
      Self.forEachReference(in: objects[object].value) { other in
        uses[other] += 1
        if uses[other] == 1 { waiting.append(other) }
      }
    }
  }

  /// Gives numbers to all objects that are written as such, in the order in which they are reached.
  private mutating func enumerate(_ root: Int) {
    var waiting = [root]
    while let object = waiting.popLast() {
      if numbers[object] > 0 { continue }
      if !isInline(object) {
        order.append(object)
        numbers[object] = order.count
      }
      var reached: [Int] = []
      Self.forEachReference(in: objects[object].value) { reached.append($0) }
      waiting += reached.reversed()
    }
  }

  private static func forEachReference(in value: PDFValue, _ body: (Int) -> Void) {
    switch value {
    case .reference(let object): body(object)
    case .array(let values): for value in values { forEachReference(in: value, body) }
    case .dictionary(let dictionary):
      for entry in dictionary.entries { forEachReference(in: entry.value, body) }
    default: break
    }
  }

  /// Whether the object is written in the place of its only reference.
  private func isInline(_ object: Int) -> Bool {
    object < objects.count && objects[object].isSmall && !objects[object].isAwaited
      && uses[object] == 1 && objects[object].data == nil
  }

  // MARK: Values that occur several times

  /// Makes objects of the values that take fewer bytes so.
  private mutating func share(_ root: Int) {
    let written = objects.indices.filter { uses[$0] > 0 && !isInline($0) }
    // Without numbers, texts contain the indices of objects.
    numbers = []
    defer { numbers = [Int](repeating: 0, count: objects.count) }
    for object in written { count(objects[object].value, 1) }
    guard shared.mayShare else { return }
    for object in written {
      guard case .dictionary(let dictionary) = objects[object].value else {
        objects[object].value = sharingParts(of: objects[object].value)
        continue
      }
      var kept = PDFDictionary()
      for entry in dictionary.entries {
        let stays = Self.neverShared.contains(entry.key)
        kept.append(entry.key, stays ? entry.value : sharing(entry.value))
      }
      objects[object].value = .dictionary(kept)
    }
    uses = [Int](repeating: 0, count: objects.count)
    count(root)
  }

  /// The keys of pages and streams whose values simple readers expect in their place.
  private static let neverShared: Set<String> = [
    "Kids", "MediaBox", "CropBox", "BleedBox", "TrimBox", "ArtBox", "Filter", "DecodeParms",
  ]

  /// Counts a value and the arrays and dictionaries in it as often as it is written.
  private mutating func count(_ value: PDFValue, _ times: Int) {
    shared.times = times
    _ = text(inPlace: value, most: .max)
    shared.times = 0
  }

  /// Returns the value, with references in the place of values that are shared.
  private mutating func sharing(_ value: PDFValue) -> PDFValue {
    var value = value
    if case .reference(let object) = value, isInline(object) { value = objects[object].value }
    switch value {
    case .dictionary, .array: break
    default: return value
    }
    guard shared.mayLookUp() else { return value }
    // Longer texts are not shared, so they are not written to the end.
    let text = text(inPlace: value, most: SharedValues.longest)
    if let known = shared.object(of: text) { return .reference(known) }
    guard let times = shared.timesThatPay(text) else { return sharingParts(of: value) }
    // The parts of the value are written once from now on.
    count(value, 1 - times)
    let object = PDFRewriter.NewObject(value: sharingParts(of: value), isFinished: true)
    objects.append(object)
    uses.append(0)
    shared.add(text, object: objects.count - 1)
    return .reference(objects.count - 1)
  }

  private mutating func sharingParts(of value: PDFValue) -> PDFValue {
    switch value {
    case .dictionary(let dictionary):
      var kept = PDFDictionary()
      for entry in dictionary.entries { kept.append(entry.key, sharing(entry.value)) }
      return .dictionary(kept)
    case .array(let values): return .array(values.map { sharing($0) })
    default: return value
    }
  }

  /// Returns the text of a value, with the small objects in it. If the text is longer than `most`,
  /// the rest may be missing.
  private mutating func text(inPlace value: PDFValue, most: Int) -> [UInt8] {
    var text: [UInt8] = []
    swap(&text, &output)
    mostOutput = most
    write(value)
    mostOutput = .max
    swap(&text, &output)
    return text
  }

  // MARK: The file

  private mutating func file(_ root: Int) -> [UInt8] {
    var offsets: [Int] = []
    for (index, object) in order.enumerated() {
      offsets.append(output.count)
      output += "\(index + 1) 0 obj\n".utf8
      write(object: object)
      output += "\nendobj\n".utf8
    }
    let table = output.count
    output += "xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n".utf8
    for offset in offsets {
      let digits = Array("\(offset)".utf8)
      output += [UInt8](repeating: 0x30, count: max(10 - digits.count, 0)) + digits
      output += " 00000 n \n".utf8
    }
    output += "trailer\n<</Size \(offsets.count + 1)/Root \(numbers[root]) 0 R>>\n".utf8
    output += "startxref\n\(table)\n%%EOF\n".utf8
    return output
  }

  private mutating func write(object index: Int) {
    guard let data = objects[index].data, case .dictionary(var dictionary) = objects[index].value
    else { return write(objects[index].value) }
    dictionary.append("Length", .integer(data.count))
    write(.dictionary(dictionary))
    output += "stream\n".utf8
    output += data
    output += "\nendstream".utf8
  }

  // MARK: Values

  private mutating func write(_ value: PDFValue) {
    if output.count > mostOutput { return }
    switch value {
    case .null: write(word: "null")
    case .boolean(let value): write(word: value ? "true" : "false")
    case .integer(let value): write(word: "\(value)")
    case .real(let value): write(word: Self.text(of: value))
    case .string(let bytes): write(string: bytes)
    case .name(let name): write(name: name)
    case .array(let values):
      let start = output.count
      output.append(UInt8(ascii: "["))
      for value in values where output.count <= mostOutput { write(value) }
      output.append(UInt8(ascii: "]"))
      shared.note(output[start...])
    case .dictionary(let dictionary):
      let start = output.count
      output += "<<".utf8
      for entry in dictionary.entries where output.count <= mostOutput {
        if entry.value.isNull { continue }
        write(name: entry.key)
        write(entry.value)
      }
      output += ">>".utf8
      shared.note(output[start...])
    case .reference(let object):
      if isInline(object) { return write(objects[object].value) }
      write(word: "\(object < numbers.count ? numbers[object] : object) 0 R")
    case .stream: break
    }
  }

  /// Writes a word, after a blank if it would otherwise continue the word before it. The name
  /// without letters is a slash alone.
  private mutating func write(word: String) {
    if let last = output.last, !PDFLexer.isBlank(last),
      !PDFLexer.isDelimiter(last) || last == UInt8(ascii: "/")
    {
      output.append(0x20)
    }
    output += word.utf8
  }

  private mutating func write(name: String) {
    output.append(UInt8(ascii: "/"))
    for byte in name.utf8 {
      if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "#"), !PDFLexer.isDelimiter(byte) {
        output.append(byte)
      } else {
        output.append(UInt8(ascii: "#"))
        write(hexadecimal: byte)
      }
    }
  }

  private mutating func write(hexadecimal byte: UInt8) {
    for digit in [byte >> 4, byte & 15] { output.append(digit < 10 ? digit + 0x30 : digit + 0x37) }
  }

  private mutating func write(string bytes: [UInt8]) {
    // A line feed may stand in a string, but Ghostscript takes several of them as one.
    let special: Set<UInt8> = [0x28, 0x29, 0x5C, 0x0D, 0x0A]
    output.append(UInt8(ascii: "("))
    for byte in bytes where output.count <= mostOutput {
      if special.contains(byte) { output.append(UInt8(ascii: "\\")) }
      switch byte {
      case 0x0D: output.append(UInt8(ascii: "r"))
      case 0x0A: output.append(UInt8(ascii: "n"))
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: ")"))
  }

  /// Returns the shortest decimal digits that mean the number, without an exponent.
  private static func text(of value: Double) -> String {
    let text = "\(value)"
    let parts = text.split(separator: "e")
    let exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
    let isNegative = parts[0].hasPrefix("-")
    let digits = parts[0].drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    var whole = Array(digits[0].utf8)
    var fraction = digits.count > 1 ? Array(digits[1].utf8) : []
    if exponent > 0 {
      fraction += [UInt8](repeating: 0x30, count: max(exponent - fraction.count, 0))
      whole += fraction[..<exponent]
      fraction.removeFirst(exponent)
    } else if exponent < 0 {
      whole = [UInt8](repeating: 0x30, count: max(-exponent - whole.count, 0)) + whole
      fraction = whole[(whole.count + exponent)...] + fraction
      whole.removeLast(-exponent)
    }
    while fraction.last == 0x30 { fraction.removeLast() }
    whole = Array(whole.drop { $0 == 0x30 })
    if whole.isEmpty, fraction.isEmpty { return "0" }
    let point: [UInt8] = fraction.isEmpty ? [] : [UInt8(ascii: ".")] + fraction
    return (isNegative ? "-" : "") + String(decoding: whole + point, as: UTF8.self)
  }
}

// MARK: - Shared values

/// The texts of the arrays and dictionaries of a file, how often each is written, and the objects
/// that were made of them.
private struct SharedValues {
  /// How often the values that are noted are written more than they were noted before.
  var times = 0
  private var counts: [[UInt8]: Int] = [:]
  private var objects: [[UInt8]: Int] = [:]
  private var lookUps = 0

  /// Shorter values never pay. Longer ones are rarely equal and take memory.
  private static let lengths = 12...longest
  static let longest = 512
  private static let mostTexts = 1 << 14
  private static let mostLookUps = 1 << 16

  /// Whether a value is written twice.
  var mayShare: Bool { counts.contains { $0.value > 1 } }

  mutating func note(_ text: ArraySlice<UInt8>) {
    guard times != 0, Self.lengths.contains(text.count) else { return }
    let text = Array(text)
    if counts.count < Self.mostTexts || counts[text] != nil { counts[text, default: 0] += times }
  }

  /// Counts a look-up. Returns false after `mostLookUps`, because a hostile file could need far
  /// more.
  mutating func mayLookUp() -> Bool {
    lookUps += 1
    return lookUps <= Self.mostLookUps
  }

  /// Returns how often a text is written, if an object and references to it take fewer bytes. An
  /// object takes some 38 bytes with its entry in the table, and a reference up to 8.
  func timesThatPay(_ text: [UInt8]) -> Int? {
    guard let times = counts[text], times * text.count > 38 + text.count + 8 * times else {
      return nil
    }
    return times
  }

  func object(of text: [UInt8]) -> Int? { objects[text] }

  mutating func add(_ text: [UInt8], object: Int) { objects[text] = object }
}
