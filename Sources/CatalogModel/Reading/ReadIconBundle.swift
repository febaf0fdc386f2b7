// Layered icons of Icon Composer: icon.json and the pictures in Assets/. The format still moves, so
// only what names a file is read, and unknown keys are passed over.

import Documents
import Host

func readIconBundle(_ folder: Folder, in tree: FileTree) -> FolderReading {
  let file = joined(folder.path, "icon.json")
  let findings = Findings(file: file)
  var reading = FolderReading()
  reading.isGroupLike = false
  do throws(FileError) {
    let bytes = try tree.read(file, JSONDocument.sizeLimit)
    let document = JSONDocument(bytes, file: file)
    findings.add(document.diagnostics)
    if let value = document.value {
      var assets = folder
      assets.path = joined(folder.path, "Assets")
      assets.entries = (try? tree.list(assets.path)) ?? []
      let reader = SetReader(folder: assets, findings: findings)
      reading.contents = .iconBundle(IconBundle(reading: value, in: reader))
      reading.missing = reader.missing
      reading.inputs = [assets.path]
      for entry in assets.entries where entry.kind == .file {
        reading.inputs.append(joined(assets.path, entry.name))
      }
    }
    reading.diagnostics = located(findings.list, in: bytes)
  } catch {
    switch error {
    case .notFound:
      reading.missing = [file]
      findings.add(.missingContents, "the icon has no icon.json; it is left out")
    case .tooLarge(let size, let limit):
      findings.add(
        .jsonTooLarge, "the file has \(size) bytes; more than \(limit >> 20) MiB are not read")
    default: findings.add(.unreadableFile, "icon.json cannot be read: \(error.reason)")
    }
    reading.diagnostics = findings.list
  }
  return reading
}

extension IconBundle {
  init(reading root: JSONValue, in reader: SetReader) {
    guard case .array(let groups)? = root["groups"] else { return }
    for (group, value) in groups.enumerated() {
      guard case .array(let layers)? = value["layers"] else { continue }
      for (index, layer) in layers.enumerated() {
        let pointer = "/groups/\(group)/layers/\(index)"
        add(layer, pointer, reader)
      }
    }
  }

  private mutating func add(_ layer: JSONValue, _ pointer: String, _ reader: SetReader) {
    var image: SourceFile?
    if case .string(let name)? = layer["image-name"], !name.isEmpty {
      image = reader.file(named: name, at: pointer + "/image-name")
    }
    var name = ""
    if case .string(let text)? = layer["name"] { name = text }
    layers.append(
      IconLayer(
        name: name, image: image, isHidden: layer["hidden"] == .bool(true), pointer: pointer))
  }
}
