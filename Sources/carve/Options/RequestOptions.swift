// The options that describe the request of `resolve` and `explain`: a device and its window, or
// single traits.

import CommandLineKit
import Queries
import Traits

/// The arguments of a command that looks up variants.
protocol Requesting {
  var request: QueryWords { get set }
}

extension Option where Arguments: Requesting {
  static var requestOptions: [Option] {
    [
      .list(
        "device", "MODEL[,MODEL...]", listedBy: WordList.devices.words, \.request.devices,
        help: "use the traits of this device, such as iPad5,3; 'carve devices' lists all"),
      .choice(
        "orientation", "ORIENTATION", of: ["portrait", "landscape"], \.request.orientation,
        help: "the orientation of the device; portrait, if the window exists in it"),
      .choice(
        "window", "MODE", of: windowNames, refusals: windowRefusals,
        \.request.window,
        help: "the window on the device; full if not given"),
      .choice(
        "windows", "all", of: ["all"], \.request.windows,
        help: "print a table of every window of every device that is named"),
      .choice(
        "style", "STYLE", of: Style.names, \.request.style, help: "the style of the device's system"
      ),
      .choice(
        "contrast", "CONTRAST", of: Contrast.names, \.request.contrast,
        help: "the contrast that its user chose; normal if not given"),
      .text(
        "language", "TAG[:TAG...]", \.request.languages, help: "the languages of the device's user"),
      .text(
        "os", "VERSION", \.request.os, help: "the system of the device; the newest if not given"),
      .text(
        "traits", "KEY=VALUE[,...]", listedBy: WordList.traits.words, \.request.traits,
        help: "use these traits instead of a device: " + Axis.requestNames.joined(separator: ", ")),
    ]
  }
}

private let windowNames = WindowMode.allCases.filter { $0.hasOneSize }.map(\.rawValue)

private let windowRefusals = Dictionary(
  uniqueKeysWithValues: WindowMode.allCases.filter { !$0.hasOneSize }.map { mode in
    (
      mode.rawValue,
      "'--window' needs a window of one size, but a \(mode.rawValue) window can have any size; "
        + "'--windows all' shows it for each width class"
    )
  })
