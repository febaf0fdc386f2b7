// Scales down the pictures that archives store smaller than their files.

import ArchiveTools

extension Bitmap {
  /// Returns the picture scaled down to the limit. Wide-gamut pictures in half floats are not
  /// changed.
  func reduced(_ reduction: Reduction) -> Bitmap {
    guard layout == .bgra8 || layout == .ga8 else { return self }
    let (side, most) =
      switch reduction {
      case .width(let most): (width, most)
      case .longerSide(let most): (max(width, height), most)
      }
    guard side > most else { return self }
    func reduced(_ length: Int) -> Int {
      max(1, Int((Double(length) * Double(most) / Double(side)).rounded()))
    }
    return scaled(width: reduced(width), height: reduced(height))
  }
}
