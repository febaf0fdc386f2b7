// Writes the first page of a PDF anew: what its contents and resources reach, and nothing else. The
// keys that no drawing needs are left out, streams are compressed again, equal objects become one,
// and objects are numbered in the order in which the page reaches them. RewriteContent.swift
// rewrites the contents, and RewriteSamples.swift the samples of pictures.

import Bytes

/// A function that compresses bytes into a zlib stream; nil if it cannot.
package typealias Deflating = (_ bytes: [UInt8], _ effort: DeflateEffort) -> [UInt8]?

/// The effort of compressing a stream.
package enum DeflateEffort: Sendable {
  /// The least effort, for a stream whose size is compared with that of others.
  case measured
  /// The effort for a large stream of a file whose budget is nearly spent.
  case hurried
  /// The full effort, for a stream that is stored.
  case stored
}

extension DeflateEffort {
  /// The number of bytes above which the tightest compression takes too long.
  package static let largeStream = 1 << 17

  /// Returns the price of compressing bytes, in decompressed bytes.
  fileprivate func cost(of count: Int) -> Int {
    switch self {
    case .measured: 5 * count
    case .hurried: 14 * count
    case .stored: (count > DeflateEffort.largeStream ? 45 : 120) * count
    }
  }
}

/// The objects of a new PDF, while they are collected.
struct PDFRewriter {
  let file: PDFFile
  private let deflate: Deflating
  /// The parts of pictures that can be seen, by the number of the object.
  private var parts: [Int: Extent] = [:]
  /// Whether a picture that nothing shows has a mask, which another picture could share.
  private var hasUnknownMasks = false
  /// Whether marked content and forms belong to layers of which not all are shown.
  private var keepsLayers = false
  /// Whether content belongs to a membership of layers, whose rule could hide it even if all layers
  /// are shown.
  private var hasMemberships = false
  /// The new objects. A reference in them is the index of another one here.
  private var objects: [NewObject] = []
  /// The index of the new object for an object of the file, by its number and role.
  private var copies: [CopyKey: Int] = [:]
  /// The indices of finished objects, by the hash of their text and data.
  private var finished: [Int: [Int]] = [:]
  /// Whether the file has something that cannot be written anew.
  private var isRefused = false
  /// The number of the picture that the picture before it uses as a mask of greys. Poppler shows
  /// such a mask only if it states its type.
  private var grayMask = -1
  private var depth = 0

  private static let deepest = 128

  private struct CopyKey: Hashable {
    var number: Int
    var role: Role
  }

  struct NewObject {
    var value = PDFValue.null
    /// The data of a stream.
    var data: [UInt8]?
    /// Whether the object may be written in the place of its only reference.
    var isSmall = false
    /// Whether another object refers to the object, which is not finished yet.
    var isAwaited = false
    var isFinished = false
    /// The object that is equal to this one.
    var twin: Int?
  }

  /// The use of a value. It determines which keys of a dictionary are kept.
  private enum Role {
    case plain
    /// A dictionary whose keys are names that the file chooses.
    case named
    /// A font or pattern, or a shading that is used more than once. It stays an object of its own,
    /// so that it is read once.
    case resource
    /// The glyphs of a Type 3 font.
    case glyphs
    /// A layer, or a membership of layers.
    case layer
  }

  private init(_ file: PDFFile, _ deflate: @escaping Deflating, parts: [Int: Extent] = [:]) {
    self.file = file
    self.deflate = deflate
    self.parts = parts
  }

  /// Returns the file written anew; nil if it is encrypted or damaged, shows annotations, or has
  /// something else that cannot be written. If the file's drawing is given, the parts of pictures
  /// that it does not show get colours that take few bytes.
  static func rewritten(
    _ source: [UInt8], drawing: Drawing? = nil, _ deflate: @escaping Deflating
  ) -> [UInt8]? {
    source.withUnsafeBytes { bytes in
      // Compressing tightly takes longer than reading, so each byte of the file may cost twice as
      // much work. It may not take more memory.
      let budget = Budget(
        input: 2 * bytes.count, memory: Budget.mostMemory(input: bytes.count, pixels: 0))
      guard let file = try? PDFFile(bytes, budget), file.trailer["Encrypt"].isNull else {
        return nil
      }
      let parts = drawing.map { seenParts(of: $0, in: file) } ?? [:]
      var rewriter = PDFRewriter(file, deflate, parts: parts)
      var root = rewriter.catalog()
      let hidesMore = rewriter.keepsLayers || rewriter.hasUnknownMasks
      if rewriter.hasMemberships || (hidesMore && !parts.isEmpty) {
        // A reader may show more than the drawing does.
        let keepsLayers = rewriter.keepsLayers || rewriter.hasMemberships
        rewriter = PDFRewriter(file, deflate)
        rewriter.keepsLayers = keepsLayers
        root = rewriter.catalog()
      }
      guard let root, !rewriter.isRefused, file.isWhole, (try? file.check()) != nil else {
        return nil
      }
      return PDFWriter.bytes(of: rewriter.objects, root: root, version: rewriter.version)
    }
  }

