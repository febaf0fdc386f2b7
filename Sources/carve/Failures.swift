// What errors of the layers below are to the user of a command: its message and its exit status, in
// one place.

import Archive
import ArchiveTools
import Bytes
import CPosix
import CarveRuntime
import CatalogCompiler
import CommandLineKit
import Host

extension CommandFailure {
  init(_ error: OutputError) { self = .inputOutput(error.description) }

  init(_ error: CompileError) {
    switch error {
    case .output(let error): self.init(error)
    case .archive(let error): self = .input(error.description)
    }
  }

  init(_ error: FormatError, in archive: ByteString) {
    self = CommandFailure.object(in: archive) ?? .input("\(archive): \(error)")
  }

  /// Of a file that is an object, where an archive is needed.
  static func object(in path: ByteString) -> CommandFailure? {
    guard let start = try? FileTree.disk.readPart(path, 0, 8).bytes,
      start.withUnsafeBytes(ObjectFormat.begins)
    else { return nil }
    return .input("\(path): it is an object; 'carve link' makes an archive of objects")
  }

  init(_ error: ThinningError, in archive: ByteString) {
    switch error {
    case .format(let error): self.init(error, in: archive)
    case .damaged: self = .input("\(archive): \(error)")
    case .archive(let error): self = .input("\(archive): \(error)")
    case .output(let error): self.init(error)
    }
  }

  /// An archive that could not be opened.
  init(_ error: CatalogError, in path: ByteString) {
    switch error {
    case .notAFile where isFolder(path):
      self = .inputOutput(
        "cannot read \(path): it is a folder; 'carve compile' makes an archive of a catalogue")
    case .system, .notBeside, .notAFile, .shrunk:
      self = .inputOutput("cannot read \(path): \(error.reason)")
    default: self = CommandFailure.object(in: path) ?? .input("\(path): \(error)")
    }
  }

  init(_ error: FileError, reading path: ByteString) {
    // In the words of the system, which every command says of a file.
    let reason = error == .notFound ? "No such file or directory" : error.reason
    self = .inputOutput("cannot read \(path): \(reason)")
  }

  init(_ trouble: WitnessedTree.Trouble) { self.init(trouble.error, reading: trouble.path) }

  /// A call of the system that has just failed: "cannot \(attempt)", and why.
  static func system(_ attempt: String) -> CommandFailure {
    .inputOutput("cannot \(attempt): \(String(cString: strerror(carve_errno())))")
  }
}

/// Does work on an archive's renditions; `archive` is the path of what was read.
func reporting<Value>(
  about archive: ByteString, _ work: () throws(ThinningError) -> Value
) throws(CommandFailure) -> Value {
  do throws(ThinningError) {
    return try work()
  } catch {
    throw CommandFailure(error, in: archive)
  }
}

/// Writes outputs.
func writing<Value>(
  _ work: () throws(OutputError) -> Value
) throws(CommandFailure) -> Value {
  do throws(OutputError) {
    return try work()
  } catch {
    throw CommandFailure(error)
  }
}
