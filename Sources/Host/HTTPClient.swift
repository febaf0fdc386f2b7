// A client of plain HTTP: GET and PUT over connections that are kept between requests. The client
// reads the data of a server within limits of size and time.
//
// A request first uses a kept connection. The server may have closed it in the meantime:
//
//     kept connection ──answer──────────────────────> result
//                    ├─failure after the first byte─> error
//                    ├─time is up───────────────────> error
//                    └─failure before any byte──┐
//     new connection <──────────────────────────┘
//                    ├─answer────> result
//                    └─failure───> error
//
// After an answer the connection is kept if the answer had a known end, the server does not close
// the connection, and no further bytes arrived.

import CPosix
import Synchronization

package struct HTTPResponse: Sendable {
  package var status: Int
  package var body: [UInt8]
}

/// A client for several threads at once. Each request has its own connection.
package final class HTTPClient: Sendable {
  package let address: HTTPAddress
  /// The open connections that are not in use.
  private let idle = Mutex<[Int32]>([])
  /// The time limit for one request and its answer.
  private let seconds: Int
  /// The time limit for each silence of the server.
  private let patience: Int

  package init(_ address: HTTPAddress, seconds: Int = 60, patience: Int = 5) {
    self.address = address
    self.seconds = seconds
    self.patience = patience
  }

  deinit {
    idle.withLock { for descriptor in $0 { close(descriptor) } }
  }

  /// The size of the largest body that an answer to `put` may have.
  private static let mostBytesOfReply = 1 << 16

  package func get(_ path: String, limit: Int) throws(HTTPError) -> HTTPResponse {
    try exchange("GET", path, body: nil, limit: limit)
  }

  package func put(_ body: [UInt8], at path: String) throws(HTTPError) -> HTTPResponse {
    try exchange("PUT", path, body: body, limit: Self.mostBytesOfReply)
  }

  private func exchange(
    _ method: String, _ path: String, body: [UInt8]?, limit: Int
  ) throws(HTTPError) -> HTTPResponse {
    let length = body.map { "Content-Length: \($0.count)\r\n" } ?? ""
    let head =
      "\(method) \(address.path)\(path) HTTP/1.1\r\nHost: \(address.authority)\r\n"
      + "User-Agent: carve\r\nAccept: */*\r\n\(length)\r\n"
    let request = Array(head.utf8)
    let end = PassClock.now() + Double(seconds)
    // The server may have closed a kept connection. If no byte of an answer came, the request is
    // repeated once over a new connection; GET and PUT may both be repeated. The time limit starts
    // with the first attempt.
    if let kept = idle.withLock({ $0.popLast() }) {
      switch exchange(request, body ?? [], limit: limit, over: kept, until: end) {
      case .answer(let response): return response
      case .failure(let error, hasBegun: true): throw error
      case .failure: break
      }
    }
    let fresh = try exchange(request, body ?? [], limit: limit, over: connect(), until: end)
    switch fresh {
    case .answer(let response): return response
    case .failure(let error, _): throw error
    }
  }

  private enum Attempt {
    case answer(HTTPResponse)
    /// `hasBegun` is true if no second attempt is allowed: some bytes of an answer came, or the
    /// time is over.
    case failure(HTTPError, hasBegun: Bool)
  }

  private func connect() throws(HTTPError) -> Int32 {
    let descriptor = carve_connect(address.host, address.port, Int32(clamping: patience * 1_000))
    if descriptor == CARVE_UNKNOWN_HOST {
      throw HTTPError("the host '\(address.host)' is not known")
    }
    guard descriptor >= 0 else { throw HTTPError(String(cString: strerror(carve_errno()))) }
    return descriptor
  }

  private func exchange(
    _ head: [UInt8], _ body: [UInt8], limit: Int, over descriptor: Int32, until end: Double
  ) -> Attempt {
    var reader = HTTPReader(descriptor, until: end, limit: limit)
    let isSent = [head, body].allSatisfy {
      $0.isEmpty || sendAll($0, to: descriptor, until: end)
    }
    do throws(HTTPError) {
      // A server that stops accepting bytes may still send an answer with the reason.
      let response = try reader.response()
      if isSent, reader.mayBeKept {
        idle.withLock { $0.append(descriptor) }
      } else {
        close(descriptor)
      }
      return .answer(response)
    } catch {
      close(descriptor)
      let isLate = PassClock.now() > end
      let isRefused = !isSent && !isLate && !reader.hasBegun
      return .failure(
        isRefused ? HTTPError("it does not accept a request") : error,
        hasBegun: reader.hasBegun || isLate)
    }
  }
}

