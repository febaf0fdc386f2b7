// Runs git for tests of histories.

import Testing

/// Runs git in a folder. Settings of the user and of the system do not matter.
@discardableResult
public func runGit(_ words: [String], in folder: TemporaryDirectory) throws -> ToolResult {
  let result = try run(
    "/usr/bin/env", ["git"] + words, in: folder.path,
    environment: [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "GIT_CONFIG_GLOBAL": "/dev/null",
      "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
      "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
      "GIT_AUTHOR_DATE": "2026-03-01T23:30:00-0700",
      "GIT_COMMITTER_DATE": "2026-03-01T23:30:00-0700",
    ])
  try #require(result.code == 0, "git \(words): \(result.stderr)")
  return result
}
