// Tests the sentences of carve.h about opening, traits and lookups, with calls in this process, so
// that sanitizers see them. HeaderContentsTests.swift tests contents, StructureSizeTests.swift the
// sizes of structures.

import CCarve
import CurrentProgram
import FirstReleaseProgram
import Foundation
import Support
import Testing

@Suite struct HeaderTests {
  @Test(arguments: ["today", "the first release"])
  func theProgramInCFindsNothingWrong(header: String) throws {
    let folder = try TemporaryDirectory()
    var builder = sampleBuilder()
    let path = try folder.write(try builder.bytes(), to: "Sample.car")
    var arguments = [strdup("program"), strdup(path)]
    defer { for argument in arguments { free(argument) } }
    let run = header == "today" ? carve_current_program : carve_first_release_program
    #expect(run(2, &arguments) == 0)
  }

  @Test func theLibraryIsTheHeaders() throws {
    #expect(String(cString: carve_version()) == CARVE_VERSION)
    let parts = [CARVE_VERSION_MAJOR, CARVE_VERSION_MINOR, CARVE_VERSION_PATCH]
    #expect(CARVE_VERSION == parts.map { "\($0)" }.joined(separator: "."))
    let texts = (Int32(0)...15).map { String(cString: carve_status_text($0)) }
    #expect(Set(texts).count == 16)
    #expect(String(cString: carve_status_text(16)) == String(cString: carve_status_text(-1)))
  }

  @Test func aFailureSaysWhyAndSuccessSaysNothing() throws {
    var catalog = OpaquePointer(bitPattern: 1)
    var error = carve_error()
    #expect(carve_open("/", &catalog, &error) == CARVE_NOT_A_FILE && catalog == nil)
    #expect(error.status == CARVE_NOT_A_FILE && message(of: error) == "/: not a regular file")
    let folder = try TemporaryDirectory()
    var builder = sampleBuilder()
    let bytes = try builder.bytes()
    let path = try folder.write(bytes, to: "Sample.car")
    #expect(carve_open(path, &catalog, &error) == CARVE_OK)
    #expect(error.status == CARVE_NOT_A_FILE && message(of: error) == "/: not a regular file")
    #expect(carve_uses_index(catalog) == 1)
    // Functions that read contents notice if the file has become shorter.
    let window = try view(of: try #require(catalog))
    var plain = try find(window, "Plain", CARVE_IMAGE)
    try #require(FileHandle(forWritingAtPath: path)).truncate(atOffset: 600)
    var pixels = [UInt8](repeating: 0, count: 256)
    #expect(carve_decode(catalog, &plain, 0, 0, &pixels, 256, 32, nil, &error) == CARVE_SHRUNK)
    carve_view_close(window)
    carve_close(catalog)
    for (path, status) in [("/dev/null", CARVE_NOT_A_FILE), ("/no/such/file", CARVE_SYSTEM)] {
      #expect(carve_open(path, &catalog, &error) == status && error.status == status)
      #expect(message(of: error).hasPrefix("\(path): "))
    }
    let damaged = Array(bytes.prefix(300))
    #expect(carve_open_bytes(damaged, 300, 0, &catalog, &error) == CARVE_FORMAT)
    // carve.h says: "the message has the offset".
    #expect(message(of: error).contains { $0.isNumber })
    #expect(carve_open_bytes(nil, 0, 0, &catalog, &error) == CARVE_BAD_ARGUMENT)
    #expect(carve_open_bytes(damaged, 300, 0, nil, &error) == CARVE_BAD_ARGUMENT)
  }

  @Test func aLongMessageIsCutBetweenCharacters() throws {
    var traits = carve_traits()
    var error = carve_error()
    let text = "style=" + String(repeating: "ü", count: 400)
    #expect(
      carve_traits_parse(text, &traits, MemoryLayout<carve_traits>.size, &error)
        == CARVE_BAD_ARGUMENT)
    let bytes = withUnsafeBytes(of: error.message) { Array($0) }
    let end = try #require(bytes.firstIndex(of: 0))
    #expect(end > 240 && String(validating: bytes[..<end], as: UTF8.self) != nil)
  }

