// Makes the files beside the archive: icons of phones and tablets, the icon file of the Mac, launch
// images.

import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Host
import Imaging
import Traits

struct LooseFile {
  var path: ByteString
  var bytes: [UInt8]
}

struct LooseFiles {
  private(set) var files: [LooseFile] = []
  /// The pictures that were written for each icon.
  private(set) var icons: [ByteString: [LooseIcon]] = [:]
  /// The names whose icon file for the Mac is among the files.
  private(set) var macIcons: Set<ByteString> = []
  private(set) var launchImages: [LaunchImageFile] = []
  private(set) var messages: [RunMessage] = []

  init(_ request: BuildRequest, _ choice: IconChoice, _ values: AppValues, _ tree: FileTree) {
    guard let folder = request.folder else { return }
    // An app without a primary icon gets no alternates either, because the property list does not
    // name them.
    let chosen = request.primaryIcon.map { [($0, choice.primary)] + choice.alternates } ?? []
    for (name, sets) in chosen {
      // An icon set of the same name has the pictures of a layered icon.
      let hasPictures = sets.contains { $0.type != .iconBundle }
      for set in sets where !hasPictures || set.type != .iconBundle {
        addIcons(of: set, named: name, request, folder, tree)
        // On the Mac, an alternate icon is shown from the archive. The system uses the icon file of
        // the primary icon only.
        if name == request.primaryIcon { addMacIcon(of: set, request, folder, tree) }
      }
    }
    if request.target.platform.system == .iOS, let asset = values.launchImages,
      case .launchImages(let set) = asset.contents
    {
      addLaunchImages(set, named: asset.name, folder, tree)
    }
    if let path = request.flattenedIcon {
      messages.append(
        RunMessage(
          .warning, "The flattened app icon is not written: Carve does not flatten layers.",
          about: path))
    }
  }

  private mutating func addIcons(
    of asset: AssetSet, named name: ByteString, _ request: BuildRequest, _ folder: ByteString,
    _ tree: FileTree
  ) {
    let set: AppIconSet
    switch asset.contents {
    case .appIcons(let own), .stickersIcons(let own): set = own
    case .iconBundle: return addLayeredIcons(of: asset, named: name, request, folder, tree)
    default: return
    }
    for icon in request.looseIcons(of: set, named: name) {
      guard let source = icon.source,
        let pixels = IconPixels(source, width: icon.width, height: icon.height, in: tree)
      else { continue }
      files.append(LooseFile(path: joined(folder, icon.fileName), bytes: pixels.png))
      icons[name, default: []].append(icon)
    }
  }

  private mutating func addLayeredIcons(
    of asset: AssetSet, named name: ByteString, _ request: BuildRequest, _ folder: ByteString,
    _ tree: FileTree
  ) {
    let shown = request.looseLayeredIcons(named: name)
    let drawn = bitmaps(
      of: asset, for: request.compiling, sides: Set(shown.map(\.width)), in: tree)
    for icon in shown {
      guard let bitmap = drawn[icon.width] else { continue }
      files.append(LooseFile(path: joined(folder, icon.fileName), bytes: bitmap.pngFile()))
      icons[name, default: []].append(icon)
    }
  }

  private mutating func addMacIcon(
    of asset: AssetSet, _ request: BuildRequest, _ folder: ByteString, _ tree: FileTree
  ) {
    guard request.target.platform == .macOS, request.standaloneIcons != .none else { return }
    var file = MacIconFile()
    let pictures = asset.macIconPictures
    let drawn = bitmaps(
      of: asset, for: request.compiling,
      sides: Set(pictures.lazy.filter { $0.source == nil }.map(\.pixels)), in: tree)
    for picture in pictures {
      let side = picture.pixels
      let read = picture.source.flatMap { IconPixels($0, width: side, height: side, in: tree) }
      guard let pixels = read ?? drawn[side].map({ IconPixels($0) }) else { continue }
      file.add(picture, pixels)
    }
    if file.isEmpty { return }
    files.append(LooseFile(path: joined(folder, asset.name + ".icns"), bytes: file.bytes))
    macIcons.insert(asset.name)
  }

  private mutating func addLaunchImages(
    _ set: LaunchImageSet, named name: ByteString, _ folder: ByteString, _ tree: FileTree
  ) {
    for file in set.files(named: name) {
      do throws(FileError) {
        let bytes = try tree.read(file.source.path, FileLimit.picture)
        files.append(LooseFile(path: joined(folder, file.fileName), bytes: bytes))
        launchImages.append(file)
      } catch {
        messages.append(
          RunMessage(
            .error, "Failed to read \"\(file.source.path)\"", about: file.source.path,
            reason: error.reason))
      }
    }
  }
}

// MARK: - Icons of phones and tablets

// Chooses the pictures of an app icon that are written beside the archive, and their names. Older
// systems do not read icons from archives, and other programs read only these files.

