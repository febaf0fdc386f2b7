// The known model that is used for a model that the table does not contain.

extension Device {
  /// Returns the known model that is nearest to an unknown one: of the same family, from the
  /// nearest generation, and there with the nearest number. Returns nil if no model of the family
  /// is known, or if the text is no identifier of a model.
  package static func nearest(to identifier: some StringProtocol) -> Device? {
    guard let asked = ModelNumber(identifier) else { return nil }
    // Every Mac presents the same traits, so the table has one row for all.
    if asked.isMac { return Device(named: "Mac") }
    func distance(_ device: Device) -> (Int, Int)? {
      guard let known = ModelNumber(device.identifier), known.family == asked.family else {
        return nil
      }
      return (abs(known.generation - asked.generation), abs(known.number - asked.number))
    }
    let ranked = all.compactMap { device in distance(device).map { (device, $0) } }
    return ranked.min { $0.1 < $1.1 }?.0
  }

  /// Returns the nearest model if the unknown one belongs to the newest known generation of its
  /// family, or to a later one. An older number is rather a spelling mistake, so it has none.
  package static func standIn(for identifier: some StringProtocol) -> Device? {
    guard Device(named: String(identifier)) == nil, let asked = ModelNumber(identifier) else {
      return nil
    }
    // The table has one row for every Mac, without a number.
    if asked.isMac { return nearest(to: identifier) }
    let known = all.compactMap { ModelNumber($0.identifier) }.filter { $0.family == asked.family }
    guard let newest = known.map(\.generation).max(), asked.generation >= newest else { return nil }
    return nearest(to: identifier)
  }
}

/// The parts of an identifier such as iPhone19,4.
private struct ModelNumber {
  var family: Substring
  var generation: Int
  var number: Int
  /// Whether the model is a Mac: "Mac16,1", "MacBookPro18,3", "iMac21,1".
  var isMac: Bool { family.hasPrefix("Mac") || family == "iMac" || family == "iMacPro" }

  init?(_ identifier: some StringProtocol) {
    let text = Substring(identifier)
    let family = text.prefix { $0.isASCII && $0.isLetter }
    let numbers = text.dropFirst(family.count).split(
      separator: ",", omittingEmptySubsequences: false)
    guard !family.isEmpty, numbers.count == 2,
      numbers.allSatisfy({ (1...4).contains($0.utf8.count) }),
      let generation = UInt16(numbers[0]), let number = UInt16(numbers[1])
    else { return nil }
    (self.family, self.generation, self.number) = (family, Int(generation), Int(number))
  }
}
