// Tests the server of pages: the answers to requests, and that no connection waits for another one.
// The server runs in the test's own thread.

import CPosix
import Foundation
import Testing

@testable import Host

private final class Page: ServedPage {
  var page = Array("<p>one</p>".utf8)
  var watched: Int32 = -1
  var lookingPause: Int32 = -1
  var hasChanged = false
  var trouble: String?

  func takeChanges() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }

  func refresh() -> String? {
    page = Array("<p>two</p>".utf8)
    return trouble
  }
}

/// A client of the server.
private final class Client {
  let descriptor: Int32

  init(_ server: borrowing LoopbackServer) throws {
    descriptor = carve_connect("127.0.0.1", "\(server.port)", 60_000)
    try #require(descriptor >= 0)
  }

  deinit { close(descriptor) }

  func send(_ text: String) {
    #expect(text.withCString { write(descriptor, $0, text.utf8.count) } == text.utf8.count)
  }

  func ask(_ path: String, _ server: borrowing LoopbackServer, _ more: String = "") {
    send("GET \(path) HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\(more)\r\n")
  }

  /// Returns the text that has arrived. Returns nil if the server has closed the connection and all
  /// its bytes were read.
  func received() -> String? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count == 0 || count < 0 && errno != EAGAIN { return nil }
    return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
  }
}

@Suite struct LoopbackServerTests {
  /// Calls `step` until a condition holds. The number of calls is high, because a busy machine is
  /// slow.
  private func run(
    _ server: inout LoopbackServer, _ page: Page, until isDone: (borrowing LoopbackServer) -> Bool
  ) {
    var isAtEnd = isDone(server)
    for _ in 0..<2_000 where !isAtEnd {
      let goesOn = server.step(page, patience: 5)
      #expect(goesOn)
      isAtEnd = isDone(server)
    }
    #expect(isAtEnd)
  }

  /// Calls `step` until a client has received a text with this ending.
  private func answer(
    _ client: Client, _ server: inout LoopbackServer, _ page: Page, ending: String
  ) -> String {
    var text = ""
    run(&server, page) { _ in
      text += client.received() ?? ""
      return text.hasSuffix(ending)
    }
    return text
  }

  @Test func aRequestDoesNotWaitForSlowOnes() throws {
    var server = try LoopbackServer(port: 0)
    let page = Page()
    let slow = try (0..<20).map { _ in try Client(server) }
    for client in slow { client.send("GET / HT") }
    run(&server, page) { $0.connectionCount == 20 }
    let start = PassClock.now()
    let client = try Client(server)
    client.ask("/", server)
    let text = answer(client, &server, page, ending: "<p>one</p>")
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    // If twenty slow clients were served one after the other, each for two seconds, this would take
    // 40 s.
    #expect(PassClock.now() - start < 20)
    // A request that arrives in pieces is answered. The other connections are closed.
    slow[0].send("TP/1.1\r\nHost: localhost:\(server.port)\r\n")
    run(&server, page) { _ in PassClock.now() - start > 0.1 }
    slow[0].send("\r\n")
    _ = answer(slow[0], &server, page, ending: "<p>one</p>")
    run(&server, page) { $0.connectionCount == 0 }
    // A process that another test starts at this moment may keep a connection open a little longer.
    run(&server, page) { _ in slow.dropFirst().allSatisfy { $0.received() == nil } }
  }

  @Test func readersThatLeaveAreNoticed() throws {
    var server = try LoopbackServer(port: 0)
    let page = Page()
    var readers = try (0..<5).map { _ in try Client(server) }
    for reader in readers {
      reader.ask("/news", server, "Sec-Fetch-Site: same-origin\r\n")
      #expect(answer(reader, &server, page, ending: "retry: 1000\n\n").contains("event-stream"))
    }
    page.hasChanged = true
    page.lookingPause = 1
    let news = answer(readers[0], &server, page, ending: "\n\n")
    #expect(news == "event: page\nid: 1\ndata: \n\n")
    page.lookingPause = -1
    run(&server, page) { $0.connectionCount == 5 }
    readers.removeFirst(2)
    run(&server, page) { $0.connectionCount == 3 }
  }

  /// `poll` does not reach its time limit while requests arrive, so the look at the files must not
  /// depend on it.
  @Test func filesAreLookedAtWhileRequestsArrive() throws {
    var server = try LoopbackServer(port: 0)
    let page = Page()
    page.lookingPause = 10
    page.hasChanged = true
    let first = page.page
    let start = PassClock.now()
    while page.page == first && PassClock.now() - start < 20 {
      let client = try Client(server)
      client.ask("/", server)
      let goesOn = server.step(page, patience: -1)
      #expect(goesOn)
    }
    #expect(page.page != first)
  }

  @Test func requestsAreAnsweredBesideReaders() throws {
    var server = try LoopbackServer(port: 0)
    let page = Page()
    let readers = try (0..<40).map { _ in try Client(server) }
    var texts = [String](repeating: "", count: readers.count)
    for reader in readers { reader.ask("/news", server) }
    run(&server, page) { _ in
      for (place, reader) in readers.enumerated() { texts[place] += reader.received() ?? "" }
      return texts.allSatisfy { $0.hasSuffix("retry: 1000\n\n") || $0.hasSuffix("Unavailable\n") }
    }
    #expect(texts.count { $0.hasPrefix("HTTP/1.1 200 ") } == 32)
    #expect(texts.count { $0.hasPrefix("HTTP/1.1 503 ") } == 8)
    let silent = try (0..<100).map { _ in try Client(server) }
    run(&server, page) { $0.connectionCount == 64 }
    let goesOn = server.step(page, patience: 0)
    let count = server.connectionCount
    #expect(goesOn && count <= 64)
    withExtendedLifetime(silent) {}
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\nHost: localhost:80", HTTPRequest.page),
    ("GET /?x HTTP/1.1\r\nhost: 127.0.0.1:80 ", .page),
    ("GET /news HTTP/1.1\r\nHost:localhost:80\r\nOrigin: http://localhost:80", .news),
    ("GET / HTTP/1.1\r\nHost: localhost:80\r\nSec-Fetch-Site: none", .page),
    ("GET / HTTP/1.1\r\nHost: localhost:80\r\nSec-Fetch-Site: same-origin", .page),
    ("GET /x HTTP/1.1\r\nHost: localhost:80", .refused("404 Not Found")),
    ("POST / HTTP/1.1\r\nHost: localhost:80", .refused("405 Method Not Allowed")),
    ("GET /", .refused("400 Bad Request")),
    ("GET / HTTP/1.1", .refused("403 Forbidden")),
    ("GET / HTTP/1.1\r\nHost: pictures.example", .refused("403 Forbidden")),
    ("GET / HTTP/1.1\r\nHost: localhost:80\r\nHost: a.example", .refused("403 Forbidden")),
    (
      "GET / HTTP/1.1\r\nHost: localhost:80\r\nOrigin: http://a.example",
      .refused("403 Forbidden")
    ),
    ("GET / HTTP/1.1\r\nHost: localhost:80\r\nOrigin: null", .refused("403 Forbidden")),
    (
      "GET /news HTTP/1.1\r\nHost: localhost:80\r\nSec-Fetch-Site: cross-site",
      .refused("403 Forbidden")
    ),
    (
      "GET / HTTP/1.1\r\nHost: localhost:80\r\nSec-Fetch-Site: same-site",
      .refused("403 Forbidden")
    ),
  ])
  func pagesOfOthersMayNotAsk(head: String, request: HTTPRequest) {
    #expect(HTTPRequest(head, port: 80) == request)
  }
}
