// Why a vector file cannot be drawn, and what of it is drawn without. Readers and the rasteriser throw
// nothing else.

import Bytes

package enum VectorError: Error, Equatable {
  /// The bytes are not what the format asks for, from an offset on.
  case malformed(Malformation, offset: Int)
  /// More than a file may ask for.
  case overLimit(VectorLimit, most: Int)
  /// More work or memory than the file's size allows.
  case overBudget(OverBudget)

  package enum Malformation: UInt8, Sendable {
    case notSVG
    case unclosedElement
    case badElement
    case badAttribute
    case unknownEntity
    case notPDF
    case encrypted
    case noPage
    case noSize
    case badObject
    case badStream
  }
}

/// Limits that do not depend on the size of a file.
package enum VectorLimit: UInt8, Sendable, CaseIterable {
  case nesting
  case pageSide
}

extension Budget {
  /// Throws if the budget is exceeded.
  func checkVector() throws(VectorError) {
    if isExceeded, let error { throw .overBudget(error) }
  }
}

/// What a file asks for and a drawing does not show, or not exactly.
package enum UnsupportedFeature: UInt8, Sendable, CaseIterable {
  case text
  case filter
  case image
  case foreignObject
  case animation
  case script
  case marker
  case styleRule
  case font
  case approximateColor
  case knockoutGroup
  case shading
  case imageCompression
  case blendMode
  case paint
  case outsidePage

  /// As diagnostics show it.
  package var name: StaticString {
    switch self {
    case .text: "text"
    case .filter: "filter"
    case .image: "image"
    case .foreignObject: "foreign object"
    case .animation: "animation"
    case .script: "script"
    case .marker: "marker"
    case .styleRule: "style rule"
    case .font: "font without outlines"
    case .approximateColor: "colours of a device (approximated)"
    case .knockoutGroup: "knockout group"
    case .shading: "kind of shading"
    case .imageCompression: "compression of an image"
    case .blendMode: "blend mode"
    case .paint: "kind of paint"
    case .outsidePage: "what lies outside of the page, without a viewBox"
    }
  }
}
