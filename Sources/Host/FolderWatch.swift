// Watches folders for changes by inotify: all files below some paths, the targets of links there,
// and the folders above the paths.
//
// The system watches single folders, not trees. To watch /a/b/C.xcassets, these watches are set:
//
//     /                   the name "a"            ┐ a folder above may be
//     /a                  the name "b"            │ moved or replaced
//     /a/b                the name "C.xcassets"   ┘
//     /a/b/C.xcassets     every name
//     …/C.xcassets/X      every name, and so on for all folders below
//
// The folder of a link's target, and the folders above it, are watched in the same way. If a folder
// or a link changes, the caller makes a new FolderWatch, because the set of folders may be
// different.
//
// If the system refuses a watch, all files are listed repeatedly instead (`FolderSnapshot`): a
// digest of their paths, inodes, sizes and times shows whether something changed.

import Bytes
import CPosix

/// The kind of a change below watched paths.
package enum FolderChange: Sendable {
  case files
  /// Folders or links were added, removed or moved. The caller must make a new watch.
  case folders
}

package final class FolderWatch {
  /// The folder of one watch of the system.
  private struct Place {
    var path: ByteString
    /// The names in the folder that matter; nil for every name.
    var names: Set<ByteString>?
  }

  /// A descriptor that becomes readable after a change; negative if inotify is not available.
  package let descriptor: Int32
  /// The reason why files are listed repeatedly instead; nil if the system reports every change.
  package private(set) var trouble: String?

  private let tree: FileTree
  private let paths: [ByteString]
  private var places: [Int32: Place] = [:]
  /// The paths without links of the folders behind links. Each is watched once.
  private var followed: Set<ByteString> = []
  /// The state at the last look; nil if the system reports every change.
  private var seen: FolderSnapshot?

  /// Watches each path: a folder with all files below it, or a file.
  package init(_ paths: [ByteString], in tree: FileTree) {
    self.tree = tree
    self.paths = paths
    descriptor = carve_watch_start()
    if descriptor < 0 { note("watch folders", carve_errno()) }
    for path in paths {
      watchWay(to: path)
      // If the system does not answer, the path may be a folder.
      let kind = try? tree.status(path).kind
      if kind == nil || kind == .folder { add(path, depth: 0) }
    }
    if trouble != nil { seen = FolderSnapshot(paths, in: tree) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The milliseconds after which the caller must call `looksOtherwise`; negative if it need not
  /// call it.
  package var lookingPause: Int32 {
    guard let seen else { return -1 }
    // The pause is ten times the duration of a look, so looking takes at most a tenth of the time.
    return max(500, Int32(clamping: Int(seen.seconds * 10_000)))
  }

  /// Returns the kind of the changes since the last call; nil if nothing changed.
  package func take() -> FolderChange? {
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

  /// Looks at all files. Returns whether anything differs from the last look.
  package func looksOtherwise() -> Bool {
    guard let last = seen else { return false }
    let now = FolderSnapshot(paths, in: tree)
    seen = now
    return now.digest != last.digest
  }

  private func news(of event: WatchEvents.Event) -> FolderChange? {
    // Events without a place were lost by the system and may be about any file.
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

  /// Watches a folder, for some names or for all. Returns false if there is no such folder.
  @discardableResult
  private func watch(_ folder: ByteString, names: Set<ByteString>?) -> Bool {
    if descriptor < 0 { return false }
    let number = folder.withCString { carve_watch_add(descriptor, $0) }
    guard number >= 0 else {
      let code = carve_errno()
      // A folder above the path may not be readable. It then cannot be watched, which is no
      // failure.
      let isClosed = code == EACCES && folder.withCString({ access($0, R_OK) }) != 0
      if !isClosed, ![ENOENT, ENOTDIR, ELOOP].contains(code) { note("watch \(folder)", code) }
      return false
    }
    // The system has one watch for a folder, even if several paths lead to it.
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

  /// Watches the name of a path in its folder, and the name of every folder above in its parent.
  /// The targets of links among them are watched in the same way.
  private func watchWay(to path: ByteString, links: Int = 0) {
    var path = (try? currentFolder()).map { absolutePath(path, in: $0) } ?? path
    while path.count > 1 {
      let folder = parentFolder(path)
      watch(folder, names: [lastComponent(path)])
      if let target = target(ofLink: path), links < FileTree.mostLinks {
        watchWay(
          to: target.isAbsolute ? target : joined(folder, target),
          links: links + 1)
      }
      path = folder
    }
  }

  private func add(_ folder: ByteString, depth: Int) {
    guard depth < FolderDepth.read, watch(folder, names: nil) else { return }
    for entry in (try? tree.list(folder)) ?? [] {
      let path = joined(folder, entry.name)
      if entry.isLink {
        follow(path, isFolder: entry.kind == .folder, depth: depth)
      } else if entry.kind == .folder {
        add(path, depth: depth + 1)
      }
    }
  }

  /// Watches the target of a link, and every folder in which the path to the target may change.
  private func follow(_ path: ByteString, isFolder: Bool, depth: Int) {
    watchWay(to: path)
    guard isFolder, let real = try? tree.realPath(path), followed.insert(real).inserted else {
      return
    }
    add(real, depth: depth + 1)
  }
}

/// The events of one call.
private final class WatchEvents {
  typealias Event = (watch: Int32, isAboutFolders: Bool, name: ByteString)
  var all: [Event] = []
}

/// The state of all files below some paths at one moment, as a digest.
struct FolderSnapshot {
  private(set) var digest: UInt64 = 0xcbf2_9ce4_8422_2325
  private(set) var seconds = 0.0
  /// The paths without links of the folders behind links. Each is listed once.
  private var followed: Set<ByteString> = []

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
    guard kind == .folder, depth < FolderDepth.read else { return }
    for entry in (try? tree.list(path)) ?? [] {
      let path = joined(path, entry.name)
      let isFollowed = !entry.isLink || entry.kind != .folder || follows(path, in: tree)
      add(path, isFollowed ? entry.kind : .other, in: tree, depth: depth + 1)
    }
  }

  /// Returns whether a link is the first to its folder. Links to folders above it would otherwise
  /// be followed again and again.
  private mutating func follows(_ link: ByteString, in tree: FileTree) -> Bool {
    guard let real = try? tree.realPath(link) else { return false }
    return followed.insert(real).inserted
  }

  /// Adds a word to the digest by FNV-1a, with 64 bits at a time.
  private mutating func add(_ word: UInt64) {
    digest = (digest ^ word) &* 0x100_0000_01b3
    digest ^= digest >> 29
  }
}
