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
        help: "ask as this device does, such as iPad5,3; 'carve devices' lists them"),
      .choice(
        "orientation", "ORIENTATION", of: ["portrait", "landscape"], \.request.orientation,
        help: "how the device is held; portrait where it has the window so"),
      .choice(
        "window", "MODE", of: windowNames, \.request.window,
        help: "the window on the device; full where nothing is said"),
      .choice(
        "windows", "all", of: ["all"], \.request.windows,
        help: "a table of every window of every device that is named"),
      .choice(
        "style", "STYLE", of: Style.names, \.request.style, help: "the style of the device's system"
      ),
      .choice(
        "contrast", "CONTRAST", of: Contrast.names, \.request.contrast,
        help: "whether its user asked for more contrast; normal where nothing is said"),
      .text("language", "TAG[:TAG...]", \.request.languages, help: "the languages of its user"),
      .text("os", "VERSION", \.request.os, help: "its system; the newest where nothing is said"),
      .text(
        "traits", "KEY=VALUE[,...]", listedBy: WordList.traits.words, \.request.traits,
        help: "ask for traits instead of a device: " + Axis.requestNames.joined(separator: ", ")),
    ]
  }
}

private let windowNames = WindowMode.allCases.filter { $0.hasOneSize }.map(\.rawValue)
