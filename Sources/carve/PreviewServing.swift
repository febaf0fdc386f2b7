// `carve preview --serve`: serves the page at an address of this machine, and makes it again after
// each change of a file.

import CommandLineKit
import Host
import Preview

func serve(_ run: PreviewRun) throws(CommandFailure) -> ExitStatus {
  let preview = ServedPreview(run)
  if let trouble = preview.refresh() { throw .input(trouble) }
  var server: LoopbackServer
  do throws(OutputError) {
    server = try LoopbackServer(port: UInt16(run.arguments.port ?? 0))
  } catch {
    throw CommandFailure(error)
  }
  run.terminal.print("http://127.0.0.1:\(server.port)/ shows \(preview.summary)")
  run.terminal.print("it follows every change; interrupt to end")
  _ = run.terminal.flush()
  server.run(preview)
  throw .system("serve the page any longer")
}

/// The page, and the watch over its inputs.
private final class ServedPreview: ServedPage {
  private let run: PreviewRun
  private(set) var page: [UInt8] = []
  private(set) var summary = ""
  private var watch: FolderWatch?

  init(_ run: PreviewRun) { self.run = run }

  var watched: Int32 {
    if let descriptor = watch?.descriptor { descriptor } else { -1 }
  }

  var lookingPause: Int32 { watch?.lookingPause ?? -1 }

  func takeChanges() -> Bool { watch?.take() != nil || watch?.looksOtherwise() == true }

  func refresh() -> String? {
    // The watch starts before the files are read, so that it misses no change.
    let last = self.watch
    let watch = FolderWatch(run.arguments.inputs, in: .disk)
    run.terminal.warn(of: watch, after: last)
    self.watch = watch
    var bytes: [UInt8] = []
    do throws(CommandFailure) {
      let status = try run.withPage { (page, _, _) throws(CommandFailure) in
        page.write(for: .served) { bytes += $0 }
        summary = page.summary
      }
      if status != .fine { return "the catalogue has errors; the terminal says which" }
    } catch {
      return error.message
    }
    page = bytes
    return nil
  }
}
