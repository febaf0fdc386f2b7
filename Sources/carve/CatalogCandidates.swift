// The variants in catalogue folders. The same entries are left out as the compiler leaves out: empty
// and unassigned ones, and those whose file is missing.

import CatalogModel
import CommandLineKit
import Host
import Traits

extension CandidateSource {
  init(catalog path: String, in tree: FileTree) throws(CommandFailure) {
    let contents = readCatalogs([path], in: tree)
    // Of what else is wrong with it lint and compile speak.
    if let refusal = contents.diagnostics.first(where: { $0.code == .notACatalog }) {
      throw .input("\(path): \(refusal.message)")
    }
    self.init(contents.assets.compactMap { AssetCandidates(asset: $0, in: tree) })
  }
}

extension AssetCandidates {
  fileprivate init?(asset: AssetSet, in tree: FileTree) {
    guard let kind = asset.kind else { return nil }
    let candidates: [Candidate]
    switch asset.contents {
    case .images(let set):
      candidates = set.entries.filter { !$0.slot.isUnassigned }.compactMap {
        Candidate(image: $0, of: asset)
      }
    case .colors(let set):
      candidates = set.entries.compactMap { entry in
        guard entry.value != nil, !entry.slot.isUnassigned else { return nil }
        return Candidate(slot: entry.slot, of: asset)
      }
    case .data(let set):
      candidates = set.entries.filter { !$0.slot.isUnassigned }.compactMap {
        Candidate($0.slot, file: $0.file, of: asset)
      }
    case .symbols(let set):
      candidates = set.entries.filter { !$0.slot.isUnassigned }.compactMap {
        Candidate($0.slot, file: $0.file, of: asset)
      }
    case .appIcons(let set), .stickersIcons(let set):
      let entries = set.entries.filter { !$0.slot.isUnassigned }
      candidates = largestFirst(entries) { $0.pixelSize?.width ?? 0 }.compactMap {
        Candidate($0.slot, file: $0.file, of: asset)
      }
    case .icons(let set):
      candidates = largestFirst(set.entries) { Double($0.size) }.map { entry in
        var slot = Slot()
        slot.key.scale = entry.scale
        slot.key.idiom = .mac
        var candidate = Candidate(slot: slot, of: asset)
        candidate.file = entry.file.name
        candidate.path = entry.file.path
        return candidate
      }
    default: return nil
    }
    self.init(name: asset.name, kind: kind, candidates: candidates)
  }
}

/// Of the sizes of an icon under one key the first wins, and archives answer with the largest.
private func largestFirst<Entry>(_ entries: [Entry], _ side: (Entry) -> Double) -> [Entry] {
  let sides = entries.map(side)
  return entries.indices.sorted { (sides[$1], $0) < (sides[$0], $1) }.map { entries[$0] }
}

extension Candidate {
  fileprivate init(slot: Slot, of asset: AssetSet) {
    key = slot.key
    language = slot.locale
    contents = asset.contentsFile
    pointer = slot.pointer
  }

  fileprivate init?(_ slot: Slot, file: SourceFile?, of asset: AssetSet) {
    guard let file, file.exists else { return nil }
    self.init(slot: slot, of: asset)
    self.file = lastComponent(file.name)
    if asset.kind != .data, !file.isVector { path = file.path }
  }

  fileprivate init?(image entry: ImageEntry, of asset: AssetSet) {
    self.init(entry.slot, file: entry.file, of: asset)
    if entry.file?.isVector == true { key.scale = 0 }
    let scale = Double(max(key.scale, 1))
    if let insets = entry.insets?.inPoints(scale), insets != Insets() { self.insets = insets }
    slicing = entry.resizing.map { SlicingFacts($0, scale) }
  }
}

// Archives hold whole pixels, so the compiler rounds to them.

private func wholePixels(_ pixels: Double, _ scale: Double) -> Double { pixels.rounded() / scale }

extension Insets {
  fileprivate func inPoints(_ scale: Double) -> Insets {
    Insets(
      top: wholePixels(top, scale), left: wholePixels(left, scale),
      bottom: wholePixels(bottom, scale), right: wholePixels(right, scale))
  }
}

extension SlicingFacts {
  fileprivate init(_ resizing: Resizing, _ scale: Double) {
    mode = resizing.mode
    center = resizing.center
    caps = resizing.capInsets.inPoints(scale)
    // A side without caps is no part of the slicing.
    if mode == .horizontal { (caps.top, caps.bottom) = (0, 0) }
    if mode == .vertical { (caps.left, caps.right) = (0, 0) }
    centerWidth = mode == .vertical ? nil : resizing.centerWidth.map { wholePixels($0, scale) }
    centerHeight = mode == .horizontal ? nil : resizing.centerHeight.map { wholePixels($0, scale) }
  }
}
