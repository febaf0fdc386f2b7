// Tests requests over plain HTTP, with correct and incorrect answers of servers in every form.

import Foundation
import Support
import Testing

@testable import Host

/// The answer of a server and the expected result. The text may be long.
struct ServedText: Sendable, CustomTestStringConvertible {
  var text: String
  var status = 200
  /// The body, or a part of the error message if there is no body.
  var outcome: String

  init(_ text: String, status: Int = 200, _ outcome: String) {
    (self.text, self.status, self.outcome) = (text, status, outcome)
  }

  var testDescription: String { "\(text.prefix(60).debugDescription), \(outcome)" }
}

@Suite struct HTTPTests {
  @Test(arguments: [
    ("http://cache", "cache", "80", "", "cache"),
    ("http://cache/", "cache", "80", "", "cache"),
    ("HTTP://cache:8080/a/b//", "cache", "8080", "/a/b", "cache:8080"),
    ("http://[::1]:9/x", "::1", "9", "/x", "[::1]:9"),
    ("http://[fe80::1]", "fe80::1", "80", "", "[fe80::1]"),
  ])
  func addressesAreRead(
    text: String, host: String, port: String, path: String, authority: String
  ) throws {
    let address = try HTTPAddress(text)
    #expect(address.host == host && address.port == port && address.path == path)
    #expect(address.authority == authority)
  }

  @Test(arguments: [
    ("https://cache", "only plain http is supported"), ("cache:80", "http://"), ("", "http://"),
    ("grpc://cache", "http://"), ("http://", "names no host"), ("http://:80", "names no host"),
    ("http://cache:0", "':0' is not a port"), ("http://cache:65536", "is not a port"),
    ("http://cache:", "is not a port"), ("http://[::1", "bracket"),
    ("http://[::1]x", "'x' is not a port"),
    ("http://a b", "blanks"), ("http://a\r\nHost:b", "blanks"), ("http://me@cache", "user names"),
    ("http://cache/?q", "queries"), ("http://cach\u{e9}", "characters"),
  ])
  func textsThatAreNoAddressesAreRefused(text: String, reason: String) {
    let error = #expect(throws: HTTPError.self) { try HTTPAddress(text) }
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
  }

  private func answering(_ text: String, closes: Bool = true) throws -> HTTPServer {
    try HTTPServer { _ in (Array(text.utf8), closes) }
  }

  private func client(_ server: HTTPServer, path: String = "") throws -> HTTPClient {
    HTTPClient(try HTTPAddress(server.address + path), patience: 60)
  }

