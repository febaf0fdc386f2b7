// Enumerates the environments of a reach between which a set of keys can distinguish.
//
// Two environments are equal for a set of keys if they put the keys into the same order. For each
// axis this order is a *trace*: the values that occur in the keys and that can be shown, each with
// its place. An example: the keys constrain memory by 0, 2 and 4 GB.
//
//     memory of the device   chain            trace
//     3 GB                   3, 2, 1, 0       0 at 2, 2 at 1
//     2 GB                   2, 1, 0          0 at 2, 2 at 1    the same: one of the two is enough
//     8 GB                   8, 7 … 1, 0      0 at 3, 2 at 2, 4 at 1
//
// Each factor of the reach is reduced to one environment for each trace before the product is
// formed. So the cost depends on what the keys distinguish, not on the size of the product.

extension Reach {
  /// Returns one environment for each order into which environments of the reach put these keys.
  /// The same keys win in them as in the whole reach. An unknown trait can have any value.
  package func environments(distinguishedBy keys: some Sequence<VariantKey>) -> [Environment] {
    environments(distinguishedBy: Distinction(keys))
  }

  package func environments(distinguishedBy distinction: Distinction) -> [Environment] {
    let systems = distinction.traced(
      factors.systems.map { Environment(system: $0) }, on: [.style, .os])
    let contrasts = distinction.traced(
      factors.contrasts.map { Environment(contrast: $0) }, on: [.contrast])
    let userLanguages = distinction.traced(
      languageEnvironments(distinction), on: [.language, .direction])
    let sizes = distinction.traced(
      factors.contentSizes.map { Environment(contentSize: $0) }, on: [.contentSize])
    let common = [contrasts, userLanguages, sizes].reduce(systems) {
      TracedEnvironment.product($0, $1)
    }

    var seen: Set<[UInt16]> = []
    var environments: [Environment] = []
    for part in factors.parts {
      let hardware = distinction.traced(
        part.hardware.flatMap { distinction.hardware($0) },
        on: [.memory, .subtype, .graphics, .scale, .gamut, .idiom])
      let windows = distinction.traced(
        part.windows.flatMap { distinction.windows($0) }, on: [.width, .height])
      let ofPart = TracedEnvironment.product(hardware, windows)
      for own in ofPart where seen.insert(own.trace).inserted {
        environments += TracedEnvironment.product([own], common).map(\.environment)
      }
    }
    return environments
  }

  private func languageEnvironments(_ distinction: Distinction) -> [Environment] {
    if let userLanguages = factors.userLanguages {
      return userLanguages.map { Environment(userLanguages: $0) }
    }
    let chains = [[]] + distinction.values(on: .language).filter { $0 != 0 }.map { [$0] }
    return chains.flatMap { chain in
      [Direction.leftToRight, .rightToLeft].map {
        Environment(userLanguages: UserLanguages(chain: chain, direction: $0))
      }
    }
  }
}

/// The values of an environment on some axes, with their trace.
private struct TracedEnvironment {
  var environment = Environment()
  var axes: [Axis] = []
  var trace: [UInt16] = []

