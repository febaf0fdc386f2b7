// A cache that machines share, over the HTTP protocol of Bazel's caches. An entry lies in /cas/ under the
// SHA-256 of its bytes; which it is says an action's result in /ac/ under the SHA-256 of its key. What cannot
// be reached, or says something else than it should, makes a build slower and no more.
//
// Whoever may write to the server can give any bytes the right digests. With a secret, entries are signed: an
// HMAC-SHA-256 of the key and the entry follows the entry, and a mark follows it. Programs without a secret
// read signed entries, too, and look at no signature.

import Codecs
import Documents
import Host
import Synchronization

final class RemoteCache: Sendable {
  fileprivate struct State: Sendable {
    /// The first thing that went wrong.
    var trouble: String?
    /// Whether the server is asked no more, or is sent nothing more.
    var isSilent = false
    var takesNothing = false
    /// How many entries were not signed with the secret, and how many are not true of their files.
    var unsigned = 0
    var wrong = 0
    /// The entries that are still to be sent, by key. What is sent at once arrives in any order, so each key has
    /// one entry: the last one.
    var waiting: [String: [UInt8]] = [:]
    var waitingCount = 0
  }

  private let client: HTTPClient
  private let state = Mutex(State())

  /// Entries that wait to be sent may come to so many bytes.
  private static let mostWaiting = 16 << 20
  /// So many are sent at once: most of the time of each is the way there.
  private static let senders = 8
  private static let largestResult = 1 << 16

  /// nil if entries are not signed.
  private let secret: [UInt8]?

  init(_ address: HTTPAddress, secret: [UInt8]? = nil) {
    client = HTTPClient(address)
    self.secret = secret
  }

  /// What went wrong first, and how many entries were refused, in words; nil if nothing went wrong.
  var trouble: String? {
    let (trouble, unsigned, wrong) = state.withLock { ($0.trouble, $0.unsigned, $0.wrong) }
    var parts = [trouble].compactMap { $0 }
    if unsigned > 0 {
      parts.append(
        "\(counted(unsigned, "picture")) that it has \(unsigned == 1 ? "is" : "are") not signed with "
          + "the secret of CARVE_REMOTE_CACHE_KEY")
    }
    if wrong > 0 {
      parts.append(
        "\(counted(wrong, "picture")) that it sent \(wrong == 1 ? "does" : "do") not agree with "
          + "the file")
    }
    return parts.isEmpty ? nil : "\(client.address.authority): \(parts.joined(separator: "; "))"
  }

  // MARK: Entries

  /// The bytes of an entry, which are those that its result names.
  func entry(_ key: String) -> [UInt8]? {
    // An entry of this run that waits to be sent is one that the server does not have.
    if state.withLock({ $0.waiting[key] != nil }) { return nil }
    guard let bytes = body(of: place(of: key), limit: RemoteCache.largestResult) else { return nil }
    guard let result = ActionResult(bytes), result.path == path(of: key),
      result.byteCount <= CacheFile.largest + EntrySignature.size
    else {
      note("what it has for a picture is no result of this program")
      return nil
    }
    guard let entry = body(of: "/cas/\(result.digest)", limit: result.byteCount) else { return nil }
    guard ActionResult(path: result.path, of: entry) == result else {
      note("a picture that it sent is not the one of its name")
      return nil
    }
    guard let secret else { return EntrySignature.unsigned(entry) }
    guard EntrySignature.isSigned(entry, as: key, with: secret) else {
      state.withLock { $0.unsigned += 1 }
      return nil
    }
    return EntrySignature.unsigned(entry)
  }

  /// Notes that an entry with the right digests says what cannot be true.
  func countWrong() { state.withLock { $0.wrong += 1 } }

