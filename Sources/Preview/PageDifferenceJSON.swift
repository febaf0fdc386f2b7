// Writes the difference of two archives as the page's script reads it.

import Archive
import ArchiveTools
import Documents
import Traits

extension PageDifference {
  func json(_ page: PageData) -> JSONOutput {
    [
      "title": .string(title), "before": .integer(archives.before.file),
      "after": .integer(archives.after.file),
      "changes": .array(changes.map { json($0, page) }),
      "fields": .array(
        archives.fields.map { [.string($0.field), .string($0.before), .string($0.after)] }),
      "devices": .array(
        archives.devices.map { row in
          [
            .array(row.devices.map { .string($0.identifier) }), .integer(row.before),
            .integer(row.after),
          ]
        }),
    ]
  }

  private func json(_ change: VariantChange, _ page: PageData) -> JSONOutput {
    let key = change.place.key
    var members: [JSONOutput.Member] = [
      .init("n", .name(change.place.name)), .init("k", .string(change.place.kind.name)),
      .init("key", .string(key.summary(language: languages[key.locale]))),
      .init("aspects", .array(change.aspects.map { .string($0) })),
    ]
    if let before = change.before { members.append(.init("before", before.json(pictures))) }
    if let after = change.after { members.append(.init("after", after.json(page.pictures))) }
    return .object(members)
  }
}
