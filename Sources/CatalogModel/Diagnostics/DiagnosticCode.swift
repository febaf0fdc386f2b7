// All codes of diagnostics, of the reader, the checks and the compiler. A code is stable for ever.
// What each means and how to mend it is in CodePages.swift.

public enum DiagnosticCode: String, CaseIterable, Sendable, Hashable {
  case jsonSyntax = "json-syntax"
  case missingFile = "missing-file"
  case unsupportedSet = "unsupported-set"
  case vectorNotRasterized = "vector-not-rasterized"
  case unknownSystemColor = "unknown-system-color"
  case iconNotChosen = "icon-not-chosen"
  case missingIcon = "missing-icon"
  case brokenImage = "broken-image"
  case unsupportedImage = "unsupported-image"
  case unreadableFile = "unreadable-file"
}

/// What there is to say about a code, whatever the catalogue.
public struct CodePage: Sendable, Hashable {
  /// What a finding of this code has where nothing else is said.
  public var severity: Severity
  public var meaning: String
  /// What the author of the catalogue can do.
  public var remedy: String

  init(_ severity: Severity, _ meaning: String, _ remedy: String) {
    self.severity = severity
    self.meaning = meaning
    self.remedy = remedy
  }
}

extension DiagnosticCode {
  public var page: CodePage {
    switch self {
    case .jsonSyntax:
      CodePage(
        .error, "A file is not JSON.", "Correct the place named; Xcode cannot read it either.")
    case .missingFile:
      CodePage(.warning, "An entry names a file that is not there.", "Add it, or clear the entry.")
    case .unsupportedSet:
      CodePage(
        .warning, "Carve does not compile this type of set; the archive lacks the asset.",
        "Leave the set out, or compile it elsewhere.")
    case .vectorNotRasterized:
      CodePage(
        .warning,
        "A PDF or SVG is stored as it is. Systems that draw bitmaps only will not show it.",
        "Add PNG files for the scales that you need.")
    case .unknownSystemColor:
      CodePage(
        .warning, "A colour set refers to a colour that Carve does not know; the entry is left out.",
        "State the colour's components.")
    case .iconNotChosen:
      CodePage(
        .note, "An icon that no option names is left out, as Apple's compiler does.",
        "Pass --app-icon with its name, or --include-all-app-icons.")
    case .missingIcon:
      CodePage(
        .error, "No catalogue holds the icon that --app-icon names.",
        "Correct the name, or add the icon set.")
    case .brokenImage:
      CodePage(.error, "An image cannot be decoded.", "Export the image again.")
    case .unsupportedImage:
      CodePage(
        .error, "Carve does not compile images of this kind.", "Save the image as PNG or JPEG.")
    case .unreadableFile:
      CodePage(
        .error, "A file cannot be read.", "Check that it exists and that you may read it.")
    }
  }
}
