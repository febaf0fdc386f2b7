// FolderWatch and StopSignals: which events end a wait.

import Bytes
import Foundation
import Support
import Testing

@testable import Host

@Suite struct FolderWatchTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.write("", to: "above/C.xcassets/a.png")
  }

  private func wait(patience: Int32, during change: @escaping @Sendable () -> Void) -> (
    news: FolderChange?, seconds: Double
  ) {
    let watch = FolderWatch([ByteString(folder.path("above/C.xcassets"))], in: .disk)
    let signals = StopSignals()
    change()
    let start = PassClock.now()
    let news = signals.wait(for: watch, quiet: 1, patience: patience)
    return (news ?? nil, PassClock.now() - start)
  }

  /// A file beside the catalogue is no news. If its event ended the wait, the caller would take the
  /// end of its patience for granted, and could lose the next change.
  @Test func aFileBesideTheCatalogueDoesNotEndTheWait() throws {
    let path = folder.path("above/beside")
    let (news, seconds) = wait(patience: 200) { try? Data().write(to: URL(fileURLWithPath: path)) }
    #expect(news == nil)
    #expect(seconds >= 0.2)
  }

  @Test func aChangeAfterAFileBesideTheCatalogueIsNews() throws {
    let beside = folder.path("above/beside")
    let inside = folder.path("above/C.xcassets/a.png")
    let (news, _) = wait(patience: 60_000) {
      try? Data().write(to: URL(fileURLWithPath: beside))
      Thread.detachNewThread {
        usleep(50_000)
        try? Data([1]).write(to: URL(fileURLWithPath: inside))
      }
    }
    #expect(news == .files)
  }

  /// Each link to a folder above it could double the folders at each depth.
  @Test func aSnapshotListsTheFolderOfSeveralLinksOnce() throws {
    for name in ["one", "two"] {
      symlink("..", folder.path("above/C.xcassets/\(name)"))
    }
    let lists = Guarded(0)
    let disk = FileTree.disk
    let counted = FileTree(
      list: { (path) throws(FileError) in
        let count = lists.withLock { count in
          count += 1
          return count
        }
        if count > 100 { throw .notPermitted }
        return try disk.list(path)
      }, status: disk.status, read: disk.read, readPart: disk.readPart, realPath: disk.realPath)
    let path = ByteString(folder.path("above/C.xcassets"))
    let before = FolderSnapshot([path], in: counted).digest
    #expect(lists.withLock { $0 } == 3)
    // Files behind a link are looked at.
    try folder.write("new", to: "above/beside")
    #expect(FolderSnapshot([path], in: disk).digest != before)
  }
}
