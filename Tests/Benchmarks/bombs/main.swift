// Writes the small files that request much below a folder, each in a folder of its own, and prints
// a line for each: its name, its size and the arguments of the tool.

import FuzzTargets
import Glibc

guard CommandLine.arguments.count == 2 else { exit(2) }
let root = CommandLine.arguments[1]

func makeFolders(of path: String) {
  var place = path.startIndex
  while let slash = path[place...].firstIndex(of: "/") {
    if slash != path.startIndex { mkdir(String(path[..<slash]), 0o777) }
    place = path.index(after: slash)
  }
}

for bomb in Bomb.all {
  var size = 0
  for file in bomb.files {
    let path = "\(root)/\(bomb.name)/\(file.path)"
    makeFolders(of: path)
    guard let output = fopen(path, "w") else { exit(1) }
    fwrite(file.bytes, 1, file.bytes.count, output)
    fclose(output)
    size += file.bytes.count
  }
  print("\(bomb.name)\t\(size)\t\(bomb.command.joined(separator: " "))")
}
