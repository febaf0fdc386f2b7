// Opens archives among the resources of the running program, in the folders that SwiftPM puts
// beside it. Foundation is not used, because its `Bundle` adds fifty megabytes to a static program.

import CPosix

extension Catalog {
  /// Opens an archive of a resource bundle, which both build systems of SwiftPM put beside the
  /// program: "PACKAGE_TARGET.resources" or "PACKAGE_TARGET.bundle". Bundles for the Mac that Xcode
  /// 27 builds have their resources in "Contents/Resources".
  public init(archive name: String, inBundle bundle: String) throws(CatalogError) {
    let folder = try programFolder()
    for ending in [".resources", ".bundle", ".bundle/Contents/Resources"] {
      let path = folder + "/" + bundle + ending + "/" + name
      do throws(CatalogError) {
        try self.init(path: path)
        return
      } catch {
        guard case .system(let code, _) = error, code == ENOENT || code == ENOTDIR else {
          throw error
        }
      }
    }
    throw .notBeside(folder: folder, bundle: bundle, archive: name)
  }
}

/// Returns the folder of the running program's file, with links resolved.
private func programFolder() throws(CatalogError) -> String {
  var path = [CChar](repeating: 0, count: 4096)
  let length = path.withUnsafeMutableBufferPointer { buffer in
    carve_program_path(buffer.baseAddress, buffer.count)
  }
  guard length > 0 else { throw .system(carve_errno()) }
  let bytes = path[..<Int(length)].map { UInt8(bitPattern: $0) }
  let end = bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0
  return String(decoding: bytes[..<end], as: UTF8.self)
}
