// Tests that a catalogue and the archive that is compiled from it give the same answer to every
// request.

import Foundation
import Support
import Testing

@Suite struct AgreementTests {
  private let values: [(key: String, values: [String])] = [
    ("scale", ["1", "2", "3"]), ("idiom", ["phone", "pad", "car", "universal"]),
    ("style", ["any", "light", "dark", "tinted"]), ("contrast", ["normal", "high"]),
    ("width", ["any", "compact", "regular"]), ("height", ["any", "compact", "regular"]),
    ("gamut", ["sRGB", "P3"]), ("direction", ["ltr", "rtl", "none"]),
    ("memory", ["0", "1", "3", "8"]), ("graphics", ["APPLE1", "APPLE2", "APPLE5"]),
    ("language", ["de", "fr:en", "es-MX", "zh-Hant-TW"]), ("os", ["12", "13", "17.4"]),
  ]

  /// Returns the names below a catalogue's folder, as the resolver of the catalogue can know them.
  private func names(_ catalog: String) throws -> [(name: String, kind: String)] {
    let kinds = [
      "imageset": "image", "colorset": "color", "dataset": "data", "symbolset": "symbol",
    ]
    let paths = try FileManager.default.subpathsOfDirectory(atPath: catalog).sorted()
    return paths.flatMap { path -> [(String, String)] in
      let url = URL(fileURLWithPath: path)
      guard let kind = kinds[url.pathExtension] else { return [] }
      let long = String(path.dropLast(url.pathExtension.count + 1))
      return [(long, kind), (url.deletingPathExtension().lastPathComponent, kind)]
    }
  }

  @Test(arguments: sampleNames.filter { !["Broken", "AppIcon", "LayeredIcon"].contains($0) })
  func theArchiveAnswersAsTheCatalogueDoes(sample: String) throws {
    var random = SeededGenerator.forTest(40)
    let folder = try TemporaryDirectory()
    let catalog = "\(sampleCatalogs)/\(sample).xcassets"
    let archive = folder.path("out.car")
    #expect(try runTool(["compile", catalog, "-o", archive]).code == 0)
    var lines: [String] = []
    for (name, kind) in try names(catalog) {
      for _ in 0..<25 {
        let traits = values.filter { _ in random.pick(0...1) == 0 }.map { key, values in
          "\"\(key)\":\"\(values[random.pick(0...values.count - 1)])\""
        }
        lines.append(
          "{\"asset\":\"\(name)\",\"kind\":\"\(kind)\",\"traits\":{\(traits.joined(separator: ","))}}"
        )
      }
    }
    let batch = try folder.write(lines.joined(separator: "\n"), to: "batch.jsonl")
    let fromCatalog = try runTool(["resolve", catalog, "--batch", batch])
    let fromArchive = try runTool(["resolve", archive, "--batch", batch])
    #expect(fromCatalog.code == 0 && fromArchive.code == 0, "\(fromCatalog.stderr)")
    let answers = fromCatalog.stdout.split(separator: "\n")
    #expect(answers.count == lines.count)
    #expect(answers.contains { $0.contains("\"found\":true") })
    for (line, pair) in zip(lines, zip(answers, fromArchive.stdout.split(separator: "\n"))) {
      #expect(pair.0 == pair.1, "\(random) \(line)")
    }
  }

  /// Tables of an icon's sizes are not pictures; the answer is the largest of its sizes.
  @Test func anIconIsAPictureOfItsLargestSize() throws {
    let folder = try TemporaryDirectory()
    let catalog = sampleCatalogs + "/AppIcon.xcassets"
    let archive = folder.path("icon.car")
    #expect(try runTool(["compile", catalog, "-o", archive, "--include-all-app-icons"]).code == 0)
    let rows = [
      ("idiom=phone,scale=1", "icon-120.png"), ("idiom=phone,scale=2", "icon-120.png"),
      ("idiom=phone,scale=3", "icon-180.png"), ("idiom=pad,scale=1", "icon-76.png"),
      ("idiom=pad,scale=2", "icon-167.png"), ("idiom=marketing,scale=3", "icon-1024.png"),
    ]
    for (traits, file) in rows {
      for source in [catalog, archive] {
        let answer = try runTool(["resolve", source, "AppIcon", "--traits", traits]).stdout
        #expect(answer.hasPrefix(file + " ("), "\(source) \(traits): \(answer)")
      }
    }
  }

