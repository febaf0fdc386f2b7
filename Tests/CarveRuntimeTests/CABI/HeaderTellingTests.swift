// Tests the sentences of carve.h about all facts of a catalogue except pixels, with calls in this
// process.

import CCarve
import CarveRuntime
import Testing
import Traits

@Suite struct HeaderTellingTests {
  @Test func anObstacleIsNamed() throws {
    var builder = sampleBuilder()
    builder.addImage("Wide", key { $0.gamut = .p3 }, TestPicture(seed: 3))
    builder.addImage("Car", key { $0.idiom = .car }, TestPicture(seed: 4))
    let catalog = try opened(try builder.bytes())
    let window = try view(of: catalog, "idiom=phone")
    let rows: [(String, Int, Int)] = [
      ("Plain", CARVE_IMAGE, CARVE_OBSTACLE_NONE), ("Plane", CARVE_IMAGE, CARVE_OBSTACLE_NAME),
      ("Plain", CARVE_COLOR, CARVE_OBSTACLE_NAME), ("Wide", CARVE_IMAGE, CARVE_OBSTACLE_GAMUT),
      ("Car", CARVE_IMAGE, CARVE_OBSTACLE_IDIOM), ("Plain", 99, CARVE_OBSTACLE_ARGUMENT),
    ]
    for (name, kind, obstacle) in rows {
      let found = carve_obstacle(window, name, name.utf8.count, Int32(kind))
      #expect(Int(found) == obstacle, "\(name) \(kind)")
    }
    #expect(carve_obstacle(nil, "Plain", 5, 0) == Int32(CARVE_OBSTACLE_ARGUMENT))
    // Each trait has the word that a request uses for it.
    let texts = (Int32(CARVE_OBSTACLE_IDIOM)...Int32(CARVE_OBSTACLE_CONTENT_SIZE)).map {
      String(cString: carve_obstacle_text($0))
    }
    #expect(Set(texts) == Set(Axis.requestNames))
    carve_view_close(window)
    carve_close(catalog)
  }

  @Test func namesAndSizesAreTold() throws {
    let catalog = try openedSample()
    let window = try view(of: catalog, "scale=2")
    var star = try find(window, "Group/Star", CARVE_IMAGE)
    var width = 0.0
    var height = 0.0
    #expect(carve_point_size(&star, &width, &height) == CARVE_OK && width == 4 && height == 1.5)
    var flag = try find(window, "Flag", CARVE_IMAGE)
    #expect(carve_point_size(&flag, &width, &height) == CARVE_NONE)
    star.size = 8
    #expect(carve_point_size(&star, &width, &height) == CARVE_BAD_ARGUMENT)
    star.size = 64
    var name = [CChar](repeating: 7, count: 64)
    var length = 0
    var error = carve_error()
    #expect(carve_stored_name(catalog, &star, &name, 64, &length, &error) == CARVE_OK)
    let stored = String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #expect(length > 0 && name[length] == 0)
    let swift = try Catalog(bytes: try sampleBytes())
    let view = swift.view(for: try Environment(traits: "scale=2"))
    #expect(view.find("Group/Star").flatMap { swift.storedName(of: $0) } == stored)
    #expect(carve_stored_name(catalog, &star, &name, length, nil, &error) == CARVE_BAD_ARGUMENT)
    #expect(
      carve_stored_name(catalog, &star, &name, length, &length, &error) == CARVE_BUFFER_TOO_SMALL)
    #expect(message(of: error).contains("\(length) bytes"))
    star.number = .max
    #expect(carve_stored_name(catalog, &star, &name, 64, &length, &error) == CARVE_NO_RENDITION)
    #expect(carve_localization_count(catalog) == 0)
    #expect(carve_localization_at(catalog, 0, nil, nil, 0, &length) == CARVE_NONE)
    #expect(String(cString: carve_color_space_name(1)) == "sRGB")
    #expect(String(cString: carve_color_space_name(99)) == "unknown")
    carve_view_close(window)
    carve_close(catalog)
  }

  private func sampleBytes() throws -> [UInt8] {
    var builder = sampleBuilder()
    return try builder.bytes()
  }

  @Test func traitsOfADeviceAreThoseOfSwift() throws {
    for (device, window, orientation) in [
      ("iPhone15,2", "full", "portrait"), ("iPad5,3", "split-1/2", "landscape"),
      ("Apple TV 4K (3rd generation)", "full", nil), ("Watch7,12", "full", nil),
    ] as [(String, String, String?)] {
      var traits = carve_traits()
      var error = carve_error()
      let status = carve_traits_for_device(
        device, window, orientation, &traits, MemoryLayout<carve_traits>.size, &error)
      let wanted = try Environment(device: device, window: window, orientation: orientation)
      #expect(status == CARVE_OK, "\(device): \(message(of: error))")
      #expect(traits.idiom == wanted.idiom.rawValue && traits.scale == wanted.scale)
      #expect(traits.width_class == wanted.width.rawValue && traits.subtype == wanted.subtype)
      #expect(traits.gamut == wanted.gamut.rawValue && traits.memory == wanted.memory)
      #expect(traits.graphics == wanted.graphics.classes)
      #expect(traits.os_generation == wanted.osGeneration)
    }
    var traits = carve_traits()
    #expect(carve_traits_for_device("iPhone15,2", nil, nil, &traits, 4, nil) == CARVE_BAD_ARGUMENT)
    #expect(carve_traits_for_device(nil, nil, nil, &traits, 56, nil) == CARVE_BAD_ARGUMENT)
  }
}
