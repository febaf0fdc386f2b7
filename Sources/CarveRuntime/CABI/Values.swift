// Converts values between the C interface and Swift. The functions of carve.h are in the other
// files of this folder; none of them makes a decision.

import Archive
import CCarve
import CPosix
import Traits

/// A structure that begins with its size, so that it can grow: programs that were built with an
/// older header pass a smaller one, and programs that were built with a newer header a larger one.
protocol SizedStructure {
  /// The size of the structure in the first release. No caller has a smaller one.
  static var firstSize: Int { get }
}

extension carve_traits: SizedStructure { static var firstSize: Int { 56 } }
extension carve_rendition: SizedStructure { static var firstSize: Int { 64 } }
extension carve_key: SizedStructure { static var firstSize: Int { 20 } }
extension carve_asset: SizedStructure { static var firstSize: Int { 40 } }
extension carve_color: SizedStructure { static var firstSize: Int { 40 } }
extension carve_limits: SizedStructure { static var firstSize: Int { 24 } }
extension carve_vector: SizedStructure { static var firstSize: Int { 32 } }
extension carve_symbol_style: SizedStructure { static var firstSize: Int { 24 } }
extension carve_symbol: SizedStructure { static var firstSize: Int { 64 } }

/// A structure of the caller. Only the bytes that the caller states are read or written.
struct CallerStructure<Structure: SizedStructure & BitwiseCopyable> {
  private let memory: UnsafeMutableRawPointer
  /// The number of bytes that the caller and this library both know.
  private let count: Int

  /// Creates the structure; nil if it is smaller than in the first release.
  @inline(__always) init?(_ pointer: UnsafeMutablePointer<Structure>, size: Int? = nil) {
    memory = UnsafeMutableRawPointer(pointer)
    // The first field of each structure is its size.
    let size = size ?? Int(memory.load(as: UInt32.self))
    guard size >= Structure.firstSize else { return nil }
    count = min(size, MemoryLayout<Structure>.size)
  }

  @inline(__always) init?(_ pointer: UnsafePointer<Structure>) {
    self.init(UnsafeMutablePointer(mutating: pointer))
  }

  /// Fills in all fields except the size.
  @inline(__always) func store(_ value: Structure) {
    let size = MemoryLayout<UInt32>.size
    withUnsafeBytes(of: value) { bytes in
      UnsafeMutableRawBufferPointer(start: memory + size, count: count - size)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[size..<count]))
    }
  }

  /// Returns the caller's fields, and the fields of `value` if the caller does not know them.
  func read(over value: Structure) -> Structure {
    var value = value
    withUnsafeMutableBytes(of: &value) { bytes in
      bytes.copyMemory(from: UnsafeRawBufferPointer(start: memory, count: count))
    }
    return value
  }
}

extension Environment {
  /// nil if a field holds no value of its trait.
  init?(_ traits: carve_traits) {
    guard (1...3).contains(traits.scale), let idiom = Idiom(rawValue: traits.idiom),
      let width = SizeClass(rawValue: traits.width_class),
      let height = SizeClass(rawValue: traits.height_class),
      let style = Style(rawValue: traits.style),
      let contrast = Contrast(rawValue: traits.contrast), let gamut = Gamut(rawValue: traits.gamut),
      let direction = Direction(rawValue: traits.direction),
      let contentSize = ContentSize(rawValue: traits.content_size),
      Int(traits.language_count) <= Int(CARVE_MOST_LANGUAGES)
    else { return nil }
    self.init()
    self.idiom = idiom
    self.width = width
    self.height = height
    self.style = style
    self.contrast = contrast
    self.gamut = gamut
    self.direction = direction
    self.contentSize = contentSize
    scale = traits.scale
    subtype = traits.subtype
    memory = traits.memory
    osGeneration = traits.os_generation
    // Every device belongs to class 0.
    graphics = GraphicsSupport(mask: traits.graphics)
    if traits.language_count > 0 {
      languages = withUnsafeBytes(of: traits.languages) { numbers in
        Array(numbers.bindMemory(to: UInt16.self).prefix(Int(traits.language_count)))
      }
    }
  }
}

