// The functions of carve.h for looking up and listing. The compiler compares each function with its
// declaration there, which fixes the names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Archive
import CCarve
import Traits

/// Returns the bytes of a name that C passes; nil for NULL with a length other than 0.
@inline(__always)
func text(_ name: UnsafePointer<CChar>?, _ length: Int) -> UnsafeRawBufferPointer? {
  guard name != nil || length == 0, length >= 0 else { return nil }
  return UnsafeRawBufferPointer(start: UnsafeRawPointer(name), count: length)
}

@inline(__always)
func answer(
  _ choice: Choice?, _ index: UnsafePointer<IndexReader>,
  in rendition: UnsafeMutablePointer<carve_rendition>
) -> Int32 {
  guard let choice, let facts = index.facts(of: Int(choice.rendition)) else {
    return Int32(CARVE_NONE)
  }
  carve_rendition.store(facts, choice, in: rendition)
  return Int32(CARVE_OK)
}

/// Answers with what a cell shows; -1 is the number of no cell.
@inline(__always)
private func answer(
  ofCell cell: Int, _ table: DecisionTable, in rendition: UnsafeMutablePointer<carve_rendition>
) -> Int32 {
  answer(table.choice(cell), table, in: rendition)
}

/// Answers with a choice of the table.
@inline(__always)
private func answer(
  _ choice: Choice?, _ table: DecisionTable, in rendition: UnsafeMutablePointer<carve_rendition>
) -> Int32 {
  guard let choice, let facts = table.facts(of: choice) else { return Int32(CARVE_NONE) }
  carve_rendition.store(facts, choice, in: rendition)
  return Int32(CARVE_OK)
}

@inline(__always)
private func hasRoom(_ rendition: UnsafeMutablePointer<carve_rendition>) -> Bool {
  CallerStructure(rendition) != nil
}

@c @implementation
public func carve_find(
  _ view: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ length: Int, _ kind: Int32,
  _ rendition: UnsafeMutablePointer<carve_rendition>?
) -> Int32 {
  guard let view, let rendition, hasRoom(rendition), let name, isKind(kind),
    // The rest of the table is read after the search, which needs the registers.
    let cell = index(view).hashedCell(
      named: name, count: length, kind: UInt8(truncatingIfNeeded: kind))
  else { return findRarely(view, name, length, kind, rendition) }
  let table = decisionTable(view)
  return answer(table.choice(found: cell), table, in: rendition)
}

/// Returns whether a number is the raw value of a kind; they are those from 0 to the last one.
@inline(__always)
private func isKind(_ kind: Int32) -> Bool {
  UInt32(bitPattern: kind) <= UInt32(AssetKind.icon.rawValue)
}

/// Answers for a name that has no address or to which its hash does not lead, and for wrong
/// arguments. It is not inlined, so that it takes no registers from `carve_find`.
@inline(never)
private func findRarely(
  _ view: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ length: Int, _ kind: Int32,
  _ rendition: UnsafeMutablePointer<carve_rendition>?
) -> Int32 {
  guard let view, let rendition, hasRoom(rendition), length >= 0, isKind(kind),
    name != nil || length == 0
  else { return Int32(CARVE_BAD_ARGUMENT) }
  let table = decisionTable(view)
  let kind = UInt8(truncatingIfNeeded: kind)
  if let name {
    let cell = table.index.cellInOverflow(named: name, count: length, kind: kind)
    return answer(ofCell: cell, table, in: rendition)
  }
  // None of the bytes of the empty name are read.
  let cell = table.index.cell(named: table.index.pointee.start, count: 0, kind: kind)
  return answer(ofCell: cell, table, in: rendition)
}

@c @implementation
public func carve_id(
  _ catalog: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ length: Int, _ kind: Int32
) -> UInt64 {
  guard let catalog, let name = text(name, length),
    let kind = UInt8(exactly: kind).flatMap(AssetKind.init)
  else { return 0 }
  return CarveRuntime.catalog(catalog).id(ofUTF8: name, kind)?.rawValue ?? 0
}

@c @implementation
public func carve_id_of_name(
  _ name: UnsafePointer<CChar>?, _ length: Int, _ kind: Int32
) -> UInt64 {
  guard let name = text(name, length), let kind = UInt8(exactly: kind).flatMap(AssetKind.init)
  else { return 0 }
  return AssetID(utf8: name, kind).rawValue
}

