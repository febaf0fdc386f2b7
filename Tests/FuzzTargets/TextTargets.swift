// Fuzz targets for the readers of texts: Contents.json in every type of folder, traits on the
// command line, property lists, lines of a batch.

import Bytes
import CatalogModel
import Queries
import Traits
@testable import Host

extension FuzzTarget {
  /// Reads a Contents.json. The first byte chooses the type of the folder; the others are the file.
  static let contents = FuzzTarget("contents") { bytes in
    guard let choice = bytes.first else { return }
    let folder = "A.\(folderTypes[Int(choice) % folderTypes.count])"
    let json = [UInt8](bytes.dropFirst())
    let tree = FileTree.holding(json, in: ByteString(folder))
    let contents = readCatalogs(["C.xcassets"], in: tree, options: .init(jobs: 1))
    _ = planFixes(
      of: contents.diagnostics, in: contents, tree: tree, jobs: 1, kinds: [.certain, .review])
  }

  static let traits = FuzzTarget("traits") { bytes in
    _ = try? Environment(traits: String(decoding: bytes, as: UTF8.self))
  }

  static let propertyList = FuzzTarget("property-list") { bytes in
    _ = try? AppTraits(infoPlist: Array(bytes))
  }

  static let batchLine = FuzzTarget("batch-line") { bytes in
    _ = try? BatchRequest(jsonLine: bytes)
  }

  private static let folderTypes = [
    "imageset", "colorset", "dataset", "appiconset", "symbolset", "iconset", "launchimage",
    "spriteatlas", "imagestack", "imagestacklayer", "brandassets", "complicationset", "stickerpack",
    "textureset", "mipmapset", "cubetextureset", "arresourcegroup", "arreferenceimage",
    "solidimagestack", "icon", "group",
  ]
}

extension FileTree {
  /// Returns a catalogue `C.xcassets` with one folder that contains one file, Contents.json or
  /// icon.json.
  fileprivate static func holding(_ json: [UInt8], in folder: ByteString) -> FileTree {
    let name: ByteString = folder.hasSuffix(".icon") ? "icon.json" : "Contents.json"
    let file = FileEntry(name: name, kind: .file, size: json.count)
    @Sendable func entry(_ path: ByteString) throws(FileError) -> FileEntry {
      switch path {
      case "C.xcassets": FileEntry(name: "C.xcassets", kind: .folder)
      case "C.xcassets/\(folder)": FileEntry(name: folder, kind: .folder)
      case "C.xcassets/\(folder)/\(name)": file
      default: throw .notFound
      }
    }
    return FileTree(
      list: { (path) throws(FileError) in
        switch try entry(path).name {
        case "C.xcassets": [FileEntry(name: folder, kind: .folder)]
        case folder: [file]
        default: throw .notAFolder
        }
      },
      status: entry,
      read: { (path, limit) throws(FileError) in
        guard try entry(path).kind == .file else { throw .notAFile }
        if json.count > limit { throw .tooLarge(size: json.count, limit: limit) }
        return json
      },
      readPart: { (path, offset, count) throws(FileError) in
        guard try entry(path).kind == .file else { throw .notAFile }
        return FilePart(bytes: Array(json.dropFirst(offset).prefix(count)), fileSize: json.count)
      },
      realPath: { (path) throws(FileError) in
        _ = try entry(path)
        return path
      })
  }
}
