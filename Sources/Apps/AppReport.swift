// The report about an app: its bundles and archives, the downloads of each device, the pictures
// that it holds several times, and the size that its loose pictures would have in a catalogue.

import Archive
import ArchiveTools
import Bytes
import CatalogModel
import Documents
import Host
import Imaging
import Synchronization
import Traits

/// An archive in an app.
package struct AppArchive: Sendable {
  package var path: ByteString
  package var byteCount: Int
  /// The contents; nil if the archive cannot be read.
  package var sizes: ArchiveSizes?
}

/// A bundle with its archives and loose pictures.
package struct BundleContents: Sendable {
  package var bundle: AppBundle
  /// The bytes of the bundle's own files.
  package var byteCount: Int
  /// The archives, as numbers in `AppReport.archives`.
  package var archives: Range<Int>
  package var loose: [LoosePicture]
}

/// The smallest and the largest download of the devices of one kind.
package struct FamilySizes: Sendable {
  package var idiom: Idiom
  package var count: Int
  package var smallest: (device: Device, bytes: Int)
  package var largest: (device: Device, bytes: Int)
}

/// A program with all that lies in it: what devices download together.
package struct ProgramSizes: Sendable {
  /// The number of the program's bundle.
  package var bundle: Int
  /// The bundles that belong to the program, with the program itself.
  package var bundles: [Int]
  /// The bytes of all archives.
  package var archiveBytes = 0
  /// The archives that each device downloads, thinned for it, in the order of the device table.
  package var devices: [(device: Device, bytes: Int)] = []
  package var families: [FamilySizes] = []
  /// The bytes of the loose pictures, which every device downloads.
  package var looseBytes = 0
  /// The sizes of the loose pictures, now and in a catalogue; nil if the program has no such
  /// pictures.
  package var loose: LooseSizes?
}

/// The report about an app.
package struct AppReport: Sendable {
  package var byteCount = 0
  package var fileCount = 0
  package var bundles: [BundleContents] = []
  package var archives: [AppArchive] = []
  package var programs: [ProgramSizes] = []
  /// The pictures that are equal, those that cost most first.
  package var duplicates: [DuplicateGroup] = []
  package var similar: [DuplicateGroup] = []
  /// The parts of the app that cannot be read.
  package var troubles: [AppTrouble] = []
}

extension AppReport {
  /// The extent of a report.
  package enum Depth: Sendable {
    /// Bundles, archives and loose pictures, without their contents.
    case list
    case full
  }

  /// Reads the bundles, archives and loose pictures of an app, on `jobs` threads. One archive is in
  /// memory at a time. Archives beyond the first `mostArchives` are not measured: each costs the
  /// time of thinning for all devices, even if it is small, and real apps have some tens.
  /// `progress` gets each path that is read.
  package init(
    _ files: AppFiles, _ depth: Depth = .full, jobs: Int, mostArchives: Int = 1_000,
    progress: (ByteString) -> Void = { _ in }
  ) {
    byteCount = files.files.reduce(0) { $0 + $1.size }
    fileCount = files.files.count
    let (found, troubles) = files.bundles()
    self.troubles = files.troubles + troubles
    var pictures: [FoundPicture] = []
    for bundle in found { add(bundle, of: files) }
    if depth == .full {
      leaveOutExcessivePictures(files)
      for index in bundles.indices {
        readArchives(of: bundles[index], files, jobs: jobs, most: mostArchives, progress, &pictures)
        pictures += files.fingerprints(of: bundles[index].loose, jobs: jobs)
      }
    }
    addPrograms()
    if depth == .list { return }
    measureLoosePictures(files, jobs: jobs, progress)
    findCopies(pictures, in: files)
  }

  /// The number of programs whose loose pictures are compiled. Each costs the time of thinning for
  /// all devices, even if it has one small picture. Real apps have at most ten programs.
  private static let mostMeasured = 100

