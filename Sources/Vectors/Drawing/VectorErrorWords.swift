// The words for errors of vector files, as the end of a sentence about the file.

import Bytes

extension VectorError {
  /// The reason, as the end of a sentence.
  package var words: String {
    switch self {
    case .malformed(let what, let offset): "\(what.words) (at byte \(offset))"
    case .overLimit(let limit, let most): "\(limit.words) (more than \(most))"
    case .overBudget(let error): error.words
    }
  }
}

extension VectorError.Malformation {
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
