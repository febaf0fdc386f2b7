// The names under which sources can ask for assets, in tables in which a scanner looks up bytes of
// a source. A name is found as it is written, with another case or other separators, and as the
// identifiers that Xcode, Rswift, SwiftGen and `carve symbols` make of it.

import AssetSymbols
import Bytes
import CatalogModel

/// The bytes of a source that is being scanned, or of a part of it.
typealias SourceBytes = UnsafeBufferPointer<UInt8>

/// An asset whose uses are looked for.
package struct NamedAsset: Sendable, Hashable {
  /// The name with its namespaces.
  package var name: ByteString
  package var type: SetType
  /// The folder of the set, and the file that findings name.
  package var folder: ByteString
  package var contentsFile: ByteString
  /// The path of its catalogue.
  package var catalog: ByteString

  package init(
    name: ByteString, type: SetType, folder: ByteString, contentsFile: ByteString,
    catalog: ByteString
  ) {
    self.name = name
    self.type = type
    self.folder = folder
    self.contentsFile = contentsFile
    self.catalog = catalog
  }
}

package struct AssetNames: Sendable {
  package private(set) var assets: [NamedAsset] = []
  private var exact: [UInt64: [Int]] = [:]
  private var folded: [UInt64: [Int]] = [:]
  private var identifiers: [UInt64: [Int]] = [:]
  private var swiftSymbols: [UInt64: [Int]] = [:]
  private var objectiveC: [UInt64: [Int]] = [:]
  /// The lengths of the names by their first three bytes.
  private(set) var lengths = NameLengths()

  package init(_ all: [CatalogContents]) {
    for contents in all {
      let first = assets.count
      for set in contents.assets {
        let catalog =
          contents.catalogs.indices.contains(set.catalog) ? contents.catalogs[set.catalog].path : ""
        add(
          NamedAsset(
            name: set.name, type: set.type, folder: set.folder, contentsFile: set.describingFile,
            catalog: catalog))
      }
      addSymbols(of: contents, from: first)
    }
  }

  private mutating func add(_ asset: NamedAsset) {
    let index = assets.count
    assets.append(asset)
    exact[hash(of: asset.name), default: []].append(index)
    let bytes = asset.name.bytes
    if bytes.count >= 3 {
      lengths.insert(bytes.count, startingWith: nameStart(bytes[0], bytes[1], bytes[2]))
    }
    folded[foldedHash(of: asset.name), default: []].append(index)
    // The words of the whole name and of its last part, with and without a last word such as
    // "Image".
    var keys: Set<UInt64> = [foldedHash(of: asset.name)]
    let last = asset.name.components.last ?? ""
    keys.insert(foldedHash(of: last))
    keys.insert(foldedHash(of: ByteString(assetIdentifier(of: last))))
    for key in keys where key != emptyHash { identifiers[key, default: []].append(index) }
  }

  private mutating func addSymbols(of contents: CatalogContents, from first: Int) {
    var indices: [ByteString: Int] = [:]
    for index in first..<assets.count { indices[assets[index].folder] = index }
    for symbol in SymbolAssets(contents).names {
      guard let index = indices[symbol.asset.folder] else { continue }
      if let last = symbol.swift?.last {
        swiftSymbols[hash(of: ByteString(last)), default: []].append(index)
      }
      if let constant = symbol.objectiveC, !constant.isEmpty {
        objectiveC[hash(of: ByteString(constant)), default: []].append(index)
      }
    }
  }

  /// Adds identifiers that generated source gives to names.
  mutating func add(_ aliases: [NameAlias]) {
    for alias in aliases {
      for index in exact[alias.name] ?? []
      where !(identifiers[alias.identifier]?.contains(index) ?? false) {
        identifiers[alias.identifier, default: []].append(index)
      }
    }
  }

  /// Returns whether the table has all of these identifiers.
  func holds(_ aliases: [NameAlias]) -> Bool {
    aliases.allSatisfy { alias in
      (exact[alias.name] ?? []).allSatisfy { identifiers[alias.identifier]?.contains($0) ?? false }
    }
  }

  // MARK: Looking up

  func named(_ hash: UInt64) -> [Int] { exact[hash] ?? [] }
  func similar(_ foldedHash: UInt64) -> [Int] { folded[foldedHash] ?? [] }
  func withIdentifier(_ foldedHash: UInt64) -> [Int] { identifiers[foldedHash] ?? [] }
  func withSwiftSymbol(_ hash: UInt64) -> [Int] { swiftSymbols[hash] ?? [] }
  func withObjectiveCSymbol(_ hash: UInt64) -> [Int] { objectiveC[hash] ?? [] }

  /// Returns the assets with a name.
  package func named(_ name: ByteString) -> [Int] { exact[hash(of: name)] ?? [] }
}