  private mutating func measureLoosePictures(
    _ files: AppFiles, jobs: Int, _ progress: (ByteString) -> Void
  ) {
    let indices = programs.indices.filter { index in
      programs[index].bundles.contains { !bundles[$0].loose.isEmpty }
    }
    for index in indices.prefix(AppReport.mostMeasured) {
      let bundle = bundles[programs[index].bundle].bundle
      progress(bundle.path)
      do throws(AppTrouble) {
        let loose = programs[index].bundles.flatMap { bundles[$0].loose }
        let sizes = try files.measure(loose, of: bundle, jobs: jobs)
        troubles += sizes.troubles
        programs[index].loose = sizes
      } catch {
        troubles.append(error)
      }
    }
    if let next = indices.dropFirst(AppReport.mostMeasured).first {
      troubles.append(
        AppTrouble(
          path: bundles[programs[next].bundle].bundle.path,
          reason: "its loose pictures, and those of \(indices.count - AppReport.mostMeasured - 1) "
            + "other programs, are not compiled, because \(AppReport.mostMeasured) programs were"))
    }
  }

  // MARK: Bundles and archives

  private mutating func add(_ bundle: AppBundle, of files: AppFiles) {
    let first = archives.count
    var contents = BundleContents(bundle: bundle, byteCount: 0, archives: first..<first, loose: [])
    for index in bundle.files {
      let file = files.files[index]
      contents.byteCount += file.size
      if pathExtension(file.path) == "car" {
        archives.append(AppArchive(path: file.path, byteCount: file.size))
      } else if let picture = LoosePicture(file, index: index, of: bundle) {
        contents.loose.append(picture)
      }
    }
    contents.archives = first..<archives.count
    bundles.append(contents)
  }

  private mutating func readArchives(
    of contents: BundleContents, _ files: AppFiles, jobs: Int, most: Int,
    _ progress: (ByteString) -> Void, _ pictures: inout [FoundPicture]
  ) {
    for number in contents.archives {
      let path = archives[number].path
      guard let index = files.index(of: path) else { continue }
      if number == most {
        troubles.append(
          AppTrouble(
            path: path,
            reason: "it and further archives are not measured, because \(grouped(most)) were"))
      }
      if number >= most { continue }
      progress(path)
      let bytes: [UInt8]
      do throws(AppTrouble) { bytes = try files.read(index) } catch {
        troubles.append(error)
        continue
      }
      do throws(ThinningError) {
        try bytes.withUnsafeBufferPointer { (file) throws(ThinningError) in
          let buffer = UnsafeRawBufferPointer(file)
          archives[number].sizes = try ArchiveSizes(
            buffer, app: contents.bundle.traits, os: contents.bundle.oldestSystem)
          pictures += try foundPictures(buffer, number: number, path: path, jobs: jobs)
        }
      } catch {
        troubles.append(AppTrouble(path: path, reason: "\(error)"))
      }
    }
  }

  /// Leaves out loose pictures whose pixels no app of this size needs. Pictures are compressed, and
  /// a ZIP file can compress them again, so 1 MB could hold thousands of pictures with 16 million
  /// pixels each.
  private mutating func leaveOutExcessivePictures(_ files: AppFiles) {
    let allowance = PictureAllowance(
      fileSize: files.files.reduce(0) { $0 + ($1.storedSize ?? $1.size) })
    for index in bundles.indices {
      var kept: [LoosePicture] = []
      for var picture in bundles[index].loose {
        let bytes = try? files.read(picture.file, limit: FileLimit.picture)
        if let bytes, let header = try? ImageHeader.read(bytes) {
          let (pixels, isTooMuch) = header.width.multipliedReportingOverflow(by: header.height)
          picture.pixelCount = isTooMuch ? 1 << 40 : min(pixels, 1 << 40)
          do throws(FormatError) { try allowance.pay(picture.pixelMemory) } catch {
            troubles.append(
              AppTrouble(
                path: picture.path,
                reason:
                  "it has \(header.width) × \(header.height) pixels, and the app is too small for "
                  + "so many in its pictures"))
            continue
          }
        }
        kept.append(picture)
      }
      bundles[index].loose = kept
    }
  }

  // MARK: Programs

