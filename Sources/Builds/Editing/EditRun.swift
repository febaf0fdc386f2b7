// Applies operations to an archive. Files become blocks by the compiler's encoders, for the target
// that the archive states; ArchiveTools puts the blocks into the archive.

import Archive
import ArchiveTools
import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Host
import Traits

/// An edit of an archive by files.
package struct EditRun {
  package var editor: ArchiveEditor
  /// The target that the archive states.
  package let target: CompileTarget
  /// The scale of pictures from which the smaller ones are made; nil if each is given.
  private let sourceScale: UInt8?
  /// Whether pictures may have another size.
  private let isForced: Bool
  private let tree: FileTree
  private let blocks: EditedBlocks
  private var remarks: [String] = []
  /// The assets whose pictures or colours were replaced.
  private var changed: [ByteString] = []
  /// The pictures that stay, by the name of their asset. Other pictures of the asset were replaced.
  private var untouched: [(name: ByteString, words: [RenditionKey: String])] = []

  /// Begins an edit. The caller keeps the bytes alive and unchanged.
  package init(
    _ bytes: UnsafeRawBufferPointer, scaleFrom sourceScale: Int? = nil, isForced: Bool = false,
    in tree: FileTree = .disk
  ) throws(EditError) {
    editor = try ArchiveEditor(bytes)
    do throws(FormatError) { target = try CompileTarget(of: editor.archive) } catch {
      throw .format(error)
    }
    self.sourceScale = sourceScale.map { UInt8(clamping: $0) }
    self.isForced = isForced
    self.tree = tree
    blocks = EditedBlocks(for: target)
  }

  /// Remarks for the user: pictures that stay although others of their asset were replaced.
  package var notes: [String] {
    remarks
      + untouched.filter { !$0.words.isEmpty }.map { name, words in
        "'\(onOneLine(name))' keeps \(counted(words.count, "picture")): "
          + firstWords(words.values.sorted()) + "; name a file for each, or give --scale-from"
      }
  }

  /// Completes the edit.
  package mutating func finish() throws(EditError) {
    for name in try editor.bitmaps(showing: changed) {
      remarks.append(
        "the bitmaps of '\(onOneLine(name))' still show its old layers; compile it, and put it into "
          + "the archive")
    }
    try editor.finish()
  }

  /// Applies an operation. The bytes of catalogues that are added come from the caller.
  package mutating func apply(
    _ operation: EditOperation, compiling catalog: UnsafeRawBufferPointer? = nil
  ) throws(EditError) {
    switch operation {
    case .replace(let name, let choice, let path):
      try replace(name, choice, with: path)
      changed.append(name)
    case .recolor(let name, let choice, let color):
      try editor.recolor(name, choice, to: color)
      changed.append(name)
    case .remove(let name) where editor.isIcon(name): try editor.removeIcon(name)
    case .remove(let name): try editor.remove(name)
    case .rename(let old, let new): try editor.rename(old, to: new)
    case .icon(let path):
      guard let catalog else { return }
      try editor.replaceIcon(try icon(for: path), with: catalog)
    case .add(let path):
      guard let catalog else { return }
      if let note = try editor.merge(catalog).note(about: path) { remarks.append(note) }
    }
  }
}

extension EditRun {
  /// Returns the icon of the archive that a folder replaces; nil if it has none.
  private func icon(for path: ByteString) throws(EditError) -> ByteString? {
    let names = editor.iconNames
    let own = withoutExtension(lastComponent(withoutTrailingSlashes(path)))
    if names.count <= 1 || names.contains(own) { return names.count > 1 ? own : names.first }
    throw .refused(
      "there are \(names.count) icons, and none is called '\(onOneLine(own))': "
        + firstWords(names.map { onOneLine($0) }))
  }
}

