// `kept-vectors OUTPUT`: writes each vector whose path is a line of the standard input as an
// archive keeps it, and compares it with the original: the drawing as values, and its pixels at 1x,
// 2x and 3x. Stores both in the folder OUTPUT, as N-before and N-after, for other programs to draw.
// `run` beside this file calls it, and then those programs.

import Bytes
import Glibc
import Imaging
import Vectors

/// The result of writing one file anew.
private struct KeptVector {
  var state = "unreadable"
  var before = 0
  var after = 0
  /// The processor time of reading and of writing anew, in microseconds.
  var reading = 0
  var writing = 0
}

private func microseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
}

private func contents(of path: String) -> [UInt8]? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  let size = ftell(file)
  rewind(file)
  return [UInt8](unsafeUninitializedCapacity: max(size, 0)) { room, count in
    count = fread(room.baseAddress, 1, max(size, 0), file)
  }
}

private func write(_ bytes: [UInt8], to path: String) {
  guard let file = fopen(path, "w") else { return }
  fwrite(bytes, 1, bytes.count, file)
  fclose(file)
}

/// Compares the pixels of two files, and describes the difference; returns an empty text if the
/// pixels are equal.
private func difference(_ picture: VectorPicture, _ kept: [UInt8]) -> String {
  do throws(VectorError) {
    let other = try VectorPicture(kept)
    var rasterizer = Rasterizer()
    for scale in [1.0, 2, 3] {
      let one = try picture.bitmap(scale: scale, &rasterizer).bitmap
      let two = try other.bitmap(scale: scale, &rasterizer).bitmap
      let isSame = one.pixels.withUnsafeBytes { one in
        two.pixels.withUnsafeBytes { two in one.elementsEqual(two) }
      }
      if !isSame { return "pixels differ at \(Int(scale))x" }
    }
    return ""
  } catch {
    // If the original is too large to be drawn, only the values are compared.
    return (try? picture.placement(scale: 3)) == nil ? "" : "cannot be drawn: \(error.words)"
  }
}

private func keep(_ bytes: [UInt8], as name: String) -> KeptVector {
  var result = KeptVector(before: bytes.count, after: bytes.count)
  let start = microseconds()
  guard let picture = try? VectorPicture(bytes) else { return result }
  let middle = microseconds()
  let kept = picture.rewritten(bytes)
  (result.reading, result.writing) = (middle - start, microseconds() - middle)
  guard let kept else {
    result.state = "as it is"
    return result
  }
  result.after = kept.count
  let isPDF = VectorFile.isPDF(bytes)
  write(bytes, to: "\(name)-before.\(isPDF ? "pdf" : "svg")")
  write(kept, to: "\(name)-after.\(isPDF ? "pdf" : "svg")")
  let fault = difference(picture, kept)
  let again = (try? VectorPicture(kept))?.rewritten(kept)
  result.state = fault.isEmpty ? again == nil ? "written" : "not stable" : fault
  return result
}

var number = 0
while let path = readLine(), CommandLine.arguments.count == 2 {
  number += 1
  let result = contents(of: path).map { keep($0, as: "\(CommandLine.arguments[1])/\(number)") }
  let fields = result ?? KeptVector()
  print(
    "\(number)\t\(fields.state)\t\(fields.before)\t\(fields.after)\t\(fields.reading)\t"
      + "\(fields.writing)\t\(path)")
}