  @Test func bytesAreCopiedOrLent() throws {
    var builder = sampleBuilder()
    var bytes = try builder.bytes()
    let copied = try opened(bytes)
    _ = bytes.withUnsafeMutableBytes { $0.initializeMemory(as: UInt8.self, repeating: 0) }
    let window = try view(of: copied)
    #expect(try find(window, "Plain", CARVE_IMAGE).pixel_width == 8)
    carve_view_close(window)
    carve_close(copied)
    builder = sampleBuilder()
    let lent = try builder.bytes()
    try lent.withUnsafeBytes { raw in
      var catalog: OpaquePointer?
      #expect(carve_open_bytes(raw.baseAddress, raw.count, 1, &catalog, nil) == CARVE_OK)
      var asset = carve_asset()
      asset.size = UInt32(MemoryLayout<carve_asset>.size)
      #expect(carve_asset_at(catalog, 0, &asset) == CARVE_OK)
      let place = UnsafeRawPointer(try #require(asset.name))
      let base = try #require(raw.baseAddress)
      #expect(place >= base && place < base + raw.count)
      carve_close(catalog)
    }
  }

  @Test func unspecifiedTraitsAreAsTheHeaderSays() {
    var traits = carve_traits()
    carve_traits_init(&traits, MemoryLayout<carve_traits>.size)
    #expect(traits.scale == 1 && traits.gamut == CARVE_GAMUT_SRGB)
    #expect(traits.direction == CARVE_LEFT_TO_RIGHT && traits.graphics == (2 << 11) - 1)
    #expect(traits.memory == 255 && traits.os_generation == 255)
    let others = [
      traits.idiom, traits.width_class, traits.height_class, traits.style, traits.contrast,
      traits.content_size, traits.language_count,
    ]
    #expect(others.allSatisfy { $0 == 0 } && traits.subtype == 0)
  }

  @Test func everyTraitIsParsed() throws {
    let text =
      "idiom=pad,scale=3,width=compact,height=regular,style=dark,contrast=high,gamut=P3,"
      + "direction=rtl,content-size=AX2,language=es-MX:es"
    var traits = carve_traits()
    #expect(carve_traits_parse(text, &traits, MemoryLayout<carve_traits>.size, nil) == CARVE_OK)
    #expect(traits.idiom == CARVE_IDIOM_PAD && traits.scale == 3)
    #expect(traits.width_class == CARVE_CLASS_COMPACT && traits.height_class == CARVE_CLASS_REGULAR)
    #expect(traits.style == CARVE_STYLE_DARK && traits.contrast == CARVE_CONTRAST_HIGH)
    #expect(traits.gamut == CARVE_GAMUT_P3 && traits.direction == CARVE_RIGHT_TO_LEFT)
    #expect(traits.content_size == CARVE_TEXT_AX2 && traits.language_count == 2)
    #expect(traits.languages.0 == carve_language("es-MX"))
    #expect(traits.languages.1 == carve_language("es"))
    #expect(carve_language("es-MX") != carve_language("es-mx"))
    #expect(carve_language(nil) == 0)
  }

  @Test func valuesThatATraitCannotHaveAreRefused() throws {
    let catalog = try openedSample()
    let fields: [(WritableKeyPath<carve_traits, UInt8>, UInt8)] = [
      (\.idiom, 9), (\.scale, 0), (\.scale, 4), (\.width_class, 3), (\.height_class, 3),
      (\.style, 4), (\.contrast, 2), (\.gamut, 2), (\.direction, 6), (\.content_size, 13),
      (\.language_count, UInt8(CARVE_MOST_LANGUAGES) + 1),
    ]
    for (field, value) in fields {
      var traits = carve_traits()
      carve_traits_init(&traits, MemoryLayout<carve_traits>.size)
      traits[keyPath: field] = value
      var view = OpaquePointer(bitPattern: 1)
      var error = carve_error()
      #expect(carve_view_for(catalog, &traits, &view, &error) == CARVE_BAD_ARGUMENT)
      #expect(view == nil && error.status == CARVE_BAD_ARGUMENT)
    }
    carve_close(catalog)
  }
}