  /// Returns the parts of pictures that a drawing of the file shows, by the number of the object.
  /// The mask of a picture is seen where one of its pictures is.
  private static func seenParts(of drawing: Drawing, in file: PDFFile) -> [Int: Extent] {
    guard drawing.unsupported.isEmpty, let seen = drawing.seenParts(file.budget) else { return [:] }
    var parts: [Int: Extent] = [:]
    for (image, part) in zip(drawing.images, seen) where image.source > 0 {
      parts[image.source, default: Extent()].add(part)
      guard let stream = file.stream(.reference(image.source)),
        let mask = stream.dictionary["SMask"].reference
      else { continue }
      parts[mask, default: Extent()].add(part)
    }
    return parts
  }

  /// The version that the file states, within those that Quartz writes itself: 1.3 to 1.7.
  private var version: Int {
    let stated = file.dictionary(file.trailer["Root"]).flatMap { file.name($0["Version"]) } ?? ""
    func minor(_ text: some Collection<UInt8>) -> Int {
      guard text.starts(with: "1.".utf8), let digit = text.dropFirst(2).first,
        (0x30...0x39).contains(digit)
      else { return text.first == UInt8(ascii: "2") ? 7 : 0 }
      return Int(digit) - 0x30
    }
    let header = minor(file.bytes.dropFirst(5).prefix(3))
    return min(max(header, minor(Array(stated.utf8)), 3), 7)
  }

  // MARK: The page

  private mutating func catalog() -> Int? {
    guard let root = file.dictionary(file.trailer["Root"]),
      let (page, inherited) = file.firstPageKeys(),
      !file.hasAnnotations(page), !hasAppearances(page)
    else { return nil }
    let layers = file.dictionary(root["OCProperties"])
    if layers.map(hidesLayers) ?? false { keepsLayers = true }
    let (catalog, pages, leaf) = (reserve(), reserve(), reserve())
    var kept = PDFDictionary()
    kept.append("Type", .name("Catalog"))
    kept.append("Pages", .reference(pages))
    if keepsLayers, let layers {
      kept.append("OCProperties", copy(.dictionary(layers), as: .layer))
    }
    if let intents = file.array(root["OutputIntents"]) {
      kept.append("OutputIntents", copy(.array(intents), as: .plain))
    }
    objects[catalog].value = .dictionary(kept)
    var tree = PDFDictionary()
    tree.append("Type", .name("Pages"))
    tree.append("Kids", .array([.reference(leaf)]))
    tree.append("Count", .integer(1))
    objects[pages].value = .dictionary(tree)
    guard let written = self.page(page, inherited, parent: pages) else { return nil }
    objects[leaf].value = .dictionary(written)
    return catalog
  }

  private mutating func page(
    _ page: PDFDictionary, _ inherited: [String: PDFValue], parent: Int
  ) -> PDFDictionary? {
    check(page)
    guard let box = box(inherited["MediaBox"]) else { return nil }
    var kept = PDFDictionary()
    kept.append("Type", .name("Page"))
    kept.append("Parent", .reference(parent))
    kept.append("MediaBox", .array(box))
    var shown = box
    if !(inherited["CropBox"]?.isNull ?? true) {
      guard let crop = self.box(inherited["CropBox"]) else { return nil }
      if !isSame(crop, box) {
        kept.append("CropBox", .array(crop))
        shown = crop
      }
    }
    for key in ["BleedBox", "TrimBox", "ArtBox"] {
      if let other = self.box(page[key]), !isSame(other, shown) {
        kept.append(key, .array(other))
      }
    }
    switch inherited["Rotate"].map({ file.resolve($0) }) {
    case nil, .null, .integer(0): break
    case .integer(let turn): kept.append("Rotate", .integer(turn))
    // Readers differ about a turn that is no integer.
    default: return nil
    }
    if !page["UserUnit"].isNull { kept.append("UserUnit", copy(page["UserUnit"], as: .plain)) }
    if !page["Group"].isNull { kept.append("Group", copy(page["Group"], as: .plain)) }
    let resources = file.dictionary(inherited["Resources"] ?? .null) ?? PDFDictionary()
    let content = file.content(page["Contents"])
    let (bytes, names) = tidied(content, resources: resources, isPage: true)
    kept.append("Resources", .dictionary(self.resources(resources, names)))
    if !bytes.isEmpty {
      kept.append("Contents", .reference(add(stream: PDFDictionary(), data: bytes)))
    }
    return kept
  }

