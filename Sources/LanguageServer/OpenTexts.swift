// The texts of open documents. They count in place of the files, also before they are saved.

import Bytes
import Host
import Synchronization

final class OpenTexts: Sendable {
  private struct State {
    var texts: [ByteString: [UInt8]] = [:]
    /// The names of the texts in each folder.
    var names: [ByteString: Set<ByteString>] = [:]
    /// The versions that the editor gave to the texts.
    var versions: [ByteString: Int] = [:]
    var byteCount = 0
  }

  private let state = Mutex(State())

  subscript(path: ByteString) -> [UInt8]? {
    get { state.withLock { $0.texts[path] } }
    set {
      state.withLock { state in
        state.byteCount += (newValue?.count ?? 0) - (state.texts[path]?.count ?? 0)
        state.texts[path] = newValue
        let folder = parentFolder(path)
        if newValue != nil {
          state.names[folder, default: []].insert(lastComponent(path))
        } else {
          state.versions[path] = nil
          state.names[folder]?.remove(lastComponent(path))
          if state.names[folder]?.isEmpty == true { state.names[folder] = nil }
        }
      }
    }
  }

  /// Returns the version of a text; nil if it is not open, or if the editor gave none.
  func version(of path: ByteString) -> Int? { state.withLock { $0.versions[path] } }

  func note(version: Int?, of path: ByteString) {
    state.withLock { $0.versions[path] = $0.texts[path] == nil ? nil : version }
  }

  var paths: [ByteString] { state.withLock { $0.texts.keys.sorted() } }

  /// The size of all texts.
  var byteCount: Int { state.withLock { $0.byteCount } }

  /// Returns a tree that has the texts in place of the files, and beside the files.
  func tree(over base: FileTree) -> FileTree {
    FileTree(
      list: { (folder) throws(FileError) in
        let entries = try base.list(folder)
        let own = self.state.withLock { $0.names[folder] ?? [] }
        let added = own.filter { name in !entries.contains { $0.name == name } }
        if added.isEmpty { return entries }
        return (entries + added.map { FileEntry(name: $0, kind: .file) })
          .sorted { $0.name < $1.name }
      },
      status: { (path) throws(FileError) in
        do throws(FileError) { return try base.status(path) } catch {
          guard error == .notFound, let text = self[path] else { throw error }
          return FileEntry(name: lastComponent(path), kind: .file, size: text.count)
        }
      },
      read: { (path, limit) throws(FileError) in
        guard let text = self[path] else { return try base.read(path, limit) }
        if text.count > limit { throw .tooLarge(size: text.count, limit: limit) }
        return text
      },
      readPart: { (path, offset, count) throws(FileError) in
        guard let text = self[path] else { return try base.readPart(path, offset, count) }
        let start = min(max(0, offset), text.count)
        return FilePart(bytes: Array(text[start...].prefix(count)), fileSize: text.count)
      },
      realPath: base.realPath)
  }
}
