// `--batch`: reads a question from every line of a file or a pipe, and prints an answer on a line
// for each.

import Bytes
import CatalogModel
import CommandLineKit
import Documents
import Traits

extension Option {
  static func batch(_ field: Field<ByteString?>) -> Option {
    .path(
      "batch", "FILE", extensions: ["json", "jsonl"], field,
      help: "answer every line {\"asset\": ..., \"kind\": ..., \"traits\": {...}} of a file or a "
        + "pipe as it comes; - is standard input")
  }
}

extension CommandFailure {
  static let besideBatch = usage(
    "--batch reads names, kinds and traits from the file; give none beside it")
}

/// Prints the result of `answer` for every line. A line without a question ends the run.
func answerBatch(
  _ file: ByteString, _ arguments: ResolveArguments, _ terminal: Terminal,
  answer: (Resolution) -> [JSONOutput.Member]
) throws(CommandFailure) -> ExitStatus {
  guard arguments.request.isEmpty else { throw .besideBatch }
  let source = try candidateSource(arguments, terminal)
  var lines = try LineReader(path: file.text)
  // A program that sends its questions line by line waits for each answer.
  while let line = try lines.next(beforeWaiting: terminal.flush) {
    guard line.contains(where: { $0 > 32 }) else { continue }
    let question: BatchRequest
    do throws(BatchRequestError) { question = try BatchRequest(jsonLine: line) } catch {
      throw .input("\(lines.name):\(lines.number): \(error.message)")
    }
    let asked: Environment
    do throws(TraitError) {
      asked = try Environment(
        pairs: question.traits.map { ($0.key, $0.value) }, localeNumber: source.localeNumber)
    } catch {
      throw .input("\(lines.name):\(lines.number): \(error)")
    }
    let table = source.table(for: Platform(of: asked.idiom))
    let asset = table.asset(question.asset, question.kind)
    let resolution = Resolution(question.asset, question.kind, asset: asset, in: asked)
    terminal.print(JSONOutput.object(answer(resolution)).line)
  }
  return .fine
}
