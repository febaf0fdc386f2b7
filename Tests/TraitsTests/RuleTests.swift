// The worked examples of the rule.
import Testing
import Traits

@Suite struct RuleTests {
  @Test func nameNumbersAreTheKnownOnes() {
    #expect(nameIdentifier("AppIcon".utf8) == 6849)
    #expect(nameIdentifier("LaunchImage".utf8) == 36251)
  }

  @Test func lowerScaleComesFirst() {
    var one = VariantKey()
    var three = VariantKey()
    one.scale = 1
    three.scale = 3
    var environment = Environment()
    environment.scale = 2
    #expect(environment.winner(among: [one, three]) == 0)
  }
}
