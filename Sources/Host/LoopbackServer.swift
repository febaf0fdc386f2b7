// A server of one page for browsers on this machine: it hands the page out, and says when there is
// another. Nobody else can reach it, and it reads no file.

import CPosix

/// What stands at the server's address, and what its readers are told.
package protocol ServedPage: AnyObject {
  /// The page as it is now.
  var page: [UInt8] { get }
  /// What to watch: becomes readable when the page may be another; negative for nothing.
  var watched: Int32 { get }
  /// Makes the page anew. Gives what is wrong where that fails, and keeps the page.
  func refresh() -> String?
}

package struct LoopbackServer: ~Copyable {
  private let listener: Int32
  package let port: UInt16
  /// The connections that wait for news.
  private var readers: [Int32] = []
  private var version = 0

  /// Answers at a port of the loopback interface; at any that is free for 0.
  package init(port: UInt16) throws(OutputError) {
    var bound: UInt16 = 0
    listener = carve_listen_loopback(port, &bound)
    self.port = bound
    if listener < 0 {
      throw OutputError(operation: "listen", path: "port \(port)", code: carve_errno())
    }
  }

  deinit {
    for reader in readers { close(reader) }
    if listener >= 0 { close(listener) }
  }

  /// Serves until the process ends or the sockets fail.
  package mutating func run(_ served: some ServedPage) {
    while step(served, patience: -1) {}
  }

  /// Waits for one thing to happen, and does what it asks for. False where the sockets have failed.
  package mutating func step(_ served: some ServedPage, patience: Int32) -> Bool {
    var waits = [
      pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
      pollfd(fd: served.watched, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&waits, nfds_t(waits.count), patience)
    if count < 0 { return carve_errno() == EINTR }
    if waits[1].revents != 0 { announce(served) }
    if waits[0].revents != 0 {
      let connection = carve_accept(listener)
      if connection >= 0 { answer(connection, served) }
    }
    return waits[0].revents & Int16(POLLERR | POLLNVAL) == 0
  }

  // MARK: News

  /// An editor writes several files: the page is made when it has been quiet for a moment.
  private mutating func announce(_ served: some ServedPage) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var wait = pollfd(fd: served.watched, events: Int16(POLLIN), revents: 0)
    var rounds = 0
    repeat {
      while read(served.watched, &buffer, buffer.count) > 0 {}
      rounds += 1
    } while rounds < 40 && poll(&wait, 1, 120) > 0
    version += 1
    let trouble = served.refresh()
    let lines = (trouble ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { "data: \($0)\n" }.joined()
    let news = "event: \(trouble == nil ? "page" : "trouble")\nid: \(version)\n\(text)\n"
    readers = readers.filter { reader in
      let isThere = sendAll(Array(news.utf8), to: reader)
      if !isThere { close(reader) }
      return isThere
    }
  }

  // MARK: Requests

  private mutating func answer(_ connection: Int32, _ served: some ServedPage) {
    let request = LoopbackServer.head(of: connection).map {
      HTTPRequest($0, port: port)
    }
    switch request {
    case .page?:
      LoopbackServer.send("200 OK", "text/html; charset=utf-8", served.page, to: connection)
    case .news?:
      let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\r\n"
      if readers.count < LoopbackServer.mostReaders,
        sendAll(Array("\(head)retry: 1000\n\n".utf8), to: connection)
      {
        readers.append(connection)
        return
      }
    case .refused(let status)?:
      LoopbackServer.send(status, "text/plain", Array("\(status)\n".utf8), to: connection)
    case nil: break
    }
    close(connection)
  }

  private static let mostReaders = 32
  private static let mostHeadBytes = 1 << 14

  /// The lines of a request up to the empty one; nil where they do not come.
  private static func head(of connection: Int32) -> String? {
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while head.count < mostHeadBytes {
      let count = read(connection, &buffer, buffer.count)
      if count <= 0 { return nil }
      head += buffer[..<count]
      // A request without a body ends with an empty line.
      if head.suffix(4).elementsEqual([13, 10, 13, 10]) {
        return String(decoding: head, as: UTF8.self)
      }
    }
    return nil
  }

  private static func send(
    _ status: String, _ type: String, _ body: [UInt8], to connection: Int32
  ) {
    let head =
      "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n"
      + "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
    if sendAll(Array(head.utf8), to: connection) { _ = sendAll(body, to: connection) }
  }
}

/// What a browser asks for.
package enum HTTPRequest: Sendable, Hashable {
  case page, news
  case refused(String)

  /// Reads the lines in front of a body. Pages of other sites may not ask by a name of theirs.
  package init(_ head: String, port: UInt16) {
    let lines = head.split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    let host = lines.dropFirst().first { $0.lowercased().hasPrefix("host:") }?
      .dropFirst(5).drop { $0 == " " }
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
      self = .refused("400 Bad Request")
      return
    }
    guard let host, ["127.0.0.1:\(port)", "localhost:\(port)"].contains(host.lowercased()) else {
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