/// A set of a tree, which lies in a catalogue of its own.
package struct SetCatalog: Sendable {
  /// The path of the catalogue. Only `tree` has it.
  package let path: ByteString = "set.xcassets"
  package let tree: FileTree
  /// The path of the set in the tree that it is from.
  private let folder: ByteString

  package init(of set: ByteString, in base: FileTree = .disk) {
    let folder = withoutTrailingSlashes(set)
    let (catalog, name) = (path, lastComponent(folder))
    @Sendable func real(_ path: ByteString) -> ByteString {
      SetCatalog.moved(path, from: joined(catalog, name), to: folder)
    }
    self.folder = folder
    tree = FileTree(
      list: { (path) throws(FileError) in
        if path == catalog { return [FileEntry(name: name, kind: .folder)] }
        return try base.list(real(path))
      },
      status: { (path) throws(FileError) in
        if path == catalog { return FileEntry(name: catalog, kind: .folder) }
        return try base.status(real(path))
      },
      read: { (path, limit) throws(FileError) in try base.read(real(path), limit) },
      readPart: { (path, offset, count) throws(FileError) in
        try base.readPart(real(path), offset, count)
      },
      realPath: { (path) throws(FileError) in
        path == catalog ? catalog : try base.realPath(real(path))
      })
  }

  /// Returns the path of a file of the catalogue in the tree that the set is from. That of the
  /// catalogue is the set.
  package func source(of file: ByteString) -> ByteString {
    let place = joined(path, lastComponent(folder))
    return file == path ? folder : SetCatalog.moved(file, from: place, to: folder)
  }

  private static func moved(
    _ path: ByteString, from place: ByteString, to folder: ByteString
  ) -> ByteString {
    path == place || path.isInside(place) ? folder + path.dropFirst(place.count) : path
  }
}

extension CompileTarget {
  /// The target for which an archive was made. An archive that states none is for the oldest
  /// systems that read such archives. An archive for the Mac with pictures for the iPad is one of
  /// Catalyst.
  package init(of archive: Archive) throws(FormatError) {
    let metadata = try archive.metadata()
    let named = TargetPlatform.allCases.first {
      $0.archiveName == metadata?.platform && !$0.isSimulator
    }
    let platform: TargetPlatform =
      switch archive.header.keySemantics {
      case .mac: .macOS
      case .vision: .visionOS
      default: .iOS
      }
    let stated = metadata.flatMap { OSVersion($0.platformVersion) }
    self.init(
      platform: named ?? platform, minimum: stated ?? (named ?? platform).oldestSupported)
    if self.platform == .macOS, try archive.has(.pad) { families = [.ipad] }
  }
}

extension Archive {
  /// Returns whether a rendition is for an idiom.
  fileprivate func has(_ idiom: Idiom) throws(FormatError) -> Bool {
    var isFound = false
    try renditionTree().forEach { (entry) throws(FormatError) in
      if try keyFormat.key(entry.key)[.idiom] == UInt16(idiom.rawValue) { isFound = true }
    }
    return isFound
  }
}

// MARK: - Replacing

extension EditRun {
  /// Puts a file in the place of renditions.
  private mutating func replace(
    _ name: ByteString, _ choice: VariantChoice, with path: ByteString
  ) throws(EditError) {
    let file: EditedFile
    do throws(FileError) { file = try EditedFile(path, in: tree) } catch {
      throw .unreadable("\(onOneLine(path)) cannot be read: \(error.reason)")
    }
    let chosen = try editor.renditions(of: name, choice)
    let data = chosen.filter { $0.header.layout == .data }
    if !data.isEmpty {
      for sharing in editor.sharingBlocks(data) {
        let payload = EditedBlocks.dataPayload(file)
        try editor.replace(sharing, with: try editor.block(of: sharing[0], withPayload: payload))
      }
      return
    }
    guard chosen.contains(where: { $0.isPicture || $0.isVector }) else {
      throw .refused(
        "'\(onOneLine(name))' is \(what(chosen[0])); a file cannot take its place")
    }
    switch file.kind {
    case .picture(let width, let height), .storedPicture(let width, let height):
      try replace(name, choice, chosen, with: file, ScaledSize(width: width, height: height))
    case .vector: try replace(name, chosen, withVector: file)
    case .other:
      throw .refused("\(onOneLine(path)) is not a PNG, JPEG, HEIF, PDF or SVG file")
    }
  }

  private func what(_ rendition: ChosenRendition) -> String {
    switch rendition.header.layout {
    case .color: "a colour, which --recolor changes"
    case .symbol: "a symbol, which has a drawing for each weight: remove it and add its set"
    case .multisize: "an icon without pictures"
    default: "an asset of another kind"
    }
  }