/// A picture that is written beside the archive.
struct LooseIcon: Sendable {
  /// The name in the property list: "AppIcon60x60".
  var stem: ByteString
  var fileName: ByteString
  var size: PointSize
  var isForPad: Bool
  /// The picture that is scaled; nil if a layered icon is drawn.
  var source: SourceFile?
  var width: Int
  var height: Int
}

extension BuildRequest {
  /// Returns the loose pictures of an icon set, sorted by size.
  func looseIcons(of set: AppIconSet, named name: ByteString) -> [LooseIcon] {
    guard target.platform.system == .iOS, standaloneIcons != .none else { return [] }
    var icons: [LooseIcon] = []
    if standaloneIcons == .all || target.minimum < OSVersion(11) || set.isOfOddSizes {
      icons = set.shownEntries.flatMap { looseIcons(of: $0, named: name) }
    }
    for (family, points) in [(DeviceFamily.iphone, 60.0), (.ipad, 76.0)] where admits(family) {
      let isForPad = family == .ipad
      if icons.contains(where: { $0.isForPad == isForPad && $0.size.width == points }) { continue }
      guard let entry = set.entry(of: points, scale: 2, isForPad: isForPad) else { continue }
      icons.append(
        LooseIcon(
          of: entry, named: name, size: PointSize(width: points, height: points), scale: 2,
          isForPad: isForPad))
    }
    var names: Set<ByteString> = []
    return icons.sorted { ($0.size.width, $0.fileName) < ($1.size.width, $1.fileName) }
      .filter { names.insert($0.fileName).inserted }
  }

  /// Returns the loose pictures of a layered icon, sorted by size: those of the sizes that old
  /// systems and other programs look for.
  func looseLayeredIcons(named name: ByteString) -> [LooseIcon] {
    guard target.platform.system == .iOS, standaloneIcons != .none else { return [] }
    let sizes = [(DeviceFamily.iphone, 60.0), (.ipad, 76.0)].filter { admits($0.0) }
    return sizes.map { family, points in
      LooseIcon(
        of: nil, named: name, size: PointSize(width: points, height: points), scale: 2,
        isForPad: family == .ipad)
    }
  }

  /// Returns the picture of an entry once for each family that shows it.
  private func looseIcons(
    of entry: (icon: AppIconEntry, file: SourceFile), named name: ByteString
  ) -> [LooseIcon] {
    guard let size = entry.icon.size, let scale = entry.icon.slot.scale else { return [] }
    let families: [(DeviceFamily, Bool)] =
      switch entry.icon.slot.key.idiom {
      case .phone: [(.iphone, false)]
      case .pad: [(.ipad, true)]
      case .universal: [(.iphone, false), (.ipad, true)]
      default: []
      }
    return families.filter { admits($0.0) }.map { _, isForPad in
      LooseIcon(of: entry.file, named: name, size: size, scale: scale, isForPad: isForPad)
    }
  }
}

extension LooseIcon {
  fileprivate init(
    of source: SourceFile?, named name: ByteString, size: PointSize, scale: UInt8, isForPad: Bool
  ) {
    stem = "\(name)\(sizeText(size))"
    fileName = stem + (scale > 1 ? "@\(scale)x" : "") + (isForPad ? "~ipad" : "") + ".png"
    self.size = size
    self.isForPad = isForPad
    self.source = source
    width = Int((size.width * Double(scale)).rounded())
    height = Int((size.height * Double(scale)).rounded())
  }
}

private func sizeText(_ size: PointSize) -> String {
  func text(_ number: Double) -> String {
    number == number.rounded() ? String(Int(number)) : String(number)
  }
  return text(size.width) + "x" + text(size.height)
}

extension AppIconSet {
  /// The entries with a file, for phones and tablets, in the default appearance.
  fileprivate var shownEntries: [(icon: AppIconEntry, file: SourceFile)] {
    entries.compactMap { entry in
      guard let file = entry.file, file.exists, !entry.slot.isUnassigned,
        entry.slot.key.style == .any, entry.slot.key.contrast == .normal,
        entry.slot.platform.map({ $0 == .iOS }) ?? true
      else { return nil }
      return (entry, file)
    }
  }

  /// Whether the set has sizes that are not square, as icons of stickers have. Its files are then
  /// all written, because one size cannot replace the others.
  fileprivate var isOfOddSizes: Bool {
    entries.contains { entry in entry.size.map { $0.width != $0.height } ?? false }
  }

  /// Returns the file for a size: its own, or the single picture from which all sizes are made.
  fileprivate func entry(of points: Double, scale: UInt8, isForPad: Bool) -> SourceFile? {
    let idioms: [Idiom] = [isForPad ? .pad : .phone, .universal]
    let own = shownEntries.first { icon, _ in
      icon.size?.width == points && icon.slot.scale == scale && idioms.contains(icon.slot.key.idiom)
    }
    let single = shownEntries.first { icon, _ in
      icon.slot.key.idiom == .universal && icon.size?.width == 1024
    }
    return (own ?? single)?.file
  }
}