  /// Returns whether an annotation has a drawing of its own. Some readers show it even if the
  /// annotation needs none.
  private func hasAppearances(_ page: PDFDictionary) -> Bool {
    for value in file.array(page["Annots"]) ?? [] {
      guard file.budget.spend(.values, 2) else { return true }
      if let annotation = file.dictionary(value), !annotation["AP"].isNull { return true }
    }
    return false
  }

  /// Returns a box as four numbers.
  private func box(_ value: PDFValue?) -> [PDFValue]? {
    guard let value, let parts = file.array(value), parts.count == 4 else { return nil }
    let numbers = parts.map { file.resolve($0) }
    return numbers.allSatisfy { $0.number != nil } ? numbers : nil
  }

  private func isSame(_ first: [PDFValue], _ second: [PDFValue]) -> Bool {
    zip(first, second).allSatisfy { $0.number == $1.number }
  }

  /// Returns whether a reader may hide a layer: the settings hide one, the usage of a layer can
  /// hide it, or the list of layers cannot be read.
  private func hidesLayers(_ layers: PDFDictionary) -> Bool {
    let settings = file.dictionary(layers["D"]) ?? PDFDictionary()
    if let state = file.name(settings["BaseState"]), state != "ON" { return true }
    if !(file.array(settings["OFF"]) ?? []).isEmpty { return true }
    guard let groups = file.array(layers["OCGs"]) else { return true }
    for group in groups {
      guard file.budget.spend(.objects), let dictionary = file.dictionary(group) else {
        return true
      }
      let usage = file.dictionary(dictionary["Usage"]) ?? PDFDictionary()
      for entry in usage.entries {
        let states = file.dictionary(entry.value)?.entries ?? []
        if states.contains(where: { file.name($0.value) == "OFF" }) { return true }
      }
    }
    return false
  }

  // MARK: Contents and resources

  /// Returns a content stream, rewritten if that is possible, and the names of the resources that
  /// it uses; nil if any name may be used.
  private mutating func tidied(
    _ content: [UInt8], resources: PDFDictionary, isPage: Bool
  ) -> (bytes: [UInt8], names: UsedNames?) {
    file.budget.spend(.lexedBytes, 4 * content.count)
    file.budget.borrow(.copiedBytes, bytes: 2 * content.count)
    // A colour space that replaces the grey of the device need not apply to the initial colour.
    let spaces = isPage ? file.dictionary(resources["ColorSpace"]) : nil
    let start: ContentTidier.Start =
      !isPage ? .unknown : spaces?["DefaultGray"].isNull ?? true ? .page : .pageWithOtherGray
    guard !file.budget.isExceeded,
      let tidy = ContentTidier.tidied(
        content, start: start, keepsLayers: keepsLayers)
    else { return (content, nil) }
    guard let inherited = inheritedNames(resources) else { return (tidy.bytes, nil) }
    var names = tidy.names
    names.formUnion(inherited)
    return (tidy.bytes, names)
  }

  /// Refuses a file with contents that have resources of their own and use a name that these lack:
  /// some readers look for it in the resources of the stream that shows the contents.
  private mutating func requireNames(_ names: Set<String>, in resources: PDFDictionary) {
    var found = PDFRewriter.namesWithoutResources
    for category in resources.entries {
      for entry in file.dictionary(category.value)?.entries ?? [] {
        guard file.budget.spend(.objects) else { return }
        found.insert(entry.key)
      }
    }
    if !names.isSubset(of: found) { isRefused = true }
  }

  /// The names in contents that mean no resource.
  private static let namesWithoutResources: Set<String> = [
    "DeviceGray", "DeviceRGB", "DeviceCMYK", "Pattern", "OC", "AbsoluteColorimetric",
    "RelativeColorimetric", "Saturation", "Perceptual",
  ]

  /// Returns the names that contents without resources of their own use: they use those of the
  /// stream that shows them. Returns nil if one of them may use any name.
  private func inheritedNames(_ resources: PDFDictionary) -> Set<String>? {
    var names: Set<String> = []
    var streams: [PDFStream] = []
    for category in ["XObject", "Pattern", "ExtGState", "Font"] {
      for entry in file.dictionary(resources[category])?.entries ?? [] {
        guard file.budget.spend(.objects) else { return nil }
        let value = file.resolve(entry.value)
        switch category {
        case "ExtGState":
          let mask = value.dictionary.flatMap { file.dictionary($0["SMask"]) }
          if let stream = mask.flatMap({ file.stream($0["G"]) }) { streams.append(stream) }
        case "Font":
          guard let font = value.dictionary, file.dictionary(font["Resources"]) == nil else {
            continue
          }
          for glyph in file.dictionary(font["CharProcs"])?.entries ?? [] {
            if let stream = file.stream(glyph.value) { streams.append(stream) }
          }
        default:
          if let stream = value.stream, isContent(stream) { streams.append(stream) }
        }
      }
    }
    for stream in streams where file.dictionary(stream.dictionary["Resources"]) == nil {
      let content = file.decoded(stream)
      guard file.budget.spend(.lexedBytes, content.count),
        let tidy = ContentTidier.tidied(content, start: .unknown, keepsLayers: true)
      else { return nil }
      names.formUnion(tidy.names.all)
    }
    return names
  }