  /// Sums up the archives of each program: an app, an App Clip, a watch app. Their files are
  /// downloaded together. Bundles in no program count as one.
  private mutating func addPrograms() {
    var programOfPath: [ByteString: Int] = [:]
    for index in bundles.indices where bundles[index].bundle.kind.isProgram {
      programOfPath[bundles[index].bundle.path] = programs.count
      programs.append(ProgramSizes(bundle: index, bundles: [index]))
    }
    var rest: [Int] = []
    for index in bundles.indices where !bundles[index].bundle.kind.isProgram {
      if let program = nearest(above: bundles[index].bundle.path, in: programOfPath) {
        programs[program].bundles.append(index)
      } else if !bundles[index].archives.isEmpty || !bundles[index].loose.isEmpty {
        rest.append(index)
      }
    }
    if let first = rest.first { programs.append(ProgramSizes(bundle: first, bundles: rest)) }
    // In place, each element would copy the list.
    programs = programs.map(summedUp)
  }

  private func summedUp(_ program: ProgramSizes) -> ProgramSizes {
    var program = program
    var sums: [ByteString: Int] = [:]
    for bundle in program.bundles {
      program.looseBytes += bundles[bundle].loose.reduce(0) { $0 + $1.bytes }
    }
    for number in program.bundles.flatMap({ Array(bundles[$0].archives) }) {
      program.archiveBytes += archives[number].byteCount
      for share in archives[number].sizes?.devices ?? [] {
        for device in share.devices {
          sums[ByteString(device.identifier), default: 0] += share.bytes
        }
      }
    }
    // A ZIP file may hold any number of programs without archives.
    if sums.isEmpty { return program }
    program.devices = Device.all.compactMap { device in
      sums[ByteString(device.identifier)].map { (device, $0) }
    }
    for idiom in Idiom.allCases {
      let family = program.devices.filter { $0.device.idiom == idiom }
      guard let smallest = family.min(by: { $0.bytes < $1.bytes }),
        let largest = family.max(by: { $0.bytes < $1.bytes })
      else { continue }
      program.families.append(
        FamilySizes(idiom: idiom, count: family.count, smallest: smallest, largest: largest))
    }
    return program
  }

  // MARK: Copies

  private mutating func findCopies(_ pictures: [FoundPicture], in files: AppFiles) {
    duplicates = equalPictures(pictures)
    var kept = KeptPictures(files: files, paths: archives.map(\.path))
    similar = similarPictures(pictures) { kept.pixels(at: $0) }
    var programOfBundle: [Int: Int] = [:]
    for (number, program) in programs.enumerated() {
      for bundle in program.bundles { programOfBundle[bundle] = number }
    }
    var owners = PictureOwners()
    for (index, contents) in bundles.enumerated() {
      guard let program = programOfBundle[index] else { continue }
      for archive in contents.archives { owners.archives[archive] = program }
      for picture in contents.loose { owners.files[picture.file] = program }
    }
    duplicates = duplicates.map { shared($0, owners) }
    similar = similar.map { shared($0, owners) }
  }

  /// Computes what one copy would save on each device: a device that keeps one copy saves nothing.
  private func shared(_ group: DuplicateGroup, _ owners: PictureOwners) -> DuplicateGroup {
    var group = group
    let members = Dictionary(grouping: group.pictures) { owners.program(of: $0.place) }
    for (program, pictures) in members where pictures.count > 1 {
      guard let program else { continue }
      for (device, _) in programs[program].devices {
        let bytes = pictures.compactMap { picture -> Int? in
          guard case .archive(let number, let entry) = picture.place else { return picture.bytes }
          let share = archives[number].sizes?.share(of: device)
          return share?.kept[entry] == true ? picture.bytes : nil
        }
        let saved = DuplicateGroup.saved(bytes)
        if bytes.count > 1, saved > 0 {
          group.savedOnDevices[ByteString(device.identifier)] = saved
        }
      }
    }
    return group
  }
}

extension BundleKind {
  /// Whether a device downloads the bundle as a program of its own, with all that lies in it.
  fileprivate var isProgram: Bool { [.app, .appClip, .watchApp].contains(self) }
}

/// The programs in which pictures lie, by their numbers.
private struct PictureOwners {
  var archives: [Int: Int] = [:]
  var files: [Int: Int] = [:]

  func program(of place: PicturePlace) -> Int? {
    switch place {
    case .archive(let number, _): archives[number]
    case .file(let file): files[file]
    }
  }
}

