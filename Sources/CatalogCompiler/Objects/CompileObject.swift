// Compiles a catalogue, or a group of it, into an object: the passes of a compilation up to the
// blocks of pictures. The link does the rest, which depends on all catalogues: names, numbers,
// atlases and tables.

import Archive
import CatalogModel
import Host

func compileObject(
  _ scope: ObjectScope, in tree: FileTree, options: CompileOptions, to destination: Destination,
  observer: CompileObserver
) throws(CompileError) -> CompileReport {
  var clock = PassClock()
  let part = scope.tree(over: tree)
  let notes = TreeNotes(scope, over: part)
  let contents = readCatalogs(
    [scope.catalog], in: notes.tree,
    options: ReadingOptions(jobs: options.jobs, listsInputs: options.listsInputs))
  clock.end("read", items: contents.inputCount)
  var report = CompileReport()
  report.inputs = contents.inputs
  let plan = makePlan(of: contents, in: notes.tree, options)
  report.add(contents.diagnostics + located(plan.diagnostics, in: notes.tree), observer.judge)
  clock.end("plan", items: plan.renditions.count)
  report.clock = clock
  if report.isRefused { return report }
  let writer: ObjectWriter
  do throws(OutputError) {
    writer = ObjectWriter(scope, notes, to: try FileSink(destination))
  } catch {
    throw .output(error)
  }
  let encoded = try plan.encode(into: writer, part, options, observer, &report)
  report.add(located(encoded.diagnostics, in: notes.tree), observer.judge)
  clock.end(
    "encode", items: writer.blockCount, bytes: writer.byteCount, parts: options.work?.parts ?? [])
  report.clock = clock
  if report.isRefused { return report }
  do throws(OutputError) {
    try writer.finish(ObjectSettings(options), assetCount: contents.assets.count)
  } catch {
    throw .output(error)
  }
  report.nameCount = Set(plan.renditions.map(\.facet)).count
  report.renditionCount = plan.renditions.count
  report.byteCount = writer.byteCount
  clock.end("write", bytes: report.byteCount)
  report.clock = clock
  return report
}

extension Plan {
  /// Encodes every rendition that is made from files and adds its block, or its small picture, to
  /// the object.
  fileprivate func encode(
    into writer: ObjectWriter, _ tree: FileTree, _ options: CompileOptions,
    _ observer: CompileObserver, _ report: inout CompileReport
  ) throws(CompileError) -> EncodedRenditions {
    let numbers: NameNumbers
    do throws(ArchiveError) {
      numbers = try NameNumbers(renditions.lazy.map(\.facet))
    } catch {
      throw .archive(error)
    }
    let cache = PictureCache(options)
    var settings = EncodingSettings(
      self, in: tree, options, numbers: numbers, cache: cache)
    settings.notes = writer.notes
    let encoding = Encoding(
      self, settings: settings, jobs: options.jobs, numbers: numbers,
      variants: VariantNumbers(
        appearances: [],
        semantics: KeySemantics(rawValue: options.target.platform.keySemantics)),
      progress: observer.progress, append: { _ in BlockID(0) })
    encoding.object = writer
    let encoded = encoding.run()
    cache?.settle()
    (report.cache, report.cacheTrouble) = (cache?.use.counts, cache?.trouble)
    return encoded
  }
}
