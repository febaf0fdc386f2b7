// The pictures of an app that lie outside its archives: their names, which state a scale and a
// device (PictureName.swift); and the size that they would have in a catalogue, measured by
// compiling them.

import ArchiveTools
import Builds
import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Host
import Synchronization
import Traits

/// A picture that lies in an app as a file of its own.
package struct LoosePicture: Sendable, Hashable {
  /// The index of the file.
  package let file: Int
  package let path: ByteString
  package let bytes: Int
  /// The folder and the name without traits and extension. The variants of one picture have the
  /// same.
  package let stem: ByteString
  /// The traits that the name and the folders state.
  package let key: VariantKey
  /// The pixels that the header states; 0 if it was not read.
  var pixelCount = 0
  /// The bytes that decoding the pixels takes, at most.
  var pixelMemory: Int { 8 * pixelCount }
  /// Whether the picture is the app's icon, which cannot move into a catalogue alone.
  package let isIcon: Bool

  /// Whether a catalogue can hold the picture. HEIF is stored as it is, and gains nothing.
  package var isCompilable: Bool { ["png", "jpg", "jpeg"].contains(pathExtension(path)) }

  init?(_ file: AppFile, index: Int, of bundle: AppBundle) {
    guard ["png", "jpg", "jpeg", "heic", "heif"].contains(pathExtension(file.path)) else {
      return nil
    }
    self.file = index
    path = file.path
    bytes = file.size
    let name = PictureName(file.path)
    let stated = name.scale ?? 1
    // A picture of a scale or a trait that catalogues do not have, or for one language, is a
    // picture of its own here.
    let isVariant = [1, 2, 3].contains(stated) && name.locale == nil && name.ignored.isEmpty
    var key = isVariant ? name.key : VariantKey()
    key.scale = isVariant ? UInt8(stated) : 1
    self.key = key
    stem = isVariant ? name.stem : withoutExtension(file.path)
    isIcon = bundle.iconFiles.contains(name.name)
  }
}

/// The size of loose pictures, now and in a catalogue.
package struct LooseSizes: Sendable {
  package var count = 0
  /// The bytes that every device downloads now.
  package var bytes = 0
  /// The pictures that were compiled, and their bytes now.
  package var compiledCount = 0
  package var compiledBytes = 0
  /// The size of the archive of these pictures, as each device would download it, by device.
  package var catalog: [DeviceShare] = []
  /// The pictures that cannot be compiled.
  package var troubles: [AppTrouble] = []
}

/// The pictures that were read last. The compiler reads the header of a picture in several parts,
/// and its pixels later; an entry of a ZIP file is inflated as a whole each time.
private final class RecentPictures: Sendable {
  private let files: AppFiles
  private let recent = Mutex(RecentBytes<Int>(limit: 32 << 20))
  /// The reasons why pictures cannot be read.
  private let faults = Mutex<[Int: String]>([:])

  init(_ files: AppFiles) { self.files = files }

  /// Returns the bytes of a picture.
  func bytes(of file: Int) throws(AppTrouble) -> [UInt8] {
    let known = recent.withLock { $0[file] }
    let bytes: [UInt8]
    do throws(AppTrouble) {
      bytes = if let known { known } else { try files.read(file, limit: FileLimit.picture) }
    } catch {
      faults.withLock { $0[file] = error.reason }
      throw error
    }
    recent.withLock { $0.use(bytes, of: file) }
    return bytes
  }

  /// Returns the reason why a picture could not be read; nil if it could.
  func fault(of file: Int) -> String? { faults.withLock { $0[file] } }
}

/// A catalogue of loose pictures. A picture is read from the app only when the compiler reads it.
private struct LooseCatalog {
  let recent: RecentPictures
  /// The files of the catalogue; pictures have their sizes alone.
  var tree: [ByteString: MemoryFile] = [:]
  private var pictures: [ByteString: Int] = [:]

  /// Makes an image set of all pictures with one stem. A second picture for the same traits, such
  /// as a JPEG beside a PNG, gets a set of its own.
  init(of loose: [LoosePicture], in files: AppFiles) {
    recent = RecentPictures(files)
    var sets: [ByteString: [LoosePicture]] = [:]
    for picture in loose {
      let isTaken = sets[picture.stem]?.contains { $0.key == picture.key } ?? false
      sets[isTaken ? picture.path : picture.stem, default: []].append(picture)
    }
    for (number, stem) in sets.keys.sorted().enumerated() {
      let folder: ByteString = "Loose.xcassets/\(number)-\(lastComponent(stem)).imageset"
      var entries: [JSONValue] = []
      for picture in sets[stem] ?? [] {
        add(picture, in: folder)
        entries.append(picture.entry)
      }
      let contents = formattedJSON(
        .object([JSONMember(key: "images", value: .array(entries))]))
      tree[joined(folder, "Contents.json")] = .bytes(contents)
    }
  }

  /// Returns the index of the picture at a path of the catalogue.
  func picture(at path: ByteString) -> Int? { pictures[path] }