/// Sends all bytes. Returns false if the other side does not take them all before `end`.
func sendAll(_ bytes: [UInt8], to connection: Int32, until end: Double = .infinity) -> Bool {
  bytes.withUnsafeBytes { bytes in
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = carve_send(connection, rest.baseAddress, rest.count)
      if count < 0, carve_errno() == EINTR { continue }
      if count <= 0 { return false }
      done += count
      if done < bytes.count, PassClock.now() > end { return false }
    }
    return true
  }
}

/// The reader of one answer, whose body ends in one of four ways:
///
///     status 204 or 304            no body
///     Transfer-Encoding: chunked   4\r\nWiki\r\n5\r\npedia\r\n0\r\n\r\n  ("Wikipedia")
///     Content-Length: 9            Wikipedia
///     none of these                Wikipedia, then the server closes the connection
private struct HTTPReader {
  private let descriptor: Int32
  private let limit: Int
  private let end: Double
  /// The bytes that arrived and were not used yet.
  private var waiting: [UInt8] = []
  private var isClosing = false
  private(set) var mayBeKept = false
  /// Whether any byte has arrived.
  private(set) var hasBegun = false

  private static let mostHeadBytes = 1 << 16
  /// The greatest number of interim answers (status 1xx), which a server may send before the
  /// answer.
  private static let mostInterim = 8
  static let tooLong = "it does not answer in time"

  init(_ descriptor: Int32, until end: Double, limit: Int) {
    self.descriptor = descriptor
    self.limit = limit
    self.end = end
  }

  mutating func response() throws(HTTPError) -> HTTPResponse {
    var head = try HTTPHead(lines())
    // Interim answers, such as "100 Continue", are skipped.
    var interim = 0
    while head.status < 200 {
      interim += 1
      guard interim <= HTTPReader.mostInterim, head.status != 101 else {
        throw HTTPError("its answer is not HTTP")
      }
      head = try HTTPHead(lines())
    }
    isClosing = head.isClosing
    var body: [UInt8] = []
    if head.status == 204 || head.status == 304 {
      body = []
    } else if head.isChunked {
      body = try chunks()
    } else if let length = head.length {
      try checkSize(length)
      body = try take(length)
    } else {
      isClosing = true
      repeat { try checkSize(waiting.count) } while try receive()
      body = waiting
      waiting = []
    }
    mayBeKept = !isClosing && waiting.isEmpty
    return HTTPResponse(status: head.status, body: body)
  }

  private func checkSize(_ size: Int) throws(HTTPError) {
    if size > limit { throw HTTPError("it sends more than \(limit) bytes") }
  }

  /// Reads more bytes. Returns false at the end of the connection.
  private mutating func receive() throws(HTTPError) -> Bool {
    if PassClock.now() > end { throw HTTPError(HTTPReader.tooLong) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(descriptor, &buffer, buffer.count)
    if count < 0 {
      let code = carve_errno()
      if code == EINTR { return true }
      throw HTTPError(
        code == EAGAIN ? "it does not answer" : String(cString: strerror(code)))
    }
    waiting += buffer[..<count]
    hasBegun = hasBegun || count > 0
    return count > 0
  }

  private mutating func take(_ count: Int) throws(HTTPError) -> [UInt8] {
    while waiting.count < count {
      guard try receive() else { throw HTTPError("its answer is incomplete") }
    }
    let taken = Array(waiting[..<count])
    waiting.removeFirst(count)
    return taken
  }

  /// Returns the text up to the next line end, and removes both.
  private mutating func line() throws(HTTPError) -> String {
    var searched = 0
    while true {
      if let end = waiting[searched...].firstIndex(of: 10) {
        let line = waiting[..<end]
        waiting.removeFirst(end + 1)
        return String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self)
      }
      searched = waiting.count
      guard searched <= HTTPReader.mostHeadBytes else {
        throw HTTPError("the header of its answer has no end")
      }
      guard try receive() else { throw HTTPError("its answer is incomplete") }
    }
  }

  /// Returns the lines up to an empty one.
  private mutating func lines() throws(HTTPError) -> [String] {
    var lines: [String] = []
    var size = 0
    while true {
      let next = try line()
      if next.isEmpty { return lines }
      size += next.utf8.count + 1
      guard size <= HTTPReader.mostHeadBytes else {
        throw HTTPError("the header of its answer has no end")
      }
      lines.append(next)
    }
  }

