// The variants in catalogue folders. The same entries are left out as the compiler leaves out: empty
// and unassigned ones, and those whose file is missing.

import CatalogModel
import Traits

extension CandidateSource {
  init(catalogs paths: [String], in tree: FileTree) {
    let contents = readCatalogs(paths, in: tree)
    self.init(contents.assets.compactMap { AssetCandidates(asset: $0, in: tree) })
  }
}

extension AssetCandidates {
  fileprivate init?(asset: AssetSet, in tree: FileTree) {
    guard let kind = asset.kind else { return nil }
    let candidates: [Candidate]
    switch asset.contents {
    case .images(let set):
      candidates = set.entries.filter { !$0.isUnassigned }.compactMap {
        Candidate(image: $0, of: asset)
      }
    case .colors(let set):
      candidates = set.entries.compactMap { entry in
        entry.value.map { _ in Candidate(slot: entry.slot, of: asset) }
      }
    case .data(let set):
      candidates = set.entries.compactMap { Candidate($0.slot, file: $0.file, of: asset) }
    case .symbols(let set):
      candidates = set.entries.compactMap { Candidate($0.slot, file: $0.file, of: asset) }
    case .appIcons(let set), .stickersIcons(let set):
      candidates = set.entries.filter { !$0.isUnassigned }.compactMap {
        Candidate($0.slot, file: $0.file, of: asset)
      }
    case .icons(let set):
      candidates = set.entries.map { entry in
        var slot = Slot()
        slot.key.scale = entry.scale
        slot.key.idiom = .mac
        var candidate = Candidate(slot: slot, of: asset)
        candidate.file = entry.file.name
        candidate.pixelWidth = entry.size * Int(entry.scale)
        candidate.pixelHeight = entry.size * Int(entry.scale)
        return candidate
      }
    default: return nil
    }
    self.init(name: asset.name, kind: kind, candidates: candidates)
  }
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
  }

  fileprivate init?(image entry: ImageEntry, of asset: AssetSet) {
    self.init(entry.slot, file: entry.file, of: asset)
    if entry.file?.isVector == true { key.scale = 0 }
    let scale = Double(max(key.scale, 1))
    if let pixels = entry.insets, pixels != Insets() {
      insets = pixels.divided(by: scale)
    }
    if let resizing = entry.resizing {
      slicing = SlicingFacts(
        mode: resizing.mode.rawValue, center: resizing.center.rawValue,
        caps: resizing.capInsets.divided(by: scale),
        centerWidth: resizing.centerWidth.map { $0 / scale },
        centerHeight: resizing.centerHeight.map { $0 / scale })
    }
  }
}

extension Insets {
  fileprivate func divided(by scale: Double) -> Insets {
    Insets(top: top / scale, left: left / scale, bottom: bottom / scale, right: right / scale)
  }
}
