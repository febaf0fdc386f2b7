// Compares names and paths with texts of a test, byte by byte.

@_exported import Bytes

package func == (name: ByteString, text: String) -> Bool { name == ByteString(text) }
package func == (text: String, name: ByteString) -> Bool { name == ByteString(text) }
package func == (names: [ByteString], texts: [String]) -> Bool {
  names == texts.map { ByteString($0) }
}
