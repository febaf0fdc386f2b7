// Translates the errors of the layers below into the messages and exit statuses of commands, in one
// place.

import Archive
import ArchiveTools
import Bytes
import CPosix
import CarveRuntime
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Host
import Queries

extension CommandFailure {
  init(_ error: SettingsError) {
    self = error.isInputOutput ? .inputOutput(error.message) : .input(error.message)
  }

  init(_ error: OutputError) { self = .inputOutput(error.description) }

  init(_ error: CompileError) {
    switch error {
    case .output(let error): self.init(error)
    case .archive(let error): self = .input(error.description)
    }
  }

  init(_ error: QueryError) {
    switch error {
    case .usage(let message): self = .usage(message)
    case .input(let message): self = .input(message)
    }
  }

  init(_ error: FormatError, in archive: ByteString) {
    self = CommandFailure.object(in: archive) ?? .input("\(archive): \(error)")
  }

  /// Returns the failure for an object in place of an archive; nil if the file is not an object.
  static func object(in path: ByteString) -> CommandFailure? {
    guard let start = try? FileTree.disk.readPart(path, 0, 8).bytes,
      start.withUnsafeBytes(ObjectFormat.begins)
    else { return nil }
    return .input("\(path): it is an object, not an archive; 'carve link' makes one of objects")
  }

  init(_ error: ThinningError, in archive: ByteString) {
    switch error {
    case .format(let error): self.init(error, in: archive)
    case .damaged: self = .input("\(archive): \(error)")
    case .archive(let error): self = .input("\(archive): \(error)")
    case .output(let error): self.init(error)
    }
  }

  /// Makes the failure for an archive that could not be opened.
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
    self = .inputOutput("cannot read \(path): \(error.reason)")
  }

  init(_ trouble: WitnessedTree.Failure) { self.init(trouble.error, reading: trouble.path) }

  /// Makes the failure of a system call that has just failed: "cannot \(attempt)", and the reason.
  static func system(_ attempt: String) -> CommandFailure {
    .inputOutput("cannot \(attempt): \(String(cString: strerror(carve_errno())))")
  }
}

/// Runs work on an archive's renditions and translates its errors. `archive` is the path that
/// messages name.
func reporting<Value>(
  about archive: ByteString, _ work: () throws(ThinningError) -> Value
) throws(CommandFailure) -> Value {
  do throws(ThinningError) {
    return try work()
  } catch {
    throw CommandFailure(error, in: archive)
  }
}

/// Runs work that writes outputs, and translates its errors.
func writing<Value>(
  _ work: () throws(OutputError) -> Value
) throws(CommandFailure) -> Value {
  do throws(OutputError) {
    return try work()
  } catch {
    throw CommandFailure(error)
  }
}

/// Runs a query, and translates its errors.
func queried<Value>(
  _ work: () throws(QueryError) -> Value
) throws(CommandFailure) -> Value {
  do throws(QueryError) {
    return try work()
  } catch {
    throw CommandFailure(error)
  }
}
