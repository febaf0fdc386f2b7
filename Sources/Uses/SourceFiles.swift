// Finds the sources below folders, and chooses the scanner that reads each file.

import Bytes
import CatalogModel
import Host

/// The scanner that reads a file.
enum SourceKind: Sendable, Hashable {
  case code(CodeLanguage)
  case text(TextKind)
}

/// A file that may name assets.
package struct NamingFile: Sendable, Hashable {
  package var path: ByteString
  var size: Int
  var kind: SourceKind

  /// Whether the file is no code, so that a program can have written it.
  var isDocument: Bool { kind == .text(.data) || kind == .text(.markup) || kind == .text(.text) }
}

/// A file or folder that could not be read.
package struct UnreadSource: Sendable, Hashable, Comparable {
  package var path: ByteString
  package var reason: String

  package static func < (a: UnreadSource, b: UnreadSource) -> Bool { a.path < b.path }
}

/// The files below the folders of sources.
package struct NamingFiles: Sendable {
  package private(set) var files: [NamingFile] = []
  package private(set) var unread: [UnreadSource] = []
  /// The catalogues below the folders.
  package private(set) var catalogs: [ByteString] = []
  /// The projects and package descriptions below the folders.
  package private(set) var projects: [ByteString] = []
  /// The names of pictures that lie in no catalogue, as programs ask for them.
  var loosePictures: Set<ByteString> = []

  /// The largest file that is read, in bytes.
  package static let mostBytes = 64 << 20
  /// Links to folders, which are followed if they lead out of the folders.
  private var links: [ByteString] = []
  private static let mostRoots = 1000
  private static let mostDepth = 64
  private static let mostFolders = 200_000

  package init(below folders: [ByteString], in tree: FileTree, jobs: Int) {
    var level: [ByteString] = []
    var seen: Set<ByteString> = []
    for folder in folders {
      let folder = withoutTrailingSlashes(folder)
      if seen.insert((try? tree.realPath(folder)) ?? folder).inserted { level.append(folder) }
    }
    let roots = seen
    var (depth, count) = (0, 0)
    while !level.isEmpty, depth < NamingFiles.mostDepth, count < NamingFiles.mostFolders {
      count += level.count
      let listed = parallelMap(level, jobs: jobs) { folder in
        Result { () throws(FileError) in try tree.list(folder) }
      }
      var next: [ByteString] = []
      for (folder, result) in zip(level, listed) {
        switch result {
        case .success(let entries):
          for entry in entries { add(entry, in: folder, &next) }
        case .failure(.notAFolder): addFile(folder, tree)
        case .failure(let error): unread.append(UnreadSource(path: folder, reason: error.reason))
        }
      }
      level = next + outerFolders(of: roots, &seen, tree)
      depth += 1
    }
    for folder in level.prefix(1) {
      unread.append(UnreadSource(path: folder, reason: "there are too many folders"))
    }
    files.sort { $0.path < $1.path }
    catalogs.sort()
    unread.sort()
  }

  /// Returns the links that lead to folders that would not be read without the links. `seen` has
  /// the real paths of the folders that are read.
  private mutating func outerFolders(
    of roots: Set<ByteString>, _ seen: inout Set<ByteString>, _ tree: FileTree
  ) -> [ByteString] {
    let found = links
    links = []
    return found.filter { link in
      guard let real = try? tree.realPath(link) else { return false }
      if withFoldersAround(real).contains(where: { seen.contains($0) }) { return false }
      // A link to a folder around the sources would repeat all of them.
      if roots.contains(where: { $0.isInside(real) }) { return false }
      if seen.count >= NamingFiles.mostRoots {
        unread.append(UnreadSource(path: link, reason: "there are too many links"))
        return false
      }
      seen.insert(real)
      return true
    }
  }

  private mutating func addFile(_ path: ByteString, _ tree: FileTree) {
    guard let entry = try? tree.status(path) else { return }
    var next: [ByteString] = []
    add(
      FileEntry(name: lastComponent(path), kind: entry.kind, size: entry.size),
      in: parentFolder(path), &next)
  }

  private mutating func add(_ entry: FileEntry, in folder: ByteString, _ next: inout [ByteString]) {
    let path = folder == "." ? entry.name : joined(folder, entry.name)
    let ending = pathExtension(entry.name)
    switch entry.kind {
    case .folder:
      if entry.name.hasPrefix(".") || isBuilt(entry.name, ending) { return }
      if ending == "xcassets" || ending == "xcstickers" {
        catalogs.append(path)
        return
      }
      if ending == "icon" { return }
      // A link to a folder can repeat its files.
      if entry.isLink {
        // Bazel links to its products.
        if !entry.name.hasPrefix("bazel-") { links.append(path) }
        return
      }
      if ending == "xcodeproj" { projects.append(path) }
      next.append(path)
    case .file:
      if entry.name.hasPrefix(".") { return }
      if entry.name == "Package.swift" { projects.append(path) }
      if looseEndings.contains(ending) {
        addPicture(entry.name)
        return
      }
      let isModel = entry.name == "contents" && pathExtension(folder) == "xcdatamodel"
      guard let kind = isModel ? SourceKind.text(.model) : sourceKind(ofEnding: ending)
      else { return }
      files.append(NamingFile(path: path, size: entry.size, kind: kind))
    case .other, .nowhere: return
    }
  }

  private mutating func addPicture(_ name: ByteString) {
    loosePictures.insert(name)
    loosePictures.insert(withoutExtension(name))
    let bytes = name.bytes
    bytes.withUnsafeBufferPointer { buffer in
      if let plain = fileName(in: buffer) {
        loosePictures.insert(ByteString(bytes: UnsafeRawBufferPointer(plain)))
      }
    }
  }

  /// Adds the data files of catalogues, which can name assets, too.
  mutating func add(data files: [NamingFile]) { self.files += files }
}

