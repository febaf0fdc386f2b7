// Catalogues in memory, which a test builds call by call and compiles.

import Archive
import Bytes
import CatalogCompiler
import Host

/// Makes a product of catalogues or objects. Writes nothing if a diagnostic is an error. `tree` is
/// the disk, or the tree of the objects for a link.
package func compile(
  _ product: Product, in tree: FileTree, options: CompileOptions, to destination: Destination,
  observer: CompileObserver = CompileObserver()
) throws(CompileError) -> CompileReport {
  let compilation = Compilation(product, in: tree, options, observer)
  return try compilation.compile(compilation.read(), to: destination)
}

/// A catalogue in memory, which a test builds call by call.
package struct SampleSources {
  package var files: [ByteString: MemoryFile] = [:]
  package var root: ByteString

  package init(root: ByteString = "A.xcassets") { self.root = root }

  package mutating func add(_ path: String, _ text: String) {
    files["\(root)/\(path)"] = .bytes(Array(text.utf8))
  }

  /// Adds an image set of one colour with these scales and sides in points.
  package mutating func image(
    _ name: String, scales: [Int] = [1, 2, 3], points: Int = 10, red: UInt8 = 200
  ) {
    var entries: [String] = []
    for scale in scales {
      let file = "\(name)@\(scale)x.png"
      entries.append(#"{"idiom":"universal","scale":"\#(scale)x","filename":"\#(file)"}"#)
      files["\(root)/\(name).imageset/\(file)"] = .bytes(
        png(width: points * scale, height: points * scale, red: red, green: 10))
    }
    add("\(name).imageset/Contents.json", "{\"images\":[\(entries.joined(separator: ","))]}")
  }

  /// Compiles the catalogue into a folder, and returns the bytes of the archive.
  package func compiled(
    _ change: (inout CompileOptions) -> Void = { _ in }
  ) throws -> (report: CompileReport, bytes: [UInt8]) {
    let folder = try TemporaryDirectory()
    var options = CompileOptions(target: CompileTarget(platform: .iOS), icons: .all)
    change(&options)
    let path = folder.path("out.car")
    let report = try compile(
      .archive(of: [root]), in: .memory(files), options: options, to: .path(ByteString(path)))
    return (report, report.isRefused ? [] : try folder.read("out.car"))
  }
}

/// Returns the keys and the headers of an archive's renditions, in the order of the archive.
package func renditions(_ bytes: [UInt8]) throws -> [(key: RenditionKey, header: CSIHeader)] {
  try bytes.withUnsafeBytes { file in
    let archive = try Archive(file)
    return try archive.renditions().map { ($0.key, try archive.rendition($0).header) }
  }
}
