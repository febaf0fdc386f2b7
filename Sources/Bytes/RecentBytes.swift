// The bytes that were used last, within a limit, so that they need not be read again.

/// Bytes by their keys: those that were used last, and those that were used before them. If the
/// first list would have more bytes than the limit, it becomes the second, which is dropped.
package struct RecentBytes<Key: Hashable & Sendable>: Sendable {
  private var recent: [Key: [UInt8]] = [:]
  private var older: [Key: [UInt8]] = [:]
  private var size = 0
  /// The bytes of each of the two lists, if no single value has more.
  private let limit: Int

  package init(limit: Int) { self.limit = limit }

  package subscript(key: Key) -> [UInt8]? { recent[key] ?? older[key] }

  /// Notes that bytes were used.
  package mutating func use(_ bytes: [UInt8], of key: Key) {
    guard recent[key] == nil else { return }
    if size + bytes.count > limit { (older, recent, size) = (recent, [:], 0) }
    recent[key] = bytes
    size += bytes.count
  }
}