  private mutating func chunks() throws(HTTPError) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let size = try line()
      let digits = size.prefix { $0.isASCII && $0.isHexDigit }
      // A chunk extension may follow the size. It is ignored.
      let rest = trimmedField(size[digits.endIndex...])
      guard (1...7).contains(digits.utf8.count), let count = Int(digits, radix: 16),
        rest.isEmpty || rest.first == ";"
      else {
        throw HTTPError("its answer is not HTTP")
      }
      if count == 0 { break }
      try checkSize(body.count + count)
      body += try take(count)
      guard try line().isEmpty else { throw HTTPError("its answer is not HTTP") }
    }
    _ = try lines()
    return body
  }
}

/// The values of the lines before a body.
private struct HTTPHead {
  var status: Int
  var length: Int?
  var isChunked = false
  var isClosing = false

  init(_ lines: [String]) throws(HTTPError) {
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3,
      let status = Int(words[1]), (100...599).contains(status)
    else { throw HTTPError("its answer is not HTTP") }
    self.status = status
    isClosing = words[0] != "HTTP/1.1"
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = trimmedField(line[line.index(after: colon)...]).lowercased()
      switch line[..<colon].lowercased() {
      case "content-length":
        // Repeated fields may be joined to a list; all lengths must be equal.
        for number in HTTPHead.list(value) {
          guard number.utf8.allSatisfy({ 48...57 ~= $0 }), let length = Int(number),
            self.length ?? length == length
          else { throw HTTPError("its answer does not state a single length") }
          self.length = length
        }
      case "transfer-encoding":
        guard value == "chunked", !isChunked else {
          throw HTTPError("its answer has the unsupported encoding '\(value)'")
        }
        isChunked = true
      case "connection":
        let words = HTTPHead.list(value)
        isClosing = words.contains("close") || isClosing && !words.contains("keep-alive")
      default: break
      }
    }
    // An answer with both a length and chunks is refused. Programs disagree about its end, which
    // attacks use.
    if isChunked, length != nil { throw HTTPError("its answer does not state a single length") }
  }

  /// Returns the words of a value that is a list.
  private static func list(_ value: String) -> [String] {
    value.split(separator: ",", omittingEmptySubsequences: false).map { String(trimmedField($0)) }
  }
}

// MARK: - Addresses

// The address of a service that uses plain HTTP: http://host[:port][/path].

package struct HTTPAddress: Sendable, Hashable {
  package let host: String
  package let port: String
  /// The path before the path of every request. It has no slash at its end.
  package let path: String

  /// Parses an address that the user typed. Throws the reason if the text is not an address.
  package init(_ text: String) throws(HTTPError) {
    let lower = text.lowercased()
    if lower.hasPrefix("https:") {
      throw HTTPError("only plain http is supported; a proxy on this machine can add https")
    }
    guard lower.hasPrefix("http://") else { throw HTTPError("it does not begin with http://") }
    let rest = text.dropFirst("http://".count)
    guard rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw HTTPError("it contains blanks or characters that an address cannot contain")
    }
    guard !rest.contains(where: { "?#@".contains($0) }) else {
      throw HTTPError("user names, queries and fragments are not supported")
    }
    let authority = rest.prefix { $0 != "/" }
    var path = rest.dropFirst(authority.count)
    while path.last == "/" { path.removeLast() }
    // An address in brackets contains colons itself.
    let isBracketed = authority.first == "["
    let close = isBracketed ? authority.firstIndex(of: "]") : nil
    let end = isBracketed ? close.map(authority.index(after:)) : authority.firstIndex(of: ":")
    if isBracketed, end == nil { throw HTTPError("a bracket is not closed") }
    let name = authority[..<(end ?? authority.endIndex)]
    let after = authority[name.endIndex...]
    let port = after.isEmpty ? "80" : String(after.dropFirst())
    guard after.isEmpty || after.first == ":", let number = UInt16(port), number > 0 else {
      throw HTTPError("'\(after)' is not a port")
    }
    host = String(isBracketed ? name.dropFirst().dropLast() : name)
    if host.isEmpty { throw HTTPError("it names no host") }
    self.port = "\(number)"
    self.path = String(path)
  }

  /// The host and port, as they appear in requests and messages.
  package var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == "80" ? name : "\(name):\(port)"
  }
}

/// The reason why there is no answer.
package struct HTTPError: Error, Sendable, Hashable {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}
