// `carve cache`: describes, empties or checks the cache.

import CatalogCompiler
import CommandLineKit
import Documents
import Host

struct CacheCommandArguments: Sendable, CacheUsing {
  var showsContents = false
  var clears = false
  var verifies = false
  var cache = CacheArguments()
}

let cacheCommand = Command(
  "cache", summary: "Show, verify or clear the cache",
  discussion: """
    The cache keeps compressed pictures by the contents of their files, and a record of the files \
    and messages of each compilation, so that the same compilation is not repeated. Commands that \
    compile use it with --cache; 'carve actool' and 'carve history' use it unless --no-cache is \
    given. The cache is the folder that --cache or CARVE_CACHE names, or else \
    $XDG_CACHE_HOME/carve or ~/.cache/carve, and belongs to one user: entries of other users are \
    not read. It can be deleted at any time. --remote-cache and CARVE_REMOTE_CACHE name a server \
    through which compilations share pictures; this command does not show the contents of the \
    server. CARVE_REMOTE_CACHE_KEY names a file with a secret: pictures are then signed with it, \
    and pictures on the server without this signature are not read.
    """,
  defaults: CacheCommandArguments(),
  options: [
    .flag("stats", \.showsContents, help: "show the number of entries and their bytes"),
    .flag("verify", \.verifies, help: "read every entry, and remove the damaged ones"),
    .flag("clear", \.clears, help: "remove every entry").excluding("stats", "verify"),
    .cacheFolder(help: "the folder of the cache, instead of the user's own"),
  ],
  examples: [
    Example("carve cache --stats", "show the contents of the user's cache"),
    Example("carve cache --clear --cache build/kept", "empty the cache of one build"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  guard let path = arguments.cache.path(usually: true) else {
    throw .usage(
      "neither XDG_CACHE_HOME nor HOME is set, so there is no default folder for the cache; "
        + "name one with --cache DIR"
    )
  }
  // Asking for the contents must not create the folder.
  do throws(FileError) {
    guard try FileTree.disk.status(path).kind == .folder else { throw .notAFolder }
  } catch {
    guard error == .notFound else { throw CommandFailure(error, reading: path) }
    terminal.print("\(path): the cache is empty")
    return .fine
  }
  if let trouble = CacheFolder.prepare(path) { throw .inputOutput("\(path): \(trouble)") }
  let cache = CacheFolder(sound: path)
  if arguments.verifies {
    let found = cache.verify(jobs: availableProcessors())
    terminal.print(
      "\(path): \(counted(found.intact, "intact file")), "
        + "\(counted(found.damaged, "damaged file")) removed")
    if let trouble = found.trouble { throw .inputOutput(trouble.description) }
  }
  if arguments.clears {
    let removed = cache.clear()
    terminal.print(
      "\(path): \(counted(removed.count, "file")) of "
        + "\(grouped(removed.byteCount)) bytes removed")
    if let trouble = removed.trouble { throw .inputOutput(trouble.description) }
  } else if arguments.showsContents || !arguments.verifies {
    let contents = cache.contents()
    for (name, isRun) in [("picture", false), ("run", true)] {
      let part = contents.entries.filter { $0.isRun == isRun }
      let bytes = part.reduce(0) { $0 + $1.size }
      terminal.print("\(path): \(counted(part.count, name)), \(grouped(bytes)) bytes")
    }
    if let trouble = contents.trouble { throw .inputOutput(trouble.description) }
  }
  return .fine
}
