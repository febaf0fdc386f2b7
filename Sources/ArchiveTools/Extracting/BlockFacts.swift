// Facts about blocks that take long to compute. Each is computed once for each block, even if many
// keys name the block, and within a budget that grows with the file.

import Archive
import Bytes

/// The facts about the blocks of one archive. Only one thread uses a value of this type.
package final class BlockFacts {
  private var digests: [Range<Int>: String] = [:]
  private var sizes: [Range<Int>: (width: Double, height: Double)?] = [:]
  private var remarks: [Range<Int>: String?] = [:]
  private let budget: Budget

  package init(fileSize: Int) { budget = Budget(input: fileSize) }

  /// Returns the SHA-256 digest of the block in hexadecimal digits.
  package func digest(of rendition: Rendition) throws(FormatError) -> String {
    if let known = digests[rendition.range] { return known }
    try pay(.decompressedBytes, rendition.bytes.count)
    let digest = SHA256.hexadecimal(rendition.bytes.buffer)
    digests[rendition.range] = digest
    return digest
  }

  /// Returns the size of the page of a vector, in its units; nil if the rendition is no vector or
  /// cannot be read.
  package func pageSize(of rendition: Rendition) throws(FormatError) -> (
    width: Double, height: Double
  )? {
    guard rendition.isVectorFile else { return nil }
    if let known = sizes[rendition.range] { return known }
    try payForReading(rendition)
    let size = rendition.pageSize
    sizes[rendition.range] = .some(size)
    return size
  }

  /// Returns the features of a vector that a drawing does not show, as the end of a sentence; nil
  /// if the drawing shows all of them.
  package func remark(on rendition: Rendition) -> String? {
    guard rendition.isVectorFile else { return nil }
    if let known = remarks[rendition.range] { return known }
    do throws(FormatError) { try payForReading(rendition) } catch {
      return "is not read: \(error.problem)"
    }
    let remark = rendition.drawingRemark
    remarks[rendition.range] = .some(remark)
    return remark
  }

  /// Pays for reading a number of bytes that any number of renditions may share.
  package func payForReading(_ count: Int) throws(FormatError) { try pay(.lexedBytes, count) }

  /// Pays for reading a vector, which costs about ten times as much as reading each byte of its
  /// text once.
  private func payForReading(_ rendition: Rendition) throws(FormatError) {
    try pay(.lexedBytes, 10 * min(rendition.fileMemory, 1 << 36))
  }

  private func pay(_ expense: Expense, _ count: Int) throws(FormatError) {
    do throws(OverBudget) { try budget.pay(expense, count) } catch {
      throw FormatError(
        .number(
          "the work of reading all blocks, in microseconds", found: budget.workSpent / 1_000,
          expected: "at most \(budget.mostWork / 1_000) for a file of this size"), at: 0)
    }
  }
}

extension Rendition {
  /// The range of its block.
  var range: Range<Int> { bytes.origin..<bytes.origin + bytes.count }
}
