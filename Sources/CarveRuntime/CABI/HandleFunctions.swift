// The functions of carve.h for opening, traits and views. A handle is a retained object of Swift;
// the handle of a view retains its archive too. The compiler compares each function with its
// declaration there, which fixes the names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Archive
import CCarve
import Traits

/// Returns the storage behind a handle, without retaining it.
@inline(__always) func storage(_ handle: OpaquePointer) -> Unmanaged<CatalogStorage> {
  Unmanaged.fromOpaque(UnsafeRawPointer(handle))
}

@inline(__always) func decisions(_ handle: OpaquePointer) -> Unmanaged<Decisions> {
  Unmanaged.fromOpaque(UnsafeRawPointer(handle))
}

/// Returns the index behind the handle of a view.
@inline(__always) func index(_ handle: OpaquePointer) -> UnsafePointer<IndexReader> {
  decisions(handle)._withUnsafeGuaranteedRef { $0.index }
}

/// Returns the table behind the handle of a view.
@inline(__always) func decisionTable(_ handle: OpaquePointer) -> DecisionTable {
  decisions(handle)._withUnsafeGuaranteedRef { $0.table }
}

func catalog(_ handle: OpaquePointer) -> Catalog {
  Catalog(storage(handle).takeUnretainedValue())
}

func view(_ handle: OpaquePointer) -> CatalogView {
  let decisions = decisions(handle).takeUnretainedValue()
  return CatalogView(decisions: decisions, storage: decisions.storage)
}

private func open(
  _ handle: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<carve_error>?,
  _ body: () throws(CatalogError) -> Catalog
) -> Int32 {
  guard let handle else { return reportArgument("no place for the archive", to: error) }
  do throws(CatalogError) {
    handle.pointee = OpaquePointer(Unmanaged.passRetained(try body().storage).toOpaque())
    return Int32(CARVE_OK)
  } catch let trouble {
    return report(trouble, to: error)
  }
}

@c @implementation
public func carve_open(
  _ path: UnsafePointer<CChar>?, _ catalog: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  catalog?.pointee = nil
  guard let path else { return reportArgument("no path", to: error) }
  return open(catalog, error) { () throws(CatalogError) in
    Catalog(try .of(.mapped(MappedFile(cPath: path))))
  }
}

@c @implementation
public func carve_open_descriptor(
  _ descriptor: Int32, _ catalog: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  catalog?.pointee = nil
  return open(catalog, error) { () throws(CatalogError) in try Catalog(descriptor: descriptor) }
}

@c @implementation
public func carve_open_bytes(
  _ bytes: UnsafeRawPointer?, _ length: Int, _ lend: Int32,
  _ catalog: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  catalog?.pointee = nil
  guard let bytes, length >= 0 else { return reportArgument("no bytes", to: error) }
  let buffer = UnsafeRawBufferPointer(start: bytes, count: length)
  return open(catalog, error) { () throws(CatalogError) in
    lend != 0 ? try Catalog(lending: buffer) : try Catalog(copying: buffer)
  }
}

@c @implementation
public func carve_close(_ catalog: OpaquePointer?) {
  if let catalog { storage(catalog).release() }
}

@c @implementation
public func carve_uses_index(_ catalog: OpaquePointer?) -> Int32 {
  guard let catalog else { return 0 }
  return storage(catalog)._withUnsafeGuaranteedRef { $0.builtIndex == nil ? 1 : 0 }
}

@c @implementation
public func carve_version() -> UnsafePointer<CChar>? { constant("0.2.0") }

@c @implementation
public func carve_status_text(_ status: Int32) -> UnsafePointer<CChar>? {
  switch Int(status) {
  case CARVE_OK: constant("no error")
  case CARVE_NONE: constant("no such asset, or no variant for these traits")
  case CARVE_BAD_ARGUMENT: constant("an argument is missing or has no meaning")
  case CARVE_SYSTEM: constant("the system refused")
  case CARVE_NOT_A_FILE: constant("not a regular file")
  case CARVE_SHRUNK: constant("the file became shorter while it was open")
  case CARVE_FORMAT: constant("not an archive, or a damaged one")
  case CARVE_TOO_LARGE: constant("more names or renditions than an index can count")
  case CARVE_NO_RENDITION: constant("no such rendition in this archive")
  case CARVE_WRONG_CONTENT: constant("the rendition holds something else")
  case CARVE_OVER_LIMIT: constant("larger than the limits allow")
  case CARVE_BUFFER_TOO_SMALL: constant("the buffer is too small")
  case CARVE_UNSUPPORTED: constant("not supported")
  case CARVE_CODEC: constant("the compressed bytes are damaged")
  case CARVE_NO_MEMORY: constant("the system does not have enough memory")
  case CARVE_BAD_VECTOR: constant("a PDF or SVG that cannot be drawn")
  default: constant("unknown status")
  }
}

/// Returns the address of a constant text, which ends with a zero byte.
func constant(_ text: StaticString) -> UnsafePointer<CChar> {
  UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

@c @implementation
public func carve_traits_init(_ traits: UnsafeMutablePointer<carve_traits>?, _ size: Int) {
  if let traits { _ = fillTraits(traits, size, to: Environment()) }
}

/// Sets the fields of the caller's traits that this library knows. Returns false for a size that
/// `carve_traits` never had.
func fillTraits(
  _ traits: UnsafeMutablePointer<carve_traits>, _ size: Int, to environment: Environment
) -> Bool {
  guard let callers = CallerStructure(traits, size: size), let stated = UInt32(exactly: size) else {
    return false
  }
  callers.store(carve_traits(environment))
  traits.pointee.size = stated
  return true
}

@c @implementation
public func carve_traits_parse(
  _ text: UnsafePointer<CChar>?, _ traits: UnsafeMutablePointer<carve_traits>?, _ size: Int,
  _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  guard let text, let traits else {
    return reportArgument("no text, or no place for the traits", to: error)
  }
  do throws(TraitError) {
    let environment = try Environment(traits: String(cString: text))
    if fillTraits(traits, size, to: environment) { return Int32(CARVE_OK) }
    return reportArgument("traits of an unknown size", to: error)
  } catch let trouble {
    return report(CARVE_BAD_ARGUMENT, "\(trouble)", to: error)
  }
}

@c @implementation
public func carve_language(_ tag: UnsafePointer<CChar>?) -> UInt16 {
  guard let tag else { return 0 }
  return nameIdentifier(String(cString: tag).utf8)
}

@c @implementation
public func carve_view_for(
  _ catalog: OpaquePointer?, _ traits: UnsafePointer<carve_traits>?,
  _ view: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  view?.pointee = nil
  guard let catalog, let traits = traits.flatMap({ CallerStructure($0) }), let view else {
    return reportArgument("no archive, traits or place for the view", to: error)
  }
  guard let environment = Environment(traits.read(over: carve_traits(Environment()))) else {
    return reportArgument("a trait holds a value that it cannot have", to: error)
  }
  let made = CarveRuntime.catalog(catalog).view(for: environment)
  _ = Unmanaged.passRetained(made.storage)
  view.pointee = OpaquePointer(Unmanaged.passRetained(made.decisions).toOpaque())
  return Int32(CARVE_OK)
}

@c @implementation
public func carve_view_close(_ view: OpaquePointer?) {
  guard let view else { return }
  let decisions = decisions(view)
  let storage = decisions._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.storage) }
  decisions.release()
  storage.release()
}
