// The function that libFuzzer calls. `CARVE_FUZZ` names the target.

import FuzzTargets
import Glibc

private let target: FuzzTarget = {
  let name = getenv("CARVE_FUZZ").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    let names = FuzzTarget.all.map(\.name).joined(separator: " ")
    _ = Array("CARVE_FUZZ names no target: \(names)\n".utf8).withUnsafeBytes {
      write(STDERR_FILENO, $0.baseAddress, $0.count)
    }
    // `exit` is not called, because the fuzzer would report it as a crash.
    _exit(2)
  }
  return target
}()

@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  target.run(UnsafeRawBufferPointer(start: bytes, count: count))
  return 0
}