  /// Puts a picture in the place of those that have its size, or of all scales up to its own.
  private mutating func replace(
    _ name: ByteString, _ choice: VariantChoice, _ chosen: [ChosenRendition],
    with file: EditedFile, _ size: ScaledSize
  ) throws(EditError) {
    let pictures = chosen.filter(\.isPicture)
    let targets = try targets(of: file, size, among: pictures, name, isAll: choice.isAll)
    let groups = Dictionary(grouping: targets) { PictureForm($0.picture, $0.size) }
    for (form, pictures) in groups.sorted(by: {
      $0.value[0].picture.row < $1.value[0].picture.row
    }) {
      let block = try making(file) { () throws(EditedFileError) in
        try blocks.picture(
          file, scale: form.scale, gamut: form.gamut, isIcon: form.isIcon, scaledTo: form.size)
      }
      for sharing in editor.sharingBlocks(pictures.map(\.picture)) {
        try editor.put(block, inPlaceOf: sharing)
      }
    }
    note(name, pictures, replaced: targets.map(\.picture))
    for vector in try editor.removeVectors(of: name, drawnFor: targets.map(\.picture)) {
      remarks.append(
        "'\(onOneLine(name))' (\(vector.words)) is removed: systems would draw "
          + "\(onOneLine(vector.header.name)) instead of the new picture")
    }
  }

  /// Returns the pictures that a file replaces, and the sizes to which it is scaled for them.
  private mutating func targets(
    of file: EditedFile, _ size: ScaledSize, among pictures: [ChosenRendition],
    _ name: ByteString, isAll: Bool
  ) throws(EditError) -> [(picture: ChosenRendition, size: ScaledSize?)] {
    if let sourceScale {
      return try scaledTargets(of: file, size, from: sourceScale, among: pictures, name)
    }
    let exact = pictures.filter { $0.width == size.width && $0.height == size.height }
    if !exact.isEmpty { return exact.map { ($0, nil) } }
    if isForced, pictures.count == 1 || !isAll {
      pictures.forEach { noteSlices(of: $0, name) }
      return pictures.map { ($0, nil) }
    }
    throw .refused(misfit(file, size, pictures, name, isAll: isAll))
  }

  private mutating func scaledTargets(
    of file: EditedFile, _ size: ScaledSize, from source: UInt8,
    among pictures: [ChosenRendition], _ name: ByteString
  ) throws(EditError) -> [(picture: ChosenRendition, size: ScaledSize?)] {
    var targets: [(picture: ChosenRendition, size: ScaledSize?)] = []
    for picture in pictures where picture.scale <= source {
      func scaled(_ length: Int) -> Int {
        max(1, (length * Int(picture.scale) + Int(source) / 2) / Int(source))
      }
      let wanted = ScaledSize(width: scaled(size.width), height: scaled(size.height))
      let isNear =
        abs(wanted.width - picture.width) <= 1 && abs(wanted.height - picture.height) <= 1
      if picture.scale == source {
        let fits = wanted == ScaledSize(width: picture.width, height: picture.height)
        guard fits || isForced else {
          throw .refused(misfit(file, size, [picture], name, isAll: false))
        }
        if !fits { noteSlices(of: picture, name) }
        targets.append((picture, nil))
      } else if isNear {
        targets.append((picture, ScaledSize(width: picture.width, height: picture.height)))
      } else if isForced {
        noteSlices(of: picture, name)
        targets.append((picture, wanted))
      } else {
        throw .refused(misfit(file, wanted, [picture], name, isAll: false))
      }
    }
    if targets.isEmpty {
      throw .refused("'\(onOneLine(name))' has no picture of \(source)x or less")
    }
    return targets
  }

