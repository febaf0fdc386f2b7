// One connection of the server of pages. It reads a request, sends the answer, and closes; or it
// stays open for news. It never waits: the server calls `proceed` if there are bytes to read or
// room to write.
//
//     request ──whole head──> answer ──all sent──> farewell ──partner closes──> over
//        └─────"/news"─────> reader ──partner closes──────────────────────────> over
//
// Every stage also ends if a call fails or the deadline passes. Only a reader with nothing to send
// has no deadline.

import CPosix
import Glibc

final class ServedConnection {
  let descriptor: Int32
  private enum Stage {
    case request, answer
    /// All bytes are sent, but the partner has not closed the connection yet.
    case farewell
    /// The partner waits for news.
    case reader
    case over
  }

  private var stage = Stage.request
  private var received: [UInt8] = []
  /// The bytes to send. The first `sentCount` of them are sent already.
  private var pending: [UInt8] = []
  private var sentCount = 0
  /// The time at which the connection is closed; nil if it may stay open.
  private(set) var deadline: Double?

  private static let mostHeadBytes = 1 << 14
  /// The greatest number of bytes that may wait for a reader. A reader that takes fewer is
  /// disconnected.
  private static let mostPending = 1 << 20
  /// The seconds within which a whole request must arrive.
  private static let requestTime = 2.0
  /// The seconds within which a partner must take some of the bytes that are sent.
  private static let answerTime = 5.0
  /// The seconds within which a partner must close. If the server closed a socket with unread
  /// input, the system would discard the bytes that the partner has not read yet.
  private static let farewellTime = 1.0

  /// Takes ownership of a socket whose calls never wait.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    deadline = PassClock.now() + ServedConnection.requestTime
  }

  deinit { close(descriptor) }

  var isReader: Bool { stage == .reader }

  /// The poll events for which the connection waits.
  var awaited: Int16 {
    switch stage {
    case .request, .farewell: Int16(POLLIN)
    case .answer: Int16(POLLOUT)
    case .reader: Int16(pending.isEmpty ? POLLIN : POLLIN | POLLOUT)
    case .over: 0
    }
  }

  func isOver(at now: Double) -> Bool { stage == .over || deadline.map { now >= $0 } ?? false }

  /// Reads and writes as much as is possible without waiting.
  func proceed(page: [UInt8], port: UInt16, hasRoomForReader: Bool) {
    if stage != .answer { receive() }
    if stage == .request, let head = takeHead() {
      answer(HTTPRequest(head, port: port), page, hasRoomForReader: hasRoomForReader)
    }
    if stage == .answer || stage == .reader { sendPending() }
  }

  /// Sends news to a reader.
  func send(_ bytes: [UInt8]) {
    if pending.count + bytes.count > ServedConnection.mostPending {
      stage = .over
      return
    }
    if pending.isEmpty { deadline = PassClock.now() + ServedConnection.answerTime }
    pending += bytes
    sendPending()
  }

  // MARK: Reading

  /// Reads the bytes that have arrived. If the partner has closed, the connection is over.
  private func receive() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    for _ in 0..<16 {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 {
        let code = carve_errno()
        if code == EINTR { continue }
        if code != EAGAIN { stage = .over }
        return
      }
      if count == 0 { stage = .over }
      guard count > 0 else { return }
      if stage != .request { continue }
      received += buffer[..<count]
      if received.count > ServedConnection.mostHeadBytes {
        stage = .over
        return
      }
    }
  }

  /// Returns the lines of a request up to the empty one; nil if they have not all arrived. The
  /// bytes after them are ignored.
  private func takeHead() -> String? {
    guard let end = received.firstRange(of: [13, 10, 13, 10]) else { return nil }
    return String(decoding: received[..<end.lowerBound], as: UTF8.self)
  }

  // MARK: Writing

  private func answer(_ request: HTTPRequest, _ page: [UInt8], hasRoomForReader: Bool) {
    stage = .answer
    switch request {
    case .page: respond("200 OK", "text/html; charset=utf-8", page)
    case .news where hasRoomForReader:
      stage = .reader
      let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
        + "Connection: close\r\n\r\nretry: 1000\n\n"
      send(Array(head.utf8))
    case .news: refuse("503 Service Unavailable")
    case .refused(let status): refuse(status)
    }
  }

  private func refuse(_ status: String) { respond(status, "text/plain", Array("\(status)\n".utf8)) }

  private func respond(_ status: String, _ type: String, _ body: [UInt8]) {
    let head =
      "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n"
      + "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
    deadline = PassClock.now() + ServedConnection.answerTime
    pending = Array(head.utf8) + body
  }

  private func sendPending() {
    while sentCount < pending.count {
      let count = pending.withUnsafeBytes {
        carve_send(descriptor, $0.baseAddress?.advanced(by: sentCount), $0.count - sentCount)
      }
      if count < 0 {
        let code = carve_errno()
        if code == EINTR { continue }
        if code != EAGAIN { stage = .over }
        return
      }
      sentCount += count
      deadline = PassClock.now() + ServedConnection.answerTime
    }
    (pending, sentCount) = ([], 0)
    if stage == .reader {
      deadline = nil
    } else if stage == .answer {
      stage = .farewell
      shutdown(descriptor, Int32(SHUT_WR))
      deadline = PassClock.now() + ServedConnection.farewellTime
    }
  }
}