// MARK: - Icons of the Mac

// Writes the icon file of the Mac (.icns): a list of pictures, each with four letters that name its
// size. The two smallest are colour planes, packed by run lengths, with a mask; every system can
// show them. The others are PNG files.

/// One picture of the file.
struct MacIconPicture {
  /// The size in points. `scale` is the number of pixels for each point.
  var size: Int
  var scale: Int
  /// The picture that is scaled; nil if a layered icon is drawn.
  var source: SourceFile?

  var pixels: Int { size * scale }

  /// The four letters of a picture that is stored as PNG; nil for the two smallest, which are
  /// stored as planes.
  fileprivate var pngType: String? {
    switch (size, scale) {
    case (16, 2): "ic11"
    case (32, 2): "ic12"
    case (128, 1): "ic07"
    case (128, 2): "ic13"
    case (256, 1): "ic08"
    case (256, 2): "ic14"
    case (512, 1): "ic09"
    case (512, 2): "ic10"
    default: nil
    }
  }

  fileprivate var planeTypes: (color: String, mask: String)? {
    switch (size, scale) {
    case (16, 1): ("is32", "s8mk")
    case (32, 1): ("il32", "l8mk")
    default: nil
    }
  }
}

extension AssetSet {
  /// The pictures of a Mac icon, smallest first. Each size occurs once.
  var macIconPictures: [MacIconPicture] {
    var pictures: [MacIconPicture] = []
    switch contents {
    case .appIcons(let set):
      for entry in set.entries where !entry.slot.isUnassigned && entry.slot.key.style == .any {
        guard let file = entry.file, file.exists, let size = entry.size, entry.slot.idiom == "mac"
        else { continue }
        pictures.append(
          MacIconPicture(
            size: Int(size.width), scale: Int(entry.slot.scale ?? 1), source: file))
      }
    case .icons(let set):
      pictures = set.entries.filter(\.file.exists).map {
        MacIconPicture(size: $0.size, scale: Int($0.scale), source: $0.file)
      }
    case .iconBundle:
      pictures = [16, 32, 128, 256, 512].flatMap { size in
        [1, 2].map { MacIconPicture(size: size, scale: $0, source: nil) }
      }
    default: break
    }
    var seen: Set<[Int]> = []
    return pictures.sorted { ($0.size, $0.scale) < ($1.size, $1.scale) }
      .filter { $0.pngType != nil || $0.planeTypes != nil }
      .filter { seen.insert([$0.size, $0.scale]).inserted }
  }
}

/// An icon file under construction.
struct MacIconFile {
  private var elements: [UInt8] = []

  var isEmpty: Bool { elements.isEmpty }

  mutating func add(_ picture: MacIconPicture, _ pixels: IconPixels) {
    if let type = picture.pngType {
      add(type, pixels.png)
    } else if let types = picture.planeTypes {
      let planes = pixels.straightPlanes()
      add(types.color, planes.prefix(3).flatMap(packed))
      add(types.mask, planes[3])
    }
  }

  private mutating func add(_ type: String, _ bytes: [UInt8]) {
    elements += type.utf8
    elements += bigEndian(8 + bytes.count)
    elements += bytes
  }

  var bytes: [UInt8] { Array("icns".utf8) + bigEndian(8 + elements.count) + elements }

  private func bigEndian(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }

  /// Packs a plane: runs of 3 to 130 equal bytes, and up to 128 unpacked bytes.
  ///
  ///     byte 0…127     byte + 1 unpacked bytes follow
  ///     byte 128…255   the next byte, byte - 125 times
  private func packed(_ plane: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var start = 0
    var place = 0
    func run(_ place: Int) -> Int {
      var end = place + 1
      while end < plane.count, end - place < 130, plane[end] == plane[place] { end += 1 }
      return end - place
    }
    func flush(_ end: Int, _ result: inout [UInt8]) {
      while start < end {
        let count = min(128, end - start)
        result.append(UInt8(count - 1))
        result += plane[start..<start + count]
        start += count
      }
    }
    while place < plane.count {
      let length = run(place)
      if length >= 3 {
        flush(place, &result)
        result += [UInt8(length + 125), plane[place]]
        start = place + length
      }
      place += length
    }
    flush(plane.count, &result)
    return result
  }
}

// MARK: - Pixels of icons

// Makes an icon picture of a given size. A picture of that size keeps its file; another is scaled,
// and each new pixel is the mean of the area that it covers.

struct IconPixels {
  /// The PNG file; the author's own bytes if no scaling was needed.
  private(set) var png: [UInt8]
  private let bitmap: Bitmap

