// The messages of the Language Server Protocol: dividing the input into messages, the messages that
// wait, and the values that they contain. A message has a header with its length and a body in
// JSON.

import Bytes
import Documents

/// Divides the bytes of the input into the bodies of messages.
package struct MessageReader {
  /// The greatest size of a body. A Contents.json has 4 MiB at most, and JSON escapes it.
  package static let mostBytes = 32 << 20
  /// The greatest size of a header.
  private static let mostHeader = 4096

  /// One step of the input.
  package enum Step: Sendable, Equatable {
    case message([UInt8])
    /// A message that is too large. Its body was not kept.
    case tooLarge
    /// More input is needed.
    case incomplete
    /// The input is not a message; no further message can be found.
    case broken
  }

  private var buffer: [UInt8] = []
  /// The start of the bytes in the buffer that are not read yet.
  private var start = 0
  /// The bytes of a body that is too large, and that are still to come.
  private var skipped = 0

  package init() {}

  package mutating func add(_ bytes: some Collection<UInt8>) {
    let dropped = min(skipped, bytes.count)
    skipped -= dropped
    if start > 0, start >= buffer.count / 2 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer += bytes.dropFirst(dropped)
  }

  package mutating func next() -> Step {
    if skipped > 0 { return .incomplete }
    guard let end = endOfHeader else {
      return buffer.count - start > MessageReader.mostHeader ? .broken : .incomplete
    }
    guard let length = contentLength(buffer[start..<end]) else { return .broken }
    let body = end + 4
    if length > MessageReader.mostBytes {
      skipped = max(0, length - (buffer.count - body))
      start = min(buffer.count, body + length)
      return .tooLarge
    }
    guard buffer.count - body >= length else { return .incomplete }
    start = body + length
    return .message(Array(buffer[body..<start]))
  }

  /// The place of the empty line after the header; nil if it did not come yet.
  private var endOfHeader: Int? {
    let most = min(buffer.count, start + MessageReader.mostHeader + 4)
    guard most - start >= 4 else { return nil }
    return (start...(most - 4)).first {
      buffer[$0] == 13 && buffer[$0 + 1] == 10 && buffer[$0 + 2] == 13 && buffer[$0 + 3] == 10
    }
  }

  private func contentLength(_ header: ArraySlice<UInt8>) -> Int? {
    for line in ByteString(bytes: Array(header)).split(separator: "\n") {
      guard let value = line.after(":"), line.before(":").lowercased() == "content-length" else {
        continue
      }
      let digits = value.text.filter { $0 != " " && $0 != "\r" && $0 != "\r\n" }
      return Int(digits).flatMap { (0...(1 << 40)).contains($0) ? $0 : nil }
    }
    return nil
  }
}

/// Returns a message with its header.
package func framed(_ body: JSONOutput) -> [UInt8] {
  let text = Array(body.line.utf8)
  return Array("Content-Length: \(text.count)\r\n\r\n".utf8) + text
}

/// The numbers of the protocol's errors.
enum ErrorCode: Int {
  case parseError = -32700
  case invalidRequest = -32600
  case methodNotFound = -32601
  case invalidParams = -32602
  case notInitialized = -32002
  case requestFailed = -32803
  case requestCancelled = -32800
}

/// A request that cannot be answered.
struct RequestError: Error {
  var code: ErrorCode
  var message: String

  init(_ code: ErrorCode, _ message: String) { (self.code, self.message) = (code, message) }
}

func response(_ id: JSONOutput, _ result: JSONOutput) -> JSONOutput {
  ["jsonrpc": "2.0", "id": id, "result": result]
}

func failure(_ id: JSONOutput, _ error: RequestError) -> JSONOutput {
  [
    "jsonrpc": "2.0", "id": id,
    "error": ["code": .integer(error.code.rawValue), "message": .string(error.message)],
  ]
}

func notification(_ method: String, _ params: JSONOutput) -> JSONOutput {
  ["jsonrpc": "2.0", "method": .string(method), "params": params]
}

// MARK: - Messages of the editor

