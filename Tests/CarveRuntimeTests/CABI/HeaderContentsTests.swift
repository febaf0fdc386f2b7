// Tests the sentences of carve.h about answers and contents, with calls in this process.

import CCarve
import Testing

@Suite struct HeaderContentsTests {
  private let catalog: OpaquePointer
  private let window: OpaquePointer

  init() throws {
    catalog = try openedSample()
    window = try view(of: catalog)
  }

  private func close() {
    carve_view_close(window)
    carve_close(catalog)
  }

  @Test func viewsAndDecodersKeepTheirCatalogueOpen() throws {
    var decoder: OpaquePointer?
    #expect(carve_decoder_create(catalog, &decoder, nil) == CARVE_OK)
    carve_close(catalog)
    var sprite = try find(window, "SpriteA", CARVE_IMAGE)
    carve_view_close(window)
    var pixels = [UInt8](repeating: 0, count: 80)
    #expect(
      carve_decoder_decode(decoder, &sprite, 0, 0, &pixels, 80, 20, nil, nil) == CARVE_OK)
    #expect(pixels == TestPicture(width: 5, height: 4, seed: 30).pixels)
    carve_decoder_close(decoder)
  }

  @Test func onlyNumberAndMirroredAreReadBack() throws {
    let turned = try view(of: catalog, "direction=rtl")
    let arrow = try find(turned, "Arrow", CARVE_IMAGE)
    #expect(arrow.mirrored == 1)
    var drawn: [[UInt8]] = []
    for change in [{ _ in }, forge] {
      var rendition = arrow
      change(&rendition)
      var pixels = [UInt8](repeating: 0, count: 48)
      #expect(
        carve_draw_sliced(catalog, &rendition, 0, 0, 4, 3, &pixels, 48, 16, nil, nil) == CARVE_OK)
      drawn.append(pixels)
    }
    #expect(drawn[0] == drawn[1])
    // The picture is drawn mirrored, but decoded as it is stored.
    let stored = TestPicture(seed: 21).pixels
    var mirrored: [UInt8] = []
    for y in 0..<3 {
      for pixel in stride(from: y * 16 + 12, through: y * 16, by: -4) {
        mirrored += stored[pixel..<pixel + 4]
      }
    }
    #expect(drawn[0] == mirrored)
    var rendition = arrow
    var pixels = [UInt8](repeating: 0, count: 48)
    #expect(carve_decode(catalog, &rendition, 0, 0, &pixels, 48, 16, nil, nil) == CARVE_OK)
    #expect(pixels == stored)
    carve_view_close(turned)
    close()
  }

  private func forge(_ rendition: inout carve_rendition) {
    rendition.pixel_width = 9999
    rendition.content = UInt8(CARVE_CONTENT_COLOR)
    rendition.slicing = UInt8(CARVE_SLICING_9_PART)
    rendition.scale = 3
  }

  @Test func aRenditionSaysHowItIsShown() throws {
    let button = try find(window, "Button", CARVE_IMAGE)
    #expect(button.pixel_width == 10 && button.pixel_height == 10 && button.scale == 1)
    #expect(button.template_intent == CARVE_TEMPLATE_TEMPLATE && button.preserves_vector == 0)
    #expect(button.slicing == CARVE_SLICING_9_PART)
    #expect(button.fill_across == CARVE_FILL_TILE && button.fill_down == CARVE_FILL_TILE)
    let nine = DecodeTests.nine
    #expect(button.cap_left == Float(nine[0].width) && button.cap_top == Float(nine[0].height))
    #expect(button.cap_right == Float(nine[8].width) && button.cap_bottom == Float(nine[8].height))
    #expect(button.center_width == Float(nine[4].width))
    #expect(button.center_height == Float(nine[4].height))
    close()
  }

  @Test func choicesAndTransitionsAgree() throws {
    let dark = try view(of: catalog, "style=dark,direction=rtl")
    let arrow = carve_id_of_name("Arrow", 5, Int32(CARVE_IMAGE))
    let before = carve_choice(window, arrow)
    #expect(carve_choice(dark, arrow) == before | 1 << 31)
    #expect(carve_choice(dark, 42) == .max)
    var ids = [UInt64](repeating: 7, count: 3)
    var count = 0
    #expect(carve_transition(window, dark, &ids, 2, &count) == CARVE_OK)
    #expect(count == 3 && ids[2] == 7 && ids[1] == arrow)
    let other = try openedSample()
    let foreign = try view(of: other)
    #expect(carve_transition(window, foreign, &ids, 3, &count) == CARVE_BAD_ARGUMENT)
    carve_view_close(foreign)
    carve_close(other)
    carve_view_close(dark)
    close()
  }

  @Test func colorsSayTheirSpaceAndTheirSystemColor() throws {
    var color = carve_color()
    color.size = UInt32(MemoryLayout<carve_color>.size)
    var text = try find(window, "Text", CARVE_COLOR)
    #expect(carve_get_color(catalog, &text, &color, nil) == CARVE_OK)
    #expect(color.space == 6 && color.alpha == 1)
    #expect([color.red, color.green, color.blue] == [0.5, 0.5, 0.5])
    let name = CarveRuntimeTests.text(color.system_name, color.system_name_length)
    #expect(name == "labelColor")
    var accent = try find(window, "Accent", CARVE_COLOR)
    #expect(carve_get_color(catalog, &accent, &color, nil) == CARVE_OK)
    #expect([color.red, color.green, color.blue, color.alpha] == [0.25, 0.5, 0.75, 1])
    #expect(color.space == 1 && color.system_name == nil && color.system_name_length == 0)
    close()
  }

  @Test func filesSayTheirTypeAndHowTheyAreTurned() throws {
    var start: UnsafePointer<CChar>?
    var length = 0
    var turn: UInt32 = 0
    for (name, kind, type, expected) in [
      ("Typed", CARVE_DATA, "public.json", UInt32(1)), ("Level", CARVE_DATA, "", 1),
      ("Turned", CARVE_IMAGE, "", 6), ("Plain", CARVE_IMAGE, "", 1),
    ] {
      var rendition = try find(window, name, kind)
      #expect(carve_type_identifier(catalog, &rendition, &start, &length, nil) == CARVE_OK)
      #expect(text(start, length) == type && (start == nil) == type.isEmpty)
      #expect(carve_orientation(catalog, &rendition, &turn, nil) == CARVE_OK)
      #expect(turn == expected, "\(name)")
    }
    close()
  }

  @Test func aFileIsReadWithinItsBuffer() throws {
    var typed = try find(window, "Typed", CARVE_DATA)
    var bytes: [UInt8] = [9, 9, 9, 9]
    var error = carve_error()
    #expect(carve_read_file(catalog, &typed, &bytes, 1, &error) == CARVE_BUFFER_TOO_SMALL)
    #expect(bytes == [9, 9, 9, 9] && message(of: error).contains("2 bytes"))
    #expect(carve_read_file(catalog, &typed, &bytes, 2, nil) == CARVE_OK)
    #expect(bytes == [123, 125, 9, 9])
    #expect(carve_read_file(catalog, &typed, nil, 2, nil) == CARVE_BAD_ARGUMENT)
    #expect(carve_read_file(catalog, &typed, &bytes, -1, nil) == CARVE_BAD_ARGUMENT)
    var plain = try find(window, "Plain", CARVE_IMAGE)
    #expect(carve_read_file(catalog, &plain, &bytes, 4, nil) == CARVE_WRONG_CONTENT)
    plain.number = 1 << 20
    #expect(carve_read_file(catalog, &plain, &bytes, 4, nil) == CARVE_NO_RENDITION)
    close()
  }

  @Test func stretchingHalfFloatsIsNotSupported() throws {
    var plain = try find(window, "Plain", CARVE_IMAGE)
    var pixels = [UInt8](repeating: 0, count: 512)
    let layout = Int32(CARVE_RGBA16F)
    #expect(
      carve_draw_sliced(catalog, &plain, layout, 0, 8, 8, &pixels, 512, 64, nil, nil)
        == CARVE_UNSUPPORTED)
    #expect(carve_decode(catalog, &plain, layout, 0, &pixels, 512, 64, nil, nil) == CARVE_OK)
    #expect((Int32(0)...5).map { carve_pixel_size($0) } == [4, 4, 1, 2, 8, 0])
    close()
  }
}