  /// Returns nil if the file is not a readable picture. The compiler reports such files.
  init?(_ source: SourceFile, width: Int, height: Int, in tree: FileTree) {
    guard width > 0, height > 0, width <= 4096, height <= 4096,
      let file = try? tree.read(source.path, FileLimit.picture)
    else { return nil }
    var decoder = PictureDecoder()
    let options = PictureOptions(gamut: .sRGB, allowsGray: false)
    guard
      let decoded = try? file.withUnsafeBytes({ try decoder.decode($0, options: options) }),
      decoded.layout == .bgra8
    else { return nil }
    if decoded.width == width, decoded.height == height {
      png = file
      bitmap = decoded
    } else {
      bitmap = decoded.scaled(width: width, height: height)
      png = bitmap.pngFile()
    }
  }

  init(_ drawn: Bitmap) {
    png = drawn.pngFile()
    bitmap = drawn
  }

  /// Returns one plane for each of red, green, blue and alpha. The colours are not premultiplied.
  func straightPlanes() -> [[UInt8]] {
    var planes = [[UInt8]](repeating: [], count: 4)
    for y in 0..<bitmap.height {
      for x in 0..<bitmap.width {
        let place = y * bitmap.bytesPerRow + x * 4
        let alpha = bitmap.pixels[place + 3]
        for (plane, channel) in [2, 1, 0].enumerated() {
          planes[plane].append(straightChannel(bitmap.pixels[place + channel], alpha: alpha))
        }
        planes[3].append(alpha)
      }
    }
    return planes
  }
}

// MARK: - Launch images

// Makes launch images of iOS: files beside the archive, whose names contain the system, the display
// and the orientation, and entries of the property list. They are not put into the archive.

struct LaunchImageFile {
  var fileName: ByteString
  var source: SourceFile
  /// The entry in the property list; nil for pictures that name no system, which share one key.
  var entry: PropertyValue?
}

extension LaunchImageSet {
  /// Returns the files of the set, sorted by name.
  func files(named name: ByteString) -> [LaunchImageFile] {
    var files: [ByteString: LaunchImageFile] = [:]
    for entry in entries where !entry.slot.isUnassigned && entry.extent != "to-status-bar" {
      guard let source = entry.file, source.exists else { continue }
      let file = entry.file(source, named: name)
      files[file.fileName] = files[file.fileName] ?? file
    }
    return files.values.sorted { $0.fileName < $1.fileName }
  }
}

extension LaunchImageEntry {
  fileprivate func file(_ source: SourceFile, named name: ByteString) -> LaunchImageFile {
    let isPad = slot.key.idiom == .pad
    let isLandscape = orientation == "landscape"
    var stem = name
    if let minimumSystemVersion {
      // "8.0" becomes 800.
      let parts = minimumSystemVersion.split(separator: ".").map(String.init)
      stem += "-\(parts.first ?? "")\(parts.count > 1 ? parts[1] : "0")0"
    }
    if isPad || showsOrientation { stem += isLandscape ? "-Landscape" : "-Portrait" }
    if slot.key.subtype != 0, !isPad { stem += "-\(displayHeight)h" }
    let scale: ByteString = slot.key.scale > 1 ? "@\(slot.key.scale)x" : ""
    var entry: PropertyValue?
    if let version = minimumSystemVersion, OSVersion(version).map({ $0 >= OSVersion(7) }) ?? false {
      let points = displaySize
      entry = .dictionary([
        "UILaunchImageMinimumOSVersion": .string(version), "UILaunchImageName": .name(stem),
        "UILaunchImageOrientation": .string(isLandscape ? "Landscape" : "Portrait"),
        "UILaunchImageSize": .string("{\(points.0), \(points.1)}"),
      ])
    }
    return LaunchImageFile(
      fileName: stem + scale + (isPad ? "~ipad" : "") + "." + source.fileExtension,
      source: source, entry: entry)
  }

  /// Whether the file name of a phone picture contains the orientation. It does for phones on which
  /// apps can start in both orientations.
  private var showsOrientation: Bool { [736, 1792, 2436, 2688].contains(displayHeight) }

  /// The height by which names identify the display. Archives use other numbers for two displays.
  private var displayHeight: Int {
    switch slot.key.subtype {
    case 569: 667
    case 570: 736
    default: Int(slot.key.subtype)
    }
  }

  /// The size of the display in points, in portrait orientation.
  private var displaySize: (Int, Int) {
    switch displayHeight {
    case 568: (320, 568)
    case 667: (375, 667)
    case 736: (414, 736)
    case 2436: (375, 812)
    case 1792, 2688: (414, 896)
    case 2388: (834, 1194)
    case 1366: (1024, 1366)
    default: slot.key.idiom == .pad ? (768, 1024) : (320, 480)
    }
  }
}