/// The lengths of names by their first bytes. At each offset of a file, the bytes that can be a
/// name are hashed once, however many names begin in the same way.
struct NameLengths: Sendable {
  private var lengths: [UInt32: [Int]] = [:]

  var isEmpty: Bool { lengths.isEmpty }

  mutating func insert(_ length: Int, startingWith start: UInt32) {
    let known = lengths[start] ?? []
    if !known.contains(length) { lengths[start] = (known + [length]).sorted() }
  }

  /// Calls a function with the hashes of the texts at an offset that can be names.
  func forEachHash(
    in bytes: [UInt8], at offset: Int, startingWith start: UInt32, _ body: (UInt64) -> Void
  ) {
    guard let lengths = lengths[start] else { return }
    var (hash, end) = (emptyHash, offset)
    for length in lengths {
      if length > bytes.count - offset { return }
      while end < offset + length {
        add(bytes[end], to: &hash)
        end += 1
      }
      body(hash)
    }
  }
}

/// An identifier that generated source gives to the name of an asset.
struct NameAlias: Sendable, Hashable {
  var identifier: UInt64
  var name: UInt64
}

// MARK: - Hashes of names

@inline(__always)
func nameStart(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> UInt32 {
  UInt32(a) << 16 | UInt32(b) << 8 | UInt32(c)
}

/// The hash of no bytes.
let emptyHash: UInt64 = 0xCBF2_9CE4_8422_2325

@inline(__always)
func add(_ byte: UInt8, to hash: inout UInt64) {
  hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
}

func hash(of bytes: some Sequence<UInt8>) -> UInt64 {
  var result = emptyHash
  for byte in bytes { add(byte, to: &result) }
  return result
}

func hash(of name: ByteString) -> UInt64 { hash(of: name.bytes) }

/// Returns the hash of the letters and digits in lower case: equal for "my_icon" and "MyIcon".
func foldedHash(of bytes: some Sequence<UInt8>) -> UInt64 {
  var result = emptyHash
  var isASCII = true
  for byte in bytes {
    if byte >= 0x80 { isASCII = false }
    if isWordByte(byte) { add(lowercased(byte), to: &result) }
  }
  return isASCII ? result : foldedHashOfText(Array(bytes))
}

/// Returns the same hash for the composed and the decomposed form of a letter. A Mac can use the
/// decomposed form in the names of folders; sources have the composed form.
private func foldedHashOfText(_ bytes: [UInt8]) -> UInt64 {
  var hasher = Hasher()
  let name = ByteString(bytes: bytes).lowercased()
  hasher.combine(ByteString(bytes: name.bytes.filter(isWordByte)).canonicalForm)
  return UInt64(bitPattern: Int64(hasher.finalize()))
}

func foldedHash(of name: ByteString) -> UInt64 { foldedHash(of: name.bytes) }

/// Returns whether a byte belongs to a letter or a digit. Bytes of other scripts do.
@inline(__always)
func isWordByte(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

@inline(__always)
func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 97 < 26 || byte >= 0x80 }

@inline(__always)
func isIdentifierByte(_ byte: UInt8) -> Bool {
  isWordByte(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
}

@inline(__always)
func lowercased(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 0x20 : byte }
