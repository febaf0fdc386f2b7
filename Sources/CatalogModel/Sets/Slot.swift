// What every entry of a set has in common: the variant it is for, and where it stands in the file.
import Bytes
import Host
import Traits

/// A file that an entry names.
package struct SourceFile: Sendable, Hashable {
  /// The folder's path and the name; in the case that the disk has where only case differs.
  package let path: ByteString
  /// The name where the path does not end with it, which is seldom.
  @Seldom private var otherName: ByteString? = nil
  /// In bytes.
  package var size: Int
  /// Whether it is there and is a file.
  package var exists: Bool

  package init(name: ByteString, path: ByteString, exists: Bool, size: Int) {
    self.path = path
    self.exists = exists
    self.size = size
    if lastComponent(path) != name { otherName = name }
  }

  /// As written in Contents.json.
  package var name: ByteString { otherName ?? lastComponent(path) }

  /// The extension, in lower case; empty where there is none.
  package var fileExtension: ByteString { pathExtension(otherName ?? path) }

  package var isVector: Bool { fileExtension == "pdf" || fileExtension == "svg" }
}

/// The variant for which an entry stands.
package struct Slot: Sendable, Hashable {
  /// A vector without a scale has scale 0, a bitmap without one has scale 1.
  package var key = VariantKey()
  /// The scale as written; nil where the entry names none.
  package var scale: UInt8?
  /// The idiom as written ("ios-marketing"), where the key's idiom is a wider one.
  package var idiom = "universal"
  package var platform: CatalogPlatform?
  /// The language tag whose number the key has.
  package var locale: String?
  /// Whether Xcode marked the entry as belonging to no slot: it is not compiled.
  package var isUnassigned = false
  /// Whether nothing is to be shown here, on purpose: Carve's own.
  package var isNothing = false
  /// Where the entry stands: "/images/2".
  package var pointer: ByteString = ""

  package init() {}
}

/// The systems for which an entry or an option can be.
package enum CatalogPlatform: String, CaseIterable, Sendable, Hashable {
  case ios, macos, tvos, watchos, visionos
}
