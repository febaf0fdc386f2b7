// The types of other modules that a user of the library meets: importing CarveRuntime is enough to name
// them.

// By import and not by another name: the type Archive hides the module of that name.
@_exported import enum Archive.RenditionContent
@_exported import enum Archive.SlicingFill
@_exported import enum Archive.SlicingMode
@_exported import struct Archive.ColorSpaceID
@_exported import struct Archive.FormatError
@_exported import struct Archive.NamedNumber
import Traits

/// The traits of a window, by which variants are chosen.
public typealias Environment = Traits.Environment
/// What a variant asks of an environment.
public typealias VariantKey = Traits.VariantKey
/// One of the traits by which variants differ.
public typealias Axis = Traits.Axis
/// What an asset is: a name may stand for several kinds.
public typealias AssetKind = Traits.AssetKind
/// The kind of device for which a variant is made.
public typealias Idiom = Traits.Idiom
/// How much room a window has in one direction.
public typealias SizeClass = Traits.SizeClass
/// Light, dark or tinted.
public typealias Style = Traits.Style
/// Whether colours are to differ more than usual.
public typealias Contrast = Traits.Contrast
/// Which colours a display shows.
public typealias Gamut = Traits.Gamut
/// Which way people read.
public typealias Direction = Traits.Direction
/// What a graphics processor can do.
public typealias GraphicsClass = Traits.GraphicsClass
/// How large people want their text.
public typealias ContentSize = Traits.ContentSize
/// The version of a system.
public typealias OSVersion = Traits.OSVersion
