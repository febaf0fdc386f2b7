// Tests malicious SVG files: reading each one ends soon, with a typed error or a picture.

import Bytes
import Testing

@testable import Vectors

private func read(_ text: String) -> Result<Drawing, VectorError> {
  do { return .success(try SVG.read(Array(text.utf8))) } catch { return .failure(error) }
}

private func error(of text: String) -> VectorError? {
  guard case .failure(let error) = read(text) else { return nil }
  return error
}

private func overBudget(_ text: String) -> OverBudget? {
  guard case .overBudget(let error) = error(of: text) else { return nil }
  return error
}

private let wrapped = "<svg width='10' height='10'>"

@Suite struct HostileSVGTests {
  @Test func entitiesGrowToALimit() {
    var text = "<!DOCTYPE svg [<!ENTITY a0 'aaaaaaaaaaaaaaaa'>"
    for i in 1...9 {
      let last = "&a\(i - 1);"
      text += "<!ENTITY a\(i) '\(String(repeating: last, count: 10))'>"
    }
    text += "]><svg width='1' height='1' id='&a9;'/>"
    #expect(overBudget(text)?.account == .memory)
    #expect(overBudget(text)?.shares.first?.expense == .lexedBytes)
  }

  @Test func anEntityOfItselfEnds() {
    let text = "<!DOCTYPE svg [<!ENTITY a '&a;&a;'>]><svg width='1' height='1' id='&a;'/>"
    #expect(error(of: text) == .overLimit(.nesting, most: 16))
  }

  @Test func entitiesOfTheFileAreReplaced() throws {
    let text =
      "<!DOCTYPE svg [<!ENTITY w '2&#48;'> <!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
      + "<svg width='&w;' height='&#x31;0'/>"
    let drawing = try read(text).get()
    #expect(drawing.width == 20 && drawing.height == 10)
    #expect(error(of: "<svg width='&x;' height='1'/>") == .malformed(.unknownEntity, offset: 13))
  }

  @Test func elementsThatUseThemselvesEndAfterOneRound() throws {
    let own = try read(
      "\(wrapped)<g id='a'><rect width='2' height='2'/><use href='#a' x='5'/></g></svg>"
    ).get()
    #expect(own.page.count == 1)
    let picture = try Picture(own)
    #expect(picture.rgba(1, 1) == black && picture.rgba(6, 1) == nothing)
    // Each group shows its square, that of the other group, and once more its own; then the circle
    // ends.
    let text =
      "\(wrapped)<g id='a'><rect width='2' height='2'/><use href='#b'/></g>"
      + "<g id='b'><rect x='4' width='2' height='2'/><use href='#a'/></g></svg>"
    let circle = try read(text).get()
    #expect(circle.page.count == 6)
    #expect(try Picture(circle).alphas[1] == [255, 255, 0, 0, 255, 255, 0, 0, 0, 0])
  }

  @Test func useAmplifiesToALimit() {
    var text = "\(wrapped)<defs><g id='a0'><path d='M0 0h1v1z'/></g>"
    for i in 1...12 {
      let last = "<use href='#a\(i - 1)'/>"
      text += "<g id='a\(i)'>\(String(repeating: last, count: 10))</g>"
    }
    text += "</defs><use href='#a12'/></svg>"
    #expect(overBudget(text) != nil)
  }

  @Test func useRepeatsPathsToALimit() {
    let data = String(repeating: "1 1", count: 3_000)
    var text = "\(wrapped)<defs><path id='a0' d='M0 0 \(data)'/>"
    for i in 1...12 { text += "<g id='a\(i)'><use href='#a\(i - 1)'/><use href='#a\(i - 1)'/></g>" }
    text += "</defs><use href='#a12'/></svg>"
    #expect(overBudget(text)?.account == .memory)
    #expect(overBudget(text)?.shares.first?.expense == .pathPoints)
  }

  /// Every clip path is clipped by the next one, and so are its contents.
  @Test func clipsOfClipsAmplifyToALimit() {
    var text = wrapped
    for i in 0..<40 {
      let next = "clip-path='url(#c\(i + 1))'"
      text += "<clipPath id='c\(i)' \(next)><rect width='9' height='9' \(next)/></clipPath>"
    }
    text += "<rect width='9' height='9' clip-path='url(#c0)'/></svg>"
    #expect(overBudget(text) != nil)
  }

  @Test func rulesAreTriedToALimit() {
    let rules = String(repeating: "rect{opacity:1}", count: 3_000)
    let shapes = String(repeating: "<rect/>", count: 3_000)
    let text = "\(wrapped)<style>\(rules)</style>\(shapes)</svg>"
    #expect(overBudget(text)?.account == .work)
  }

