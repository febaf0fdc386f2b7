// Finds files of a run that are the same file: two outputs with one place, one of which would be
// lost, and outputs that would replace an input. Every command checks this before it writes
// anything.

import Bytes
import CPosix

/// A file or folder of a run, and its name on the command line: an option, or a word for an
/// operand.
package struct NamedFile: Sendable, Hashable {
  package var option: String
  package var path: ByteString

  /// Returns nil if the option is not given.
  package init?(_ option: String, _ path: ByteString?) {
    guard let path else { return nil }
    self.init(option, path)
  }

  package init(_ option: String, _ path: ByteString) {
    self.option = option
    self.path = path
  }

  fileprivate var words: String { "\(option) \(path)" }
}

/// An output that would be lost, or that would replace an input.
package struct OutputClash: Error, Sendable, Hashable {
  package enum Reason: Sendable, Hashable { case sameOutput, isInput, inInput }

  package var output: NamedFile
  package var other: NamedFile
  package var reason: Reason

  package var message: String {
    switch reason {
    case .sameOutput:
      "\(other.words) and \(output.words) are the same file; give each output a file of its own"
    case .isInput:
      "\(output.words) and \(other.words) are the same file; choose another place for the output"
    case .inInput:
      "\(output.words) would lie in \(other.words), which is an input; choose another place for "
        + "the output"
    }
  }
}

/// Throws if two outputs are one file, or if an output is an input or lies in an input folder.
/// Compares paths without links, and the device and inode numbers of existing files. A device that
/// keeps no bytes, such as /dev/null, may be named several times.
package func checkOutputs(
  _ outputs: [NamedFile], inputs: [NamedFile]
) throws(OutputClash) {
  let read = inputs.map { (file: $0, place: FilePlaceOnDisk($0.path)) }
  var written: [(file: NamedFile, place: FilePlaceOnDisk)] = []
  for output in outputs {
    let place = FilePlaceOnDisk(output.path)
    if place.keepsNothing { continue }
    for (other, there) in written where there.isSame(as: place) {
      throw OutputClash(output: output, other: other, reason: .sameOutput)
    }
    for (input, there) in read {
      if there.isSame(as: place) {
        throw OutputClash(output: output, other: input, reason: .isInput)
      }
      if there.isFolder, place.path.starts(with: there.path + [UInt8(ascii: "/")]) {
        throw OutputClash(output: output, other: input, reason: .inInput)
      }
    }
    written.append((output, place))
  }
}

/// The file to which a path leads.
private struct FilePlaceOnDisk {
  /// The absolute path without links.
  let path: [UInt8]
  private var file: (device: UInt64, inode: UInt64)?
  private(set) var isFolder = false
  private(set) var keepsNothing = false

  init(_ given: ByteString) {
    path = realPlace(given)
    var status = stat()
    guard given.withCString({ stat($0, &status) }) == 0 else { return }
    file = (UInt64(status.st_dev), UInt64(status.st_ino))
    isFolder = carve_is_folder(&status)
    keepsNothing = carve_is_character_device(&status)
  }

  func isSame(as other: FilePlaceOnDisk) -> Bool {
    if path == other.path { return true }
    guard let file, let others = other.file else { return false }
    return file == others
  }
}

/// Returns the absolute path without links to which a path leads. Components that do not exist are
/// kept as they are written.
package func realPlace(_ path: ByteString) -> [UInt8] {
  let slash = UInt8(ascii: "/")
  var place: [UInt8] = []
  let given = path.bytes
  if given.first != slash, let current = carve_real_path(".") {
    place = Array(UnsafeRawBufferPointer(start: current, count: strlen(current)))
    if place == [slash] { place = [] }
    free(current)
  }
  // The components that are not followed yet, the next one last.
  var waiting: [ArraySlice<UInt8>] = given.split(separator: slash).reversed()
  var linksLeft = FileTree.mostLinks
  while let name = waiting.popLast() {
    if name.elementsEqual(".".utf8) { continue }
    if name.elementsEqual("..".utf8) {
      if let last = place.lastIndex(of: slash) { place.removeSubrange(last...) }
      continue
    }
    let inner = place + [slash] + name
    guard linksLeft > 0, let target = target(ofLink: inner) else {
      place = inner
      continue
    }
    linksLeft -= 1
    if target.first == slash { place = [] }
    waiting += target.split(separator: slash).reversed()
  }
  return place.isEmpty ? [slash] : place
}

/// Returns the path in a symbolic link; nil if the path is not a link.
package func target(ofLink path: ByteString) -> ByteString? {
  target(ofLink: path.bytes).map { ByteString(bytes: $0) }
}

private func target(ofLink path: [UInt8]) -> [UInt8]? {
  if path.contains(0) { return nil }
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let name = path.map { CChar(bitPattern: $0) } + [0]
  let count = readlink(name, &buffer, buffer.count)
  return count > 0 ? buffer.prefix(count).map { UInt8(bitPattern: $0) } : nil
}
