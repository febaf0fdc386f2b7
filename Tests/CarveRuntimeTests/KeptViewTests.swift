import Testing
import Traits

@testable import CarveRuntime

/// Tests that views are kept for their environments alone.
@Suite struct KeptViewTests {
  /// Returns the plain environment with another value on one axis.
  private func environment(changing axis: Axis) -> Environment {
    var changed = Environment()
    switch axis {
    case .idiom: changed.idiom = .pad
    case .subtype: changed.subtype = 2436
    case .scale: changed.scale = 3
    case .width: changed.width = .compact
    case .height: changed.height = .compact
    case .style: changed.style = .dark
    case .contrast: changed.contrast = .high
    case .gamut: changed.gamut = .p3
    case .direction: changed.direction = .rightToLeft
    case .memory: changed.memory = 4
    case .graphics: changed.graphics = GraphicsSupport(upTo: .apple3)
    case .language: changed.languages = [7]
    case .os: (changed.idiom, changed.osGeneration) = (.phone, 3)
    case .contentSize: changed.contentSize = .xl
    }
    return changed
  }

  /// A view of another environment would give its pictures.
  @Test func theTraitsOfAViewDifferOnEachAxis() {
    for axis in Axis.allCases {
      let changed = environment(changing: axis)
      #expect(changed != Environment())
      // Languages are compared by themselves.
      let areEqual = PackedEnvironment(changed) == PackedEnvironment(Environment())
      #expect(areEqual == (axis == .language), "\(axis.name)")
    }
  }

  @Test func theTraitsOfAnEnvironmentAreReadAgain() throws {
    for axis in Axis.allCases {
      let changed = environment(changing: axis)
      let text = changed.traitsText { "tag-\($0)" }
      #expect(try Environment(traits: text) { $0 == "tag-7" ? 7 : 0 } == changed, "\(text)")
    }
  }
}
