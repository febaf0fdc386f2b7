// The traits that the name of a loose picture and the folders above it state: scales and devices in
// the way of Apple, Flutter's folders of scales, Android's folders of resources, folders of
// languages. LoosePictures.swift and AdoptedPictures.swift use this rule.

import Bytes
import Traits

package struct PictureName: Sendable, Hashable {
  /// The folder and the name without what states traits. The variants of one picture have the same.
  package var folder: ByteString
  package var name: ByteString
  /// The scale that is stated; nil if none is.
  package var scale: Double?
  package var key = VariantKey()
  package var locale: String?
  /// The parts that state something that no catalogue has: an orientation, a version of Android.
  package var ignored: [ByteString] = []
  /// Whether the name is that of a nine-patch of Android, whose border states how it stretches.
  package var isNinePatch = false

  package var stem: ByteString { joined(folder, name) }

  /// Reads the path of a picture.
  package init(_ path: ByteString) {
    folder = path.contains(UInt8(ascii: "/")) ? parentFolder(path) : ""
    name = withoutExtension(lastComponent(path))
    if pathExtension(path) == "png", name.hasSuffix(".9"), name.count > 2 {
      isNinePatch = true
      name = name.dropLast(2)
    }
    readName()
    while readFolder(lastComponent(folder)) {
      folder = folder.contains(UInt8(ascii: "/")) ? parentFolder(folder) : ""
    }
  }

  /// Reads Apple's suffixes: `@2x`, `~ipad`, also in the other order.
  private mutating func readName() {
    readDevice()
    for digit in 1...4 where name.hasSuffix("@\(digit)x") && name.count > 3 {
      name = name.dropLast(3)
      scale = Double(digit)
      break
    }
    if key.idiom == .universal { readDevice() }
  }

  private mutating func readDevice() {
    let devices: [(ByteString, Idiom)] = [
      ("~ipad", .pad), ("~iphone", .phone), ("~tv", .tv), ("~mac", .mac), ("~watch", .watch),
      ("~vision", .vision),
    ]
    for (word, idiom) in devices where name.hasSuffix(word) && name.count > word.count {
      name = name.dropLast(word.count)
      key.idiom = idiom
      break
    }
  }

  /// Reads a folder that states traits. Returns false if it states none.
  private mutating func readFolder(_ name: ByteString) -> Bool {
    // Two spellings of a language are one variant.
    defer { locale = locale.map { usualSpelling(ofLanguageTag: $0) } }
    if scale == nil, let stated = PictureName.scale(ofFlutter: name) {
      scale = stated
      return true
    }
    if name.hasSuffix(".lproj") {
      let language = name.dropLast(6)
      if language.isEmpty { return false }
      if language != "Base" { locale = language.text }
      return true
    }
    let words = name.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = words.first, first == "drawable" || first == "mipmap" else { return false }
    for (index, word) in words.enumerated().dropFirst() {
      if word.hasPrefix("r"), word.count == 3, let language = locale, index > 1 {
        locale = language + "-" + word.dropFirst().text
      } else if !readQualifier(word) {
        ignored.append(word)
      }
    }
    return true
  }

  /// Returns the scale of a folder of Flutter, such as `2.0x`.
  private static func scale(ofFlutter name: ByteString) -> Double? {
    guard name.hasSuffix("x"), name.contains(UInt8(ascii: ".")),
      let scale = Double(name.dropLast(1).text), (0.1...16).contains(scale)
    else { return nil }
    return scale
  }

  /// Reads a qualifier of a folder of Android. Returns false if it states nothing that catalogues
  /// have.
  private mutating func readQualifier(_ word: ByteString) -> Bool {
    let densities: [ByteString: Double] = [
      "ldpi": 0.75, "mdpi": 1, "hdpi": 1.5, "xhdpi": 2, "xxhdpi": 3, "xxxhdpi": 4,
    ]
    if let density = densities[word] {
      scale = scale ?? density
      return true
    }
    switch word {
    case "night": key.style = .dark
    case "notnight", "nodpi", "anydpi": break
    case "ldrtl": key.direction = .rightToLeft
    case "ldltr": key.direction = .leftToRight
    case "television": key.idiom = .tv
    case "watch": key.idiom = .watch
    case "car": key.idiom = .car
    default:
      if word.hasPrefix("b+") {
        let parts = word.dropFirst(2).split(separator: "+").map(\.text)
        if parts.isEmpty { return false }
        locale = parts.joined(separator: "-")
        return true
      }
      let letters = word.bytes
      guard (2...3).contains(letters.count),
        letters.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
      else { return false }
      locale = word.text
    }
    return true
  }
}
