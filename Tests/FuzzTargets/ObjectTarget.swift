// Gives any bytes to the reader of objects: unchanged, and with their checksums and makers trusted,
// so that the bytes behind these checks are read, too. An object that can be read is linked into an
// archive.

import Host
@testable import CatalogCompiler

extension FuzzTarget {
  public static let object = FuzzTarget("object") { bytes in
    let input = ObjectInput(path: "a.caro", bytes, owner: nil)
    _ = try? ObjectFile(input)
    _ = try? LinkedObjects([input, input], jobs: 1)
    guard let objects = try? LinkedObjects([input], jobs: 1, isTrusted: true) else { return }
    var options = objects.options
    // Other targets test the drawing of pictures.
    guard objects.objects[0].blockCount < 1_000 else { return }
    options.jobs = 1
    options.memory = 1 << 20
    guard let scratch = try? ScratchFile() else { return }
    let compilation = Compilation(.link(objects), in: objects.tree, options)
    _ = try? compilation.compile(compilation.read(), to: .scratch(scratch))
  }
}