extension carve_traits {
  init(_ environment: Environment) {
    self.init()
    graphics = environment.graphics.classes
    idiom = environment.idiom.rawValue
    scale = environment.scale
    width_class = environment.width.rawValue
    height_class = environment.height.rawValue
    style = environment.style.rawValue
    contrast = environment.contrast.rawValue
    gamut = environment.gamut.rawValue
    direction = environment.direction.rawValue
    memory = environment.memory
    os_generation = environment.osGeneration
    content_size = environment.contentSize.rawValue
    subtype = environment.subtype
    let wanted = environment.languages.prefix(Int(CARVE_MOST_LANGUAGES))
    language_count = UInt8(wanted.count)
    withUnsafeMutableBytes(of: &languages) { numbers in
      for (index, number) in wanted.enumerated() {
        numbers.storeBytes(of: number, toByteOffset: index * 2, as: UInt16.self)
      }
    }
  }
}

extension carve_rendition {
  /// Fills in all fields except the size. A RenditionRecord has the layout of this structure in the
  /// first release, except for three fields; the tests check the offsets.
  @inline(__always) static func store(
    _ facts: FoundFacts, _ choice: Choice, in rendition: UnsafeMutablePointer<Self>
  ) {
    let memory = UnsafeMutableRawPointer(rendition)
    // The stretch comes first, because a lookup has just decided whether there is one.
    let stretch = memory + 24
    if let source = facts.stretch {
      stretch.copyMemory(from: source, byteCount: FoundFacts.stretchLength)
    } else {
      stretch.initializeMemory(as: UInt8.self, repeating: 0, count: FoundFacts.stretchLength)
    }
    memory.storeBytes(of: facts.kinds, toByteOffset: 16, as: UInt64.self)
    rendition.pointee.number = choice.rendition
    rendition.pointee.pixel_width = facts.width
    rendition.pointee.pixel_height = facts.height
    rendition.pointee.mirrored = choice.isMirrored ? 1 : 0
  }
}

extension carve_key {
  init(_ key: VariantKey) {
    self.init()
    subtype = key.subtype
    language = key.locale
    idiom = key.idiom.rawValue
    scale = key.scale
    width_class = key.width.rawValue
    height_class = key.height.rawValue
    style = key.style.rawValue
    contrast = key.contrast.rawValue
    gamut = key.gamut.rawValue
    direction = key.direction.rawValue
    memory = key.memory
    os_generation = key.osGeneration
    content_size = key.contentSize.rawValue
    graphics = key.graphics.rawValue
  }
}

extension CatalogError {
  var status: Int {
    switch self {
    case .system, .notBeside: CARVE_SYSTEM
    case .notAFile: CARVE_NOT_A_FILE
    case .shrunk: CARVE_SHRUNK
    case .format: CARVE_FORMAT
    case .tooLarge: CARVE_TOO_LARGE
    case .noSuchRendition: CARVE_NO_RENDITION
    case .wrongContent: CARVE_WRONG_CONTENT
    case .overLimit: CARVE_OVER_LIMIT
    case .noMemory: CARVE_NO_MEMORY
    case .bufferTooSmall: CARVE_BUFFER_TOO_SMALL
    case .unsupported: CARVE_UNSUPPORTED
    case .codec: CARVE_CODEC
    case .badVector: CARVE_BAD_VECTOR
    case .vectorOverLimit: CARVE_OVER_LIMIT
    }
  }
}

/// Fills in an error if the caller passes one, and returns its status.
func report(
  _ status: Int, _ message: @autoclosure () -> String, to error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  if let error {
    error.pointee.status = Int32(status)
    withUnsafeMutableBytes(of: &error.pointee.message) { buffer in
      var length = 0
      // Copies whole characters only, and leaves room for the zero byte.
      for scalar in message().unicodeScalars {
        let units = UTF8.encode(scalar).map(Array.init) ?? []
        if length + units.count >= buffer.count { break }
        for unit in units {
          buffer[length] = unit
          length += 1
        }
      }
      buffer[length] = 0
    }
  }
  return Int32(status)
}

func report(_ trouble: CatalogError, to error: UnsafeMutablePointer<carve_error>?) -> Int32 {
  let status = report(trouble.status, "\(trouble)", to: error)
  // The last step, because other calls of the system would set another number.
  if case .system(let number, _) = trouble { carve_set_errno(number) }
  return status
}

func reportArgument(
  _ message: StaticString, to error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  report(CARVE_BAD_ARGUMENT, message.description, to: error)
}
