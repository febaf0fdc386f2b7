// The pages of codes about kinds of sets that have rules of their own: symbols.

extension DiagnosticCode {
  static let kindPages: [(DiagnosticCode, CodePage)] = [
    (
      .symbolDrawing,
      CodePage(
        .error,
        "A template of a symbol has no drawing that can be read: an element whose id names a weight and a "
          + "size, such as Regular-M, and that holds outlines.",
        "Export the symbol as a template from SF Symbols, and keep the ids of its groups.")
    ),
    (
      .symbolGuide,
      CodePage(
        .warning,
        "A template of a symbol lacks guides, so that the symbol does not stand beside text as it should.",
        "Add the guides of the template: Baseline-S, Capline-S, left-margin and the like.")
    ),
    (
      .symbolMasters,
      CodePage(
        .warning,
        "Drawings of a variable template have outlines of different points, so that nothing can be drawn "
          + "between them: other weights show the nearest drawing.",
        "Make all drawings from one drawing, so that their outlines have the same points in the "
          + "same order."
      )
    ),
    (
      .symbolMargin,
      CodePage(
        .warning, "A margin of a symbol lies beside the page of its template.",
        "Move the guide back beside its drawing.")
    ),
    (
      .iconDrawnPlainly,
      CodePage(
        .warning,
        "Carve draws the bitmaps of a layered icon, for systems without layered icons: "
          + "background, layers and shadows, without the glass that Apple's own renderer adds.",
        "Put an icon set of the same name beside the icon, or leave the bitmaps out with "
          + "--no-icon-bitmaps if the oldest system is one of 2025 or later."
      )
    ),
    (
      .carveExtension,
      CodePage(
        .warning,
        "An entry has a setting that only Carve's resolver and run time know: the text size of "
          + "the entry, or that nothing is shown.",
        "Nothing, if programs use Carve's run time; then hide the finding with "
          + "--no-warn=carve-extension. For programs that use Apple's run time, add entries "
          + "without the setting."
      )
    ),
    (
      .unprovenForm,
      CodePage(
        .warning,
        "The asset is compiled in a form that is derived from other assets: no archive of "
          + "Apple's tool confirms it.",
        "Test the archive on the oldest system that matters. Then hide the finding with "
          + "--no-warn=unproven-form."
      )
    ),
  ]
}
