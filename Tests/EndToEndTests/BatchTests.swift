// Tests `--batch`: requests from files and pipes, and an answer for each.

import Foundation
import Support
import Testing

@Suite struct BatchTests {
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

  @Test func aLineOfControlCharactersIsAnswered() throws {
    let folder = try TemporaryDirectory()
    let batch = try folder.write(
      "\u{1}\n \t\r\n{\"asset\":\"Star\"}\n\0\n", to: "batch.jsonl")
    let result = try runTool(
      ["resolve", "SizeClasses.xcassets", "--batch", batch], in: sampleCatalogs)
    let lines = result.stdout.split(separator: "\n")
    #expect(lines.count == 3 && result.code == 1)
    #expect(lines.first?.hasPrefix(#"{"error":"#) == true)
    #expect(lines.last?.hasSuffix(#""line":4,"column":1}"#) == true, "\(result.stdout)")
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

  @Test func everyLineIsAnsweredBeforeTheNextOneIsSent() throws {
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

  @Test func aByteOrderMarkIsSkipped() throws {
    let folder = try TemporaryDirectory()
    let batch = try folder.write("\u{FEFF}{\"asset\":\"Star\"}\n", to: "batch.jsonl")
    let result = try runTool(
      ["resolve", "SizeClasses.xcassets", "--batch", batch], in: sampleCatalogs)
    #expect(result.code == 0 && result.stdout.hasPrefix(#"{"asset":"Star""#), "\(result.stderr)")
  }

  @Test func anEndlessLineIsRefused() throws {
    let command = "'\(productFolder)/carve' resolve SizeClasses.xcassets --batch /dev/zero"
    let result = try run("/bin/bash", ["-c", command], in: sampleCatalogs)
    #expect(result.code == 1)
    #expect(result.stderr.contains("/dev/zero:1: the line has more than 1048576 bytes"))
  }

  @Test func aLineThatIsNoRequestIsAnsweredWithItsFault() throws {
    let folder = try TemporaryDirectory()
    let star = "{\"asset\":\"Star\"}"
    let batch = try folder.write("\u{FEFF}\n\(star)\n{}\n\(star)\n", to: "batch.jsonl")
    let result = try runTool(
      ["resolve", "SizeClasses.xcassets", "--batch", batch], in: sampleCatalogs)
    #expect(result.code == 1)
    let lines = result.stdout.split(separator: "\n")
    #expect(lines.count == 3 && lines.first == lines.last)
    #expect(
      lines.dropFirst().first == #"{"error":"\"asset\" is missing or not a string","line":3}"#)
    #expect(result.stderr.contains("batch.jsonl:3: "), "\(result.stderr)")
    #expect(result.stderr.contains("\"asset\" is missing"), "\(result.stderr)")
  }
}
