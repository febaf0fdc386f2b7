// A server of one page for browsers on this machine. It sends the page, and tells browsers when the
// page has changed. Other machines cannot reach it, and it reads no files.
//
// One thread serves all connections. `step` calls poll with the listener, the watched descriptor
// and all connections, and then continues each one that is ready (`ServedConnection`). No call
// waits, so a slow browser delays no other.
//
// An editor writes several files for one change, so the page is made again only after a pause:
//
//     changes  x x  x           x            x = a change of a file
//     quiet        |--0.12 s--| |--0.12 s--|
//     page made               ^            ^
//
// Each change starts the pause again, but 5 s after the first change the page is made at any rate.

import CPosix
import Glibc

/// The page of the server, and the source of its changes.
package protocol ServedPage: AnyObject {
  /// The present page.
  var page: [UInt8] { get }
  /// A descriptor that becomes readable if the page may have changed; negative if nothing is
  /// watched.
  var watched: Int32 { get }
  /// The milliseconds after which `takeChanges` is called even if `watched` is not readable;
  /// negative if that is not needed.
  var lookingPause: Int32 { get }
  /// Takes the changes since the last call. Returns whether the page may have changed.
  func takeChanges() -> Bool
  /// Makes the page again. If that fails, returns the reason and keeps the old page.
  func refresh() -> String?
}

