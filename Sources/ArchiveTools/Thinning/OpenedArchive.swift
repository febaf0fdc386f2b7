// An archive together with what the tools know about it: its inventory, and the bytes that its
// pictures may have.

import Archive
import Bytes
import Traits

extension Archive {
  /// Returns the traits of an environment, with the language tags that the archive names.
  func traitsText(of environment: Environment) -> String {
    let names = (try? localizations()) ?? []
    return environment.traitsText { number in
      let name =
        names.first { nameIdentifier($0.name.utf8) == number }
        ?? names.first { $0.number == number }
      return name?.name
    }
  }
}

/// An archive together with its inventory.
package struct OpenedArchive: Sendable {
  package let archive: Archive
  package let inventory: Inventory
  /// The number of bytes that the decoded pictures may still have.
  let allowance: PictureAllowance

  package init(_ archive: Archive, asksIndex: Bool = false) throws(FormatError) {
    self.archive = archive
    allowance = PictureAllowance(fileSize: archive.bytes.count)
    inventory = try Inventory(archive, asksIndex: asksIndex)
  }
}

extension OpenedArchive {
  func name(ofEntry entry: Int) -> ByteString {
    inventory.name(of: entry) ?? "identifier \(inventory.entries[entry].key.identifier)"
  }

  func name(of group: VariantGroup) -> ByteString {
    name(ofEntry: inventory.members[group.members.lowerBound])
  }

  func isOptedOut(_ key: VariantKey, of group: VariantGroup) -> Bool {
    guard let ordinal = inventory.signatures[group.signature].ordinal(of: key) else { return false }
    let member = inventory.members[group.members.lowerBound + ordinal]
    return inventory.outlines[member].flags.contains(.keptWhenThinning)
  }
}
