// Writes the report of thinning as JSON, for scripts. Its keys do not change.

import Documents
import Traits

extension Amount {
  var json: [JSONOutput.Member] {
    [.init("renditions", .integer(count)), .init("bytes", .integer(bytes))]
  }
}

extension ThinningReport {
  package var json: JSONOutput {
    [
      "devices": .array(devices.map(json)),
      "notes": .array(notes.map { .string($0) }),
    ]
  }

  private func json(_ device: DeviceSavings) -> JSONOutput {
    [
      "device": .string(device.identifier),
      "name": .string(device.name),
      "kept": .object(device.kept.json),
      "dropped": .object(device.dropped.json),
      "byAxis": .object(
        device.byAxis.map { .init($0.axis.name, .object($0.amount.json)) }),
      "assets": .array(device.assets.map { json($0, on: device.name) }),
    ]
  }

  private func json(_ asset: AssetSavings, on device: String) -> JSONOutput {
    [
      "asset": .name(asset.name),
      "kept": .object(asset.kept.json),
      "dropped": .object(asset.dropped.json),
      "drops": .array(
        asset.drops.map { drop in
          .object(
            [
              .init("variant", .string(drop.key.summary(language: language))),
              .init("axis", .string(drop.reason.axis.name)),
              .init(
                "why",
                .string(drop.reason.text(about: drop.key, on: device, language: language))),
            ] + drop.amount.json)
        }),
    ]
  }
}
