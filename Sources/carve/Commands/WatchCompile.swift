// `carve compile --watch`: compiles again after every change, and prints a summary of the changes
// and of the lookups that give other answers.

import ArchiveTools
import Bytes
import CPosix
import CarveRuntime
import CommandLineKit
import Documents
import Host
import Queries

/// Compiles after every change until the process is asked to stop.
func watch(
  _ given: CompileArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  var arguments = given
  let output = try arguments.checkWatch(terminal)
  // The next run, in a moment, needs the results of this one.
  arguments.compiling.cache.isAsked = true
  let signals = StopSignals()
  var shown = ShownArchive(output, terminal)
  var change = RunChange()
  var watch = folderWatch(arguments, terminal, after: nil)
  var status = try runCompile(arguments, terminal, &change)
  shown.follow(change, since: nil)
  let names = arguments.catalogs.joined(separator: ", ")
  terminal.print("watching \(names); interrupt to end")
  while terminal.flush() {
    // A folder that was deleted cannot be watched, nor can its parent.
    let isThere = arguments.catalogs.allSatisfy(isFolder)
    guard let changed = signals.wait(for: watch, quiet: 4, patience: isThere ? -1 : 500) else {
      return .fine
    }
    let start = PassClock.now()
    if changed == nil, isThere == arguments.catalogs.allSatisfy(isFolder) { continue }
    // The watch is renewed before the files are read, so that it misses no change. The old watch
    // may hold unread events, so a run always follows.
    if changed != .files || !isThere {
      watch = folderWatch(arguments, terminal, after: watch)
    }
    change = RunChange(settings: change.settings)
    change.isQuiet = status == .fine
    do throws(CommandFailure) {
      status = try runCompile(arguments, terminal, &change)
      if status == .fine { shown.follow(change, since: start) }
    } catch {
      status = error.status
      terminal.diagnose("carve compile: \(terminal.tinted("error:", .red)) \(error.message)")
    }
  }
  return .fine
}

private func folderWatch(
  _ arguments: CompileArguments, _ terminal: Terminal, after last: FolderWatch?
) -> FolderWatch {
  let lists = [arguments.thinning.infoPlist, arguments.optionFile].compactMap { $0 }
  // If the settings cannot be read, the run reports it.
  var found = arguments
  found.diagnostics.isVerbose = false
  try? found.findSettings(of: arguments.catalogs, terminal)
  let watch = FolderWatch(arguments.catalogs + lists + found.settingsFiles, in: .disk)
  terminal.warn(of: watch, after: last)
  return watch
}

extension Terminal {
  /// Prints once that the system cannot watch the files and that they are compared regularly
  /// instead.
  func warn(of watch: FolderWatch, after last: FolderWatch?) {
    guard let trouble = watch.trouble, last?.trouble == nil else { return }
    diagnose("warning: \(trouble); the files are compared regularly instead")
  }
}

extension CompileArguments {
  /// Throws for options that make no sense in repeated runs. Returns the archive.
  fileprivate func checkWatch(_ terminal: Terminal) throws(CommandFailure) -> ByteString {
    if makesObject { throw .usage("--watch writes archives; it cannot be used with --object") }
    if touches {
      throw .usage("--touch would itself be a change that --watch sees; give only one of them")
    }
    if showsTimings, timingForm != nil, timingForm != .text {
      throw .usage(
        "--timing=json and --timing=trace describe one run only; use --timing with --watch")
    }
    if diagnostics.format == .json || diagnostics.format == .sarif {
      throw .usage(
        "--diagnostics \(diagnostics.format.rawValue) describes one run only; use text or "
          + "github with --watch"
      )
    }
    let output = try outputArchive(output ?? "", terminal)
    if output.withCString({ carve_is_special($0) }) {
      throw .usage(
        "\(output) cannot hold an archive; --watch replaces the archive after every change")
    }
    return output
  }
}

/// The archive of the last run, for the comparison with the next.
private struct ShownArchive {
  private let path: ByteString
  private let terminal: Terminal
  private var file: PartialFile?

  /// The most lines that are printed about one change.
  private static let mostLines = 8

  init(_ path: ByteString, _ terminal: Terminal) {
    self.path = path
    self.terminal = terminal
  }

  /// Prints what a run changed; nothing after the first run.
  mutating func follow(_ change: RunChange, since start: Double?) {
    if change.isUnchanged, file != nil { return }
    let last = file
    file = PartialFile(path)
    guard let start else { return }
    let time = Int((PassClock.now() - start) * 1000)
    terminal.print("  in \(time) ms")
    say(change.files.map(\.text))
    guard let last, last.hasItsBytes, let file else { return }
    do {
      let old = try MappedFile(descriptor: last.descriptor)
      let new = try MappedFile(descriptor: file.descriptor)
      let found = try ArchiveDifference(from: old.bytes, to: new.bytes, devices: [])
      say(found.lookupLines)
    } catch {
      // The archive may be another program's; the next comparison is with this one.
      terminal.print("  the previous archive cannot be compared")
    }
  }

  private func say(_ lines: [String]) {
    for line in lines.prefix(ShownArchive.mostLines) { terminal.print("  \(line)") }
    let rest = lines.count - ShownArchive.mostLines
    if rest > 0 { terminal.print("  and \(grouped(rest)) more") }
  }
}
