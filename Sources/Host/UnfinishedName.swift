// The name that an output has before its own, if it needs one. It is the same in every run, so that
// the next run removes the file that a killed run left. OutputFile decides whether a name is
// needed.
//
//     .carve-HASH          a complete file, just before it is renamed
//     .carve-HASH.part     an incomplete file, if the system has no files without names
//     .carve-HASH-1, …     the same for runs at the same time
//
// HASH is a hash of the output's name. A run locks its file (flock) for as long as it is open. So a
// file under such a name is a leftover if it is not locked.

import Bytes
import CPosix

struct UnfinishedName {
  private let place: ByteString
  private let path: ByteString

  private static let mostNames = 100
  /// The greatest number of attempts for one name. An attempt fails if another run was faster,
  /// which cannot happen every time.
  private static let mostAttempts = 100

  /// Creates the name for the output at a place. It contains a hash, because the output's own name
  /// may already have the greatest length.
  init(of place: ByteString) {
    self.place = place
    let folder = parentFolder(place)
    // If the hashes of two outputs are equal, they use different numbers.
    path = "\(folder)/.carve-\(FNV1a(lastComponent(place).bytes).digits)"
  }

  /// Returns the name with a number. Higher numbers are used if another run holds the lower ones,
  /// or if a leftover cannot be removed.
  func path(_ number: Int) -> ByteString { number == 0 ? path : "\(path)-\(number)" }

  /// Puts a complete file without a name in the place of another. Returns the system's error
  /// number; nil if it succeeds.
  func replacePlace(with descriptor: Int32) -> Int32? {
    // The lock comes before the name. Otherwise another run could take the name for a leftover and
    // remove it, and the file would be linked a second time.
    carve_lock(descriptor)
    for number in 0..<UnfinishedName.mostNames {
      let name = path(number)
      for _ in 0..<UnfinishedName.mostAttempts {
        if name.withCString({ carve_link_unnamed(descriptor, $0) }) == 0 {
          if renameFile(name, to: place) == 0 { return nil }
          let code = carve_errno()
          name.withCString { _ = unlink($0) }
          return code
        }
        guard carve_errno() == EEXIST else { return carve_errno() }
        if !UnfinishedName.removeLeftover(name) { break }
      }
    }
    return EEXIST
  }

  /// Creates a file under the first name that no running process holds. The file stays locked while
  /// it is open.
  func create() -> (descriptor: Int32, path: ByteString)? {
    for number in 0..<UnfinishedName.mostNames {
      let name = path(number) + ".part"
      for _ in 0..<UnfinishedName.mostAttempts {
        let descriptor = name.withCString(carve_open_new)
        if descriptor >= 0 {
          // Between the creation and the lock, another run may have removed the file as a leftover.
          let isLocked = carve_lock(descriptor) == 0 || carve_errno() != EWOULDBLOCK
          if isLocked, name.withCString({ carve_is_same(descriptor, $0) }) {
            return (descriptor, name)
          }
          close(descriptor)
        } else if carve_errno() != EEXIST {
          return nil
        } else if !UnfinishedName.removeLeftover(name) {
          break
        }
      }
    }
    return nil
  }

  /// Removes the file of a run that has ended. Returns false if the run is still alive, or if this
  /// cannot be found out.
  private static func removeLeftover(_ name: ByteString) -> Bool {
    let descriptor = name.withCString(carve_open_read)
    guard descriptor >= 0 else { return carve_errno() == ENOENT }
    defer { close(descriptor) }
    guard carve_lock(descriptor) == 0 else { return false }
    return !name.withCString({ carve_is_same(descriptor, $0) })
      || name.withCString({ unlink($0) }) == 0
  }
}
