// The name that an output has before its own, where it needs one: the same in every run, so that what
// a killed run left there goes with the next one. OutputFile decides whether a name is needed.

import Archive
import CPosix

struct UnfinishedName {
  private let place: String
  private let path: String

  private static let mostNames = 100
  /// Who comes in between has done what is tried here; nobody does so for ever.
  private static let mostAttempts = 100
  /// How often it is asked, a tenth of a millisecond apart, whether another run has let the folder go.
  private static let mostWaits = 20_000

  /// For the output at a place. Its name may be as long as names can be: it is hashed.
  init(of place: String) {
    self.place = place
    let folder = OutputFile.folder(of: place)
    let slash = place.utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = Array(place.utf8[(slash.map { place.utf8.index(after: $0) } ?? place.startIndex)...])
    let hash = name.withUnsafeBytes { AssetNameHash(of: $0, kind: 0).value }
    let digits = String(hash, radix: 16)
    path = folder + "/.carve-" + String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Others are there for what cannot be taken away, as files of other users.
  func path(_ number: Int) -> String { number == 0 ? path : "\(path)-\(number)" }

  /// Puts a whole file without a name in the place of another. Returns the system's error number.
  ///
  /// The folder is locked for as long as the file has the other name, so that a file which is found
  /// under it is a killed run's. Where it cannot be locked, the name is this run's alone.
  func replacePlace(with descriptor: Int32) -> Int32? {
    let folder = carve_open_folder(OutputFile.folder(of: place))
    defer { if folder >= 0 { close(folder) } }
    let suffix = UnfinishedName.lock(folder) ? "" : ".\(getpid())"
    for number in 0..<UnfinishedName.mostNames {
      let name = path(number) + suffix
      unlink(name)
      if carve_link_unnamed(descriptor, name) != 0 {
        if carve_errno() == EEXIST { continue }
        return carve_errno()
      }
      if rename(name, place) == 0 { return nil }
      let code = carve_errno()
      unlink(name)
      return code
    }
    return EEXIST
  }

  /// Waits for other runs, but not for who keeps a folder locked for long.
  private static func lock(_ folder: Int32) -> Bool {
    guard folder >= 0 else { return false }
    for _ in 0..<mostWaits {
      if carve_lock(folder) == 0 { return true }
      guard carve_errno() == EWOULDBLOCK else { return false }
      usleep(100)
    }
    return false
  }

  /// A new file under the first name that no living run holds; it stays locked while it is open.
  func create() -> (descriptor: Int32, path: String)? {
    for number in 0..<UnfinishedName.mostNames {
      let name = path(number) + ".part"
      for _ in 0..<UnfinishedName.mostAttempts {
        let descriptor = carve_open_new(name)
        if descriptor >= 0 {
          // Before it is locked another run may have taken it for one that was left.
          let isLocked = carve_lock(descriptor) == 0 || carve_errno() != EWOULDBLOCK
          if isLocked, carve_is_same(descriptor, name) { return (descriptor, name) }
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
  private static func removeLeftover(_ name: String) -> Bool {
    let descriptor = carve_open_read(name)
    guard descriptor >= 0 else { return carve_errno() == ENOENT }
    defer { close(descriptor) }
    guard carve_lock(descriptor) == 0 else { return false }
    return !carve_is_same(descriptor, name) || unlink(name) == 0
  }
}