  /// Sends an entry, at once or with the next ones.
  func keep(_ entry: [UInt8], as key: String) {
    let bytes = secret.map { EntrySignature.signed(entry, as: key, with: $0) } ?? entry
    let batch = state.withLock { state -> [(key: String, bytes: [UInt8])] in
      if state.isSilent || state.takesNothing { return [] }
      let earlier = state.waiting.updateValue(bytes, forKey: key)
      state.waitingCount += bytes.count - (earlier?.count ?? 0)
      return state.waitingCount > RemoteCache.mostWaiting ? state.takeWaiting() : []
    }
    send(batch)
  }

  /// Sends what waits.
  func settle() { send(state.withLock { $0.takeWaiting() }) }

  private func send(_ batch: [(key: String, bytes: [UInt8])]) {
    parallelForEach(count: batch.count, jobs: RemoteCache.senders) { index, _ in
      let (key, bytes) = batch[index]
      let result = ActionResult(path: self.path(of: key), of: bytes)
      // Who finds the result finds the entry, too.
      guard self.put(bytes, at: "/cas/\(result.digest)") else { return }
      _ = self.put(result.bytes, at: self.place(of: key))
    }
  }

  /// Says of which entry a result is, so that one for another cannot stand for it.
  private func path(of key: String) -> String { "carve/\(key)" }

  private func place(of key: String) -> String {
    "/ac/\(ActionResult.sha256(Array(path(of: key).utf8)))"
  }

  // MARK: Requests

  private func body(of path: String, limit: Int) -> [UInt8]? {
    if state.withLock({ $0.isSilent }) { return nil }
    do throws(HTTPError) {
      let response = try client.get(path, limit: limit)
      switch response.status {
      case 200: return response.body
      case 404: return nil
      default: throw HTTPError("it answers \(response.status) to what it is asked for")
      }
    } catch {
      fail(error)
      return nil
    }
  }

  private func put(_ bytes: [UInt8], at path: String) -> Bool {
    if state.withLock({ $0.isSilent || $0.takesNothing }) { return false }
    do throws(HTTPError) {
      let response = try client.put(bytes, at: path)
      if 200..<300 ~= response.status { return true }
      // Many are given to be read, and not to be written.
      note("it answers \(response.status) to what it is sent") { $0.takesNothing = true }
    } catch {
      fail(error)
    }
    return false
  }

  private func fail(_ error: HTTPError) { note(error.reason) { $0.isSilent = true } }

  private func note(_ trouble: String, _ change: (inout State) -> Void = { _ in }) {
    state.withLock { state in
      if state.trouble == nil { state.trouble = trouble }
      change(&state)
    }
  }
}

extension RemoteCache.State {
  fileprivate mutating func takeWaiting() -> [(key: String, bytes: [UInt8])] {
    defer { (waiting, waitingCount) = ([:], 0) }
    return waiting.map { (key: $0.key, bytes: $0.value) }
  }
}

/// The signature behind an entry: the code of the key and the entry, and a mark.
enum EntrySignature {
  private static let mark = Array("CRVHMAC1".utf8)
  private static let codeSize = 32
  static let size = codeSize + 8

  static func signed(_ entry: [UInt8], as key: String, with secret: [UInt8]) -> [UInt8] {
    entry + HMAC.sha256(of: Array(key.utf8) + entry, secret: secret) + mark
  }

  static func isSigned(_ bytes: [UInt8], as key: String, with secret: [UInt8]) -> Bool {
    guard hasMark(bytes) else { return false }
    let entry = bytes.dropLast(size)
    let code = HMAC.sha256(of: Array(key.utf8) + entry, secret: secret)
    return HMAC.areEqual(code, bytes[entry.endIndex..<entry.endIndex + codeSize])
  }

  /// The entry, whether it was signed or not.
  static func unsigned(_ bytes: [UInt8]) -> [UInt8] {
    hasMark(bytes) ? bytes.dropLast(size) : bytes
  }

  private static func hasMark(_ bytes: [UInt8]) -> Bool {
    bytes.count >= size && bytes.suffix(mark.count).elementsEqual(mark)
  }
}
