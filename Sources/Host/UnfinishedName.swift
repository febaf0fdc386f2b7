// The name that an output has before its own, where it needs one: the same in every run, so that what
// a killed run left there goes with the next one. OutputFile decides whether a name is needed.

import Bytes
import CPosix

struct UnfinishedName {
  private let place: ByteString
  private let path: ByteString

  private static let mostNames = 100
  /// Who comes in between has done what is tried here; nobody does so for ever.
  private static let mostAttempts = 100

  /// For the output at a place. Its name may be as long as names can be: it is hashed.
  init(of place: ByteString) {
    self.place = place
    let folder = OutputFile.folder(of: place)
    let name = lastComponent(place).bytes
    // FNV-1a: names that clash only take turns.
    let hash = name.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    path = "\(folder)/.carve-\(String(repeating: "0", count: 16 - digits.count))\(digits)"
  }

  /// Others are there for runs at the same time, and for what cannot be taken away.
  func path(_ number: Int) -> ByteString { number == 0 ? path : "\(path)-\(number)" }

  /// Puts a whole file without a name in the place of another. Returns the system's error number.
  func replacePlace(with descriptor: Int32) -> Int32? {
    // Before it has the name: nobody takes that of a locked file, and no file gets a second one.
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

  /// A new file under the first name that no living run holds; it stays locked while it is open.
  func create() -> (descriptor: Int32, path: ByteString)? {
    for number in 0..<UnfinishedName.mostNames {
      let name = path(number) + ".part"
      for _ in 0..<UnfinishedName.mostAttempts {
        let descriptor = name.withCString(carve_open_new)
        if descriptor >= 0 {
          // Before it is locked another run may have taken it for one that was left.
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

  /// Removes the file of a run that is no more; false where it lives, or nobody can tell.
  private static func removeLeftover(_ name: ByteString) -> Bool {
    let descriptor = name.withCString(carve_open_read)
    guard descriptor >= 0 else { return carve_errno() == ENOENT }
    defer { close(descriptor) }
    guard carve_lock(descriptor) == 0 else { return false }
    return !name.withCString({ carve_is_same(descriptor, $0) })
      || name.withCString({ unlink($0) }) == 0
  }
}