@c @implementation
public func carve_find_id(
  _ view: OpaquePointer?, _ id: UInt64, _ rendition: UnsafeMutablePointer<carve_rendition>?
) -> Int32 {
  guard let view, let rendition, hasRoom(rendition) else { return Int32(CARVE_BAD_ARGUMENT) }
  let table = decisionTable(view)
  let cell = table.index.cellNumber(of: AssetID(rawValue: id))
  return answer(ofCell: cell, table, in: rendition)
}

@c @implementation
public func carve_find_vector(
  _ view: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ length: Int, _ kind: Int32,
  _ rendition: UnsafeMutablePointer<carve_rendition>?
) -> Int32 {
  guard let view, let rendition, hasRoom(rendition), let name = text(name, length),
    let kind = UInt8(exactly: kind).flatMap(AssetKind.init)
  else { return Int32(CARVE_BAD_ARGUMENT) }
  let shown = CarveRuntime.view(view)
  let found = shown.findVector(utf8: name, kind)
  return answer(found?.choice, shown.decisions.index, in: rendition)
}

@c @implementation
public func carve_choice(_ view: OpaquePointer?, _ id: UInt64) -> UInt32 {
  guard let view else { return .max }
  let table = decisionTable(view)
  let cell = table.index.cellNumber(of: AssetID(rawValue: id))
  guard let choice = table.choice(cell) else { return .max }
  return choice.isMirrored ? choice.rendition | 1 << 31 : choice.rendition
}

@c @implementation
public func carve_transition(
  _ from: OpaquePointer?, _ to: OpaquePointer?, _ ids: UnsafeMutablePointer<UInt64>?,
  _ capacity: Int, _ count: UnsafeMutablePointer<Int>?
) -> Int32 {
  guard let from, let to, let count, capacity >= 0, ids != nil || capacity == 0 else {
    return Int32(CARVE_BAD_ARGUMENT)
  }
  let old = view(from)
  let new = view(to)
  guard old.storage === new.storage else { return Int32(CARVE_BAD_ARGUMENT) }
  let touched = old.catalog.transition(from: old, to: new).assets
  count.pointee = touched.count
  for (index, id) in touched.prefix(capacity).enumerated() { ids?[index] = id.rawValue }
  return Int32(CARVE_OK)
}

@c @implementation
public func carve_asset_count(_ catalog: OpaquePointer?) -> Int {
  guard let catalog else { return 0 }
  return CarveRuntime.catalog(catalog).assetCount
}

@c @implementation
public func carve_asset_at(
  _ catalog: OpaquePointer?, _ number: Int, _ asset: UnsafeMutablePointer<carve_asset>?
) -> Int32 {
  guard let asset = asset.flatMap({ CallerStructure($0) }) else {
    return Int32(CARVE_BAD_ARGUMENT)
  }
  // A failure leaves no address of an earlier call.
  asset.store(carve_asset())
  guard let catalog else { return Int32(CARVE_BAD_ARGUMENT) }
  let opened = CarveRuntime.catalog(catalog)
  let index = opened.storage.index.pointee
  guard let cell = index.cell(at: number), let identifier = index.identifiers[number],
    let kind = AssetKind(rawValue: cell.kind), let name = index.name(of: cell)
  else { return Int32(CARVE_NONE) }
  let id = AssetID(utf8: name, kind)
  asset.store(
    carve_asset(
      size: 0, kind: kind.rawValue, reserved: 0, identifier: identifier, id: id.rawValue,
      name: name.baseAddress?.assumingMemoryBound(to: CChar.self), name_length: name.count,
      variant_count: opened.variantCount(of: id)))
  return Int32(CARVE_OK)
}

@c @implementation
public func carve_variant_at(
  _ catalog: OpaquePointer?, _ id: UInt64, _ index: Int,
  _ key: UnsafeMutablePointer<carve_key>?,
  _ rendition: UnsafeMutablePointer<carve_rendition>?
) -> Int32 {
  let callersKey = key.flatMap { CallerStructure($0) }
  guard let catalog, let rendition, hasRoom(rendition), key == nil || callersKey != nil else {
    return Int32(CARVE_BAD_ARGUMENT)
  }
  let opened = CarveRuntime.catalog(catalog)
  let id = AssetID(rawValue: id)
  guard let variant = opened.variant(index, of: id), let found = opened.key(index, of: id) else {
    return Int32(CARVE_NONE)
  }
  callersKey?.store(carve_key(found))
  return answer(variant.choice, opened.storage.index, in: rendition)
}