  @Test(arguments: [
    ServedText("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", status: 200, "hello"),
    ServedText("HTTP/1.0 200 OK\r\n\r\nhello", status: 200, "hello"),
    ServedText("HTTP/1.1 200\r\nConnection: close\r\n\r\nhello", status: 200, "hello"),
    ServedText("HTTP/1.1 200 OK\nContent-length:5\n\nhello", status: 200, "hello"),
    ServedText(
      "HTTP/1.1 100 Go on\r\n\r\nHTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", status: 404, ""),
    ServedText("HTTP/1.1 204 Done\r\n\r\n", status: 204, ""),
    ServedText("HTTP/1.1 200 OK\r\nContent-Length: 5 \t\r\n\r\nhello", "hello"),
    ServedText("HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello", "hello"),
    ServedText(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked \r\n\r\n5 ;x\r\nhello\r\n0 \r\n\r\n", "hello"),
    ServedText(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nTrailer: 1\r\n\r\n", status: 200, "hello"
    ),
  ])
  func everyFormOfAnAnswerIsRead(served: ServedText) throws {
    let server = try answering(served.text)
    let response = try withExtendedLifetime(server) { try client(server).get("/x", limit: 5) }
    #expect(response.status == served.status)
    #expect(String(decoding: response.body, as: UTF8.self) == served.outcome)
  }

  @Test(arguments: [
    ServedText("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", "incomplete"),
    ServedText("HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n", "more than 1000 bytes"),
    ServedText("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "single length"),
    ServedText(
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "single length"),
    ServedText("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", "single length"),
    ServedText("HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\nhello", "single length"),
    ServedText("HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello", "single length"),
    ServedText("HTTP/1.1 200 OK\r\nContent-Length: 5 5\r\n\r\nhello", "single length"),
    ServedText(
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "0\r\n\r\n", "single length"),
    ServedText("HTTP/1.1 101 Go\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "not HTTP"),
    ServedText(
      "\(String(repeating: "HTTP/1.1 100 Go on\r\n\r\n", count: 9))HTTP/1.1 200 OK\r\n\r\n",
      "not HTTP"),
    ServedText(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5 x\r\nhello\r\n0\r\n\r\n", "not HTTP"),
    ServedText("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "encoding 'gzip'"),
    ServedText("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", "not HTTP"),
    ServedText(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n", "not HTTP"),
    ServedText("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\n", "more than"),
    ServedText("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", "not HTTP"),
    ServedText("HTTP/1.1 99999 OK\r\n\r\n", "not HTTP"),
    ServedText("HTTP/1.1 -20 OK\r\n\r\n", "not HTTP"),
    ServedText("SSH-2.0-OpenSSH\r\n\r\n", "not HTTP"), ServedText("\r\n\r\n", "not HTTP"),
    ServedText("", "incomplete"),
    ServedText("HTTP/1.1 200 OK\r\n", "incomplete"),
    ServedText("HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 200_000))\r\n\r\n", "no end"),
    ServedText("HTTP/1.1 200 OK\r\n\(String(repeating: "X: y\r\n", count: 30_000))\r\n", "no end"),
    ServedText(
      "HTTP/1.1 200 OK\r\n\r\n\(String(repeating: "x", count: 1_001))", "more than 1000 bytes"),
  ])
  func malformedAnswersAreErrors(served: ServedText) throws {
    let server = try answering(served.text)
    let error = withExtendedLifetime(server) {
      #expect(throws: HTTPError.self) { try client(server).get("/x", limit: 1_000) }
    }
    #expect(error?.reason.contains(served.outcome) == true, "\(error?.reason ?? "")")
  }

  /// A server that sends single bytes for ever must not hold the client for ever.
  @Test func aServerThatSendsForEverIsLeft() throws {
    let server = try HTTPServer { _ in
      (Array("HTTP/1.1 200 OK\r\nX: y\r\n".utf8), false)
    }
    let client = HTTPClient(try HTTPAddress(server.address), seconds: 0)
    let error = #expect(throws: HTTPError.self) { try client.get("/x", limit: 1_000) }
    #expect(error?.reason == "it does not answer in time")
    // The body is too large to be sent in one call.
    let body = [UInt8](repeating: 7, count: 64 << 20)
    let sent = #expect(throws: HTTPError.self) { try client.put(body, at: "/x") }
    #expect(sent?.reason == "it does not answer in time")
  }

  @Test func aConnectionServesManyRequestsAndIsMadeAnewIfItWasClosed() throws {
    let server = try HTTPServer { request in
      var answer = HTTPServer.response(200, Array("\(request.path) \(request.body.count)".utf8))
      answer.closes = request.path == "/p/2"
      return answer
    }
    let client = try client(server, path: "/p/")
    for number in 0..<5 {
      let body = [UInt8](repeating: 7, count: number * 100_000)
      let response = try client.put(body, at: "/\(number)")
      #expect(String(decoding: response.body, as: UTF8.self) == "/p/\(number) \(body.count)")
    }
    #expect(server.connectionCount == 2)
    #expect(server.requests.map(\.method) == [String](repeating: "PUT", count: 5))
  }

  /// Answers that tell in different ways whether the server keeps the connection open.
  @Test(arguments: [
    ("HTTP/1.1", "X: y", 1), ("HTTP/1.1", "Connection: close", 3),
    ("HTTP/1.1", "Connection: close, x", 3), ("HTTP/1.1", "Connection: x ,  Close ", 3),
    ("HTTP/1.1", "Connection: x\r\nConnection: close", 3), ("HTTP/1.1", "Connection: closed", 1),
    ("HTTP/1.0", "X: y", 3), ("HTTP/1.0", "Connection: x, keep-alive", 1),
  ])
  func aConnectionIsKeptAsTheServerSays(version: String, field: String, count: Int) throws {
    let server = try answering(
      "\(version) 200 OK\r\n\(field)\r\nContent-Length: 2\r\n\r\nok", closes: false)
    let client = try client(server)
    for _ in 0..<3 { #expect(try client.get("/x", limit: 5).body == Array("ok".utf8)) }
    #expect(server.connectionCount == count)
  }

  /// A request is repeated once if a kept connection was closed, but not if its answer has begun.
  @Test(arguments: [("", 2), ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhel", 1)])
  func aRequestIsRepeatedOnce(second: String, connections: Int) throws {
    let count = Guarded(0)
    let server = try HTTPServer { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number == 1 ? HTTPServer.response(200) : (Array(second.utf8), true)
    }
    let client = try client(server)
    #expect(try client.get("/x", limit: 5).status == 200)
    #expect(throws: HTTPError.self) { try client.get("/x", limit: 100) }
    #expect(server.connectionCount == connections)
  }

  @Test func unreachableServersGiveTheErrorOfTheSystem() throws {
    let server = try answering("")
    server.stop()
    let client = try client(server)
    let error = #expect(throws: HTTPError.self) { try client.get("/x", limit: 1) }
    #expect(error?.reason == "Connection refused")
    let nowhere = HTTPClient(try HTTPAddress("http://nobody.invalid"))
    let unknown = #expect(throws: HTTPError.self) { try nowhere.get("/x", limit: 1) }
    #expect(unknown?.reason == "the host 'nobody.invalid' is not known")
  }
}