  private func isContent(_ stream: PDFStream) -> Bool { isContent(stream.dictionary) }

  private func isContent(_ dictionary: PDFDictionary) -> Bool {
    file.name(dictionary["Subtype"]) == "Form" || file.int(dictionary["PatternType"]) == 1
  }

  /// Returns the resources with these names; all if `names` is nil.
  private mutating func resources(
    _ resources: PDFDictionary, _ names: UsedNames?
  ) -> PDFDictionary {
    check(resources)
    var kept = PDFDictionary()
    for (category, role) in [
      ("ExtGState", Role.plain), ("ColorSpace", .plain), ("Pattern", .resource),
      ("Shading", .resource), ("XObject", .plain), ("Font", .resource), ("Properties", .layer),
    ] {
      guard let entries = file.dictionary(resources[category]) else { continue }
      if category == "Properties", !keepsLayers {
        for entry in entries.entries { noteMembership(entry.value) }
        continue
      }
      check(entries)
      var chosen = PDFDictionary()
      for entry in entries.entries {
        guard names?.all.contains(entry.key) ?? true || isDefault(entry.key) else { continue }
        guard file.budget.spend(.values, 2),
          file.budget.borrow(.values, bytes: 2 * (64 + entry.key.utf8.count))
        else { break }
        // A shading that is used once may be written in the place of its reference.
        let isRepeated = names?.repeated.contains(entry.key) ?? true
        let isPlain = category == "Shading" && !isRepeated
        chosen.append(entry.key, copy(entry.value, as: isPlain ? .plain : role))
      }
      if !chosen.isEmpty { kept.append(category, .dictionary(chosen)) }
    }
    return kept
  }

  /// Returns whether a colour space replaces a device space, without being named in contents.
  private func isDefault(_ name: String) -> Bool {
    name == "DefaultGray" || name == "DefaultRGB" || name == "DefaultCMYK"
  }

  // MARK: Values

  /// Returns the value with references to new objects.
  private mutating func copy(_ value: PDFValue, as role: Role) -> PDFValue {
    guard !isRefused, file.budget.spend(.values, 2), depth < PDFRewriter.deepest else {
      isRefused = true
      return .null
    }
    depth += 1
    defer { depth -= 1 }
    switch value {
    case .reference(let number): return copy(object: number, as: role)
    case .array(let values):
      guard file.budget.borrow(.values, bytes: 2 * values.count * 48) else { return .null }
      return .array(values.map { copy($0, as: role) })
    case .dictionary(let dictionary): return .dictionary(copy(dictionary, as: role))
    case .name(let name):
      if name.unicodeScalars.contains("\u{FFFD}") { isRefused = true }
      return value
    // Streams are objects of their own.
    case .stream:
      isRefused = true
      return .null
    default: return value
    }
  }

  private mutating func copy(object number: Int, as role: Role) -> PDFValue {
    let key = CopyKey(number: number, role: role)
    if let known = copies[key] {
      if !objects[known].isFinished { objects[known].isAwaited = true }
      return .reference(objects[known].twin ?? known)
    }
    let value = file.object(number)
    switch value {
    case .null, .boolean, .integer, .real, .name, .reference: return copy(value, as: role)
    default: break
    }
    let number = reserve()
    copies[key] = number
    if case .stream(let stream) = value {
      copy(stream, as: role, to: number)
    } else {
      objects[number].value = copy(value, as: role)
      objects[number].isSmall = role == .plain || role == .named
    }
    // Layers with equal texts stay separate objects, because each can be shown or hidden.
    return .reference(finish(number, isShared: role != .layer))
  }

  private mutating func copy(_ dictionary: PDFDictionary, as role: Role) -> PDFDictionary {
    check(dictionary)
    var kept = PDFDictionary()
    let isType3 = role == .resource && file.name(dictionary["Subtype"]) == "Type3"
    for entry in dictionary.entries {
      if role != .named, role != .glyphs, PDFRewriter.dropped.contains(entry.key) { continue }
      if role == .layer, entry.key == "Order" { continue }
      if isType3, entry.key == "Resources" { continue }
      if role == .plain || role == .resource, isUsual(entry, in: dictionary) { continue }
      guard file.budget.borrow(.values, bytes: 2 * (64 + entry.key.utf8.count)) else { break }
      kept.append(entry.key, copy(entry.value, as: self.role(of: entry.key, in: role)))
    }
    if isType3, let resources = file.dictionary(dictionary["Resources"]) {
      kept.append("Resources", .dictionary(self.resources(resources, nil)))
      requireNames(ofGlyphs: dictionary["CharProcs"], in: resources)
    }
    return kept
  }

