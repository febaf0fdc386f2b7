// A server on this machine that sends the answers of a test, byte by byte, also wrong ones.

import CPosix
import CSpawn
import Foundation
import Host

package struct ServedRequest: Sendable {
  package var method: String
  package var path: String
  package var body: [UInt8]
}

package final class HTTPServer: @unchecked Sendable {
  /// The bytes of an answer, which are sent unchanged. The connection is closed after the answer if
  /// `closes` is true, and also if there is no answer.
  package typealias Answer = (bytes: [UInt8], closes: Bool)

  package let port: UInt16
  /// The listening socket; nil after its own thread has closed it. Afterwards its number may be
  /// that of another file.
  private let listener: Guarded<Int32?>
  private let answer: @Sendable (ServedRequest) -> Answer?
  private let seen = Guarded<(requests: [ServedRequest], connections: Int)>(([], 0))

  package var address: String { "http://127.0.0.1:\(port)" }
  package var requests: [ServedRequest] { seen.withLock { $0.requests } }
  package var connectionCount: Int { seen.withLock { $0.connections } }

  package init(_ answer: @escaping @Sendable (ServedRequest) -> Answer?) throws {
    var bound: UInt16 = 0
    let descriptor = carve_listen_loopback(0, &bound)
    port = bound
    self.answer = answer
    let listener = Guarded<Int32?>(descriptor)
    self.listener = listener
    guard descriptor >= 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    let serve: @Sendable (Int32) -> Void = { [weak self] connection in
      self?.serve(connection)
      close(connection)
    }
    Thread.detachNewThread {
      while true {
        let connection = accept_connection(descriptor)
        if connection >= 0 {
          Thread.detachNewThread { serve(connection) }
        } else if carve_errno() == EINVAL {
          // The listener was shut down.
          break
        }
      }
      listener.withLock {
        close(descriptor)
        $0 = nil
      }
    }
  }

  /// Stops the server. From here on, no program answers at the port.
  package func stop() {
    listener.withLock { descriptor in
      if let descriptor { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  deinit { stop() }

  private func serve(_ connection: Int32) {
    seen.withLock { $0.connections += 1 }
    var waiting: [UInt8] = []
    while let request = HTTPServer.request(connection, &waiting) {
      seen.withLock { $0.requests.append(request) }
      guard let answer = answer(request), HTTPServer.send(answer.bytes, connection),
        !answer.closes
      else { return }
    }
  }

  private static func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { carve_send(connection, $0.baseAddress, $0.count) }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func request(_ connection: Int32, _ waiting: inout [UInt8]) -> ServedRequest? {
    func receive() -> Bool {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      var count = 0
      // A busy machine may take its time.
      repeat {
        count = read(connection, &buffer, buffer.count)
      } while count < 0
        && [EAGAIN, EINTR].contains(carve_errno())
      if count > 0 { waiting += buffer[..<count] }
      return count > 0
    }
    let blank = Array("\r\n\r\n".utf8)
    var end = waiting.firstRange(of: blank)
    while end == nil {
      guard receive() else { return nil }
      end = waiting.firstRange(of: blank)
    }
    guard let end else { return nil }
    let lines = String(decoding: waiting[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    waiting.removeFirst(end.upperBound)
    let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
      .flatMap { Int($0.split(separator: " ")[1]) }
    while waiting.count < length ?? 0 { guard receive() else { return nil } }
    let body = Array(waiting[..<(length ?? 0)])
    waiting.removeFirst(body.count)
    let words = lines[0].split(separator: " ").map(String.init)
    return ServedRequest(method: words[0], path: words[1], body: body)
  }

  /// Returns an answer in the usual form.
  package static func response(_ status: Int, _ body: [UInt8] = []) -> Answer {
    let head = "HTTP/1.1 \(status) Said\r\nContent-Length: \(body.count)\r\n\r\n"
    return (Array(head.utf8) + body, false)
  }
}

/// A server that keeps the files that it receives, as the cache servers of Bazel do. Tests may
/// change the files.
package final class KeepingServer: Sendable {
  package let files = Guarded<[String: [UInt8]]>([:])
  package let server: HTTPServer

  package init() throws {
    let files = files
    server = try HTTPServer { request in
      if request.method == "PUT" {
        files.withLock { $0[request.path] = request.body }
        return HTTPServer.response(201)
      }
      return files.withLock { $0[request.path] }.map { HTTPServer.response(200, $0) }
        ?? HTTPServer.response(404)
    }
  }

  package func files(below folder: String) -> [String: [UInt8]] {
    files.withLock { $0.filter { $0.key.hasPrefix("/\(folder)/") } }
  }
}
