// A cache that several machines share, over the HTTP protocol of Bazel's caches. An example for the
// entry of a picture whose key is 3fa0…, which makes the path "carve/3fa0…":
//
//   reading   GET /ac/SHA-256 of the path     ActionResult: path, SHA-256 and size of the entry
//             GET /cas/SHA-256 of the entry   the entry, whose bytes must have that digest and size
//   writing   PUT /cas/SHA-256 of the entry   the entry
//             PUT /ac/SHA-256 of the path     the ActionResult; it comes second, so that a reader
//                                             that finds it also finds the entry
//
// The result states the path, so that the result for another key is not accepted. Status 404 means
// that there is no entry. After another status or an error of the connection the server is asked no
// more, and after a refused PUT it gets no more entries. A server that is slower than making the
// pictures is asked no more, either. The run is then slower; nothing else changes.
//
// Every writer of the server can store wrong bytes with right digests. With a secret, entries are
// therefore signed:
//
//   entry │ HMAC-SHA-256 of key and entry, 32 bytes │ mark "CRVHMAC1"
//
// Programs without a secret also read signed entries, and do not verify the signature.

import Bytes
import Documents
import Host
import Synchronization

final class RemoteCache: Sendable {
  fileprivate struct State: Sendable {
    /// The first thing that went wrong.
    var trouble: String?
    /// Whether no more requests are sent to the server, and whether no more entries are sent.
    var isSilent = false
    var takesNothing = false
    /// The number of entries that are not signed with the secret, and of entries that do not agree
    /// with their files.
    var unsigned = 0
    var wrong = 0
    /// The entries that must still be sent, by key. Entries that are sent together arrive in any
    /// order, so each key has only its last entry.
    var waiting: [String: [UInt8]] = [:]
    var waitingCount = 0
    var delay = ServerDelay()
  }

  private let client: HTTPClient
  private let state = Mutex(State())

  /// The limit in bytes for the entries that wait to be sent.
  private static let mostWaiting = 16 << 20
  /// The number of entries that are sent at the same time. Most of the time of a request is spent
  /// on the network.
  private static let senders = 8
  private static let largestResult = 1 << 16

  /// The secret; nil if entries are not signed.
  private let secret: [UInt8]?

  init(_ address: HTTPAddress, secret: [UInt8]? = nil) {
    client = HTTPClient(address)
    self.secret = secret
  }

  /// A description of the first trouble and the number of refused entries; nil if nothing went
  /// wrong.
  var trouble: String? {
    let (trouble, unsigned, wrong) = state.withLock { ($0.trouble, $0.unsigned, $0.wrong) }
    var parts = [trouble].compactMap { $0 }
    if unsigned > 0 {
      parts.append(
        "\(counted(unsigned, "picture")) on it \(unsigned == 1 ? "is" : "are") not signed with "
          + "the secret of CARVE_REMOTE_CACHE_KEY"
      )
    }
    if wrong > 0 {
      parts.append(
        "\(counted(wrong, "picture")) that it sent \(wrong == 1 ? "does" : "do") not match the file"
      )
    }
    return parts.isEmpty ? nil : "\(client.address.authority): \(parts.joined(separator: "; "))"
  }

  // MARK: Entries

  /// Returns the entry of a key, if its bytes are those that its result names.
  func entry(_ key: String) -> [UInt8]? {
    // An entry that waits to be sent is missing on the server, or the server's entry was refused.
    if state.withLock({ $0.waiting[key] != nil }) { return nil }
    guard let bytes = body(of: address(of: key), limit: RemoteCache.largestResult) else {
      return nil
    }
    guard let result = ActionResult(bytes), result.path == path(of: key),
      result.byteCount <= FileLimit.cacheEntry + EntrySignature.size
    else {
      note("its entry for a picture is not a result of this program")
      return nil
    }
    guard let entry = body(of: "/cas/\(result.digest)", limit: result.byteCount) else { return nil }
    guard ActionResult(path: result.path, of: entry) == result else {
      note("a picture that it sent does not match its name")
      return nil
    }
    guard let secret else { return EntrySignature.unsigned(entry) }
    guard EntrySignature.isSigned(entry, as: key, with: secret) else {
      state.withLock { $0.unsigned += 1 }
      return nil
    }
    return EntrySignature.unsigned(entry)
  }

  /// Counts an entry with right digests that does not agree with its file.
  func countWrong() { state.withLock { $0.wrong += 1 } }

  /// Sends an entry, at once or together with later ones.
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

  /// Sends the entries that wait.
  func settle() { send(state.withLock { $0.takeWaiting() }) }

  private func send(_ batch: [(key: String, bytes: [UInt8])]) {
    parallelForEach(count: batch.count, jobs: RemoteCache.senders) { index, _ in
      let (key, bytes) = batch[index]
      let result = ActionResult(path: self.path(of: key), of: bytes)
      // The entry is sent first, so that a reader that finds the result also finds the entry.
      guard self.put(bytes, at: "/cas/\(result.digest)") else { return }
      _ = self.put(result.bytes, at: self.address(of: key))
    }
  }

  /// Returns the path of an entry in its result. It names the key, so that the result for another
  /// key is not accepted.
  private func path(of key: String) -> String { "carve/\(key)" }

  private func address(of key: String) -> String {
    "/ac/\(ActionResult.sha256(Array(path(of: key).utf8)))"
  }

  // MARK: Requests

  private func body(of path: String, limit: Int) -> [UInt8]? {
    if state.withLock({ $0.isSilent }) { return nil }
    let start = PassClock.now()
    do throws(HTTPError) {
      let response = try client.get(path, limit: limit)
      countDelay(since: start, bytes: response.body.count)
      switch response.status {
      case 200: return response.body
      case 404: return nil
      default:
        throw HTTPError("it answers with status \(response.status) when a picture is requested")
      }
    } catch {
      fail(error)
      return nil
    }
  }