package struct LoopbackServer: ~Copyable {
  private let listener: Int32
  package let port: UInt16
  private var connections: [ServedConnection] = []
  private var version = 0
  /// The time at which the page is made again, and the latest such time; nil if there was no
  /// change.
  private var announcement: (moment: Double, latest: Double)?
  /// The moment at which the files are looked at; nil if the system reports changes.
  private var nextLook: Double?

  /// The greatest number of connections. Half of them may wait for news, so that there is always
  /// room for requests.
  private static let mostConnections = 64
  /// The seconds without a change before the page is made again.
  private static let quiet = 0.12
  /// The seconds after the first change when the page is made again at the latest.
  private static let mostQuiet = 5.0

  /// Listens at a port of the loopback interface; at any free port if `port` is 0.
  package init(port: UInt16) throws(OutputError) {
    var bound: UInt16 = 0
    listener = carve_listen_loopback(port, &bound)
    self.port = bound
    if listener < 0 {
      throw OutputError(operation: "listen", path: "port \(port)", code: carve_errno())
    }
  }

  deinit { if listener >= 0 { close(listener) } }

  /// Serves until the process ends or a socket fails.
  package mutating func run(_ served: some ServedPage) {
    while step(served, patience: -1) {}
  }

  /// The number of open connections.
  package var connectionCount: Int { connections.count }

  /// Waits for events and handles them. Returns false if the listening socket has failed.
  package mutating func step(_ served: some ServedPage, patience: Int32) -> Bool {
    let isFull = connections.count >= LoopbackServer.mostConnections
    var waits = [
      // If the server is full, new connections wait in the system's queue.
      pollfd(fd: isFull ? -1 : listener, events: Int16(POLLIN), revents: 0),
      pollfd(fd: served.watched, events: Int16(POLLIN), revents: 0),
    ]
    for connection in connections {
      waits.append(pollfd(fd: connection.descriptor, events: connection.awaited, revents: 0))
    }
    scheduleLook(after: served.lookingPause)
    let count = poll(&waits, nfds_t(waits.count), shortest(patience))
    // poll is called again if it was interrupted, or if the system is short of memory for a moment.
    if count < 0 { return [EINTR, EAGAIN, ENOMEM].contains(carve_errno()) }
    for (connection, wait) in zip(connections, waits.dropFirst(2)) where wait.revents != 0 {
      connection.proceed(page: served.page, port: port, hasRoomForReader: hasRoomForReader)
    }
    if waits[1].revents != 0 || takeLook(), served.takeChanges() { postpone() }
    if let announcement, PassClock.now() >= announcement.moment { announce(served) }
    if waits[0].revents != 0 { accept() }
    let now = PassClock.now()
    connections.removeAll { $0.isOver(at: now) }
    return waits[0].revents & Int16(POLLERR | POLLNVAL) == 0
  }

  /// Returns the milliseconds until the next deadline; negative if no deadline is set.
  private func shortest(_ patience: Int32) -> Int32 {
    var moments = connections.compactMap(\.deadline)
    if let announcement { moments.append(announcement.moment) }
    if let nextLook { moments.append(nextLook) }
    let now = PassClock.now()
    let waits = moments.map { Int32(clamping: Int(max(0, ($0 - now) * 1000).rounded(.up))) }
    return ((patience < 0 ? [] : [patience]) + waits).min() ?? -1
  }

  /// Sets the moment at which the files are looked at, also if requests come all the time.
  private mutating func scheduleLook(after pause: Int32) {
    if pause < 0 {
      nextLook = nil
    } else if nextLook == nil {
      nextLook = PassClock.now() + Double(pause) / 1000
    }
  }

  /// Returns whether the files have to be looked at now.
  private mutating func takeLook() -> Bool {
    guard let moment = nextLook, PassClock.now() >= moment else { return false }
    nextLook = nil
    return true
  }

  private var hasRoomForReader: Bool {
    connections.count { $0.isReader } < LoopbackServer.mostConnections / 2
  }

  private mutating func accept() {
    let descriptor = carve_accept_waiting(listener)
    if descriptor >= 0 { connections.append(ServedConnection(descriptor)) }
  }

  // MARK: News

  private mutating func postpone() {
    let now = PassClock.now()
    let latest = announcement?.latest ?? now + LoopbackServer.mostQuiet
    announcement = (min(now + LoopbackServer.quiet, latest), latest)
  }

  private mutating func announce(_ served: some ServedPage) {
    announcement = nil
    version += 1
    let trouble = served.refresh()
    let lines = (trouble ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { "data: \($0)\n" }.joined()
    let news = "event: \(trouble == nil ? "page" : "trouble")\nid: \(version)\n\(text)\n"
    for connection in connections where connection.isReader { connection.send(Array(news.utf8)) }
  }
}

/// A request of a browser.
package enum HTTPRequest: Sendable, Hashable {
  case page, news
  case refused(String)

  /// Reads the lines of a request. Refuses requests of pages from other sites: those with the host
  /// name of another site that leads to this machine, and those that a browser sends for such a
  /// page (Origin, Sec-Fetch-Site).
  package init(_ head: String, port: UInt16) {
    let lines = head.split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
      self = .refused("400 Bad Request")
      return
    }
    /// Returns the values of every field with this name.
    func values(_ name: String) -> [String] {
      lines.dropFirst().compactMap { line in
        guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else {
          return nil
        }
        return trimmedField(line[line.index(after: colon)...]).lowercased()
      }
    }
    let own = ["127.0.0.1:\(port)", "localhost:\(port)"]
    let hosts = values("host")
    guard hosts.count == 1, own.contains(hosts[0]),
      values("origin").allSatisfy({ origin in own.contains { "http://\($0)" == origin } }),
      values("sec-fetch-site").allSatisfy({ ["same-origin", "none"].contains($0) })
    else {
      self = .refused("403 Forbidden")
      return
    }
    guard words[0] == "GET" else {
      self = .refused("405 Method Not Allowed")
      return
    }
    switch words[1].prefix(while: { $0 != "?" }) {
    case "/": self = .page
    case "/news": self = .news
    default: self = .refused("404 Not Found")
    }
  }
}

/// Returns the value of an HTTP field without the blanks around it.
func trimmedField(_ value: Substring) -> Substring {
  func isBlank(_ sign: Character) -> Bool { sign == " " || sign == "\t" }
  var value = value.drop(while: isBlank)
  while let last = value.last, isBlank(last) { value.removeLast() }
  return value
}

// MARK: - Connections

// One connection of the server of pages. It reads a request, sends the answer, and closes; or it
// stays open for news. It never waits: the server calls `proceed` if there are bytes to read or
// room to write.
//
//     request ──whole head──> answer ──all sent──> farewell ──partner closes──> over
//        └─────"/news"─────> reader ──partner closes──────────────────────────> over
//
// Every stage also ends if a call fails or the deadline passes. Only a reader with nothing to send
// has no deadline.

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
    case .page: respond("200 OK", type: "text/html; charset=utf-8", body: page)
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

  private func refuse(_ status: String) {
    respond(status, type: "text/plain", body: Array("\(status)\n".utf8))
  }

  private func respond(_ status: String, type: String, body: [UInt8]) {
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
