// Rounds distances, insets and slices to the whole pixels that archives store. The checks, the
// compiler and the commands that describe catalogues all use these functions, so that they agree.

import Bytes
import Documents

/// Returns a distance in whole pixels; nil if it is longer than any picture.
package func wholePixels(_ distance: Double) -> Int? {
  let rounded = distance.rounded()
  return abs(rounded) < 65_536 ? Int(rounded) : nil
}

/// A side of a picture in three parts. Pixels between the second and the third part are not shown.
package struct SideParts: Sendable, Hashable {
  package var before: Int
  package var center: Int
  package var after: Int

  /// Returns nil if the parts do not fit. If `center` is nil, the centre is the rest between the
  /// other parts.
  package init?(of length: Int, before: Double, center: Double?, after: Double) {
    guard let first = wholePixels(before), let last = wholePixels(after),
      let middle = center.map(wholePixels) ?? length - first - last
    else { return nil }
    guard first >= 0, middle >= 0, last >= 0, first + middle + last <= length else { return nil }
    (self.before, self.center, self.after) = (first, middle, last)
  }
}

extension Resizing {
  /// Returns the parts from left to right; nil if the caps and the centre do not fit.
  package func columns(ofWidth width: Int) -> SideParts? {
    SideParts(of: width, before: capInsets.left, center: centerWidth, after: capInsets.right)
  }

  /// Returns the parts from top to bottom; nil if the caps and the centre do not fit.
  package func rows(ofHeight height: Int) -> SideParts? {
    SideParts(of: height, before: capInsets.top, center: centerHeight, after: capInsets.bottom)
  }

  /// The slicing of a picture that is drawn at another scale.
  package func scaled(by factor: Double) -> Resizing {
    Resizing(
      mode: mode, center: center, centerWidth: centerWidth.map { $0 * factor },
      centerHeight: centerHeight.map { $0 * factor }, capInsets: capInsets.scaled(by: factor))
  }

  /// Returns why a picture of that size cannot be sliced in this way; nil if it can.
  func misfit(width: Int, height: Int) -> String? {
    let fits =
      (mode == .vertical || columns(ofWidth: width) != nil)
      && (mode == .horizontal || rows(ofHeight: height) != nil)
    if fits { return nil }
    let across = [capInsets.left, centerWidth ?? 0, capInsets.right].map { $0.rounded() }
    let down = [capInsets.top, centerHeight ?? 0, capInsets.bottom].map { $0.rounded() }
    if (across + down).contains(where: { $0 < 0 }) { return "a cap or the centre is negative" }
    return "caps and centre need \(brief(across.reduce(0, +)))×\(brief(down.reduce(0, +))) pixels, "
      + "and the picture has \(width)×\(height)"
  }
}

extension Insets {
  /// The insets of a picture that is drawn at another scale.
  package func scaled(by factor: Double) -> Insets {
    Insets(
      top: top * factor, left: left * factor, bottom: bottom * factor, right: right * factor)
  }
}

/// Insets in whole pixels.
package struct PixelInsets: Sendable, Hashable {
  package var top: Int
  package var left: Int
  package var bottom: Int
  package var right: Int

  /// Returns nil if the insets leave no pixel of a picture of that size.
  package init?(_ insets: Insets, width: Int, height: Int) {
    guard let top = wholePixels(insets.top), let left = wholePixels(insets.left),
      let bottom = wholePixels(insets.bottom), let right = wholePixels(insets.right),
      left + right < width, top + bottom < height
    else { return nil }
    (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
  }
}

/// Returns the findings about insets and slices that do not fit their picture. The picture is then
/// compiled without them. `pointer` is the pointer of the entry. `drawn` is the scale at which a
/// vector is drawn; nil for a picture that has pixels.
package func misfits(
  _ insets: Insets?, _ resizing: Resizing?, width: Int, height: Int, drawn: UInt8? = nil,
  file: ByteString, pointer: ByteString
) -> [Diagnostic] {
  guard width > 0, height > 0 else { return [] }
  let words = drawn.map { " at \($0)x" } ?? ""
  var found: [Diagnostic] = []
  if let insets, PixelInsets(insets, width: width, height: height) == nil {
    found.append(
      Diagnostic(
        .insetsExceedPicture,
        "the alignment insets leave nothing of \(width)×\(height) pixels\(words)",
        file: file, pointer: pointer + "/alignment-insets"))
  }
  if let reason = resizing?.misfit(width: width, height: height) {
    found.append(
      Diagnostic(.capsExceedPicture, reason + words, file: file, pointer: pointer + "/resizing"))
  }
  return found
}
