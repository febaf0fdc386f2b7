// Texts that demand much: JSON, property lists, requests of a batch, layered icons; and the
// well-known bombs of SVG and PDF.

extension Bomb {
  static let texts: [Bomb] = [
    contents("json-nesting", repeated("[", 100_000)),
    contents("json-nesting-objects", repeated(#"{"images":"#, 100_000)),
    contents("json-equal-keys", object(repeated(#""info":1,"#, 40_000))),
    contents("json-many-keys", object((0..<40_000).flatMap { Array(#""key\#($0)":1,"#.utf8) })),
    contents("json-million-keys", object((0..<1_000_000).flatMap { Array(#""\#($0)":1,"#.utf8) })),
    contents("json-long-number", object(Array(#""info":"#.utf8) + repeated("7", 1_000_000) + [44])),
    contents(
      "json-long-key", object(Array("\"".utf8) + repeated("imagez", 300_000) + Array("\":1,".utf8))),
    contents(
      "json-long-value",
      imageEntry(#""idiom":""# + String(repeating: "universall", count: 100_000) + "\"")),
    contents(
      "json-many-entries",
      entries(#"{"idiom":"universal","filename":"a.png","scale":"9x"}"#, 12_000)),
    contents("json-many-files", entries(#"{"idiom":"universal","filename":"none.png"}"#, 12_000)),
    contents(
      "json-many-unknown", entries(#"{"idiom":"univrsal","scal":"1x","filname":"a"}"#, 12_000)),
    contents(
      "json-escapes", object(Array("\"".utf8) + repeated(#"\u0041"#, 400_000) + Array("\":1,".utf8))
    ),
    contents(
      "json-backslashes",
      object(Array("\"".utf8) + repeated(#"\\"#, 1_000_000) + Array("\":1,".utf8))),
    contents(
      "json-lax-commas", Array("{\"images\":[".utf8) + repeated(",", 45_000) + Array("]}".utf8)),
    contents("json-unclosed", Array("{\"images\":[".utf8) + repeated("{\"idiom\":\"x\"},", 20_000)),
    contents("json-locales", entries(#"{"idiom":"universal","locale":"x-y"}"#, 12_000)),
    propertyList("plist-shared-text", sharedText),
    propertyList("plist-shared-arrays", sharedArrays),
    propertyList("plist-loop", loop),
    propertyList("plist-nesting", Array("<plist>".utf8) + repeated("<array>", 100_000)),
    propertyList(
      "plist-many-values",
      Array("<plist><dict><key>a</key><array>".utf8) + repeated("<true/>", 300_000)),
    propertyList("plist-comments", Array("<plist>".utf8) + repeated("<!-- -", 300_000)),
    propertyList("plist-entities", Array("<plist><dict><key>".utf8) + repeated("&amp;", 400_000)),
    propertyList("plist-languages", languages),
    batch("batch-nesting", repeated("[", 100_000) + [10]),
    batch(
      "batch-long-line", Array(#"{"asset":""#.utf8) + repeated("x", 4_000_000) + Array("\"}\n".utf8)
    ),
    batch(
      "batch-languages",
      Array(#"{"asset":"a","traits":{"language":""#.utf8) + repeated("de:", 300_000)
        + Array("\"}}\n".utf8)),
    Bomb("icon-many-groups", "contents", ["lint", "A.xcassets"]) {
      icon(
        #"{"layers":[{"name":"a","image-name":"a.svg"}],"shadow":{"kind":"neutral","opacity":0.5}}"#,
        5_000)
    },
    Bomb("icon-many-fills", "contents", compiling + ["--app-icon", "A"]) {
      icon(
        #"{"layers":[{"name":"a","image-name":"a.svg","fill-specializations":[{"value":"automatic"}]}]}"#,
        2_000)
    },
  ]

  /// Returns a bomb of the Contents.json of an image set. The fuzz target takes the first byte of
  /// the file as the type of the folder.
  private static func contents(
    _ name: String, _ json: @autoclosure @escaping @Sendable () -> [UInt8]
  ) -> Bomb {
    Bomb(name, "contents", ["lint", "A.xcassets"]) {
      [
        ("A.xcassets/P.imageset/Contents.json", json()),
        ("A.xcassets/Contents.json", Array(information.utf8)),
      ]
    }
  }

  private static func object(_ members: [UInt8]) -> [UInt8] {
    [UInt8(ascii: "{")] + members + Array(#""info":{"version":1,"author":"xcode"}}"#.utf8)
  }

  private static func entries(_ entry: String, _ count: Int) -> [UInt8] {
    Array(#"{"images":["#.utf8) + repeated(entry + ",", count) + Array((entry + "]}").utf8)
  }

  private static func imageEntry(_ member: String) -> [UInt8] {
    Array(#"{"images":[{\#(member)}],"info":{"version":1,"author":"xcode"}}"#.utf8)
  }

  private static func icon(_ group: String, _ count: Int) -> [File] {
    let json =
      Array(#"{"fill":"automatic","groups":["#.utf8) + repeated(group + ",", count)
      + Array((group + #"],"supported-platforms":{"squares":"shared"}}"#).utf8)
    let picture =
      #"<svg xmlns="http://www.w3.org/2000/svg" width="1024" height="1024"><rect width="9" height="9"/></svg>"#
    return [
      ("A.xcassets/A.icon/icon.json", json),
      ("A.xcassets/A.icon/Assets/a.svg", Array(picture.utf8)),
      ("A.xcassets/Contents.json", Array(information.utf8)),
    ]
  }

  private static func propertyList(
    _ name: String, _ bytes: @autoclosure @escaping @Sendable () -> [UInt8]
  ) -> Bomb {
    let command = ["devices", "--info-plist", "Info.plist", "iPhone8,1"]
    return Bomb(name, "property-list", command) { [("Info.plist", bytes())] }
  }

  private static func batch(
    _ name: String, _ line: @autoclosure @escaping @Sendable () -> [UInt8]
  ) -> Bomb {
    Bomb(name, "batch-line", ["resolve", "A.xcassets", "--batch", "lines.jsonl"]) {
      [
        ("lines.jsonl", line()), ("A.xcassets/Contents.json", Array(information.utf8)),
        (
          "A.xcassets/a.colorset/Contents.json",
          Array(
            #"{"colors":[{"idiom":"universal","color":{"color-space":"srgb","components":{"red":1,"green":1,"blue":1,"alpha":1}}}],"info":{"version":1,"author":"xcode"}}"#
              .utf8)
        ),
      ]
    }
  }

  // MARK: Binary property lists

  /// Returns a binary property list of these objects, with the table of their offsets. The first
  /// object is the outermost.
  private static func binaryList(_ objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for object in objects {
      table += bigEndian(bytes.count)
      bytes += object
    }
    let start = bytes.count
    bytes += table + [0, 0, 0, 0, 0, 0, 4, 4]
    for number in [objects.count, 0, start] { bytes += bigEndian(0) + bigEndian(number) }
    return bytes
  }

  private static func array(of references: [Int]) -> [UInt8] {
    [0xaf, 0x12] + bigEndian(references.count) + references.flatMap { bigEndian($0) }
  }

  /// A text of a megabyte to which there are 100,000 references.
  private static var sharedText: [UInt8] {
    let text = [0x5f, 0x12] + bigEndian(1 << 20) + [UInt8](repeating: 0x61, count: 1 << 20)
    let all = array(of: [Int](repeating: 3, count: 100_000))
    return binaryList([[0xd1] + bigEndian(1) + bigEndian(2), [0x51, 0x61], all, text])
  }

  /// Arrays of ten references to the next array: 10³⁰ values.
  private static var sharedArrays: [UInt8] {
    var objects: [[UInt8]] = [[0xd1] + bigEndian(1) + bigEndian(2), [0x51, 0x61]]
    for level in 0..<30 { objects.append(array(of: [Int](repeating: level + 3, count: 10))) }
    return binaryList(objects + [[0x09]])
  }

  private static var loop: [UInt8] {
    binaryList([[0xd1] + bigEndian(1) + bigEndian(2), [0x51, 0x61], array(of: [2, 2, 2])])
  }

  private static var languages: [UInt8] {
    Array("<plist><dict><key>CFBundleLocalizations</key><array>".utf8)
      + (0..<60_000).flatMap { Array("<string>l\($0)</string>".utf8) }
      + Array("</array></dict></plist>".utf8)
  }

  // MARK: Vectors

  /// The well-known bombs of SVG and PDF, made again.
  static let publicVectors: [Bomb] = [
    // "Billion laughs": entities of entities, and the same with `use`.
    vector("svg-billion-laughs", "svg") {
      var text = #"<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY l0 "lol">"#
      for level in 1...30 {
        text += #"<!ENTITY l\#(level) "\#(String(repeating: "&l\(level - 1);", count: 10))">"#
      }
      return Array(
        (text
          + #"]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&l30;</text></svg>"#)
          .utf8)
    },
    vector("svg-billion-uses", "svg") {
      var text =
        #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><defs><rect id="u0" width="1" height="1"/>"#
      for level in 1...30 {
        text +=
          #"<g id="u\#(level)">\#(String(repeating: ##"<use href="#u\##(level - 1)"/>"##, count: 10))</g>"#
      }
      return Array((text + ##"</defs><use href="#u30"/></svg>"##).utf8)
    },
    // "Quadratic blowup": one long entity with many references to it.
    vector("svg-quadratic-blowup", "svg") {
      let long = String(repeating: "a", count: 100_000)
      let head = #"<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "\#(long)">]>"#
      return Array(
        (head + #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>"#).utf8)
        + repeated("&a;", 100_000) + Array("</title></svg>".utf8)
    },
    vector("svg-nesting", "svg") {
      Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">"#.utf8)
        + repeated("<g>", 200_000)
    },
    vector("svg-attributes", "svg") {
      Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9""#.utf8)
        + (0..<60_000).flatMap { Array(" a\($0)='1'".utf8) } + Array("/>".utf8)
    },
    vector("svg-largest-page", "svg") {
      Array(
        #"<svg xmlns="http://www.w3.org/2000/svg" width="16000" height="16000"><rect width="9" height="9"/></svg>"#
          .utf8)
    },
    // Streams that decode to very many bytes, and nested filters.
    vector("pdf-deflate", "pdf") { pdf(content: unfolding(64 << 20), filter: "/FlateDecode") },
    vector("pdf-deflate-twice", "pdf") {
      pdf(content: deflated(unfolding(64 << 20)), filter: "[/FlateDecode /FlateDecode]")
    },
    vector("pdf-run-lengths", "pdf") {
      pdf(
        content: repeated("\u{1}", 0) + (0..<200_000).flatMap { _ in [129, 32] as [UInt8] },
        filter: "/RunLengthDecode")
    },
    vector("pdf-page-loop", "pdf") {
      Array(
        "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R 2 0 R]/Count 3>>endobj\ntrailer<</Root 1 0 R>>"
          .utf8)
    },
    vector("pdf-nested-arrays", "pdf") {
      Array("%PDF-1.4\n1 0 obj".utf8) + repeated("[", 200_000)
        + Array("\ntrailer<</Root 1 0 R>>".utf8)
    },
  ]

  private static func pdf(content: [UInt8], filter: String) -> [UInt8] {
    let head =
      "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
      + "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj\n"
      + "4 0 obj<</Length \(content.count)/Filter \(filter)>>stream\n"
    return Array(head.utf8) + content
      + Array("\nendstream endobj\ntrailer<</Root 1 0 R/Size 5>>".utf8)
  }
}
