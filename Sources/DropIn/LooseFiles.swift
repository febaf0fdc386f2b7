// Makes the files beside the archive: icons of phones and tablets, the icon file of the Mac, launch
// images.

import Bytes
import CatalogCompiler
import CatalogModel
import Host

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

  init(_ request: BuildRequest, _ choice: IconChoice, _ facts: SideFacts, _ tree: FileTree) {
    guard let folder = request.folder else { return }
    // An app without a primary icon gets no alternates either, because the property list does not
    // name them.
    let chosen = request.primaryIcon.map { [($0, choice.primary)] + choice.alternates } ?? []
    for (name, sets) in chosen {
      for set in sets {
        addIcons(of: set, named: name, request, folder, tree)
        // On the Mac, an alternate icon is shown from the archive. The system uses the icon file of
        // the primary icon only.
        if name == request.primaryIcon { addMacIcon(of: set, request, folder, tree) }
      }
    }
    if request.target.platform.system == .iOS, let asset = facts.launchImages,
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
    default: return
    }
    for icon in request.looseIcons(of: set, named: name) {
      guard
        let pixels = IconPixels(icon.source, width: icon.width, height: icon.height, in: tree)
      else { continue }
      files.append(LooseFile(path: joined(folder, icon.fileName), bytes: pixels.png))
      icons[name, default: []].append(icon)
    }
  }

  private mutating func addMacIcon(
    of asset: AssetSet, _ request: BuildRequest, _ folder: ByteString, _ tree: FileTree
  ) {
    guard request.target.platform == .macOS, request.standaloneIcons != .none else { return }
    var file = MacIconFile()
    for picture in asset.macIconPictures {
      let side = picture.pixels
      guard let pixels = IconPixels(picture.source, width: side, height: side, in: tree) else {
        continue
      }
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
        let bytes = try tree.read(file.source.path, 1 << 28)
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
