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

  /// Returns the processor time of the reach of a device, for an app with many languages.
  private func cost(ofLanguages count: Int) throws -> Double {
    let device = try #require(Device(named: "iPhone8,1"))
    var app = AppTraits()
    app.languages = (0..<count).map { "l\($0)" }
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    _ = try Reach(of: device, app: app)
    return now() - start
  }

  @Test func theTimeGrowsWithTheNumberOfLanguages() throws {
    let few = try (0..<3).map { _ in try cost(ofLanguages: 5_000) }.min() ?? 0
    let many = try (0..<3).map { _ in try cost(ofLanguages: 40_000) }.min() ?? 0
    // A comparison of each language with each other one makes it 40 times as long.
    #expect(many < 20 * few, "\(few), \(many)")
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
