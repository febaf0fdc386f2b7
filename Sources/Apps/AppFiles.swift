// The files of an app: those of a folder on the disk, or the entries of a ZIP file such as an .ipa.
// Links are not followed: their targets lie in the app, too, and would be counted twice. Resource
// forks that macOS writes beside files are no files of the app, and are left out.

import Bytes
import Host
import Traits

/// A file of an app.
package struct AppFile: Sendable, Hashable {
  /// The path below the root of the app's files.
  package let path: ByteString
  /// The number of bytes.
  package let size: Int
  /// The number of bytes in the ZIP file; nil if the file lies on the disk.
  package let storedSize: Int?

  package init(path: ByteString, size: Int, storedSize: Int? = nil) {
    self.path = path
    self.size = size
    self.storedSize = storedSize
  }
}

/// A part of an app that cannot be read.
package struct AppTrouble: Error, Sendable, Hashable {
  package var path: ByteString
  package var reason: String

  package init(path: ByteString, reason: String) {
    self.path = path
    self.reason = reason
  }
}

/// The files of an app, and a way to read them.
package struct AppFiles: Sendable {
  /// The files, ordered by their paths.
  package let files: [AppFile]
  /// The folders and entries that cannot be read.
  package let troubles: [AppTrouble]
  private let contents: @Sendable (_ index: Int, _ limit: Int) throws(AppTrouble) -> [UInt8]

  /// Returns the bytes of a file. Fails if there are more than `limit`.
  package func read(_ index: Int, limit: Int = FileLimit.source) throws(AppTrouble) -> [UInt8] {
    try contents(index, limit)
  }

  /// Returns the index of the file at a path; nil if the path does not exist.
  package func index(of path: ByteString) -> Int? {
    let index = files.partitioningIndex { $0.path >= path }
    return index < files.count && files[index].path == path ? index : nil
  }
}

extension AppFiles {
  /// Lists the entries of a ZIP file. The caller keeps its bytes alive and unchanged.
  package init(zip bytes: UnsafeRawBufferPointer) throws(ZIPError) {
    let zip = try ZIPFile(bytes)
    let all = zip.entries.filter { !$0.isLink && !AppFiles.isResourceFork($0.path) }
    let entries = all.filter { $0.path.components.count <= AppFiles.deepest + 1 }
    files = entries.map { AppFile(path: $0.path, size: $0.size, storedSize: $0.storedSize) }
    var troubles = zip.refused.filter { !AppFiles.isResourceFork($0.path) }.map {
      AppTrouble(path: $0.path, reason: $0.reason)
    }
    for entry in all where entry.path.components.count > AppFiles.deepest + 1 {
      troubles.append(AppFiles.tooDeep(entry.path))
    }
    self.troubles = troubles
    contents = { (index, limit) throws(AppTrouble) in
      let entry = entries[index]
      // Real archives and pictures are compressed already; only bombs inflate to so much.
      let most = 64 << 20 + 64 * entry.storedSize
      do throws(RefusedEntry) {
        return try zip.contents(of: entry, limit: min(limit, most))
      } catch {
        throw AppTrouble(path: error.path, reason: error.reason)
      }
    }
  }

  /// The greatest depth of folders that are read. Bundles have at most ten folders within each
  /// other.
  private static let deepest = 64

  private static func tooDeep(_ path: ByteString) -> AppTrouble {
    AppTrouble(path: path, reason: "it lies more than \(deepest) folders deep")
  }

  /// Whether a path is that of a resource fork: `._star.png` belongs to `star.png`. The Finder puts
  /// them into a folder `__MACOSX` of a ZIP file.
  private static func isResourceFork(_ path: ByteString) -> Bool {
    lastComponent(path).hasPrefix("._") || path.isInside("__MACOSX")
  }

  /// Lists the files in a folder, and in the folders within it. If the folder itself is a bundle,
  /// the paths begin with its name.
  package init(folder given: ByteString, in tree: FileTree = .disk) throws(AppTrouble) {
    var found: [AppFile] = []
    var troubles: [AppTrouble] = []
    var (folder, first): (ByteString, ByteString) = (given, "")
    let real = (try? tree.realPath(given)) ?? withoutTrailingSlashes(given)
    if BundleKind(folder: real) != nil {
      (folder, first) = (parentFolder(real), lastComponent(real))
    }
    var waiting: [(path: ByteString, depth: Int)] = [(first, 0)]
    while let (path, depth) = waiting.popLast() {
      let entries: [FileEntry]
      do throws(FileError) {
        entries = try tree.list(path.isEmpty ? folder : joined(folder, path))
      } catch {
        if path == first { throw AppTrouble(path: given, reason: error.reason) }
        troubles.append(AppTrouble(path: path, reason: error.reason))
        continue
      }
      for entry in entries where !entry.isLink {
        let inside = joined(path, entry.name)
        switch entry.kind {
        case .file where AppFiles.isResourceFork(inside): continue
        case .file: found.append(AppFile(path: inside, size: entry.size))
        case .folder where depth < AppFiles.deepest: waiting.append((inside, depth + 1))
        case .folder: troubles.append(AppFiles.tooDeep(inside))
        case .other, .nowhere: continue
        }
      }
    }
    files = found.sorted { $0.path < $1.path }
    self.troubles = troubles.sorted { $0.path < $1.path }
    contents = { [files, folder] (index, limit) throws(AppTrouble) in
      let path = files[index].path
      do throws(FileError) { return try tree.read(joined(folder, path), limit) } catch {
        throw AppTrouble(path: path, reason: error.reason)
      }
    }
  }
}
