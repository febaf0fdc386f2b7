// Folders of which changes are noticed, by inotify: everything below some paths, what links there lead to, and
// the folders that the paths themselves lie in. If the system gives too few watches, the folders are looked
// through again and again instead.

import Bytes
import CPosix

/// What happened below watched paths.
package enum FolderNews: Sendable {
  case files
  /// Folders or links came, went or moved: what is watched has to be found anew.
  case folders
}

package final class FolderWatch {
  /// What one watch of the system is about.
  private struct Place {
    var path: ByteString
    /// The names that count; nil for every name.
    var names: Set<ByteString>?
  }

  /// Becomes readable when something changed; negative if the system gives no watch.
  package let descriptor: Int32
  /// Why folders are looked through instead, in words; nil if the system tells every change.
  package private(set) var trouble: String?

  private let tree: FileTree
  private let paths: [ByteString]
  private var places: [Int32: Place] = [:]
  /// Folders behind links, by their paths without links: each is followed once.
  private var followed: Set<ByteString> = []
  /// What was there at the last look, if folders are looked through.
  private var seen: FolderLook?

  /// The compiler reads no deeper folders.
  private static let mostDepth = 32
  /// As many links as the system itself follows one after the other.
  private static let mostLinks = 40

  /// Watches each path: a folder with all below it, or a file.
  package init(_ paths: [ByteString], in tree: FileTree) {
    self.tree = tree
    self.paths = paths
    descriptor = carve_watch_start()
    if descriptor < 0 { note("watch folders", carve_errno()) }
    for path in paths {
      watchWay(to: path)
      guard let entry = try? tree.status(path) else { continue }
      if entry.kind == .folder { add(path, depth: 0) }
    }
    if trouble != nil { seen = FolderLook(paths, in: tree) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// How many milliseconds may pass until `looksOtherwise` has to be asked; negative if it is not needed.
  package var lookingPause: Int32 {
    guard let seen else { return -1 }
    // Looking takes at most a tenth of the time.
    return max(500, Int32(clamping: Int(seen.seconds * 10_000)))
  }

  /// Takes what happened since the last call.
  package func take() -> FolderNews? {
    if descriptor < 0 { return nil }
    let events = WatchEvents()
    carve_watch_take(
      descriptor,
      { context, watch, isAboutFolders, name in
        guard let context, let name else { return }
        Unmanaged<WatchEvents>.fromOpaque(context).takeUnretainedValue().all
          .append((watch, isAboutFolders, ByteString(cString: name)))
      }, Unmanaged.passUnretained(events).toOpaque())
    let news = events.all.compactMap { self.news(of: $0) }
    return news.contains(.folders) ? .folders : news.first
  }

  /// Whether another thing is there than at the last look.
  package func looksOtherwise() -> Bool {
    guard let last = seen else { return false }
    let now = FolderLook(paths, in: tree)
    seen = now
    return now.digest != last.digest
  }

  private func news(of event: WatchEvents.Event) -> FolderNews? {
    // Lost events may be about anything.
    guard let place = places[event.watch] else { return event.isAboutFolders ? .folders : nil }
    if event.name.isEmpty { return .folders }
    if let names = place.names { return names.contains(event.name) ? .folders : nil }
    if event.isAboutFolders { return .folders }
    var status = stat()
    let isLink =
      joined(place.path, event.name).withCString({ lstat($0, &status) }) == 0
      && carve_is_link(&status)
    return isLink ? .folders : .files
  }

  // MARK: Finding what to watch

  private func note(_ attempt: String, _ code: Int32) {
    if trouble == nil { trouble = "cannot \(attempt): \(String(cString: strerror(code)))" }
  }

  /// Watches a folder: for some names, or for all. Returns false if nothing is there.
  @discardableResult
  private func watch(_ folder: ByteString, names: Set<ByteString>?) -> Bool {
    if descriptor < 0 { return false }
    let number = folder.withCString { carve_watch_add(descriptor, $0) }
    guard number >= 0 else {
      let code = carve_errno()
      // A folder on the way may be closed to readers, and to the system's watch with them.
      let isClosed = code == EACCES && folder.withCString({ access($0, R_OK) }) != 0
      if !isClosed, ![ENOENT, ENOTDIR, ELOOP].contains(code) { note("watch \(folder)", code) }
      return false
    }
    // The system has one watch for a folder, however many paths lead to it.
    guard var known = places[number] else {
      places[number] = Place(path: folder, names: names)
      return true
    }
    if let names, let others = known.names {
      known.names = others.union(names)
    } else {
      known.names = nil
    }
    places[number] = known
    return true
  }

  /// Watches the last name of a path in its folder, and every folder on the way for being moved. The targets of
  /// links on the way are followed likewise.
  private func watchWay(to path: ByteString, links: Int = 0) {
    var path = (try? currentFolder()).map { absolutePath(path, in: $0) } ?? path
    while path.count > 1 {
      let folder = parentFolder(path)
      watch(folder, names: [lastComponent(path)])
      if let target = linkTarget(path), links < FolderWatch.mostLinks {
        watchWay(
          to: target.isAbsolute ? target : joined(folder, target),
          links: links + 1)
      }
      path = folder
    }
  }

  private func linkTarget(_ path: ByteString) -> ByteString? {
    var text = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = path.withCString { readlink($0, &text, text.count) }
    return count > 0 ? ByteString(bytes: text[..<count].map { UInt8(bitPattern: $0) }) : nil
  }

  private func add(_ folder: ByteString, depth: Int) {
    guard depth < FolderWatch.mostDepth, watch(folder, names: nil) else { return }
    for entry in (try? tree.list(folder)) ?? [] {
      let path = joined(folder, entry.name)
      if entry.isLink {
        follow(path, isFolder: entry.kind == .folder, depth: depth)
      } else if entry.kind == .folder {
        add(path, depth: depth + 1)
      }
    }
  }

  /// Watches what a link leads to, and every place in which the way to it may change.
  private func follow(_ path: ByteString, isFolder: Bool, depth: Int) {
    watchWay(to: path)
    guard isFolder, let real = try? tree.realPath(path), followed.insert(real).inserted else {
      return
    }
    add(real, depth: depth + 1)
  }
}

/// What the system tells in one go.
private final class WatchEvents {
  typealias Event = (watch: Int32, isAboutFolders: Bool, name: ByteString)
  var all: [Event] = []
}

/// What is below some paths at one moment, as a number.
private struct FolderLook {
  private(set) var digest: UInt64 = 0xcbf2_9ce4_8422_2325
  private(set) var seconds = 0.0

  private static let mostDepth = 32

  init(_ paths: [ByteString], in tree: FileTree) {
    let start = PassClock.now()
    for path in paths { add(path, (try? tree.status(path))?.kind, in: tree, depth: 0) }
    seconds = PassClock.now() - start
  }

  private mutating func add(_ path: ByteString, _ kind: FileKind?, in tree: FileTree, depth: Int) {
    for byte in path.bytes { add(UInt64(byte)) }
    guard let identity = FileIdentity(path) else { return }
    add(identity.inode)
    add(identity.size)
    add(UInt64(bitPattern: identity.modified))
    add(UInt64(bitPattern: identity.changed))
    guard kind == .folder, depth < FolderLook.mostDepth else { return }
    for entry in (try? tree.list(path)) ?? [] {
      add(joined(path, entry.name), entry.kind, in: tree, depth: depth + 1)
    }
  }

  /// FNV-1a, a word at a time.
  private mutating func add(_ word: UInt64) {
    digest = (digest ^ word) &* 0x100_0000_01b3
    digest ^= digest >> 29
  }
}
