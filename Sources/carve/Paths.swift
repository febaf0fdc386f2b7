// Where commands write: folders stand for the file inside of them.

import CPosix
import CatalogCompiler
import CommandLineKit

/// A folder, or a path that ends like one, means the Assets.car in it.
func archivePath(_ path: String) -> String {
  if path.hasSuffix("/") { return path + "Assets.car" }
  return isFolder(path) ? path + "/Assets.car" : path
}

func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && carve_is_folder(&status)
}

/// Writes a text file like any other output: whole or not at all.
func writeText(_ text: String, to path: String) throws(CommandFailure) {
  do throws(OutputError) {
    var file = try OutputFile(path: path)
    let bytes = Array(text.utf8)
    try file.append(bytes)
    try file.commit()
  } catch {
    throw .inputOutput(error.description)
  }
}
