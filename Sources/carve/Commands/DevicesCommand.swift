// `carve devices`: prints the device table, or the card of one model.

import Bytes
import CatalogModel
import CommandLineKit
import Documents
import Queries
import Traits

struct DevicesArguments: Sendable {
  var model: String?
  var infoPlist: ByteString?
  var os: String?
  var printsJSON = false
}

let devicesCommand = Command(
  "devices", summary: "List the device table, or describe one model",
  discussion: """
    The description of a model lists its traits, its windows with their size classes, and the \
    number of environments that it can present to a catalogue. A value that has not been published \
    is called unknown. A value that follows from earlier models but is not confirmed has a question \
    mark in the table: requests of a window use it, and thinning keeps what any value could need. \
    --info-plist and --os need a MODEL.
    """,
  defaults: DevicesArguments(),
  operands: [
    .optional(
      .listed("MODEL", by: WordList.devices.words), \.model,
      help: "a model such as iPad5,3, or a name such as 'iPad Air 2'")
  ],
  options: [
    .path(
      "info-plist", "FILE", extensions: ["plist"], \.infoPlist,
      help: "compute the reach for this app: its full screen, orientations, languages and devices"),
    .text("os", "VERSION", \.os, help: "compute the reach from this system on"),
    .flag("json", \.printsJSON, help: "print JSON"),
  ],
  examples: [
    Example("carve devices", "one line for each model"),
    Example("carve devices iPad5,3", "the traits and windows of an iPad Air 2"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try listDevices(arguments, terminal)
}

private func listDevices(
  _ arguments: DevicesArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  guard let model = arguments.model else {
    guard arguments.infoPlist == nil, arguments.os == nil else {
      throw .usage("--info-plist and --os need a MODEL")
    }
    let devices = Device.all
    if arguments.printsJSON {
      let list = JSONOutput.array(devices.map { .object($0.members) })
      terminal.print(JSONOutput.object([.init("devices", list)]).text)
    } else {
      terminal.write(deviceTable(devices))
    }
    return .fine
  }
  terminal.warnOfStandIns([model])
  let device = try queried { () throws(QueryError) in try knownDevice(model) }
  let app = try arguments.infoPlist.map { (path) throws(CommandFailure) in try appTraits(path) }
  let reach = try reach(of: device, app ?? AppTraits(), os: arguments.os)
  if arguments.printsJSON {
    terminal.print(JSONOutput.object(device.members + device.cardMembers(reach)).text)
  } else {
    terminal.write(device.card(reach))
  }
  return .fine
}

private func reach(
  of device: Device, _ app: AppTraits, os: String?
) throws(CommandFailure) -> Reach {
  var version: OSVersion?
  if let os { version = try queried { () throws(QueryError) in try systemVersion(os) } }
  do throws(ReachError) { return try Reach(of: device, app: app, os: version) } catch {
    throw .usage(error.description)
  }
}