  private func put(_ bytes: [UInt8], at path: String) -> Bool {
    if state.withLock({ $0.isSilent || $0.takesNothing }) { return false }
    let start = PassClock.now()
    do throws(HTTPError) {
      let response = try client.put(bytes, at: path)
      countDelay(since: start, bytes: bytes.count)
      if 200..<300 ~= response.status { return true }
      // Many users may only read from their server.
      note("it answers with status \(response.status) when a picture is sent") {
        $0.takesNothing = true
      }
    } catch {
      fail(error)
    }
    return false
  }

  private func countDelay(since start: Double, bytes: Int) {
    let seconds = PassClock.now() - start
    let isTooLong = state.withLock { state in
      state.delay.count(seconds: seconds, bytes: bytes)
      return state.delay.isTooLong
    }
    if isTooLong { fail(HTTPError(ServerDelay.words)) }
  }

  private func fail(_ error: HTTPError) { note(error.reason) { $0.isSilent = true } }

  private func note(_ trouble: String, _ change: (inout State) -> Void = { _ in }) {
    state.withLock { state in
      if state.trouble == nil { state.trouble = trouble }
      change(&state)
    }
  }
}

/// The time by which the answers of a server were late, in all requests together.
struct ServerDelay: Sendable {
  private var seconds = 0.0

  /// The limit in seconds. About sixteen requests wait at the same time, so this is a quarter of a
  /// minute of the run.
  private static let most = 240.0
  static let words = "it is slow: its answers were late by four minutes in sum"

  /// Counts a request that sent or received `bytes`. An answer is late after a tenth of a second,
  /// and a second for each megabyte: most pictures are made in less time.
  mutating func count(seconds: Double, bytes: Int) {
    self.seconds += max(0, seconds - 0.1 - Double(bytes) / 1e6)
  }

  var isTooLong: Bool { seconds > ServerDelay.most }
}

extension RemoteCache.State {
  fileprivate mutating func takeWaiting() -> [(key: String, bytes: [UInt8])] {
    defer { (waiting, waitingCount) = ([:], 0) }
    return waiting.map { (key: $0.key, bytes: $0.value) }
  }
}

/// The signature after an entry: the HMAC of the key and the entry, and a mark.
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

  /// Returns the entry without its signature, if it has one.
  static func unsigned(_ bytes: [UInt8]) -> [UInt8] {
    hasMark(bytes) ? bytes.dropLast(size) : bytes
  }

  private static func hasMark(_ bytes: [UInt8]) -> Bool {
    bytes.count >= size && bytes.suffix(mark.count).elementsEqual(mark)
  }
}

// MARK: - Results of actions

// The result of an action, in the format of the remote execution protocol: the values under /ac/ in
// Bazel's caches. Servers read a result to check that the file in it exists. Unknown fields are
// skipped.
//
//   ActionResult   2: OutputFile, repeated      4: exit code, 0 if it is missing
//   OutputFile     1: path      2: Digest
//   Digest         1: SHA-256 in lower-case hexadecimal digits      2: number of bytes

/// The single file of a result.
struct ActionResult: Sendable, Hashable {
  var path: String
  var digest: String
  var byteCount: Int

  init(path: String, of bytes: [UInt8]) {
    self.path = path
    digest = ActionResult.sha256(bytes)
    byteCount = bytes.count
  }

  static func sha256(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes { SHA256.hexadecimal($0) }.lowercased()
  }

  var bytes: [UInt8] {
    let digest = field(1, Array(self.digest.utf8)) + [2 << 3] + number(UInt64(byteCount))
    return field(2, field(1, Array(path.utf8)) + field(2, digest))
  }

  private func field(_ number: UInt8, _ value: [UInt8]) -> [UInt8] {
    [number << 3 | 2] + self.number(UInt64(value.count)) + value
  }

  private func number(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  /// Reads a result; nil if the bytes are not a result with one file.
  init?(_ bytes: [UInt8]) {
    guard let result = ProtocolMessage(bytes[...]), result.numbers[4] ?? 0 == 0,
      let file = result.parts[2].flatMap({ ProtocolMessage($0) }),
      let path = file.parts[1], let digest = file.parts[2].flatMap({ ProtocolMessage($0) }),
      let hash = digest.parts[1], hash.count == 64,
      hash.allSatisfy({ 48...57 ~= $0 || 97...102 ~= $0 }),
      let byteCount = Int(exactly: digest.numbers[2] ?? 0)
    else { return nil }
    self.path = String(decoding: path, as: UTF8.self)
    self.digest = String(decoding: hash, as: UTF8.self)
    self.byteCount = byteCount
  }
}

/// The fields of a protocol buffer message. If a field is repeated, the last one counts.
private struct ProtocolMessage {
  private(set) var numbers: [UInt64: UInt64] = [:]
  private(set) var parts: [UInt64: ArraySlice<UInt8>] = [:]

  init?(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      guard let tag = ProtocolMessage.number(&rest) else { return nil }
      switch tag & 7 {
      case 0:
        guard let value = ProtocolMessage.number(&rest) else { return nil }
        numbers[tag >> 3] = value
      case 1 where rest.count >= 8: rest = rest.dropFirst(8)
      case 5 where rest.count >= 4: rest = rest.dropFirst(4)
      case 2:
        guard let count = ProtocolMessage.number(&rest), count <= UInt64(rest.count) else {
          return nil
        }
        parts[tag >> 3] = rest.prefix(Int(count))
        rest = rest.dropFirst(Int(count))
      default: return nil
      }
    }
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}
