// `carve explain-code`: prints the pages of codes of findings: the fault, its effect on a device,
// the remedy, an example before and after, and the kind of the fix.

import Bytes
import CatalogModel
import CommandLineKit

private struct ExplainCodeArguments: Sendable {
  var codes: [String] = []
}

let explainCodeCommand = Command(
  "explain-code", summary: "Explain the code of a finding, with an example before and after",
  discussion: """
    The page of a code says what is wrong, why it matters on a device, what to do, and how 'carve \
    lint' can mend it: --fix makes changes that are always right, --fix=all also makes changes \
    whose result you should look at. The example shows files of a catalogue that give the finding, \
    and the change after which they do not. Without a CODE, the pages of all codes are printed, in \
    Markdown.

    SARIF reports and editors link to these pages. The environment variable CARVE_FINDINGS_URL \
    names the address of a copy of Docs/reference-findings.md, such as that of your repository; \
    without it, the links name this manual page.
    """,
  defaults: ExplainCodeArguments(),
  operands: [
    .many(.text("CODE"), orNone: true, \.codes, help: "the codes, such as missing-file")
  ],
  examples: [
    Example("carve explain-code missing-scale", "explain a finding"),
    Example("carve explain-code > findings.md", "write the pages of all codes"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  terminal.write(try codePages(arguments.codes))
  return .fine
}

/// Returns the pages of these codes, or the document of all codes if the list is empty.
func codePages(_ words: [String]) throws(CommandFailure) -> String {
  if words.isEmpty { return diagnosticPages() }
  var pages: [String] = []
  for word in words {
    do throws(UnknownCode) { pages.append(try diagnosticCode(word).pageText) } catch {
      throw .usage(error.message)
    }
  }
  return pages.joined(separator: "\n")
}
