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
