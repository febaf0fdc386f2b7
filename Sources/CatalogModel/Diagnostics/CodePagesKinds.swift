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
        "Make the drawings from one, so that their outlines have the same points in the same order."
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
        "The bitmaps of a layered icon, for systems that know no layers, are drawn by Carve: background, layers "
          + "and shadows, without the glass that Apple's own renderer adds.",
        "Put an icon set of the same name beside it, or leave the bitmaps out with --no-icon-bitmaps where the "
          + "oldest system is one of 2025 or later.")
    ),
    (
      .carveExtension,
      CodePage(
        .warning,
        "An entry says something that only Carve's resolver and run time know: for which size of text it is, or "
          + "that nothing is to be shown.",
        "Nothing, where programs ask Carve's run time; --no-warn=carve-extension then. For Apple's, have entries "
          + "without it, which it shows.")
    ),
    (
      .unprovenForm,
      CodePage(
        .warning,
        "The asset is compiled in a form that follows from what is known of other assets: no archive of "
          + "Apple's tool shows it.",
        "Try the archive on the oldest system that matters. --no-warn=unproven-form where it was tried."
      )
    ),
  ]
}
