// What every entry of a set has in common: the variant it is for, and where it stands in the file.
import Traits

/// A file that an entry names.
public struct SourceFile: Sendable, Hashable {
  /// As written in Contents.json.
  public var name: String
  /// The folder's path and the name; in the case that the disk has where only case differs.
  public var path: String
  /// Whether it is there and is a file.
  public var exists: Bool
  /// In bytes.
  public var size: Int

  public init(name: String, path: String, exists: Bool, size: Int) {
    self.name = name
    self.path = path
    self.exists = exists
    self.size = size
  }

  /// The extension, in lower case; empty where there is none.
  public var fileExtension: String { pathExtension(name) }

  public var isVector: Bool { fileExtension == "pdf" || fileExtension == "svg" }
}

/// The variant for which an entry stands.
public struct Slot: Sendable, Hashable {
  /// A vector without a scale has scale 0, a bitmap without one has scale 1.
  public var key = VariantKey()
  /// The scale as written; nil where the entry names none.
  public var scale: UInt8?
  /// The idiom as written ("ios-marketing"), where the key's idiom is a wider one.
  public var idiom = "universal"
  public var platform: CatalogPlatform?
  /// The language tag whose number the key has.
  public var locale: String?
  /// Whether Xcode marked the entry as belonging to no slot: it is not compiled.
  public var isUnassigned = false
  /// Where the entry stands: "/images/2".
  public var pointer = ""

  public init() {}
}

/// The systems for which an entry or an option can be.
public enum CatalogPlatform: String, CaseIterable, Sendable, Hashable {
  case ios, macos, tvos, watchos, visionos
}
