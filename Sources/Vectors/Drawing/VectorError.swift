// The reasons why a vector file cannot be drawn, and the features that are left out when it is
// drawn. Readers and the rasteriser throw no other errors.

import Bytes

package enum VectorError: Error, Equatable {
  /// The bytes at an offset do not follow the format.
  case malformed(Malformation, offset: Int)
  /// The file needs more than a fixed limit allows.
  case overLimit(VectorLimit, most: Int)
  /// The file needs more work or memory than its size allows.
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
    case noDrawing
  }
}

/// The limits that do not depend on the size of a file.
package enum VectorLimit: UInt8, Sendable, CaseIterable {
  case nesting
  case pageSide
  /// The pixels of one bitmap.
  case bitmapPixels
}

extension Budget {
  /// Throws an error if the budget is exceeded.
  func checkVector() throws(VectorError) {
    if isExceeded, let error { throw .overBudget(error) }
  }
}

/// A feature that a file uses and a drawing does not show, or shows only approximately.
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
  case outsidePage
  case recursion
  case propertyValue
  case variable
  case colorFunction
  case contextPaint
  case clipShape
  case maskType
  case background
  case rareUnit
  case styledGeometry
  case entity
  case annotation
  case glyph
  case damagedImage
  case damagedData
  case missingObject
  case missingSize
  case damagedMarkup
  case damagedPath
  case missingElement
  case unknownOperator

  /// The name of the feature in diagnostics.
  package var name: StaticString {
    switch self {
    case .text: "text"
    case .filter: "filter"
    case .image: "image that is not embedded as PNG or JPEG"
    case .foreignObject: "foreign object"
    case .animation: "animation"
    case .script: "script"
    case .marker: "marker"
    case .styleRule: "style rule"
    case .font: "font without outlines"
    case .approximateColor: "device colours (approximated)"
    case .knockoutGroup: "knockout group"
    case .shading: "unsupported kind of shading"
    case .imageCompression: "unsupported compression of an image"
    case .blendMode: "unsupported blend mode"
    case .outsidePage: "shapes outside the page, without a viewBox"
    case .recursion: "reference of an element to itself"
    case .propertyValue: "value of a property or attribute that is not understood"
    case .variable: "variable of a style (var)"
    case .colorFunction: "colour in a space other than sRGB"
    case .contextPaint: "paint of the context (context-fill, context-stroke)"
    case .clipShape: "clip path with a CSS shape"
    case .maskType: "mask-type (the mask uses brightness, as in Apple's tool)"
    case .background: "background"
    case .rareUnit: "unit that few programs support (ch, ex, rem, Q)"
    case .styledGeometry: "geometry in a style (drawn according to SVG 2)"
    case .entity: "entity with markup"
    case .annotation: "annotation"
    case .glyph: "glyph that a font lacks"
    case .damagedImage: "embedded image that is damaged or of an unknown kind"
    case .damagedData: "compressed data that are damaged, or compressed in an unknown way"
    case .missingObject: "object that the file names, and that is missing or damaged"
    case .missingSize: "page without a size"
    case .damagedMarkup: "markup that breaks the rules of XML"
    case .damagedPath: "path data with an error, at which the path ends"
    case .missingElement: "reference to an element that the file lacks"
    case .unknownOperator: "operator that PDF does not define"
    }
  }

  /// Whether the feature is a fault of the file, and not one that Carve lacks.
  package var isDamage: Bool {
    switch self {
    case .damagedImage, .damagedData, .missingObject, .missingSize, .damagedMarkup, .damagedPath,
      .missingElement, .unknownOperator:
      true
    case .text, .filter, .image, .foreignObject, .animation, .script, .marker, .styleRule, .font,
      .approximateColor, .knockoutGroup, .shading, .imageCompression, .blendMode,
      .outsidePage, .recursion, .propertyValue, .variable, .colorFunction, .contextPaint,
      .clipShape, .maskType, .background, .rareUnit, .styledGeometry, .entity, .annotation, .glyph:
      false
    }
  }
}

// MARK: - Words for people

extension VectorError {
  /// The reason, as the end of a sentence.
  package var words: String {
    switch self {
    case .malformed(let what, let offset):
      what.isAtPlace ? "\(what.words) (at byte \(offset))" : what.words
    case .overLimit(let limit, let most): "\(limit.words) (more than \(most))"
    case .overBudget(let error): error.words
    }
  }
}

extension VectorError.Malformation {
  /// Whether the fault is at one place, and not of the whole file.
  fileprivate var isAtPlace: Bool {
    switch self {
    case .unclosedElement, .badElement, .badAttribute, .unknownEntity, .badObject, .badStream: true
    case .notSVG, .notPDF, .encrypted, .noPage, .noSize, .noDrawing: false
    }
  }

  fileprivate var words: String {
    switch self {
    case .notSVG: "it has no <svg> element"
    case .unclosedElement: "an element is not closed"
    case .badElement: "an element is malformed"
    case .badAttribute: "an attribute is malformed"
    case .unknownEntity: "an entity is not defined"
    case .notPDF: "it is not a PDF"
    case .encrypted: "it is encrypted; save it without a password"
    case .noPage: "it has no page"
    case .noSize: "its page has no size"
    case .badObject: "an object is malformed"
    case .badStream: "a stream is damaged"
    case .noDrawing: "the data of its drawing are damaged or missing"
    }
  }
}

extension VectorLimit {
  fileprivate var words: String {
    switch self {
    case .nesting: "its elements are nested too deeply"
    case .pageSide: "its page has too many pixels on a side"
    case .bitmapPixels: "its largest bitmap has too many pixels"
    }
  }
}
