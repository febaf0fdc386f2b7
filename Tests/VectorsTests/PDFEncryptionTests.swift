// Tests encrypted PDFs. Only files without a user password can be read.

import Testing

@testable import Vectors

@Suite struct PDFEncryptionTests {
  @Test(arguments: [
    EncryptedSamples.rc4Short, EncryptedSamples.rc4Long, EncryptedSamples.aesShort,
    EncryptedSamples.aesLongOld, EncryptedSamples.aesLong,
  ])
  func filesWithoutUserPasswordAreRead(_ sample: String) throws {
    let drawing = try PDFSketch.drawing(EncryptedSamples.bytes(sample))
    #expect(try Picture(drawing, .pdf).rgba(4, 4) == [100, 101, 102, 255])
  }

  @Test func othersNeedTheirPassword() {
    #expect(throws: VectorError.malformed(.encrypted, offset: 0)) {
      try PDFSketch.drawing(EncryptedSamples.bytes(EncryptedSamples.secret))
    }
  }

  /// Reading a damaged file ends with a drawing or with an error of the reader.
  @Test func damagedFilesEnd() {
    let file = EncryptedSamples.bytes(EncryptedSamples.aesLong)
    for place in stride(from: 0, to: file.count, by: 3) {
      var damaged = file
      damaged[place] ^= 0x15
      do { _ = try PDFSketch.drawing(damaged) } catch { #expect(error is VectorError) }
    }
  }
}