  private mutating func requireNames(ofGlyphs glyphs: PDFValue, in resources: PDFDictionary) {
    for glyph in file.dictionary(glyphs)?.entries ?? [] {
      guard let stream = file.stream(glyph.value), stream.dictionary["Resources"].isNull else {
        continue
      }
      let content = file.decoded(stream)
      guard file.budget.spend(.lexedBytes, content.count) else { return }
      let tidy = ContentTidier.tidied(content, start: .unknown, keepsLayers: true)
      if let tidy { requireNames(tidy.names.all, in: resources) }
    }
  }

  private func role(of key: String, in role: Role) -> Role {
    switch role {
    case .named: .plain
    case .glyphs: .glyphs
    case .layer: .layer
    case .plain, .resource:
      switch key {
      case "CharProcs": .glyphs
      case "Colorants": .named
      case "Shading", "Font": .resource
      case "OC": .layer
      default: .plain
      }
    }
  }

  /// Returns whether an entry has the value that the format assumes if the entry is absent.
  private func isUsual(_ entry: PDFDictionary.Entry, in dictionary: PDFDictionary) -> Bool {
    func numbers(_ usual: [Double]) -> Bool { file.numbers(entry.value) == usual }
    switch entry.key {
    case "Type":
      return ["XObject", "ExtGState", "Group"].contains(file.name(entry.value))
    case "I", "K":
      return file.name(dictionary["S"]) == "Transparency" && file.bool(entry.value) == false
    case "Matrix": return isContent(dictionary) && numbers([1, 0, 0, 1, 0, 0])
    case "Domain", "Extend":
      let kind = file.int(dictionary["ShadingType"])
      guard kind == 2 || kind == 3 else { return false }
      if entry.key == "Domain" { return numbers([0, 1]) }
      let ends = file.array(entry.value)?.map { file.bool($0) }
      return ends == [false, false]
    case "Alternate":
      let spaces = [1: "DeviceGray", 3: "DeviceRGB", 4: "DeviceCMYK"]
      let usual = file.int(dictionary["N"]).flatMap { spaces[$0] }
      return usual != nil && file.name(entry.value) == usual
    default: return false
    }
  }

  /// The keys that no drawing needs: private data of programs, descriptions, and structure.
  private static let dropped: Set<String> = [
    "Metadata", "PieceInfo", "LastModified", "StructParent", "StructParents", "OPI", "Thumb",
    "Alternates", "Measure", "PtData", "Private", "AF", "Parent", "AIMetaData",
  ]

  /// Refuses a file with a dictionary that has a key twice, because readers differ about it, or a
  /// key whose bytes are not known, because they are not UTF-8.
  private mutating func check(_ dictionary: PDFDictionary) {
    if dictionary.repeatsKeys { isRefused = true }
    if dictionary.entries.contains(where: { $0.key.unicodeScalars.contains("\u{FFFD}") }) {
      isRefused = true
    }
  }

  // MARK: Streams

  private mutating func copy(_ stream: PDFStream, as role: Role, to number: Int) {
    let isForm = isContent(stream) || role == .glyphs
    var kept = PDFDictionary()
    let filtering: Set<String> = ["Length", "Filter", "DecodeParms", "DL"]
    check(stream.dictionary)
    if !stream.dictionary["F"].isNull { isRefused = true }
    if let mask = file.stream(stream.dictionary["Mask"]),
      file.bool(mask.dictionary["ImageMask"]) != true
    {
      grayMask = mask.number
    }
    for entry in stream.dictionary.entries {
      if filtering.contains(entry.key) || PDFRewriter.dropped.contains(entry.key) { continue }
      if isForm, ["Resources", "FormType", "Name"].contains(entry.key) { continue }
      if entry.key == "OC", !keepsLayers {
        noteMembership(entry.value)
        continue
      }
      if isUsual(entry, in: stream.dictionary), entry.key != "Type" || stream.number != grayMask {
        continue
      }
      guard file.budget.borrow(.values, bytes: 2 * (64 + entry.key.utf8.count)) else { break }
      kept.append(entry.key, copy(entry.value, as: self.role(of: entry.key, in: .plain)))
    }
    guard isForm else { return copyData(of: stream, kept, to: number) }
    let resources = file.dictionary(stream.dictionary["Resources"])
    let (bytes, names) = tidied(
      file.decoded(stream), resources: resources ?? PDFDictionary(), isPage: false)
    if let resources {
      if let names { requireNames(names.all, in: resources) }
      kept.append("Resources", .dictionary(self.resources(resources, names)))
    }
    store(kept, bytes, at: number)
  }

