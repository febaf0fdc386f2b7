// A server of one page for browsers on this machine: it hands the page out, and says when there is
// another. No other machine can reach it, and it reads no file. It waits for all its connections at once:
// what one of them does, or does not, is ServedConnection's business.

import CPosix

/// What stands at the server's address, and what its readers are told.
package protocol ServedPage: AnyObject {
  /// The page as it is now.
  var page: [UInt8] { get }
  /// What to watch: becomes readable when the page may be another; negative for nothing.
  var watched: Int32 { get }
  /// How many milliseconds may pass before `takeChanges` is asked without a sign of `watched`; negative if it
  /// is never asked then.
  var lookingPause: Int32 { get }
  /// Takes what happened to what is watched; whether the page may be another.
  func takeChanges() -> Bool
  /// Makes the page anew. Gives what is wrong where that fails, and keeps the page.
  func refresh() -> String?
}

package struct LoopbackServer: ~Copyable {
  private let listener: Int32
  package let port: UInt16
  private var connections: [ServedConnection] = []
  private var version = 0
  /// When the page is made anew, and when at the latest; nil if it is the newest.
  private var announcement: (moment: Double, latest: Double)?

  /// Half of them may be readers of the news, so that there is always room for requests.
  private static let mostConnections = 64
  /// Seconds for which everything is quiet before the page is made: an editor writes several files.
  private static let quiet = 0.12
  /// Seconds after which it is made all the same.
  private static let mostQuiet = 5.0

  /// Answers at a port of the loopback interface; at any that is free for 0.
  package init(port: UInt16) throws(OutputError) {
    var bound: UInt16 = 0
    listener = carve_listen_loopback(port, &bound)
    self.port = bound
    if listener < 0 {
      throw OutputError(operation: "listen", path: "port \(port)", code: carve_errno())
    }
  }

  deinit { if listener >= 0 { close(listener) } }

  /// Serves until the process ends or the sockets fail.
  package mutating func run(_ served: some ServedPage) {
    while step(served, patience: -1) {}
  }

  /// How many connections are open.
  package var connectionCount: Int { connections.count }

  /// Waits for one thing to happen, and does what it asks for. False where the sockets have failed.
  package mutating func step(_ served: some ServedPage, patience: Int32) -> Bool {
    let isFull = connections.count >= LoopbackServer.mostConnections
    var waits = [
      // Those that come when there is no room wait in the system's queue.
      pollfd(fd: isFull ? -1 : listener, events: Int16(POLLIN), revents: 0),
      pollfd(fd: served.watched, events: Int16(POLLIN), revents: 0),
    ]
    for connection in connections {
      waits.append(pollfd(fd: connection.descriptor, events: connection.awaited, revents: 0))
    }
    let looks = served.lookingPause >= 0
    let count = poll(&waits, nfds_t(waits.count), shortest(patience, served.lookingPause))
    // A system without memory for a moment is asked again.
    if count < 0 { return [EINTR, EAGAIN, ENOMEM].contains(carve_errno()) }
    for (connection, wait) in zip(connections, waits.dropFirst(2)) where wait.revents != 0 {
      connection.proceed(page: served.page, port: port, hasRoomForReader: hasRoomForReader)
    }
    if waits[1].revents != 0 || count == 0 && looks, served.takeChanges() { postpone() }
    if let announcement, PassClock.now() >= announcement.moment { announce(served) }
    if waits[0].revents != 0 { accept() }
    let now = PassClock.now()
    connections.removeAll { $0.isOver(at: now) }
    return waits[0].revents & Int16(POLLERR | POLLNVAL) == 0
  }

  /// The milliseconds until something has to be done, whatever happens.
  private func shortest(_ patience: Int32, _ lookingPause: Int32) -> Int32 {
    var moments = connections.compactMap(\.deadline)
    if let announcement { moments.append(announcement.moment) }
    let now = PassClock.now()
    let waits = moments.map { Int32(clamping: Int(max(0, ($0 - now) * 1000).rounded(.up))) }
    return ([patience, lookingPause].filter { $0 >= 0 } + waits).min() ?? -1
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

/// What a browser asks for.
package enum HTTPRequest: Sendable, Hashable {
  case page, news
  case refused(String)

  /// Reads the lines in front of a body. Pages of other sites may not ask, neither by a name of theirs nor in
  /// the name of a user who looks at them.
  package init(_ head: String, port: UInt16) {
    let lines = head.split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
      self = .refused("400 Bad Request")
      return
    }
    /// The values of every field of this name.
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

/// The value of a field of HTTP without the blanks around it.
func trimmedField(_ value: Substring) -> Substring {
  func isBlank(_ sign: Character) -> Bool { sign == " " || sign == "\t" }
  var value = value.drop(while: isBlank)
  while let last = value.last, isBlank(last) { value.removeLast() }
  return value
}