/// A message of the editor.
package enum Message: Sendable {
  case request(id: JSONOutput, method: String, params: JSONValue)
  case notification(method: String, params: JSONValue)
  /// The answer to a request of the server, which needs none.
  case response
  /// No message, and the answer to it.
  case invalid(answer: JSONOutput)

  init(_ body: [UInt8]) {
    guard let value = try? parseJSON(body) else {
      self = .invalid(
        answer: failure(.null, RequestError(.parseError, "the message is not JSON")))
      return
    }
    let id = value.identifier
    guard case .object = value, case .string(let method)? = value["method"] else {
      if id != nil, value["result"] != nil || value["error"] != nil {
        self = .response
      } else {
        self = .invalid(
          answer: failure(
            id ?? .null, RequestError(.invalidRequest, "the message has no method")))
      }
      return
    }
    let params = value["params"] ?? .null
    if let id {
      self = .request(id: id, method: method.text, params: params)
    } else if value["id"] == nil {
      self = .notification(method: method.text, params: params)
    } else {
      self = .invalid(
        answer: failure(
          .null, RequestError(.invalidRequest, "the id is neither a number nor a string")))
    }
  }
}

/// The messages that wait for their turn. A request that is cancelled while it waits is answered at
/// once.
package struct Inbox {
  private var waiting: [(message: Message, size: Int)] = []
  private var first = 0
  private var byteCount = 0

  /// The sizes at which no more input is read until messages are answered.
  private static let mostMessages = 1000
  private static let mostBytes = 8 << 20

  package init() {}

  /// Whether no more messages may be added.
  package var isFull: Bool {
    waiting.count - first >= Inbox.mostMessages || byteCount >= Inbox.mostBytes
  }

  package var isEmpty: Bool { first == waiting.count }

  /// Adds the body of a message. Returns the answer to a request that it cancels.
  package mutating func add(_ body: [UInt8]) -> JSONOutput? {
    let message = Message(body)
    if case .notification("$/cancelRequest", let params) = message {
      return params.identifier.flatMap { cancel($0) }
    }
    waiting.append((message, body.count))
    byteCount += body.count
    return nil
  }

  /// Returns the next message; nil if no message waits.
  package mutating func next() -> Message? {
    guard first < waiting.count else { return nil }
    let (message, size) = waiting[first]
    waiting[first] = (.response, 0)
    first += 1
    byteCount -= size
    // An editor that never pauses must not make the list grow.
    if first == waiting.count || first >= Inbox.mostMessages {
      waiting.removeFirst(first)
      first = 0
    }
    return message
  }

  private mutating func cancel(_ id: JSONOutput) -> JSONOutput? {
    for index in first..<waiting.count {
      guard case .request(let known, _, _) = waiting[index].message, known == id else { continue }
      byteCount -= waiting[index].size
      waiting.remove(at: index)
      return failure(id, RequestError(.requestCancelled, "the request is cancelled"))
    }
    return nil
  }
}

extension JSONValue {
  /// The number or string of a request, to be sent back; nil if it has no such id.
  fileprivate var identifier: JSONOutput? {
    switch self["id"] {
    case .integer(let number)?: .integer(Int(number))
    case .string(let text)?: .string(text.text)
    default: nil
    }
  }
}

// MARK: - Addresses

/// Returns the path of a `file:` address; nil for another address.
func path(of address: ByteString?) -> ByteString? {
  guard let address, address.hasPrefix("file://") else { return nil }
  let rest = Array(address.dropFirst("file://".utf8.count).bytes)
  guard rest.first == UInt8(ascii: "/") else { return nil }
  var bytes: [UInt8] = []
  var index = 0
  while index < rest.count {
    if rest[index] == UInt8(ascii: "%"), index + 2 < rest.count,
      let byte = UInt8(String(decoding: rest[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
    {
      bytes.append(byte)
      index += 3
    } else {
      bytes.append(rest[index])
      index += 1
    }
  }
  return bytes.contains(0) ? nil : ByteString(bytes: bytes)
}

/// Returns a path as a `file:` address.
func address(of path: ByteString) -> String {
  var text = "file://"
  let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._~".utf8)
  let digits = Array("0123456789ABCDEF")
  for byte in path.bytes {
    if plain.contains(byte) {
      text.unicodeScalars.append(Unicode.Scalar(byte))
    } else {
      text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
  }
  return text
}
