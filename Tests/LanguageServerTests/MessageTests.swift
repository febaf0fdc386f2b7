// Tests of the messages of the protocol as bytes: dividing, limits, and the order of requests.

import Bytes
import Documents
import Testing

@testable import LanguageServer

@Suite struct MessageTests {
  private func framed(_ text: String) -> [UInt8] {
    Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)
  }

  @Test func messagesComeInPieces() {
    var reader = MessageReader()
    let input =
      framed("{}") + Array("content-length:3\r\nContent-Type: x\r\n\r\nabc".utf8) + framed("")
    var found: [[UInt8]] = []
    for byte in input {
      reader.add([byte])
      if case .message(let body) = reader.next() { found.append(body) }
    }
    #expect(found == [Array("{}".utf8), Array("abc".utf8), []])
    #expect(reader.next() == .incomplete)
  }

  @Test func aLargeMessageIsSkipped() {
    var reader = MessageReader()
    reader.add(Array("Content-Length: \(MessageReader.mostBytes + 5)\r\n\r\n12345".utf8))
    #expect(reader.next() == .tooLarge)
    #expect(reader.next() == .incomplete)
    for _ in 0..<(MessageReader.mostBytes >> 16) {
      reader.add([UInt8](repeating: 32, count: 1 << 16))
    }
    reader.add(framed("{}"))
    #expect(reader.next() == .message(Array("{}".utf8)))
  }

  @Test(arguments: [
    "Content-Length: x\r\n\r\n", "Content-Length: -1\r\n\r\n", "\r\n\r\n", "Length: 3\r\n\r\nabc",
    "Content-Length: 99999999999999999999\r\n\r\n", String(repeating: "x", count: 5000),
  ])
  func aBrokenHeaderEndsTheInput(text: String) {
    var reader = MessageReader()
    reader.add(Array(text.utf8))
    #expect(reader.next() == .broken)
  }

  @Test func aWaitingRequestCanBeCancelled() {
    var inbox = Inbox()
    for number in 1...3 {
      #expect(inbox.add(Array(#"{"id":\#(number),"method":"m"}"#.utf8)) == nil)
    }
    let cancel = Array(#"{"method":"$/cancelRequest","params":{"id":2}}"#.utf8)
    #expect(inbox.add(cancel)?.line.contains("-32800") == true)
    #expect(inbox.add(cancel) == nil)
    var ids: [JSONOutput] = []
    while let message = inbox.next() {
      if case .request(let id, _, _) = message { ids.append(id) }
    }
    #expect(ids == [1, 3])
    #expect(inbox.isEmpty)
  }

  @Test func anInboxHasAnEnd() {
    var inbox = Inbox()
    var count = 0
    while !inbox.isFull {
      _ = inbox.add(Array(#"{"id":1,"method":"m"}"#.utf8))
      count += 1
    }
    #expect(count == 1000)
    var large = Inbox()
    _ = large.add([UInt8](repeating: 32, count: 9 << 20))
    #expect(large.isFull)
  }
}
