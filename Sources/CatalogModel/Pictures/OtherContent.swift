// The findings about a file whose content is not what its name states.

import Bytes
import Documents

/// Returns the finding about a file whose name is that of another kind. The name decides whether a
/// file is drawn or decoded: a bitmap that is named as a vector is an error, a vector that is named
/// as a bitmap is left out, and for two kinds of bitmaps nothing is lost. If an asset needs the
/// file, the file cannot be left out, and that is an error.
package func otherContent(
  _ kind: ImageKind, in file: SourceFile, isNeeded: Bool = false
) -> Diagnostic {
  let isUndrawn = kind.isVector && !file.isVector
  let stated =
    file.fileExtension.isEmpty
    ? "the file has no extension"
    : "the file is named \(quoted("." + file.fileExtension))"
  var finding = Diagnostic(
    .wrongContent,
    "\(stated), but holds \(kind.titleWithArticle)"
      + (isUndrawn && !isNeeded ? "; it is left out" : ""),
    file: file.path)
  if file.isVector ? !kind.isVector : isUndrawn && isNeeded { finding.severity = .error }
  return finding
}

/// Returns the finding about a file whose content Git LFS did not fetch.
func unfetched(_ file: ByteString) -> Diagnostic {
  Diagnostic(
    .brokenImage, "the file is a Git LFS pointer: run 'git lfs pull' to fetch the file", file: file)
}
