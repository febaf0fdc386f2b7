// Divides assets into packs of on-demand resources. The caller gives the list of packs. Assets
// whose tags have no pack stay in the archive of the app, so that every asset is in an archive.

import Bytes
import CatalogModel
import Documents
import Host

struct AssetPack {
  /// The folder of the pack.
  var path: ByteString
  /// The assets of the pack. There can be none.
  var contents: CatalogContents
}

/// The property list with the requested packs.
struct AssetPackList {
  typealias Entry = (tags: [ByteString], path: ByteString)

  /// The tags of each pack in order, and its folder; nil if the list cannot be read.
  private(set) var packs: [Entry]?
  private(set) var messages: [RunMessage] = []

  /// Reads the list at a path. Relative paths in it are relative to `folder`.
  init(_ path: ByteString, in folder: ByteString, _ tree: FileTree) {
    func refuse(_ reason: String) {
      messages.append(
        RunMessage(
          .error, "Failed to read the asset pack specifications.", about: path, reason: reason))
    }
    do throws(FileError) {
      let bytes = try tree.read(path, FileLimit.document)
      do throws(PropertyListError) {
        guard let entries = try PropertyValue(propertyList: bytes).array else {
          refuse("It does not hold an array.")
          return
        }
        var packs: [Entry] = []
        for entry in entries {
          guard let members = entry.dictionary, let place = members["bundle-path"]?.string,
            let tags = members["tags"]?.array?.compactMap(\.string), !tags.isEmpty
          else {
            refuse("An entry has no \"bundle-path\" or no \"tags\".")
            return
          }
          packs.append(
            (
              Set(tags.map { ByteString($0) }).sorted(),
              absolutePath(ByteString(place), in: folder)
            ))
        }
        self.packs = packs
      } catch {
        refuse("It \(error).")
      }
    } catch {
      refuse(error.reason)
    }
  }

  /// Returns the path of the archive of a pack.
  static func archive(in folder: ByteString) -> ByteString { joined(folder, "Assets.car") }
}

struct PackDivision {
  private(set) var main: CatalogContents
  private(set) var packs: [AssetPack] = []
  private(set) var messages: [RunMessage] = []

  init(_ request: BuildRequest, _ contents: CatalogContents, _ tree: FileTree) {
    main = contents
    guard request.usesOnDemandResources, let list = request.assetPacks else { return }
    let specifications = AssetPackList(list, in: request.currentFolder, tree)
    messages += specifications.messages
    guard let wanted = specifications.packs else { return }
    for case (let name, .images(let set)) in contents.assets.lazy.map({ ($0.name, $0.contents) }) {
      main.otherImageSets[name] = set
    }
    // An entry with the tags of an earlier entry gets no assets.
    var assetsByTags = Dictionary(grouping: contents.assets, by: sortedTags)
    for (tags, path) in wanted {
      var part = main
      part.assets = assetsByTags.removeValue(forKey: tags) ?? []
      // The findings of the reader are reported once, with the archive of the app.
      part.diagnostics = []
      packs.append(AssetPack(path: path, contents: part))
    }
    main.assets.removeAll { assetsByTags[sortedTags($0)] == nil }
    for tags in tagCombinations(main.assets) {
      messages.append(
        RunMessage(
          .warning,
          "No asset pack has the tags \(quotedList(tags, joinedBy: "and")); their assets stay in the "
            + "app's own archive.", about: list))
    }
  }

  /// Returns the assets of the app's own archive and removes them here, so that they need not stay
  /// in memory.
  mutating func takeMain() -> CatalogContents {
    let taken = main
    main = CatalogContents()
    return taken
  }
}

/// Returns the different sets of tags. Xcode makes a pack for each.
func tagCombinations(_ assets: [AssetSet]) -> [[ByteString]] {
  Set(assets.map { sortedTags($0) }.filter { !$0.isEmpty }).sorted {
    $0.lexicographicallyPrecedes($1)
  }
}

private func sortedTags(_ asset: AssetSet) -> [ByteString] { Set(asset.onDemandTags).sorted() }
