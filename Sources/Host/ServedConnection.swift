// One connection of the server of pages: reads a request, sends the answer, and closes; or stays open for news.
// It never waits: the server says when there is something to read or room to write.

import CPosix
import Glibc

final class ServedConnection {
  let descriptor: Int32
  private enum Stage {
    case request, answer
    /// Everything is sent; the partner has not closed yet.
    case farewell
    /// The partner waits for news.
    case reader
    case over
  }

  private var stage = Stage.request
  private var received: [UInt8] = []
  /// What is still to be sent, from a place on.
  private var pending: [UInt8] = []
  private var sentCount = 0
  /// The moment after which the connection is closed; nil if it may stay as it is.
  private(set) var deadline: Double?

  private static let mostHeadBytes = 1 << 14
  /// News that a reader may leave untaken.
  private static let mostPending = 1 << 20
  /// Seconds in which a whole request has to come.
  private static let requestTime = 2.0
  /// Seconds in which a partner has to take some of what it is sent.
  private static let answerTime = 5.0
  /// Seconds in which a partner has to close. A socket that is closed before all was read takes what the
  /// partner has not yet read with it.
  private static let farewellTime = 1.0

  /// Owns a socket that never waits.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    deadline = PassClock.now() + ServedConnection.requestTime
  }

  deinit { close(descriptor) }

  var isReader: Bool { stage == .reader }

  /// What the server waits for.
  var awaited: Int16 {
    switch stage {
    case .request, .farewell: Int16(POLLIN)
    case .answer: Int16(POLLOUT)
    case .reader: Int16(pending.isEmpty ? POLLIN : POLLIN | POLLOUT)
    case .over: 0
    }
  }

  func isOver(at now: Double) -> Bool { stage == .over || deadline.map { now >= $0 } ?? false }

  /// Does what can be done without waiting.
  func proceed(page: [UInt8], port: UInt16, hasRoomForReader: Bool) {
    if stage != .answer { receive() }
    if stage == .request, let head = takeHead() {
      answer(HTTPRequest(head, port: port), page, hasRoomForReader: hasRoomForReader)
    }
    if stage == .answer || stage == .reader { sendPending() }
  }

  /// Sends news.
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

  /// Takes what has come. The end of it is the end of the connection.
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

  /// The lines of a request up to the empty one; nil if they have not come. What follows is not read.
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
