// `carve xcrun`, and a link named `xcrun`, for scripts that call Apple's tools through xcrun. Knows
// the tools that Carve replaces, and passes all other commands to the program of that name.

import Bytes
import CPosix
import CommandLineKit
import Host

let xcrunCommand = Command(
  dropIn: "xcrun", summary: "Run actool or assetutil as scripts for Xcode call them",
  discussion: """
    Runs Carve's actool and assetutil for any SDK; other tools are searched in PATH. With --find \
    it prints the path of the tool.
    """,
  options: [
    OptionRow(long: "sdk", form: .text("NAME"), help: "accepted, without effect: there is one SDK"),
    OptionRow(
      long: "toolchain", form: .text("NAME"),
      help: "accepted, without effect: there is one toolchain"),
    OptionRow(long: "find", short: "f", form: .none, help: "print the path of the tool"),
    OptionRow(long: "run", short: "r", form: .none, help: "run the tool (the default)"),
    OptionRow(long: "log", short: "l", form: .none, help: "print the command that is run"),
    OptionRow(long: "verbose", short: "v", form: .none, help: "accepted, without effect"),
    OptionRow(long: "no-cache", short: "n", form: .none, help: "accepted, without effect"),
    OptionRow(long: "kill-cache", short: "k", form: .none, help: "accepted, without effect"),
  ],
  operands: [
    OperandRow(.text("TOOL"), help: "the tool; the words that follow are arguments of the tool")
  ],
  examples: [
    Example("xcrun --sdk iphoneos actool --version", "run actool"),
    Example("xcrun --find actool", "print its path"),
  ]
) { (invocation, terminal) throws(CommandFailure) in
  try runXcrun(try XcrunWords(invocation.words), terminal)
}

/// A parsed command line of xcrun.
private struct XcrunWords {
  var finds = false
  var logs = false
  var asksVersion = false
  var tool: String?
  var words: [String] = []

  init(_ all: [String]) throws(CommandFailure) {
    var rest = all[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word.count > 1 else {
        tool = word
        words = Array(rest)
        return
      }
      let name = String(word.drop { $0 == "-" }.prefix { $0 != "=" })
      switch name {
      case "sdk", "toolchain": if !word.contains("=") { rest = rest.dropFirst() }
      case "find", "f": finds = true
      case "log", "l": logs = true
      case "version": asksVersion = true
      case "run", "r", "verbose", "v", "no-cache", "n", "kill-cache", "k": continue
      default: throw .usage("option '\(word)' is not known; Carve has no SDKs")
      }
    }
  }
}

private let ownTools = ["actool", "assetutil"]

private func runXcrun(
  _ words: XcrunWords, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  if words.asksVersion {
    terminal.print("xcrun (carve \(Main.program.version))")
    return .fine
  }
  guard let tool = words.tool else { throw .usage("the name of a tool is missing") }
  let name = lastComponent(ByteString(word: tool)).text
  let isOwn = ownTools.contains(name)
  if isOwn, !words.finds {
    if words.logs { terminal.diagnose(([name] + words.words).joined(separator: " ")) }
    return Main.program.run([name] + words.words, on: terminal)
  }
  guard let place = isOwn ? ownPlace(of: name) : placeInPath(of: tool) else {
    if isOwn {
      throw .input(
        "no link named \(name) lies beside carve or in PATH; 'make install' makes one, and 'carve "
          + "xcrun \(name)' works without it")
    }
    throw .input("unable to find utility \"\(tool)\", not a developer tool or in PATH")
  }
  if words.finds {
    terminal.print(String(word: place))
    return .fine
  }
  if words.logs { terminal.diagnose(([place] + words.words).joined(separator: " ")) }
  return try replaceProcess(by: place, words.words)
}

/// Returns a link of that name: beside the program that was called, beside a link on the way from
/// it to the program, in the folder of an installation there, or in PATH.
private func ownPlace(of name: String) -> String? {
  let here = (try? currentFolder()) ?? "."
  let called = Main.words.first ?? ""
  // A shell gives a program that it found in PATH its bare name.
  let place = called.contains("/") ? called : placeInPath(of: called, orSelf: true) ?? called
  for program in linksToProgram(from: absolutePath(ByteString(word: place), in: here)) {
    let beside = parentFolder(program)
    for folder in [beside, joined(beside, "../libexec/carve")] {
      let path = joined(folder, ByteString(name))
      if path.withCString({ access($0, X_OK) }) == 0 {
        return (try? FileTree.disk.realPath(folder)).map { joined($0, ByteString(name)).word }
      }
    }
  }
  return placeInPath(of: name).flatMap { isSelf(ByteString(word: $0)) ? $0 : nil }
}

/// Returns a path, the links on the way from it to a file, and the file of this program.
private func linksToProgram(from start: ByteString) -> [ByteString] {
  var paths = [start]
  while paths.count <= FileTree.mostLinks, let target = target(ofLink: paths[paths.count - 1]) {
    paths.append(absolutePath(target, in: parentFolder(paths[paths.count - 1])))
  }
  if let real = try? FileTree.disk.realPath("/proc/self/exe") { paths.append(real) }
  return paths
}

/// Returns whether a path leads to this program.
private func isSelf(_ path: ByteString) -> Bool {
  guard let own = try? FileTree.disk.realPath("/proc/self/exe") else { return false }
  return (try? FileTree.disk.realPath(path)) == own
}

/// Returns the program that a command names: by its path, or by its name in a folder of PATH.
/// `orSelf` allows the name under which this program runs.
func placeInPath(of tool: String, orSelf: Bool = false) -> String? {
  let path = ByteString(word: tool)
  if path.contains(UInt8(ascii: "/")) {
    return path.withCString { access($0, X_OK) } == 0 ? tool : nil
  }
  // xcrun would find itself and run for ever.
  guard orSelf || tool != "xcrun", let path = getenv("PATH") else { return nil }
  for folder in ByteString(cString: path).split(separator: ":") {
    let place = joined(folder, ByteString(word: tool))
    if place.withCString({ access($0, X_OK) }) == 0, !isFolder(place) { return place.word }
  }
  return nil
}

/// Replaces this process by the other program.
private func replaceProcess(
  by path: String, _ words: [String]
) throws(CommandFailure) -> ExitStatus {
  var arguments: [UnsafeMutablePointer<CChar>?] = ([path] + words).map {
    ByteString(word: $0).withCString { strdup($0) }
  }
  arguments.append(nil)
  defer { for word in arguments { free(word) } }
  ByteString(word: path).withCString { _ = execv($0, arguments) }
  throw .system("run \(String(word: path))")
}