  /// Selectors whose match depends on the nearest ancestor or on farther ones, with child and
  /// descendant combinators in any mixture.
  @Test(arguments: [
    ("b c", true), ("a c", true), ("a > b c", true), ("a > c", false), ("a b > d", false),
    ("a > b > c d", true), ("x > b d", false), ("a b b d", true), ("a > b > b d", false),
    ("a > b c > d", true), ("a b c b d", true), ("c b c b d", false), ("d", true), ("* > d", true),
    ("c > d", true),
  ])
  func selectorsAreMatchedFromTheRight(_ selector: String, isFound: Bool) throws {
    // a > b > c > b > c > d, written as classes of groups.
    let open = ["a", "b", "c", "b", "c"].map { "<g class='\($0)'>" }.joined()
    let classes = selector.split(separator: " ").map { part in
      part == ">" || part == "*" ? String(part) : ".\(part)"
    }.joined(separator: " ")
    let text =
      "\(wrapped)<style>\(classes){fill:red}</style>\(open)<rect class='d' width='9' height='9'/>"
      + String(repeating: "</g>", count: 5) + "</svg>"
    let drawing = try read(text).get()
    #expect(drawing.page.first?.paint == .color(isFound ? Color(1, 0, 0) : .black))
  }

  @Test(arguments: [true, false], [true, false])
  func textsOfTwoBytesALetter(isBig: Bool, hasMark: Bool) throws {
    let text = "<svg width='10' height='5'><title>\u{e9}\u{1F3A8}</title></svg>"
    var bytes: [UInt8] = hasMark ? (isBig ? [0xFE, 0xFF] : [0xFF, 0xFE]) : []
    for unit in text.utf16 {
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
      bytes += isBig ? [high, low] : [low, high]
    }
    let drawing = try SVG.read(bytes)
    #expect(drawing.width == 10 && drawing.height == 5)
    #expect(throws: VectorError.self) { try SVG.read(Array(bytes.dropLast(3))) }
  }

  @Test func nestingHasALimit() {
    let open = String(repeating: "<g>", count: 2_000)
    let close = String(repeating: "</g>", count: 2_000)
    #expect(error(of: wrapped + open + close + "</svg>") == .overLimit(.nesting, most: 1_000))
    // Chains of references, which are not nested in the file.
    let numbers = 1..<5_000
    let body = "<rect width='9' height='9'/>"
    let last = "<rect width='9' height='9' mask='url(#a4999)' clip-path='url(#a4999)'/></svg>"
    let masks = numbers.map { "<mask id='a\($0)' mask='url(#a\($0 - 1))'>\(body)</mask>" }
    #expect(error(of: wrapped + masks.joined() + last) == .overLimit(.nesting, most: 200))
    let clips = numbers.map {
      "<clipPath id='a\($0)' clip-path='url(#a\($0 - 1))'>\(body)</clipPath>"
    }
    #expect(error(of: wrapped + clips.joined() + last) == .overLimit(.nesting, most: 200))
    let uses = numbers.map { "<use id='b\($0)' href='#b\($0 - 1)'/>" }
    let clip = "<clipPath id='a4999'><use href='#b4999'/></clipPath>"
    #expect(error(of: wrapped + uses.joined() + clip + last) == .overLimit(.nesting, most: 200))
    let groups = String(repeating: "<g opacity='.9'>", count: 150)
    let ends = String(repeating: "</g>", count: 150)
    let two = "<rect width='9' height='9'/><rect width='5' height='9'/>"
    // Every group holds two items, so that no group is drawn as a single item.
    let deep = wrapped + groups.replacing("<g", with: two + "<g") + two + ends + "</svg>"
    guard let drawing = try? read(deep).get() else {
      Issue.record("not read")
      return
    }
    #expect(throws: VectorError.overLimit(.nesting, most: 48)) { try Picture(drawing) }
  }

  @Test(arguments: [
    "", "<", "<svg", "<svg width='1", "<svg width='1' height='1'>", "</svg>", "<svg/>x", "<a/>",
    "<svg width='1' height='1'/><svg/>", "<svg width=1/>", "<!DOCTYPE", "<!DOCTYPE svg [<!ENTITY a",
    "<?xml", "<!--", "<svg width='0' height='1'/>", "<svg width='nan' height='1'/>",
    "<svg width='1e999' height='1'/>", "<svg viewBox='0 0 0 5'/>", "<svg id='&#xFFFFFFFF;'/>",
    "<svg id='&;'/>", "<svg id='&'/>", "<![CDATA[",
  ])
  func textsThatAreNoSVGAreRefused(_ text: String) {
    guard case .failure = read(text) else {
      Issue.record("read")
      return
    }
  }