/// Returns whether a folder holds products of a build.
private func isBuilt(_ name: ByteString, _ ending: ByteString) -> Bool {
  name == "DerivedData" || name == "node_modules" || ending == "app" || ending == "xcarchive"
    || ending == "xcuserdatad" || ending == "dSYM"
}

/// Pictures, which cannot name assets, but which programs load by name.
private let looseEndings: Set<ByteString> = [
  "png", "jpg", "jpeg", "gif", "heic", "heif", "tif", "tiff", "webp", "bmp", "pdf", "icns", "ico",
  "svg",
]

/// Files that hold no names: sounds, films, fonts, archives, programs.
private let silentEndings: Set<ByteString> = [
  "psd", "ai", "sketch", "xcf", "afdesign", "mp3", "m4a", "wav", "aif", "aiff", "caf", "ogg", "mp4",
  "mov", "m4v", "avi", "mkv", "ttf", "otf", "ttc", "woff", "woff2", "eot", "zip", "gz", "xz", "bz2",
  "7z", "tar", "a", "o", "dylib", "so", "tbd", "car", "jar", "aar", "ipa", "dmg", "usdz", "usd",
  "usda", "reality", "dae", "obj", "fbx", "glb", "metallib", "mlmodel", "mlpackage", "lock",
  "resolved",
  "xcuserstate", "swiftmodule", "swiftdoc", "bcmap", "ipynb", "map", "pyc", "class", "dex", "exe",
  "dll", "lib", "gitignore", "gitattributes", "swiftlint", "editorconfig", "p12", "mobileprovision",
  "cer", "pem", "xcworkspacedata", "xcscheme", "xcsettings",
]

func sourceKind(ofEnding ending: ByteString) -> SourceKind? {
  switch ending {
  case "swift", "swiftinterface": return .code(.swift)
  case "m", "mm", "h", "hh", "hpp", "c", "cc", "cpp", "cxx", "pch", "inc", "metal", "def":
    return .code(.c)
  case "js", "jsx", "ts", "tsx", "mjs", "cjs", "dart", "kt", "kts", "java", "cs", "go", "rs",
    "groovy", "gradle", "scala":
    return .code(.script)
  case "py", "rb", "bzl", "bazel": return .code(.python)
  case "lua": return .code(.lua)
  case "vue", "php": return .code(.page)
  case "xib", "storyboard", "nib": return .text(.interface)
  case "plist", "entitlements": return .text(.propertyList)
  case "html", "htm", "xml", "xhtml", "intentdefinition", "tmx": return .text(.markup)
  case "json", "json5", "geojson", "css", "scss", "yml", "yaml", "toml", "graphql", "tsj":
    return .text(.data)
  case "pbxproj", "xcconfig": return .text(.settings)
  default: return silentEndings.contains(ending) ? nil : .text(.text)
  }
}
