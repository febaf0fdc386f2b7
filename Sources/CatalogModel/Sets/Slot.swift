// The common part of all entries of a set: the variant, the file, and the place in Contents.json.
import Bytes
import Host
import Traits

/// A file that an entry names.
package struct SourceFile: Sendable, Hashable {
  /// The path of the folder with the name. If the name differs from the file's only in case, the
  /// path has the file's spelling.
  package let path: ByteString
  /// The name, if it is not the last component of the path; this is rare.
  @Seldom private var otherName: ByteString? = nil
  /// The size in bytes.
  package var size: Int
  /// Whether the file exists and is a regular file.
  package var exists: Bool

  package init(name: ByteString, path: ByteString, exists: Bool, size: Int) {
    self.path = path
    self.exists = exists
    self.size = size
    if lastComponent(path) != name { otherName = name }
  }

  /// The name as Contents.json spells it.
  package var name: ByteString { otherName ?? lastComponent(path) }

  /// The extension in lower case; empty if the name has no extension.
  package var fileExtension: ByteString { pathExtension(otherName ?? path) }

  package var isVector: Bool { fileExtension == "pdf" || fileExtension == "svg" }
}

/// The variant for which an entry is made.
package struct Slot: Sendable, Hashable {
  /// The key. Its scale is 0 for a vector without a scale, and 1 for a bitmap without one.
  package var key = VariantKey()
  /// The scale in Contents.json; nil if the entry names none.
  package var scale: UInt8?
  /// The idiom in Contents.json ("ios-marketing"). The idiom of the key can be a wider one.
  package var idiom = "universal"
  /// The platform in Contents.json; nil if the entry is for every platform.
  package var platform: Platform?
  /// The language tag. The key has the number of this language.
  package var locale: String?
  /// Whether Xcode marked the entry as unassigned. Such an entry is not compiled.
  package var isUnassigned = false
  /// Whether the entry deliberately shows nothing. This is an extension of Carve.
  package var isNothing = false
  /// The JSON pointer of the entry: "/images/2".
  package var pointer: ByteString = ""

  package init() {}
}