  private mutating func noteMembership(_ value: PDFValue) {
    file.budget.spend(.objects)
    if file.dictionary(value).flatMap({ file.name($0["Type"]) }) == "OCMD" { hasMemberships = true }
  }

  /// The filters that are undone before a stream is compressed again.
  private static let undoneFilters: Set<String?> = [
    "FlateDecode", "Fl", "LZWDecode", "LZW", "ASCII85Decode", "A85", "ASCIIHexDecode", "AHx",
    "RunLengthDecode", "RL",
  ]

  /// Copies a stream that is no content. Filters are undone, except image formats and predictors.
  private mutating func copyData(of stream: PDFStream, _ kept: PDFDictionary, to number: Int) {
    if file.name(kept["Subtype"]) == "Image" {
      if !kept["SMask"].isNull, parts[stream.number] == nil { hasUnknownMasks = true }
      if let shape = shape(of: stream) {
        if !affords(shape), keepData(of: stream, kept, at: number) { return }
        if let samples = samples(of: stream, shape) { return store(samples, kept, at: number) }
      }
    }
    let filters = file.filters(of: stream)
    var kept = kept
    var plain = stream
    let predicted = filters.indices.filter { index in
      filters[index].parameters.flatMap { file.int($0["Predictor"]) } ?? 1 > 1
    }
    // Only the last filter may have a predictor, which then stays.
    if let index = predicted.first, PDFRewriter.undoneFilters.contains(filters[index].name) {
      guard predicted.count == 1, index == filters.count - 1,
        let parameters = filters[index].parameters
      else {
        isRefused = true
        return
      }
      // The old order of the bits of LZW is stated in the parameters, too.
      if file.int(parameters["EarlyChange"]) == 0 { isRefused = true }
      plain.dictionary.set("DecodeParms", .null)
      plain.dictionary.set("DP", .null)
      var settings = copy(parameters, as: .plain)
      settings.set("EarlyChange", .null)
      kept.append("DecodeParms", .dictionary(settings))
      return store(kept, file.decode(plain).bytes, at: number, isPredicted: true)
    }
    let image = filters.firstIndex { !PDFRewriter.undoneFilters.contains($0.name) }
    let decoded = file.decode(stream)
    guard let image else {
      guard kept["N"].int != nil, let profile = StoredSamples(profile: decoded.bytes),
        let rows = profile.predictedCurves()
      else { return store(kept, decoded.bytes, at: number) }
      kept.append("DecodeParms", .dictionary(profile.parameters))
      return store(kept, rows, at: number, isPredicted: true)
    }
    guard image == filters.count - 1, decoded.imageFormat != nil, decoded.imageFormat != "Crypt",
      let name = filters[image].name
    else {
      isRefused = true
      return
    }
    // Ghostscript draws some files of JPEG 2000 differently if the filter is not in an array.
    let isList = name == "JPXDecode" && file.array(stream.dictionary["Filter"]) != nil
    kept.append("Filter", isList ? .array([.name(name)]) : .name(name))
    if let parameters = filters[image].parameters {
      kept.append("DecodeParms", .dictionary(copy(parameters, as: .plain)))
    }
    objects[number].value = .dictionary(kept)
    objects[number].data = decoded.bytes
  }

  private mutating func add(stream dictionary: PDFDictionary, data: [UInt8]) -> Int {
    let number = reserve()
    store(dictionary, data, at: number)
    return finish(number)
  }

  /// Stores the data of a stream, compressed if that makes the object smaller. Data with a
  /// predictor must be compressed.
  private mutating func store(
    _ dictionary: PDFDictionary, _ data: [UInt8], at number: Int, isPredicted: Bool = false,
    busyBytes: Int? = nil
  ) {
    guard let packed = pack(data, busyBytes: busyBytes) else { return }
    var dictionary = dictionary
    let filter = "/Filter/FlateDecode".utf8.count
    let isPacked = isPredicted || packed.count + filter < data.count
    if isPacked { dictionary.append("Filter", .name("FlateDecode")) }
    objects[number].value = .dictionary(dictionary)
    objects[number].data = isPacked ? packed : data
  }