  private func misfit(
    _ file: EditedFile, _ size: ScaledSize, _ pictures: [ChosenRendition], _ name: ByteString,
    isAll: Bool
  ) -> String {
    let sizes = firstWords(pictures.map { "\($0.width)×\($0.height) (\($0.words))" })
    // The traits of the picture whose width is nearest.
    let nearest = pictures.min { abs($0.width - size.width) < abs($1.width - size.width) }
    let traits = nearest?.variant?.distinction(from: pictures.compactMap(\.variant))
    let example = traits.map { ", as in '\(onOneLine(name)):\($0)'," } ?? ""
    let advice =
      isAll && pictures.count > 1
      ? "choose one by its traits\(example) with --force, or give --scale-from"
      : "--force accepts it"
    return "\(onOneLine(file.path)) has \(size.width)×\(size.height) pixels, but "
      + "'\(onOneLine(name))' has \(sizes); \(advice)"
  }

  private mutating func noteSlices(of picture: ChosenRendition, _ name: ByteString) {
    if editor.isSliced(picture) {
      remarks.append(
        "'\(onOneLine(name))' (\(picture.words)) is no longer sliced, because its size changed")
    }
  }

  /// Remembers the pictures of an asset that no file has replaced.
  private mutating func note(
    _ name: ByteString, _ pictures: [ChosenRendition], replaced: [ChosenRendition]
  ) {
    let known = untouched.firstIndex { $0.name == name }
    let place = known ?? untouched.count
    if known == nil {
      let words = pictures.map { ($0.key, $0.words) }
      untouched.append((name, Dictionary(words) { first, _ in first }))
    }
    for picture in replaced { untouched[place].words[picture.key] = nil }
  }

  /// Puts a vector in the place of an asset's vector and its bitmaps.
  private mutating func replace(
    _ name: ByteString, _ chosen: [ChosenRendition], withVector file: EditedFile
  ) throws(EditError) {
    let pictures = chosen.filter(\.isPicture)
    for sharing in editor.sharingBlocks(pictures) {
      let picture = sharing[0]
      let block = try making(file) { () throws(EditedFileError) in
        try blocks.drawing(
          file, scale: picture.scale, isIcon: picture.key.part == Part.icon)
      }
      let size = editor.pixelSize(ofBlock: block)
      if size.width != picture.width || size.height != picture.height {
        guard isForced else {
          throw .refused(
            misfit(
              file, ScaledSize(width: size.width, height: size.height), [picture], name,
              isAll: false))
        }
        noteSlices(of: picture, name)
      }
      try editor.put(block, inPlaceOf: sharing)
    }
    let vectors = chosen.filter(\.isVector)
    if vectors.isEmpty { return }
    let block = try making(file) { () throws(EditedFileError) in try blocks.vector(file) }
    for sharing in editor.sharingBlocks(vectors) { try editor.put(block, inPlaceOf: sharing) }
  }

  private func making(
    _ file: EditedFile, _ make: () throws(EditedFileError) -> [UInt8]
  ) throws(EditError) -> [UInt8] {
    do throws(EditedFileError) { return try make() } catch {
      throw .refused("\(onOneLine(file.path)) \(error.reason)")
    }
  }
}

/// The properties for which a picture is made once.
private struct PictureForm: Hashable {
  let scale: UInt8
  let gamut: Gamut
  let isIcon: Bool
  let size: ScaledSize?

  init(_ picture: ChosenRendition, _ size: ScaledSize?) {
    scale = picture.scale
    gamut = picture.variant?.gamut ?? .sRGB
    isIcon = picture.key.part == Part.icon
    self.size = size
  }
}

extension VariantKey {
  /// Returns a trait that some of the variants do not have, such as "scale=2"; nil if the variants
  /// differ in other traits.
  fileprivate func distinction(from others: [VariantKey]) -> String? {
    let axes: [Axis] = [.scale, .idiom, .style, .contrast, .gamut, .width, .height]
    for axis in axes where others.contains(where: { $0.value(on: axis) != value(on: axis) }) {
      switch axis {
      case .scale: return "scale=\(scale)"
      case .idiom: return "idiom=\(idiom.name)"
      case .style: return "style=\(style.name)"
      case .contrast: return "contrast=\(contrast.name)"
      case .gamut: return "gamut=\(gamut.name)"
      case .width: return "width=\(width.name)"
      default: return "height=\(height.name)"
      }
    }
    return nil
  }
}

extension ChosenRendition {
  /// The scale of the picture.
  fileprivate var scale: UInt8 {
    let scale = variant?.scale ?? UInt8(clamping: header.scaleFactor / 100)
    return max(1, scale)
  }
}
