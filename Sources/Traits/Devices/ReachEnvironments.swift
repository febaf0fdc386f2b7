// Enumerates reach as far as a set of keys can see: two environments in which every key of the set
// stands in the same order are one. So a decision over reach costs what the keys distinguish, not
// the size of the product.

extension Reach {
  /// One environment for each way in which these keys can be ordered within reach. Over them the
  /// same keys win as over all of reach. Any value of an unknown trait is in reach.
  package func environments(distinguishedBy keys: some Sequence<VariantKey>) -> [Environment] {
    environments(distinguishedBy: Distinction(keys))
  }

  package func environments(distinguishedBy distinction: Distinction) -> [Environment] {
    let systems = distinction.distinct(
      factors.systems.map { Environment(system: $0) }, on: [.style, .os])
    let contrasts = distinction.distinct(
      factors.contrasts.map { Environment(contrast: $0) }, on: [.contrast])
    let tongues = distinction.distinct(
      tongueEnvironments(distinction), on: [.language, .direction])
    let sizes = distinction.distinct(
      factors.contentSizes.map { Environment(contentSize: $0) }, on: [.contentSize])
    let common = [contrasts, tongues, sizes].reduce(systems) { Distinct.product($0, $1) }

    var seen: Set<[UInt16]> = []
    var environments: [Environment] = []
    for part in factors.parts {
      let hardware = distinction.distinct(
        part.hardware.flatMap { distinction.hardware($0) },
        on: [.memory, .subtype, .graphics, .scale, .gamut, .idiom])
      let windows = distinction.distinct(
        part.windows.flatMap { distinction.windows($0) }, on: [.width, .height])
      for own in Distinct.product(hardware, windows) where seen.insert(own.trace).inserted {
        environments += Distinct.product([own], common).map(\.environment)
      }
    }
    return environments
  }

  private func tongueEnvironments(_ distinction: Distinction) -> [Environment] {
    if let tongues = factors.tongues { return tongues.map { Environment(tongue: $0) } }
    let chains = [[]] + distinction.values(on: .language).filter { $0 != 0 }.map { [$0] }
    return chains.flatMap { chain in
      [Direction.leftToRight, .rightToLeft].map {
        Environment(tongue: Tongue(chain: chain, direction: $0))
      }
    }
  }
}

/// The value of an environment on some axes, and how the keys see it there.
private struct Distinct {
  var environment = Environment()
  var axes: [Axis] = []
  var trace: [UInt16] = []

  static func product(_ left: [Distinct], _ right: [Distinct]) -> [Distinct] {
    var products: [Distinct] = []
    products.reserveCapacity(left.count * right.count)
    for a in left {
      for b in right {
        var both = a
        for axis in b.axes { both.environment.adopt(axis, from: b.environment) }
        both.axes += b.axes
        both.trace += b.trace
        products.append(both)
      }
    }
    return products
  }
}

