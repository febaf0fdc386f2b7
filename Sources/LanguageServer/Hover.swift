// The texts that an editor shows about the place under the pointer: the meaning of a key, and the
// properties of a picture.

import Bytes
import CatalogModel
import Documents
import Host

extension Document {
  func hover(at offset: Int) -> JSONOutput {
    guard let (path, child) = root?.path(to: offset),
      let key = path.last(where: { Int($0.text) == nil })
    else { return .null }
    var text = ""
    let onKey = child.keyRange.map { ($0.lowerBound...$0.upperBound).contains(offset) } ?? false
    if !onKey, DocumentKind.fileKeys.contains(key), let name = name(child.value) {
      text = words(aboutFile: name)
    } else if let meaning = kind.meaning(of: key.text) {
      text = "**\(key.text.escapedForMarkdown)**: \(meaning.escapedForMarkdown)"
    }
    if text.isEmpty { return .null }
    let range = onKey ? child.keyRange ?? child.value.range : child.value.range
    return hoverAnswer(text, places.range(range))
  }

  private func words(aboutFile name: ByteString) -> String {
    guard let file = file(name) else {
      return "\(quoted(name).escapedForMarkdown) is not in the folder"
    }
    let parts = [
      pictureWords(file, in: tree), storedWords(of: name), pictureMarkdown(file, in: tree),
    ]
    return parts.compactMap { $0 }.joined(separator: "\n\n")
  }

  /// Returns what a file of the folder is, for a list of names.
  func sizeWords(_ name: ByteString) -> String? { pictureWords(joined(folder, name), in: tree) }
}

/// Returns the answer to a request for a hover.
func hoverAnswer(_ markdown: String, _ range: JSONOutput) -> JSONOutput {
  ["contents": ["kind": "markdown", "value": .string(markdown)], "range": range]
}

/// Returns a line about a file: the kind, size, alpha and profile of a picture, and the bytes; nil
/// if it cannot be read.
func pictureWords(_ file: ByteString, in tree: FileTree) -> String? {
  guard let size = try? tree.status(file).size else { return nil }
  guard let header = try? ImageHeader.read(file, in: tree) else {
    return counted(size, "byte")
  }
  let shown = header.uprightSize
  var words = "\(header.kind.title), \(shown.width)×\(shown.height)"
  words += header.kind.isVector ? " points" : " pixels"
  if header.hasAlpha, !header.kind.isVector { words += ", with alpha" }
  if header.colorModel == .gray, !header.kind.isVector { words += ", grey" }
  switch header.profile {
  case .none: break
  case .sRGB: words += ", sRGB"
  case .displayP3: words += ", Display P3"
  case .other(let profile): words += ", \(onOneLine(profile).escapedForMarkdown)"
  }
  return "\(words), \(counted(size, "byte"))"
}

/// Returns a picture as Markdown that shows it; nil if editors cannot show files of its kind.
func pictureMarkdown(_ file: ByteString, in tree: FileTree) -> String? {
  guard let header = try? ImageHeader.read(file, in: tree) else { return nil }
  switch header.kind {
  case .png, .jpeg, .gif, .webp, .svg, .bmp, .avif:
    return "![](\(address(of: file)))"
  case .heic, .tiff, .psd, .icns, .pdf: return nil
  }
}