  private mutating func add(_ picture: LoosePicture, in folder: ByteString) {
    let path = joined(folder, "\(picture.file).\(pathExtension(picture.path))")
    tree[path] = .sparse(size: picture.bytes)
    pictures[path] = picture.file
  }

  var fileTree: FileTree {
    var reading = FileTree.memory(tree)
    let listed = reading
    reading.read = { [pictures, recent] (path, limit) throws(FileError) in
      guard let file = pictures[path] else { return try listed.read(path, limit) }
      do throws(AppTrouble) {
        let bytes = try recent.bytes(of: file)
        if bytes.count > limit { throw AppTrouble(path: path, reason: "it is too large") }
        return bytes
      } catch {
        throw FileError.notHeld
      }
    }
    reading.readPart = { [pictures, recent] (path, offset, count) throws(FileError) in
      guard let file = pictures[path] else { return try listed.readPart(path, offset, count) }
      do throws(AppTrouble) {
        let bytes = try recent.bytes(of: file)
        return FilePart(bytes: Array(bytes.dropFirst(offset).prefix(count)), fileSize: bytes.count)
      } catch {
        throw FileError.notHeld
      }
    }
    return reading
  }
}

extension AppFiles {
  /// The number of times that pictures are compiled: damaged headers are found in the first run,
  /// damaged pixels in the next one.
  private static let mostAttempts = 4

  /// Compiles the loose pictures of a program into an archive, and measures what each device would
  /// download of it. Pictures that are damaged are named, and left out.
  func measure(
    _ pictures: [LoosePicture], of bundle: AppBundle, jobs: Int
  ) throws(AppTrouble) -> LooseSizes {
    var sizes = LooseSizes()
    sizes.count = pictures.count
    sizes.bytes = pictures.reduce(0) { $0 + $1.bytes }
    var left = pictures.filter { $0.isCompilable && !$0.isIcon }
    for attempt in 1...AppFiles.mostAttempts {
      if left.isEmpty { return sizes }
      let catalog = LooseCatalog(of: left, in: self)
      let (devices, errors) = try compiledSizes(catalog, of: bundle, jobs: jobs)
      guard let first = errors.first else {
        sizes.compiledCount = left.count
        sizes.compiledBytes = left.reduce(0) { $0 + $1.bytes }
        sizes.catalog = devices
        return sizes
      }
      var damaged: Set<Int> = []
      for error in errors {
        guard let file = catalog.picture(at: error.file), damaged.insert(file).inserted else {
          continue
        }
        let reason = catalog.recent.fault(of: file) ?? error.message
        sizes.troubles.append(AppTrouble(path: files[file].path, reason: reason))
      }
      left.removeAll { damaged.contains($0.file) }
      if damaged.isEmpty || attempt == AppFiles.mostAttempts {
        sizes.troubles.append(
          AppTrouble(
            path: bundle.path,
            reason: "its loose pictures cannot be compiled: \(first.message)"))
        return sizes
      }
    }
    return sizes
  }

  /// Returns the parts that devices would download, or the errors because of which there is no
  /// archive.
  private func compiledSizes(
    _ catalog: LooseCatalog, of bundle: AppBundle, jobs: Int
  ) throws(AppTrouble) -> (devices: [DeviceShare], errors: [Diagnostic]) {
    let platform = TargetPlatform.allCases.first { $0.system == bundle.platform } ?? .iOS
    var options = CompileOptions(
      target: CompileTarget(platform: platform, minimum: bundle.oldestSystem))
    options.jobs = jobs
    options.writesIndex = false
    func trouble(_ reason: String) -> AppTrouble {
      AppTrouble(path: bundle.path, reason: "its loose pictures cannot be compiled: \(reason)")
    }
    let whole: UnthinnedArchive
    do throws(OutputError) { whole = try UnthinnedArchive() } catch {
      throw trouble(error.description)
    }
    defer { withExtendedLifetime(whole) {} }
    var build = Build(.archive(of: ["Loose.xcassets"]), options, in: catalog.fileTree)
    do throws(CompileError) { try build.makeProduct(in: whole, CompileObserver()) } catch {
      throw trouble("\(error)")
    }
    if build.report.isRefused {
      return ([], build.report.diagnostics.filter { $0.severity == .error })
    }
    let archive: UnsafeRawBufferPointer
    do throws(FileError) { archive = try whole.bytes() } catch { throw trouble(error.reason) }
    do throws(ThinningError) {
      let sizes = try ArchiveSizes(archive, app: bundle.traits, os: bundle.oldestSystem)
      return (sizes.devices, [])
    } catch {
      throw trouble("\(error)")
    }
  }
}

extension LoosePicture {
  /// The entry of the picture in a Contents.json.
  fileprivate var entry: JSONValue {
    let slot = Slot.members(for: key, locale: nil, on: .iOS) ?? []
    return .object(
      slot + [
        JSONMember(key: "filename", value: .string("\(file).\(pathExtension(path))")),
        JSONMember(key: "scale", value: .text("\(key.scale)x")),
      ])
  }
}
