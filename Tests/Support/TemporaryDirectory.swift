// A folder for one test, which is removed together with the value.

import Foundation

public final class TemporaryDirectory: Sendable {
  public let path: String

  public init() throws {
    path = "\(TemporaryDirectory.base)/carve-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// The folder of temporary folders: in memory if there is enough of it, because some disks need
  /// more time to create and remove the files than the tests need.
  static let base: String = {
    var memory = statvfs()
    let noProgramsRun: UInt = 8
    let isPlenty =
      statvfs("/dev/shm", &memory) == 0 && memory.f_bavail * memory.f_frsize >= 2 << 30
      && memory.f_flag & noProgramsRun == 0 && access("/dev/shm", W_OK) == 0
    let asked = ProcessInfo.processInfo.environment["TMPDIR"]
    return asked == nil && isPlenty ? "/dev/shm" : FileManager.default.temporaryDirectory.path
  }()

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns the full path of a file in the folder. The file need not exist.
  public func path(_ relative: String) -> String { "\(path)/\(relative)" }

  /// Writes a file, creates the folders on its path, and returns its full path.
  @discardableResult
  public func write(_ bytes: some Sequence<UInt8>, to relative: String) throws -> String {
    let place = path(relative)
    try writeFile(bytes, to: place)
    return place
  }

  @discardableResult
  public func write(_ text: String, to relative: String) throws -> String {
    try write(text.utf8, to: relative)
  }

  public func read(_ relative: String) throws -> [UInt8] {
    try readFile(path(relative))
  }

  /// Returns the files below a folder, sorted, as paths relative to it.
  public func files(below relative: String) throws -> [String] {
    let all = try FileManager.default.subpathsOfDirectory(atPath: path(relative)).sorted()
    return all.map { "\(relative)/\($0)" }.filter { file in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path(file), isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }

  /// Copies a file or folder into this folder.
  @discardableResult
  public func copy(_ source: String, to relative: String) throws -> String {
    let place = path(relative)
    try makeFolders(above: place)
    try FileManager.default.copyItem(atPath: source, toPath: place)
    return place
  }
}
