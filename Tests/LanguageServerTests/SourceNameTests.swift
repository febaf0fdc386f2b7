// Tests of the names of assets in sources: which strings and identifiers name an asset.

import Bytes
import Testing

@testable import LanguageServer

@Suite struct SourceNameTests {
  /// A line, the language, and the use in it as "kind name".
  private static let lines: [(String, SourceLanguage, String?)] = [
    (#"Image("Star")"#, .swift, "image Star"),
    (#"let a = UIImage(named: "Nav/Star", in: .module, with: nil)"#, .swift, "image Nav/Star"),
    (#"Color("Brand", bundle: .module)"#, .swift, "color Brand"),
    (#"NSDataAsset(name: "Facts")"#, .swift, "data Facts"),
    (#"Label("Title", image: "Star")"#, .swift, "image Star"),
    (#"Image(decorative: "Star")"#, .swift, "image Star"),
    (#"UIImage(imageLiteralResourceName: "Star")"#, .swift, "image Star"),
    (#"let a = #imageLiteral(resourceName: "Star")"#, .swift, "image Star"),
    (#"Image(systemName: "star")"#, .swift, nil),
    (#"Label("Title", systemImage: "star")"#, .swift, nil),
    (#"Text("Star")"#, .swift, nil),
    (#"Image("a\(b)")"#, .swift, nil),
    (#"// Image("Star")"#, .swift, nil),
    (#"    named: "Star")"#, .swift, "any Star"),
    ("Color(.brand)", .swift, "color .brand"),
    ("Image(.nav.star).resizable()", .swift, "image .nav.star"),
    ("view.tintColor = UIColor.brand", .swift, "color .brand"),
    ("let a: ImageResource = .star", .swift, "any .star"),
    ("ColorResource.brand", .swift, "color .brand"),
    ("Image(.`default`)", .swift, "image .default"),
    (#"[UIImage imageNamed:@"Star"]"#, .objectiveC, "image Star"),
    (#"[UIColor colorNamed:@"Brand" inBundle:b]"#, .objectiveC, "color Brand"),
    ("[UIImage imageNamed:ACImageNameStar]", .objectiveC, "image ACImageNameStar"),
    (#"NSLog(@"Star");"#, .objectiveC, nil),
  ]

  @Test(arguments: lines)
  func aLineNamesAnAsset(line: String, language: SourceLanguage, expected: String?) {
    let uses = assetUses(in: Array(line.utf8), language)
    let found = uses.map { use in
      let kind = use.kind.map { "\($0)" } ?? "any"
      return switch use.name {
      case .text(let name): "\(kind) \(name)"
      case .swift(let path): "\(kind) .\(path.joined(separator: "."))"
      case .constant(let name): "\(kind) \(name)"
      }
    }
    if let expected { #expect(found.contains(expected), "\(found)") } else { #expect(found == []) }
    for use in uses { #expect(use.range.upperBound <= line.utf8.count) }
  }

  @Test func theUseAtAPlaceIsFound() {
    let text = Array("let a = 1\nlet b = Image(\"Star\")\n".utf8)
    #expect(assetUse(at: 26, in: text, .swift)?.name == .text("Star"))
    #expect(assetUse(at: 3, in: text, .swift) == nil)
    #expect(assetUse(at: 99, in: text, .swift) == nil)
    for offset in 0...text.count { _ = assetUse(at: offset, in: text, .objectiveC) }
  }
}
