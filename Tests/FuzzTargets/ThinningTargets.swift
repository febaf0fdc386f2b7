// Fuzz target for thinning archives from unknown sources: the decision, the report, the written
// archive and the proof.

import Bytes
import CatalogCompiler
import Traits
@testable import ArchiveTools

extension FuzzTarget {
  static let thinning = FuzzTarget("thinning") { bytes in
    guard let device = Device(named: "iPhone8,1"), var thinner = try? Thinner(bytes),
      let reach = try? thinner.reach(of: device)
    else { return }
    let target = ThinningTarget([reach])
    guard let plan = try? thinner.plan(thinner.decide(for: target)) else { return }
    _ = try? thinner.report(plan, for: target).text
    guard let written = try? thinner.opened.write(plan, into: MemorySink()).sink else { return }
    written.bytes.withUnsafeBytes { thinned in
      _ = try? Proof(full: thinner.opened, writtenTo: thinned, target: target)
    }
  }
}