/// Returns the pictures of an archive with their fingerprints.
private func foundPictures(
  _ archive: UnsafeRawBufferPointer, number: Int, path: ByteString, jobs: Int
) throws(ThinningError) -> [FoundPicture] {
  do throws(FormatError) {
    let opened = try OpenedArchive(Archive(archive))
    let charges = try opened.charges()
    return try opened.fingerprints(jobs: jobs).sorted { $0.key < $1.key }.map {
      entry, fingerprint in
      FoundPicture(
        place: .archive(number, entry: entry), path: path,
        asset: opened.inventory.name(of: entry) ?? "(unnamed)", bytes: charges.bytes[entry],
        fingerprint: fingerprint)
    }
  } catch {
    throw .format(error)
  }
}

extension AppFiles {
  /// Returns the fingerprints of the loose PNG files. Of equal files, one is decoded.
  fileprivate func fingerprints(of pictures: [LoosePicture], jobs: Int) -> [FoundPicture] {
    let known = Mutex([Digest128: PictureFingerprint]())
    let gate = MemoryGate()
    return parallelMap(pictures, jobs: jobs) { picture -> FoundPicture? in
      let fingerprint = gate.share(picture.bytes + picture.pixelMemory) {
        () -> PictureFingerprint? in
        self.bytesOfPNG(picture.file).flatMap { self.fingerprint(of: $0, known) }
      }
      return fingerprint.map { fingerprint in
        FoundPicture(
          place: .file(picture.file), path: picture.path, asset: "", bytes: picture.bytes,
          fingerprint: fingerprint)
      }
    }.compactMap { $0 }
  }

  private func fingerprint(
    of file: [UInt8], _ known: borrowing Mutex<[Digest128: PictureFingerprint]>
  ) -> PictureFingerprint? {
    let digest = Digest128(ofBytes: file)
    if let fingerprint = known.withLock({ $0[digest] }) { return fingerprint }
    guard let fingerprint = decodedPNG(file).map(PictureFingerprint.init) else { return nil }
    known.withLock { $0[digest] = fingerprint }
    return fingerprint
  }

  /// Decodes a PNG file; nil if it is damaged or no PNG file.
  func bitmap(of file: Int) -> Bitmap? { bytesOfPNG(file).flatMap(decodedPNG) }

  private func bytesOfPNG(_ file: Int) -> [UInt8]? {
    guard pathExtension(files[file].path) == "png" else { return nil }
    return try? read(file, limit: FileLimit.picture)
  }
}

private func decodedPNG(_ bytes: [UInt8]) -> Bitmap? {
  var decoder = PictureDecoder()
  return bytes.withUnsafeBytes {
    try? decoder.decode($0, options: PictureOptions(maximumPixels: 1 << 26))
  }
}

/// The pixels of pictures that are compared. The archive that was used last stays in memory. Each
/// comparison is paid for, because very many pictures can have one thumbnail.
private struct KeptPictures {
  let files: AppFiles
  let paths: [ByteString]
  private var last: (number: Int, bytes: [UInt8])?
  /// The work that is left, in bytes that are read or decoded.
  private var allowance: Int

  init(files: AppFiles, paths: [ByteString]) {
    (self.files, self.paths) = (files, paths)
    allowance = 1 << 30 + 64 * files.files.reduce(0) { $0 + ($1.storedSize ?? $1.size) }
  }

  mutating func pixels(at place: PicturePlace) -> Bitmap? {
    if allowance <= 0 { return nil }
    let bitmap = decoded(place)
    allowance -= bitmap?.pixels.count ?? 0
    return bitmap
  }

  private mutating func decoded(_ place: PicturePlace) -> Bitmap? {
    switch place {
    case .file(let file): return files.bitmap(of: file)
    case .archive(let number, let entry):
      if last?.number != number {
        guard let index = files.index(of: paths[number]), let bytes = try? files.read(index) else {
          return nil
        }
        last = (number, bytes)
        allowance -= bytes.count
      }
      // The lists of the archive are read again.
      allowance -= (last?.bytes.count ?? 0) / 64
      return last?.bytes.withUnsafeBytes { bytes in
        (try? OpenedArchive(Archive(bytes)))?.picture(of: entry)
      }
    }
  }
}