  /// Compresses data, of which `busyBytes` take time; refuses the file if that costs too much.
  private mutating func pack(
    _ data: [UInt8], _ effort: DeflateEffort = .stored, busyBytes: Int? = nil
  ) -> [UInt8]? {
    var effort = effort
    let busyBytes = busyBytes ?? data.count
    let left = file.budget.affordable(.decompressedBytes)
    // Streams that follow need a part of the budget, too.
    if effort == .stored, data.count > DeflateEffort.largeStream,
      left < 4 * effort.cost(of: busyBytes)
    {
      effort = .hurried
    }
    file.budget.spend(.decompressedBytes, effort.cost(of: busyBytes))
    let packed = file.budget.isExceeded ? nil : deflate(data, effort)
    if packed == nil { isRefused = true }
    return packed
  }

  /// Stores the data of a stream as the file has it. Returns false if its filters have to be
  /// undone.
  private mutating func keepData(
    of stream: PDFStream, _ kept: PDFDictionary, at number: Int
  ) -> Bool {
    let filters = file.filters(of: stream)
    guard filters.count == 1, ["FlateDecode", "Fl"].contains(filters[0].name) else { return false }
    var kept = kept
    kept.append("Filter", .name("FlateDecode"))
    if let parameters = filters[0].parameters {
      kept.append("DecodeParms", .dictionary(copy(parameters, as: .plain)))
    }
    file.budget.spend(.copiedBytes, stream.bytes.count)
    objects[number].value = .dictionary(kept)
    objects[number].data = Array(stream.bytes)
    return true
  }

  // MARK: Samples

  /// The size and form of the samples that a picture states.
  private struct SampleShape {
    var rowBytes: Int
    var height: Int
    var components: Int
    var bits: Int
    /// The pixels that can be seen; nil if all can.
    var seen: PixelBox?
    var count: Int { rowBytes * height }
    /// The number of bytes whose compression takes time.
    var busyBytes: Int {
      let seen = seen.map { $0.area * components * bits / 8 } ?? count
      return StoredSamples.busyBytes(of: count, seen: seen)
    }
  }

  /// Returns whether a picture can be decoded and packed anew so that an eighth of the budget is
  /// left for the streams that follow.
  private func affords(_ shape: SampleShape) -> Bool {
    let count = shape.count
    let part = min(count, DeflateEffort.largeStream)
    // The ways to store rows are compared on a part, and then the whole is packed in one of them.
    let compared = StoredSamples.Rows.allCases.reduce(0) {
      $0 + $1.cost * part + DeflateEffort.measured.cost(of: part)
    }
    let rows =
      (PDFRewriter.decodingCost + PDFRewriter.numberingCost + StoredSamples.Rows.chosen.cost)
      * count
    let effort: DeflateEffort = count > DeflateEffort.largeStream ? .hurried : .stored
    let packed = rows + effort.cost(of: shape.busyBytes)
    let rest = file.budget.mostWork / (8 * Expense.decompressedBytes.price)
    return file.budget.affordable(.decompressedBytes) >= compared + packed + rest
      && file.budget.availableMemory >= PDFRewriter.packingRoom(of: count)
  }

  /// Returns the shape of a picture's samples; nil if anything about them is unusual.
  private func shape(of stream: PDFStream) -> SampleShape? {
    let dictionary = stream.dictionary
    let filters = file.filters(of: stream)
    guard filters.allSatisfy({ PDFRewriter.undoneFilters.contains($0.name) }),
      dictionary["ImageMask"].isNull,
      let width = file.int(dictionary["Width"]), let height = file.int(dictionary["Height"]),
      let bits = file.int(dictionary["BitsPerComponent"]), bits == 8 || bits == 16,
      (1...1 << 16).contains(width), (1...1 << 16).contains(height),
      let space = file.colorSpace(dictionary["ColorSpace"]), space.components > 0
    else { return nil }
    let rowBytes = width * space.components * bits / 8
    // Readers that scale a mask to the size of its picture mix neighbouring pixels.
    let seen = parts[stream.number]?.pixels(width: width, height: height, margin: 2)
    // Deflate finds a row in the row above only if that begins at most 32,768 bytes before.
    return SampleShape(
      rowBytes: rowBytes, height: height, components: space.components, bits: bits,
      seen: rowBytes < 1 << 15 ? seen : nil)
  }

  /// Returns the samples of a picture without those that cannot be seen; nil if there are more or
  /// fewer than its shape says.
  private func samples(of stream: PDFStream, _ shape: SampleShape) -> StoredSamples? {
    let data = file.decode(stream).bytes
    guard data.count == shape.count else { return nil }
    var samples = StoredSamples(
      data, rowBytes: shape.rowBytes, components: shape.components, bits: shape.bits)
    if let seen = shape.seen { samples.fill(outside: seen) }
    return samples
  }

  /// The price of decoding a byte of samples with a predictor, and of looking for few colours in
  /// it, in decompressed bytes.
  private static let decodingCost = 4
  private static let numberingCost = 4