  @Test(arguments: [
    "<path d='M1e308 1e308L-1e308 1e308 1e308-1e308C1e308 0 0 1e308-1e308 0z' stroke='red' stroke-width='1e300'/>",
    "<path d='M0 0A1e-300 1e300 45 1 1 9 9' stroke='red' stroke-width='3'/>",
    "<path d='M0 0L' /><path d='L1 1'/><path d='M'/><path d='M0,0,,1z'/><path d='zzz'/>",
    "<path d='M0 5h10' stroke='red' stroke-dasharray='1e-300'/>",
    "<path d='M0 5h1e300' stroke='red' stroke-dasharray='1e-9 1e-9' stroke-dashoffset='1e200'/>",
    "<g transform='scale(1e300)'><g transform='scale(1e300)'><rect width='9' height='9'/></g></g>",
    "<g transform='matrix(1 2 2 4 0 0)'><circle r='9' stroke='red' fill='url(#a)'/></g>",
    "<radialGradient id='a' r='1e-300' fx='1e300'><stop/><stop offset='1'/></radialGradient><rect width='9' height='9' fill='url(#a)'/>",
    "<linearGradient id='a' xlink:href='#a'/><rect width='9' height='9' fill='url(#a)'/>",
    "<pattern id='a' width='1' height='1'><rect width='9' height='9' fill='url(#a)'/></pattern><rect width='9' height='9' fill='url(#a)'/>",
    "<pattern id='a' width='1e-9' height='1e-9'><rect width='9' height='9'/></pattern><rect width='9' height='9' fill='url(#a)'/>",
    "<mask id='a' mask='url(#a)'><rect width='9' height='9' mask='url(#a)'/></mask><rect width='9' height='9' mask='url(#a)'/>",
    "<clipPath id='a' clip-path='url(#a)'><rect width='9' height='9' clip-path='url(#a)'/></clipPath><rect width='9' height='9' clip-path='url(#a)'/>",
    "<style>.a{fill:red</style><style>}{;:}@x{{</style><style>,{}#{}.{}</style><rect class='a'/>",
    "<rect style=';;;fill;:red;stroke:url(;stroke:url(#;opacity:nan' width='5' height='5'/>",
    "<svg viewBox='0 0 1e-300 1e300'><rect width='9' height='9'/></svg>",
    "<ellipse rx='1e300' ry='1e-300' stroke='red'/>",
  ])
  func oddNumbersAndCirclesDoNotSpoilTheRest(_ body: String) throws {
    let last = "<rect x='9' y='9' width='1' height='1' fill='#f00'/></svg>"
    #expect(try Picture(read(wrapped + body + last).get()).rgba(9, 9) == red)
  }

  @Test func unsupportedFeaturesAreNamed() throws {
    let body =
      "<style>rect:hover{fill:red}</style><text>a</text><image href='a.png'/><script/><animate/>"
      + "<foreignObject/><rect filter='url(#f)' width='1' height='1'/>"
      + "<marker id='m'/><g marker-end='url(#m)'><path d='M0 0h1v1z'/></g>"
    let drawing = try read(wrapped + body + "</svg>").get()
    #expect(
      Set(drawing.unsupported) == [
        .styleRule, .text, .image, .script, .animation, .foreignObject, .filter, .marker,
      ])
    #expect(try read(wrapped + "<rect filter='none'/></svg>").get().unsupported.isEmpty)
  }

  @Test func sizesAndViewBoxes() throws {
    func size(_ attributes: String) throws -> [Double] {
      let drawing = try read("<svg \(attributes)/>").get()
      return [drawing.width, drawing.height]
    }
    #expect(try size("viewBox='0 0 24 12'") == [24, 12])
    #expect(try size("width='2in' height='30px' viewBox='0 0 24 12'") == [192, 30])
    #expect(try size("width='100%' height='50%' viewBox='0 0 24 12'") == [24, 6])
    let wide = try Picture(
      read("<svg width='20' height='10' viewBox='0 0 5 5'><rect width='5' height='5'/></svg>").get()
    )
    #expect(
      wide.alphas[5]
        == Array(
          [
            [], [UInt8](repeating: 0, count: 5), [UInt8](repeating: 255, count: 10),
            [UInt8](repeating: 0, count: 5),
          ].joined()))
    let stretched = try Picture(
      read(
        "<svg width='20' height='10' viewBox='1 0 5 5' preserveAspectRatio='none'><rect x='1' width='5' height='5'/></svg>"
      ).get())
    #expect(stretched.alphas[5] == [UInt8](repeating: 255, count: 20))
    let right = try Picture(
      read(
        "<svg width='20' height='10' viewBox='0 0 5 5' preserveAspectRatio='xMaxYMid'><rect width='5' height='5'/></svg>"
      ).get())
    #expect(right.alphas[5][9] == 0 && right.alphas[5][10] == 255)
    let slice = try Picture(
      read(
        "<svg width='20' height='10' viewBox='0 0 5 5' preserveAspectRatio='xMidYMin slice'><rect width='5' height='2'/></svg>"
      ).get())
    #expect(slice.alphas[7][0] == 255 && slice.alphas[8][0] == 0)
  }
}
