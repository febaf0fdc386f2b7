// One line of a batch of requests: {"asset": …, "kind": …, "traits": {…}}, and its answer.

import Bytes
import Documents
import Traits

/// The request of one line.
package struct BatchRequest: Sendable, Hashable {
  package var asset: ByteString
  package var kind: AssetKind
  /// The keys and values as they are written. A number is given as its digits.
  package var traits: [Pair]

  package struct Pair: Sendable, Hashable {
    package var key: String
    package var value: String
  }
}

/// The reason why a line is not a valid request.
package struct BatchRequestError: Error, Sendable, Hashable {
  package let message: String
  /// The column of the fault in the line; nil if the whole line is not a request.
  package var column: Int?
}

extension BatchRequest {
  package init(jsonLine line: some Sequence<UInt8>) throws(BatchRequestError) {
    let bytes = Array(line)
    let root: JSONValue
    do throws(JSONSyntaxError) {
      root = try parseJSON(bytes)
    } catch {
      throw BatchRequestError(
        message: "not JSON: \(error.words)",
        column: linesAndColumns(of: [error.offset], in: bytes)[error.offset]?.column)
    }
    if let key = firstRepeatedKey(in: bytes, of: root) {
      throw BatchRequestError(message: "\(quoted(key)) occurs twice in one object")
    }
    guard case .object(let members) = root else {
      throw BatchRequestError(message: "not an object with \"asset\" and \"traits\"")
    }
    guard case .string(let asset)? = root["asset"] else {
      throw BatchRequestError(message: "\"asset\" is missing or not a string")
    }
    self.asset = asset
    kind = .image
    traits = []
    for member in members {
      switch (member.key, member.value) {
      case ("asset", _): break
      case ("kind", .string(let name)):
        guard let kind = AssetKind(named: name.text) else {
          let choices = AssetKind.names.joined(separator: ", ")
          throw BatchRequestError(message: "'\(name)' is not a kind; choose from \(choices)")
        }
        self.kind = kind
      case ("traits", .object(let traits)):
        self.traits = []
        for trait in traits { self.traits.append(try Pair(trait)) }
      case ("kind", _), ("traits", _):
        throw BatchRequestError(message: "\"\(member.key)\" has a wrong type")
      default:
        throw BatchRequestError(
          message: "\"\(member.key)\" is not known; use \"asset\", \"kind\" and \"traits\"")
      }
    }
  }
}

extension BatchRequest.Pair {
  fileprivate init(_ member: JSONMember) throws(BatchRequestError) {
    key = member.key.text
    switch member.value {
    case .string(let text): value = text.text
    case .integer(let number): value = String(number)
    case .number(_, let text): value = text
    default: throw BatchRequestError(message: "the trait \"\(key)\" is neither a word nor a number")
    }
  }
}

extension BatchRequest {
  /// Returns the answer to the request.
  package func resolution(in source: CandidateSource) throws(BatchRequestError) -> Resolution {
    let environment: Environment
    do throws(TraitError) {
      environment = try Environment(
        pairs: traits.map { ($0.key, $0.value) }, localeNumber: source.localeNumber)
    } catch {
      throw BatchRequestError(message: "\(error)")
    }
    let table = source.table(for: Platform(of: environment.idiom))
    return Resolution(of: asset, kind, in: table, for: environment)
  }
}
