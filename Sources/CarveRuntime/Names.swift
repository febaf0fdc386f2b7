// Exports the types of other modules that users of the library meet: `import CarveRuntime` is
// enough to name them.

// These are exported by an import and not by a type alias: the type Archive hides the module of
// that name.
@_exported import enum Archive.RenditionContent
@_exported import enum Archive.SlicingFill
@_exported import enum Archive.SlicingMode
@_exported import struct Archive.ColorSpaceID
@_exported import struct Archive.FormatError
@_exported import struct Archive.NamedNumber
import Traits

/// The traits of a window, by which variants are chosen.
public typealias Environment = Traits.Environment
/// The constraints of a variant on an environment.
public typealias VariantKey = Traits.VariantKey
/// One of the traits by which variants differ.
public typealias Axis = Traits.Axis
/// The kind of an asset: one name may have several kinds.
public typealias AssetKind = Traits.AssetKind
/// The kind of device for which a variant is made.
public typealias Idiom = Traits.Idiom
/// The room that a window has in one direction.
public typealias SizeClass = Traits.SizeClass
/// Light, dark or tinted.
public typealias Style = Traits.Style
/// Whether colours have to differ more than usual.
public typealias Contrast = Traits.Contrast
/// The range of colours that a display shows.
public typealias Gamut = Traits.Gamut
/// The direction of reading.
public typealias Direction = Traits.Direction
/// The features of a graphics processor.
public typealias GraphicsClass = Traits.GraphicsClass
/// The size of text that the user prefers.
public typealias ContentSize = Traits.ContentSize
/// The version of a system.
public typealias OSVersion = Traits.OSVersion