  /// Returns the memory that packing a number of bytes takes.
  private static func packingRoom(of count: Int) -> Int { 5 * count }

  /// Stores samples in the way that takes the fewest bytes: as they are, as differences from their
  /// neighbours, or as numbers of colours.
  private mutating func store(_ samples: StoredSamples, _ kept: PDFDictionary, at number: Int) {
    let room = PDFRewriter.packingRoom(of: samples.bytes.count)
    file.budget.spend(.decompressedBytes, PDFRewriter.numberingCost * samples.bytes.count)
    guard file.budget.borrow(.decompressedBytes, bytes: room) else {
      isRefused = true
      return
    }
    defer { file.budget.giveBack(.decompressedBytes, bytes: room) }
    guard isPlainRGB(kept), let (numbers, colors) = samples.numbered() else {
      return storeRows(of: samples, kept, at: number)
    }
    var dictionary = kept
    dictionary.set("BitsPerComponent", .integer(numbers.bits))
    dictionary.set(
      "ColorSpace",
      .array([
        .name("Indexed"), kept["ColorSpace"], .integer(colors.count / 3 - 1), .string(colors),
      ]))
    storeRows(of: numbers, dictionary, at: number)
  }

  /// Stores rows as they are or as differences, whichever takes fewer bytes. Of a large picture,
  /// some rows from the middle tell that.
  private mutating func storeRows(
    of samples: StoredSamples, _ kept: PDFDictionary, at number: Int
  ) {
    guard samples.bits >= 8 else {
      return store(kept, samples.bytes, at: number, busyBytes: samples.busyBytes)
    }
    let part = samples.part(of: DeflateEffort.largeStream)
    let isWhole = part.bytes.count == samples.bytes.count
    let parameters = PDFWriter.text(of: .dictionary(samples.parameters)).count
    var (best, bestSize) = (StoredSamples.Rows.plain, Int.max)
    for rows in StoredSamples.Rows.allCases {
      file.budget.spend(.decompressedBytes, rows.cost * part.bytes.count)
      let packed = pack(part.rows(rows), .measured, busyBytes: part.busyBytes)
      guard let packed else { return }
      let size = packed.count + (isWhole && rows != .plain ? parameters : 0)
      if size < bestSize { (best, bestSize) = (rows, size) }
    }
    var dictionary = kept
    if best != .plain { dictionary.append("DecodeParms", .dictionary(samples.parameters)) }
    file.budget.spend(.decompressedBytes, best.cost * samples.bytes.count)
    store(
      dictionary, samples.rows(best), at: number, isPredicted: best != .plain,
      busyBytes: samples.busyBytes)
  }

  /// Whether a picture has the colours of three usual components, and nothing else depends on how
  /// many components its samples have.
  private func isPlainRGB(_ picture: PDFDictionary) -> Bool {
    guard picture["BitsPerComponent"].int == 8, picture["Decode"].isNull, picture["Mask"].isNull
    else { return false }
    if let mask = picture["SMask"].reference {
      guard case .dictionary(let mask) = objects[mask].value, mask["Matte"].isNull else {
        return false
      }
    }
    switch picture["ColorSpace"] {
    case .name(let name): return name == "DeviceRGB"
    case .reference(let number): return isProfile(objects[number].value)
    case let value: return isProfile(value)
    }
  }

  /// Returns whether a colour space is that of a profile with three components.
  private func isProfile(_ space: PDFValue) -> Bool {
    guard case .array(let parts) = space, parts.count == 2, parts[0].name == "ICCBased",
      let number = parts[1].reference, case .dictionary(let profile) = objects[number].value
    else { return false }
    return profile["N"].int == 3 && profile["Range"].isNull
  }

  // MARK: Objects

  private mutating func reserve() -> Int {
    file.budget.borrow(.objects, bytes: 256)
    objects.append(NewObject())
    return objects.count - 1
  }

  /// Ends an object. Returns its index, or that of an equal object that was ended before.
  private mutating func finish(_ number: Int, isShared: Bool = true) -> Int {
    objects[number].isFinished = true
    if objects[number].isAwaited || !isShared { return number }
    var hasher = Hasher()
    let text = PDFWriter.text(of: objects[number].value)
    hasher.combine(text)
    hasher.combine(objects[number].data)
    let hash = hasher.finalize()
    for other in finished[hash] ?? []
    where PDFWriter.text(of: objects[other].value) == text
      && objects[other].data == objects[number].data
    {
      objects[number].twin = other
      return other
    }
    finished[hash, default: []].append(number)
    return number
  }
}

extension PDFDictionary {
  /// Whether a key occurs twice.
  fileprivate var repeatsKeys: Bool {
    Set(entries.lazy.map(\.key)).count != entries.count
  }
}
