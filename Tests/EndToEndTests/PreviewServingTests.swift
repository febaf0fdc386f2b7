// Tests `carve preview --serve` over a socket, as a browser uses it.

import Foundation
import Glibc
import Support
import Testing

@Suite struct PreviewServingTests {
  @Test func servesThePageToThisMachineAlone() throws {
    let folder = try TemporaryDirectory()
    try folder.copy("\(sampleCatalogs)/Slicing.xcassets", to: "Slicing.xcassets")
    let server = Process()
    server.executableURL = URL(fileURLWithPath: productFolder + "/carve")
    server.arguments = ["preview", "--serve", "Slicing.xcassets"]
    server.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let output = Pipe()
    server.standardOutput = output
    server.standardError = FileHandle.nullDevice
    try server.run()
    defer {
      // Child processes of a test inherit a mask that blocks the other signals that end a process.
      kill(server.processIdentifier, SIGKILL)
      server.waitUntilExit()
    }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let told = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:([0-9]+)\//))
    let port = try #require(UInt16(told.output.1))

    let page = try answer(to: "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)", port)
    #expect(page.hasPrefix("HTTP/1.1 200 "))
    #expect(page.contains("connect-src 'self'") && page.contains(#""n":"Bubble""#))
    // A request for another host's name that leads to this address is refused.
    let stranger = try answer(to: "GET / HTTP/1.1\r\nHost: pictures.example", port)
    #expect(stranger.hasPrefix("HTTP/1.1 403 ") && !stranger.contains("Bubble"))
    let file = try answer(to: "GET /../secret HTTP/1.1\r\nHost: localhost:\(port)", port)
    #expect(file.hasPrefix("HTTP/1.1 404 "))
  }

  /// Returns all bytes of the answer until the server closes the connection.
  private func answer(to request: String, _ port: UInt16) throws -> String {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(connected == 0)
    let text = request + "\r\nConnection: close\r\n\r\n"
    #expect(write(descriptor, text, text.utf8.count) == text.utf8.count)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
