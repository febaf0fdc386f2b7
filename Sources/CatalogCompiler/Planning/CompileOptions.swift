// The options of a compilation, independent of the words on any command line.

import Archive
import Bytes
import CatalogModel
import Codecs
import Host

/// The purpose for which pictures are compressed. The raw values are those of Apple's option
/// `--optimization`.
package enum OptimizationGoal: String, CaseIterable, Sendable {
  case standard, identical, space, time

  var codec: Optimization {
    switch self {
    case .standard: .standard
    case .identical: .identical
    case .space: .space
    case .time: .time
    }
  }
}

package struct CompileOptions: Sendable {
  package var target: CompileTarget
  /// Whether an option, a setting or a device names the platform of the target.
  package var isPlatformChosen = true
  package var icons: IconSelection
  package var optimization = OptimizationGoal.standard
  /// Whether every pixel is stored exactly. Apple's tool changes some colours by one step when it
  /// rounds.
  package var keepsExactPixels = false
  /// Whether small pictures are packed into atlases.
  package var packsSprites = true
  /// Whether vectors get bitmaps at every scale. Otherwise only the vector is stored.
  package var rasterizesVectors = true
  /// Whether vectors are stored byte for byte. Otherwise what their drawings do not need is left
  /// out.
  package var keepsVectors = false
  /// Whether layered icons get bitmaps. They are drawn only if there is no icon set of the same
  /// name.
  package var drawsIcons = true
  /// Whether these bitmaps show glass, as those of Apple's tool do.
  package var drawsGlass = true
  /// The bitmaps of layered icons that the run has drawn; nil if no other output needs them.
  package var drawnIcons: DrawnIcons?
  /// The set types that are compiled although only a part of their format is known.
  package var allowsIncomplete: Set<SetType> = []
  /// The set types of whose format only a part is known.
  package static let incompleteTypes: [SetType] = [.solidImageStack]
  /// Whether findings may name options of `carve compile`.
  package var namesOptions = true
  /// Whether Carve's lookup index is written. Without it, the run time builds the tables when it
  /// opens the archive.
  package var writesIndex = true
  /// Whether an archive without renditions is written. A diagnostic then reports that it is empty.
  package var writesEmptyArchive = true
  /// The folder that keeps compressed pictures for later runs; nil if there is no cache.
  package var cache: ByteString?
  /// The limit of that folder in bytes.
  package var cacheLimit = CompileOptions.usualCacheLimit
  package static let usualCacheLimit = 4 << 30
  /// The server that keeps compressed pictures for several machines; nil if there is no remote
  /// cache.
  package var remoteCache: HTTPAddress?
  /// The secret that signs the entries on that server; nil if entries are neither signed nor
  /// verified.
  package var remoteSecret: [UInt8]?
  /// Whether the report lists the files and folders that the archive depends on.
  package var listsInputs = true
  /// Whether the report has the sources of which something is stored.
  package var listsStored = false
  /// Whether the report states which block holds the pixels of which file.
  package var remembersPixels = false
  /// Whether outputs are flushed to the disk before they get their names.
  package var survivesPowerCut = true
  package var jobs = availableProcessors()
  /// The sums of the times that threads spend on each kind of work; nil if times are not measured.
  package var work: WorkTimes?
  /// The limit of the memory of all pictures that are made at the same time, in bytes. One picture
  /// may be larger; it is then made alone. Nil for a limit that fits the number of jobs.
  package var memory: Int?
  /// The limit for the pixels of one bitmap of a vector.
  package var mostVectorPixels = usualMostVectorPixels
  package static let usualMostVectorPixels = 1 << 26

  package init(target: CompileTarget, icons: IconSelection = .named([])) {
    self.target = target
    self.icons = icons
  }
}

extension CompileOptions {
  /// The number of threads that make pictures.
  package var threads: Int { jobs + waitingThreads }

  /// The number of threads beyond those that compute. An answer of a remote cache takes the time of
  /// the network, and meanwhile the processors can do other work.
  var waitingThreads: Int { remoteCache == nil ? 0 : 16 }
}

package enum CompileError: Error, Sendable {
  case output(OutputError)
  case archive(ArchiveError)
}
