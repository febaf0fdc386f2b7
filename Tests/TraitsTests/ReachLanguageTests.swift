// Reach over more languages than any app has: memory and time grow with the number, not its square.

import Foundation
import Testing

@testable import Traits

@Suite struct ReachLanguageTests {
  /// Returns the peak memory of this process in bytes.
  private func peak() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter(\.isNumber))) * 1024
  }

  @Test(.timeLimit(.minutes(2))) func memoryGrowsWithTheNumberOfLanguages() throws {
    let keys = (0...15_000).map { number in
      var key = VariantKey()
      key.locale = UInt16(number)
      return key
    }
    let device = try #require(Device(named: "iPhone8,1"))
    let reach = try Reach(of: device)
    let before = try peak()
    let environments = reach.environments(distinguishedBy: keys)
    // One environment for each language, and one for a user without any of them.
    #expect(environments.count == 15_001)
    #expect(Set(environments.map(\.languages)).count == 15_001)
    // A byte for each pair of them would be 225 MB.
    #expect(try peak() - before < 150 << 20)
  }

  @Test func languagesThatNoKeyHasMakeNoDifference() throws {
    var german = VariantKey()
    german.locale = nameIdentifier("de".utf8)
    var app = AppTraits()
    app.languages = ["fr", "de", "de-AT", "it"]
    let device = try #require(Device(named: "iPhone8,1"))
    let reach = try Reach(of: device, app: app)
    let chains = reach.environments(distinguishedBy: [VariantKey(), german]).map(\.languages)
    #expect(chains.count == 2 && chains.count { $0.contains(german.locale) } == 1)
  }
}