  /// Icons of every kind whose key in the archive differs from their entry in the catalogue.
  @Test(arguments: [
    ("iphoneos", #"{"size":"60x60","scale":"3x","idiom":"iphone","filename":"a.png"}"#, 180),
    (
      "iphoneos",
      #"{"size":"60x60","scale":"3x","idiom":"iphone","filename":"a.png"},"#
        + #"{"size":"20x20","scale":"2x","idiom":"ipad","filename":"b.png"}"#, 180
    ),
    (
      "iphoneos", #"{"size":"1024x1024","idiom":"universal","platform":"ios","filename":"a.png"}"#,
      64
    ),
    (
      "iphoneos",
      #"{"size":"1024x1024","idiom":"universal","filename":"b.png"},"#
        + #"{"size":"1024x1024","idiom":"universal","platform":"ios","filename":"a.png"}"#, 64
    ),
    ("macosx", #"{"size":"16x16","scale":"2x","idiom":"mac","filename":"a.png"}"#, 32),
    (
      "macosx",
      #"{"size":"16x16","scale":"2x","idiom":"mac","filename":"a.png"},{"size":"16x16","#
        + #""scale":"2x","idiom":"mac","filename":"b.png","appearances":[{"appearance":"#
        + #""luminosity","value":"dark"}]}"#, 32
    ),
    (
      "watchos",
      #"{"size":"1024x1024","idiom":"universal","platform":"watchos","filename":"a.png"}"#, 64
    ),
  ])
  func iconsAnswerAlike(platform: String, entries: String, side: Int) throws {
    let folder = try TemporaryDirectory()
    let set = "A.xcassets/Icon.appiconset"
    try folder.write("{\"images\":[\(entries)]}", to: "\(set)/Contents.json")
    for name in ["a", "b"] {
      try folder.write(
        png(width: side, height: side, red: name == "a" ? 1 : 2), to: "\(set)/\(name).png")
    }
    let words = ["compile", "A.xcassets", "-o", "out.car", "--platform", platform]
    let made = try runTool(words + ["--include-all-app-icons"], in: folder.path)
    #expect(made.code == 0, "\(made.stderr)")
    let idioms = ["iphoneos": ["phone", "pad", "car"], "macosx": ["mac"], "watchos": ["watch"]]
    var lines: [String] = []
    for idiom in idioms[platform] ?? [] {
      for scale in 1...3 {
        for subtype in [0, 1792] {
          for style in ["any", "dark"] {
            lines.append(
              #"{"asset":"Icon","kind":"icon","traits":{"idiom":"\#(idiom)","scale":\#(scale),"#
                + #""subtype":\#(subtype),"style":"\#(style)"}}"#)
          }
        }
      }
    }
    try folder.write(lines.joined(separator: "\n"), to: "batch.jsonl")
    func answers(_ source: String) throws -> [Substring] {
      let result = try runTool(["explain", source, "--batch", "batch.jsonl"], in: folder.path)
      #expect(result.code == 0, "\(result.stderr)")
      return result.stdout.split(separator: "\n").map { line in
        // The answer for a catalogue also names the place of each candidate.
        line[..<(line.range(of: #","candidates""#)?.lowerBound ?? line.endIndex)]
      }
    }
    let found = try answers("A.xcassets")
    #expect(found.count == lines.count && found.contains { $0.contains(#""file":"a.png""#) })
    #expect(try answers("out.car") == found)
  }

  @Test func explainAnswersABatchWithEveryCandidate() throws {
    let folder = try TemporaryDirectory()
    let line = #"{"asset":"Star","traits":{"scale":2,"width":"compact"}}"#
    let batch = try folder.write("\(line)\n\(line)\n", to: "batch.jsonl")
    let result = try runTool(
      ["explain", "SizeClasses.xcassets", "--batch", batch], in: sampleCatalogs)
    let lines = result.stdout.split(separator: "\n")
    #expect(lines.count == 2 && lines[0] == lines[1])
    #expect(lines.allSatisfy { $0.contains(#""candidates":[{"variant":"#) }, "\(result.stderr)")
  }

  /// Each way to name a pipe, compared with a file of the same contents.
  @Test(arguments: [
    "--batch - <batch.jsonl", "--batch /dev/stdin <batch.jsonl", "--batch - < <(cat batch.jsonl)",
    "--batch /dev/stdin < <(cat batch.jsonl)", "--batch <(cat batch.jsonl)",
    "--batch <(printf %s \"$(cat batch.jsonl)\")",
  ])
  func aPipeIsAnsweredAsAFileIs(words: String) throws {
    let folder = try TemporaryDirectory()
    // The input is longer than one read.
    let blanks = String(repeating: " ", count: 500)
    let line = #"{"asset":"Star","traits":{"scale":2,\#(blanks)"width":"compact"}}"# + "\n"
    try folder.write(String(repeating: line, count: 200), to: "batch.jsonl")
    let tool = "'\(productFolder)/carve' resolve '\(sampleCatalogs)/SizeClasses.xcassets'"
    let plain = try run("/bin/bash", ["-c", "\(tool) --batch batch.jsonl"], in: folder.path)
    #expect(plain.code == 0 && plain.stdout.split(separator: "\n").count == 200)
    let piped = try run("/bin/bash", ["-c", "\(tool) \(words)"], in: folder.path)
    #expect(piped.code == 0, "\(piped.stderr)")
    #expect(piped.output == plain.output)
  }

  @Test func whoAsksLineByLineGetsEachAnswerBeforeTheNextQuestion() throws {
    let script = """
      coproc CARVE { "$1" resolve SizeClasses.xcassets --batch -; }
      for scale in 1 2 3; do
        echo '{"asset":"Star","traits":{"scale":'$scale'}}' >&${CARVE[1]}
        read -r -t 60 answer <&${CARVE[0]} && echo "$answer"
      done
      """
    let result = try run(
      "/bin/bash", ["-c", script, "bash", productFolder + "/carve"], in: sampleCatalogs)
    let files = result.stdout.split(separator: "\n").compactMap { line in
      ["star-any.png", "star-any@2x.png", "star-any@3x.png"].first { line.contains("\"\($0)\"") }
    }
    #expect(files == ["star-any.png", "star-any@2x.png", "star-any@3x.png"], "\(result.stderr)")
  }

  @Test func anEndlessLineIsRefused() throws {
    let command = "'\(productFolder)/carve' resolve SizeClasses.xcassets --batch /dev/zero"
    let result = try run("/bin/bash", ["-c", command], in: sampleCatalogs)
    #expect(result.code == 1)
    #expect(result.stderr.contains("/dev/zero:1: the line has more than 1048576 bytes"))
  }

  @Test(arguments: [
    ("{}", "\"asset\" is missing"), ("[]", "not an object"), ("{\"asset\":1}", "no string"),
    ("nonsense", "not JSON"), (#"{"asset":"a","kind":"film"}"#, "choose from image"),
    (#"{"asset":"a","traits":{"scale":9}}"#, "choose from 1, 2, 3"),
    (#"{"asset":"a","traits":{"scale":[]}}"#, "neither a word nor a number"),
    (#"{"asset":"a","colour":1}"#, "is not known"),
  ])
  func aLineThatAsksNothingIsNamed(_ line: String, _ reason: String) throws {
    let folder = try TemporaryDirectory()
    let batch = try folder.write("\n{\"asset\":\"Star\"}\n\(line)\n", to: "batch.jsonl")
    let result = try runTool(
      ["resolve", "SizeClasses.xcassets", "--batch", batch], in: sampleCatalogs)
    #expect(result.code == 1)
    #expect(result.stderr.contains("batch.jsonl:3: "), "\(result.stderr)")
    #expect(result.stderr.contains(reason), "\(result.stderr)")
  }
}
