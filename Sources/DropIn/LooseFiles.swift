// Makes the files beside the archive: icons of phones and tablets (LooseIcons.swift), the icon file
// of the Mac (MacIconFile.swift) and launch images (LaunchImages.swift).

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
  private(set) var findings: [Diagnostic] = []
  /// The icon that has each file name. Icons of two groups can have the same names.
  private var holders: [ByteString: ByteString] = [:]

  /// Makes the files. If the request has no output folder, they are only named.
  init(_ request: BuildRequest, _ choice: IconChoice, _ values: AppValues, _ tree: FileTree) {
    let folder = request.folder ?? ""
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

  /// The pictures of which the files were made.
  var sources: Set<ByteString> {
    Set(icons.values.joined().compactMap(\.source?.path) + launchImages.map(\.source.path))
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
      guard let source = icon.source, let file = png(of: source, for: icon, tree) else { continue }
      add(icon, of: name, file, request, folder)
    }
  }

  private mutating func add(
    _ icon: LooseIcon, of name: ByteString, _ file: [UInt8], _ request: BuildRequest,
    _ folder: ByteString
  ) {
    let holder = holders[icon.fileName, default: name]
    guard holder == name else {
      let message = RunMessage(
        .warning,
        "The pictures of the app icon \"\(name)\" beside the archive are left out: those of "
          + "\"\(holder)\" have the same file names.", about: request.documents.first)
      if messages.last != message { messages.append(message) }
      return
    }
    holders[icon.fileName] = name
    files.append(LooseFile(path: joined(folder, icon.fileName), bytes: file))
    icons[name, default: []].append(icon)
  }

  /// Returns the file of an icon; nil if it cannot be made.
  private mutating func png(
    of source: SourceFile, for icon: LooseIcon, _ tree: FileTree
  ) -> [UInt8]? {
    let (width, height) = (icon.width, icon.height)
    if max(width, height) <= IconPixels.mostSide {
      return pixels(of: source, width: width, height: height, tree)?.png
    }
    guard let file = try? tree.read(source.path, FileLimit.picture),
      let header = try? ImageHeader.read(file)
    else { return nil }
    if header.kind == .png, header.width == width, header.height == height { return file }
    findings.append(
      Diagnostic(
        .unsupportedImage,
        "the icon beside the archive is not made: it would have \(grouped(width)) × "
          + "\(grouped(height)) pixels, and pictures are scaled to at most "
          + "\(grouped(IconPixels.mostSide)) on a side; save the picture as PNG of that size",
        file: source.path))
    return nil
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
      add(icon, of: name, bitmap.pngFile(), request, folder)
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
      let read = picture.source.flatMap { pixels(of: $0, width: side, height: side, tree) }
      guard let pixels = read ?? drawn[side].map({ IconPixels($0) }) else { continue }
      file.add(picture, pixels)
    }
    if file.isEmpty { return }
    files.append(
      LooseFile(path: joined(folder, lastComponent(asset.name) + ".icns"), bytes: file.bytes))
    macIcons.insert(asset.name)
  }

  /// Returns the pixels of an icon's picture. If the compiler can store the picture and it cannot
  /// be decoded, reports that. The run itself reports files that cannot be read.
  private mutating func pixels(
    of source: SourceFile, width: Int, height: Int, _ tree: FileTree
  ) -> IconPixels? {
    guard let file = try? tree.read(source.path, FileLimit.picture) else { return nil }
    if let pixels = IconPixels(file, width: width, height: height) { return pixels }
    if let kind = try? ImageHeader.read(file).kind {
      let finding = uncompiled(kind, source, in: nil)
      if !findings.contains(finding) { findings.append(finding) }
    }
    return nil
  }

  private mutating func addLaunchImages(
    _ set: LaunchImageSet, named name: ByteString, _ folder: ByteString, _ tree: FileTree
  ) {
    for file in set.files(named: name) {
      do throws(FileError) {
        let bytes = try tree.read(file.source.path, FileLimit.picture)
        if let finding = unusable(bytes, of: file.source) {
          findings.append(finding)
          continue
        }
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

  /// Returns the finding about a picture that no system can show; nil if it can be copied.
  private func unusable(_ bytes: [UInt8], of file: SourceFile) -> Diagnostic? {
    do throws(ImageHeaderError) {
      let header = try ImageHeader.read(bytes)
      guard header.kind == .png || header.kind == .jpeg else {
        return uncompiled(header.kind, file, in: .launchImage)
      }
      guard header.isComplete(bytes) else {
        return cutPicture(header.kind, file: file.path)
      }
      return header.kind == .png ? damage(of: bytes, file) : nil
    } catch {
      return unreadPicture(error, file: file.path)
    }
  }

  private func damage(of png: [UInt8], _ file: SourceFile) -> Diagnostic? {
    var decoder = PictureDecoder()
    do throws(PictureError) {
      _ = try png.withUnsafeBufferPointer { (bytes) throws(PictureError) in
        try decoder.decode(UnsafeRawBufferPointer(bytes))
      }
      return nil
    } catch {
      return Diagnostic(.brokenImage, "the file is damaged: \(error)", file: file.path)
    }
  }
}