/// What a set of keys can tell apart on each axis.
package struct Distinction: Sendable {
  /// By the raw value of the axis: for each value that occurs, one key that has it.
  private let samples: [[VariantKey]]
  /// The languages that occur.
  private let languages: Set<UInt16>

  package init(_ keys: some Sequence<VariantKey>) {
    var samples = [[VariantKey]](repeating: [], count: Axis.allCases.count)
    var seen = [Set<UInt16>](repeating: [], count: Axis.allCases.count)
    for key in keys {
      for axis in Axis.allCases
      where seen[Int(axis.rawValue)].insert(key.value(on: axis)).inserted {
        samples[Int(axis.rawValue)].append(key)
      }
    }
    self.samples = samples
    languages = seen[Int(Axis.language.rawValue)]
  }

  fileprivate func values(on axis: Axis) -> [UInt16] {
    samples[Int(axis.rawValue)].map { $0.value(on: axis) }
  }

  /// The order in which an environment puts the values that occur on an axis: 0 for what may not be
  /// shown, then places from 1 on.
  private func appendTrace(of environment: Environment, on axis: Axis, to trace: inout [UInt16]) {
    let samples = samples[Int(axis.rawValue)]
    if samples.count == 1 {
      trace.append(environment.position(of: samples[0], on: axis) == nil ? 0 : 1)
      return
    }
    if axis == .language {
      appendLanguages(of: environment, to: &trace)
      return
    }
    let positions = samples.map { environment.position(of: $0, on: axis) }
    for position in positions {
      guard let position else {
        trace.append(0)
        continue
      }
      let place = positions.count { other in other.map { $0 < position } ?? false }
      trace.append(UInt16(clamping: 1 + place))
    }
  }

  /// Localizations can be thousands, of which a user reads a few: those alone, in their order.
  private func appendLanguages(of environment: Environment, to trace: inout [UInt16]) {
    let start = trace.count
    trace.append(0)
    for language in environment.languages where language != 0 && languages.contains(language) {
      trace.append(language)
    }
    trace[start] = UInt16(clamping: trace.count - start)
  }

  fileprivate func distinct(_ environments: [Environment], on axes: [Axis]) -> [Distinct] {
    var seen: Set<[UInt16]> = []
    var distinct: [Distinct] = []
    for environment in environments {
      var trace: [UInt16] = []
      for axis in axes { appendTrace(of: environment, on: axis, to: &trace) }
      if seen.insert(trace).inserted {
        distinct.append(Distinct(environment: environment, axes: axes, trace: trace))
      }
    }
    return distinct
  }

  /// A configuration with every value that an unknown trait of it can have.
  fileprivate func hardware(_ hardware: Hardware) -> [Environment] {
    var environments = [Environment(idiom: hardware.idiom)]
    func expand<Value>(_ values: [Value], _ set: (inout Environment, Value) -> Void) {
      if values.count == 1 {
        for place in environments.indices { set(&environments[place], values[0]) }
        return
      }
      environments = environments.flatMap { environment in
        values.map { value in
          var changed = environment
          set(&changed, value)
          return changed
        }
      }
    }
    expand(hardware.scale.map { [$0] } ?? [1, 2, 3]) { $0.scale = $1 }
    expand(hardware.gamut.map { [$0] } ?? Gamut.allCases) { $0.gamut = $1 }
    expand(hardware.subtype.map { [$0] } ?? subtypes) { $0.subtype = $1 }
    expand(hardware.memory.map { [$0] } ?? memories) { $0.memory = $1 }
    expand(hardware.graphics.map { [$0] } ?? graphics) { $0.graphics = $1 }
    return environments
  }

  fileprivate func windows(_ window: WindowClass) -> [Environment] {
    let heights = window.height.map { [$0] } ?? SizeClass.allCases
    return (window.width.map { [$0] } ?? SizeClass.allCases).flatMap { width in
      heights.map { Environment(width: width, height: $0) }
    }
  }

  private var subtypes: [UInt16] {
    let named = values(on: .subtype)
    let faces = named.contains { Subtype.watchFaces.contains($0) } ? Subtype.watchFaces : []
    return [0] + named.filter { $0 != 0 } + faces.filter { !named.contains($0) }
  }

  /// Between two amounts that keys ask for, all memories are alike.
  private var memories: [UInt8] {
    [0] + values(on: .memory).filter { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
  }

  /// Every set of the classes that keys ask for: recorded fallback lists leave some out.
  private var graphics: [GraphicsSupport] {
    values(on: .graphics).filter { $0 != 0 }.reduce([GraphicsSupport(mask: 1)]) { supports, value in
      supports + supports.map { GraphicsSupport(mask: $0.classes | 1 << UInt32(value)) }
    }
  }
}

extension Environment {
  fileprivate init(system: SystemStyle) {
    self.init()
    osGeneration = system.generation
    style = system.style
  }

  fileprivate init(contrast: Contrast) {
    self.init()
    self.contrast = contrast
  }

  fileprivate init(tongue: Tongue) {
    self.init()
    languages = tongue.chain
    direction = tongue.direction
  }

  fileprivate init(contentSize: ContentSize) {
    self.init()
    self.contentSize = contentSize
  }

  fileprivate init(idiom: Idiom) {
    self.init()
    self.idiom = idiom
  }

  fileprivate init(width: SizeClass, height: SizeClass) {
    self.init()
    self.width = width
    self.height = height
  }

  /// Takes the value on one axis from another environment.
  package mutating func adopt(_ axis: Axis, from other: Environment) {
    switch axis {
    case .style: style = other.style
    case .contrast: contrast = other.contrast
    case .language: languages = other.languages
    case .memory: memory = other.memory
    case .subtype: subtype = other.subtype
    case .graphics: graphics = other.graphics
    case .scale: scale = other.scale
    case .os: osGeneration = other.osGeneration
    case .direction: direction = other.direction
    case .gamut: gamut = other.gamut
    case .idiom: idiom = other.idiom
    case .width: width = other.width
    case .height: height = other.height
    case .contentSize: contentSize = other.contentSize
    }
  }
}
