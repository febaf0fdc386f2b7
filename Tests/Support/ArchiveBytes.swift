// Writes thinned archives in memory.

import ArchiveTools
import Bytes

extension Thinner {
  /// Returns the bytes of the thinned archive.
  package mutating func bytes(for target: ThinningTarget) throws(ThinningError) -> [UInt8] {
    try opened.bytes(of: plan(decide(for: target)))
  }
}

extension OpenedArchive {
  /// Returns the bytes of the archive of a plan.
  package func bytes(of plan: ThinningPlan) throws(ThinningError) -> [UInt8] {
    try write(plan, into: MemorySink()).sink.bytes
  }
}