  static func product(
    _ left: [TracedEnvironment], _ right: [TracedEnvironment]
  ) -> [TracedEnvironment] {
    var products: [TracedEnvironment] = []
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

/// The differences that a set of keys can see on each axis.
package struct Distinction: Sendable {
  /// By the raw value of the axis: one key for each value that occurs.
  private let samples: [[VariantKey]]
  /// The languages that occur.
  private let languages: Set<UInt16>
  /// The places of the subtypes in their samples. There can be thousands, and a chain is short.
  private let subtypeNumbers: [UInt16: Int]

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
    subtypeNumbers = Dictionary(
      samples[Int(Axis.subtype.rawValue)].enumerated().map { ($0.element.subtype, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  fileprivate func values(on axis: Axis) -> [UInt16] {
    samples[Int(axis.rawValue)].map { $0.value(on: axis) }
  }

  /// At least the number of environments that the keys can distinguish on a device about which
  /// nothing is known.
  fileprivate var environmentBound: Int {
    Axis.allCases.reduce(1) { product, axis in
      let (result, overflows) = product.multipliedReportingOverflow(by: bound(on: axis))
      return overflows ? .max : result
    }
  }

  private func bound(on axis: Axis) -> Int {
    let count = samples[Int(axis.rawValue)].count
    if count == 1, values(on: axis)[0] == axis.row.unconstrained { return 1 }
    switch axis {
    // The idiom of a device is known.
    case .idiom: return 1
    case .contrast, .gamut, .direction: return 2
    case .scale, .style, .width, .height: return min(count + 1, 3)
    case .subtype: return subtypes.count
    case .graphics: return graphics.count
    case .language, .memory, .os, .contentSize: return count + 1
    }
  }

  /// Appends the trace of an environment on one axis: the number of values that can be shown, and
  /// each of them with its place from 1 on. There can be thousands of subtypes, and a device shows
  /// two of them, so values that cannot be shown are left out.
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
    var shown: [(number: Int, position: UInt64)] = []
    func look(at number: Int) {
      if let position = environment.position(of: samples[number], on: axis) {
        shown.append((number, position))
      }
    }
    if axis == .subtype {
      Subtype.chain(of: environment.subtype).compactMap { subtypeNumbers[$0] }.sorted()
        .forEach(look)
    } else {
      samples.indices.forEach(look)
    }
    trace.append(UInt16(clamping: shown.count))
    for (number, position) in shown {
      let place = shown.count { $0.position < position }
      trace.append(UInt16(clamping: number))
      trace.append(UInt16(clamping: 1 + place))
    }
  }

  /// Appends the languages of the environment that occur in keys, in their order. There can be
  /// thousands of localizations, and a user reads a few of them, so a place for each would be
  /// wasteful.
  private func appendLanguages(of environment: Environment, to trace: inout [UInt16]) {
    let start = trace.count
    trace.append(0)
    for language in environment.languages where language != 0 && languages.contains(language) {
      trace.append(language)
    }
    trace[start] = UInt16(clamping: trace.count - start)
  }

  /// Returns the first environment of each trace.
  fileprivate func traced(_ environments: [Environment], on axes: [Axis]) -> [TracedEnvironment] {
    var seen: Set<[UInt16]> = []
    var traced: [TracedEnvironment] = []
    for environment in environments {
      var trace: [UInt16] = []
      for axis in axes { appendTrace(of: environment, on: axis, to: &trace) }
      if seen.insert(trace).inserted {
        traced.append(TracedEnvironment(environment: environment, axes: axes, trace: trace))
      }
    }
    return traced
  }

  /// Returns a configuration with every value that its unknown traits can have.
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

  /// The memories that make a difference: between two amounts that keys ask for, all are equal.
  private var memories: [UInt8] {
    [0] + values(on: .memory).filter { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
  }

  /// Every support of at most two of the classes that keys ask for. Recorded lists of classes can
  /// omit any class, but longer lists show nothing else: which of two keys is better depends only
  /// on these two keys, and a support of fewer classes only removes keys. So a key that wins in any
  /// support also wins in one of its own class, and two sets of keys that show different keys in
  /// any support also do so in one of the classes of these two.
  private var graphics: [GraphicsSupport] {
    let classes = values(on: .graphics).filter { $0 != 0 }.map { UInt32(1) << UInt32($0) }
    var supports = [GraphicsSupport(mask: 1)]
    for (place, one) in classes.enumerated() {
      supports.append(GraphicsSupport(mask: one))
      supports += classes[..<place].map { GraphicsSupport(mask: one | $0) }
    }
    return supports
  }
}

/// The variants of an asset distinguish too many combinations of traits to decide about each of
/// them.
package struct TooManyCombinations: Sendable, Hashable {
  /// The largest number of combinations for the number of these variants.
  package let most: Int

  /// The number of steps that a decision about one asset may take: for each combination, making it
  /// and comparing each variant that it can show. Assets of apps need some hundred.
  private static let mostSteps = 1 << 24
  /// Making a combination takes about as long as comparing this number of variants.
  private static let stepsOfOne = 32

  /// Returns nil if the keys distinguish few enough combinations.
  package init?(_ keys: [VariantKey]) {
    var counts: [UInt16: Int] = [:]
    for key in keys { counts[key.locale, default: 0] += 1 }
    let ofOneLanguage = counts.filter { $0.key != 0 }.values.max() ?? 0
    most = Self.mostSteps / (Self.stepsOfOne + (counts[0] ?? 0) + ofOneLanguage)
    if Distinction(keys).environmentBound <= most { return nil }
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

  fileprivate init(userLanguages: UserLanguages) {
    self.init()
    languages = userLanguages.chain
    direction = userLanguages.direction
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
