// All codes of diagnostics, of the reader, the checks and the compiler. A code is stable for ever.
// The files in Pages describe each code and its remedy.

package enum DiagnosticCode: String, CaseIterable, Sendable, Hashable {
  // Files and folders
  case notACatalog = "not-a-catalog"
  case unreadableFolder = "unreadable-folder"
  case unreadableFile = "unreadable-file"
  case folderTooDeep = "folder-too-deep"
  case linkLoop = "link-loop"
  case linkOutsideCatalog = "link-outside-catalog"
  case invalidFileName = "invalid-file-name"
  case missingContents = "missing-contents"
  case unknownSetType = "unknown-set-type"
  case misspelledSetType = "misspelled-set-type"
  case dottedGroup = "dotted-group"
  case nestedSet = "nested-set"
  case hiddenSet = "hidden-set"
  case strayFile = "stray-file"

  // JSON
  case jsonSyntax = "json-syntax"
  case jsonTooLarge = "json-too-large"
  case jsonTooDeep = "json-too-deep"
  case jsonEncoding = "json-encoding"
  case jsonByteOrderMark = "json-byte-order-mark"
  case jsonTrailingComma = "json-trailing-comma"
  case jsonDuplicateKey = "json-duplicate-key"
  case jsonFormat = "json-format"
  case wrongType = "wrong-type"
  case numberRange = "number-range"
  case unknownKey = "unknown-key"
  case misspelledKey = "misspelled-key"
  case misplacedKey = "misplaced-key"
  case missingKey = "missing-key"
  case unknownValue = "unknown-value"
  case misspelledValue = "misspelled-value"
  case unknownVersion = "unknown-version"
  case tooManyFindings = "too-many-findings"

  // Names
  case nameClash = "name-clash"
  case nameSharedByTypes = "name-shared-by-types"
  case nameDiffersInCase = "name-differs-in-case"
  case equivalentNames = "equivalent-names"
  case unprintableName = "unprintable-name"
  case iconShadowsAppIcon = "icon-shadows-app-icon"

  // Slots and the files they name
  case missingFile = "missing-file"
  case fileCaseMismatch = "file-case-mismatch"
  case notAFile = "not-a-file"
  case fileOutsideFolder = "file-outside-folder"
  case unassignedFile = "unassigned-file"
  case unlistedPart = "unlisted-part"
  case unassignedEntry = "unassigned-entry"
  case emptyUnassignedEntry = "empty-unassigned-entry"
  case fileInSeveralSlots = "file-in-several-slots"
  case duplicateSlot = "duplicate-slot"
  case tooManyCombinations = "too-many-combinations"
  case duplicateFile = "duplicate-file"
  case emptySet = "empty-set"
  case emptySlot = "empty-slot"
  case missingScale = "missing-scale"
  case appearanceHole = "appearance-hole"
  case unsupportedAppearance = "unsupported-appearance"
  case localeNotLocalizable = "locale-not-localizable"
  case danglingReference = "dangling-reference"

  // Pictures
  case brokenImage = "broken-image"
  case cutImage = "cut-image"
  case wrongContent = "wrong-content"
  case unsupportedFormat = "unsupported-format"
  case optimizedPNG = "optimized-png"
  case animatedImage = "animated-image"
  case sixteenBitImage = "sixteen-bit-image"
  case wideGamutImage = "wide-gamut-image"
  case rotatedImage = "rotated-image"
  case sizeMismatch = "size-mismatch"
  case sizeOffScale = "size-off-scale"
  case insetsExceedPicture = "insets-exceed-picture"
  case capsExceedPicture = "caps-exceed-picture"
  case iconSize = "icon-size"
  case iconHasAlpha = "icon-has-alpha"
  case iconUnknownSize = "icon-unknown-size"
  case iconNeverShown = "icon-never-shown"

  // Symbols
  case symbolDrawing = "symbol-drawing"
  case symbolGuide = "symbol-guide"
  case symbolMasters = "symbol-masters"
  case symbolMargin = "symbol-margin"

  // Colours
  case colorIncomplete = "color-incomplete"
  case colorOutOfRange = "color-out-of-range"
  case colorNearZero = "color-near-zero"

  // Checks against the target devices
  case olderTarget = "older-target"
  case unreachableVariant = "unreachable-variant"
  case reachableHole = "reachable-hole"

  // Compiling
  case unsupportedSet = "unsupported-set"
  case unsupportedImage = "unsupported-image"
  case settingNotApplied = "setting-not-applied"
  case vectorNotRasterized = "vector-not-rasterized"
  case vectorFeature = "vector-feature"
  case vectorCut = "vector-cut"
  case unknownSystemColor = "unknown-system-color"
  case iconNotChosen = "icon-not-chosen"
  case missingIcon = "missing-icon"
  case missingStoreIcon = "missing-store-icon"
  case emptyArchive = "empty-archive"
  case otherPlatform = "other-platform"
  case symbolClash = "symbol-clash"
  case iconDrawnPlainly = "icon-drawn-plainly"
  case iconGlassApproximated = "icon-glass-approximated"
  case needsXcode27 = "needs-xcode-27"
  case refusedByApple = "refused-by-apple"
  case carveExtension = "carve-extension"
  case unprovenForm = "unproven-form"

  // Uses in sources
  case unusedAsset = "unused-asset"
  case missingAsset = "missing-asset"
  case assetInOtherTarget = "asset-in-other-target"
}

extension DiagnosticCode {
  /// The codes of findings that need the sources of the app.
  package static let ofUses: Set<DiagnosticCode> = [
    .unusedAsset, .missingAsset, .assetInOtherTarget,
  ]
}
