// The output of `--timing`: a tree of passes as text or JSON, or the whole run in the trace-event
// format, which Perfetto and Chromium (about:tracing) open.

import CatalogCompiler
import Documents
import Host

package enum TimingForm: String, CaseIterable, Sendable {
  case text, json, trace
}

package struct TimingReport {
  package var passes: [PassTiming]
  package var spans: [WorkTimes.Span] = []
  package var threads = 1
  package var cache: CacheCounts?
  /// The changes since the last run of the same command.
  package var changes: PathChanges?

  package init(
    passes: [PassTiming], spans: [WorkTimes.Span] = [], threads: Int = 1,
    cache: CacheCounts? = nil, changes: PathChanges? = nil
  ) {
    self.passes = passes
    self.spans = spans
    self.threads = threads
    self.cache = cache
    self.changes = changes
  }

  private var total: Double { passes.reduce(0) { $0 + $1.seconds } }

  /// Returns a pass's share of the time of the run, or, for the work of threads in a pass, its
  /// share of the time of all threads.
  private func share(_ timing: PassTiming, in pass: PassTiming? = nil) -> Double {
    let whole = pass.map { $0.seconds * Double(threads) } ?? total
    return whole > 0 ? timing.seconds / whole : 0
  }

  /// The report for people.
  package var lines: [String] {
    var rows: [[String]] = []
    for pass in passes {
      rows.append(row(pass, indent: "", share(pass)))
      for part in pass.parts { rows.append(row(part, indent: "  ", share(part, in: pass))) }
    }
    var lines = alignedColumns(rows, right: [1, 2, 3, 4])
    if let changes {
      let others = changes.count == 1 ? "" : ", and \(counted(changes.count - 1, "other path"))"
      lines.append("changed since the last run: \(onOneLine(changes.first))\(others)")
    }
    if let cache {
      lines.append(
        "cache: \(counted(cache.hits, "hit")), "
          + "\(grouped(cache.misses)) miss\(cache.misses == 1 ? "" : "es"), "
          + "\(grouped(cache.added)) bytes added"
          + (cache.fetched == 0 ? "" : ", \(grouped(cache.fetched)) from the remote cache"))
    }
    return lines
  }

  private func row(_ timing: PassTiming, indent: String, _ share: Double) -> [String] {
    func tenths(_ number: Double) -> String {
      let tenths = Int((number * 10).rounded())
      return "\(tenths / 10).\(tenths % 10)"
    }
    return [
      "\(indent)\(timing.pass):", "\(tenths(timing.seconds * 1_000)) ms",
      "\(tenths(share * 100)) %",
      timing.items.map { counted($0, "item") } ?? "",
      timing.bytes.map { $0 == 0 ? "" : "\(grouped($0)) bytes" } ?? "",
    ]
  }

  package var json: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("seconds", .number(total)), .init("threads", .integer(threads)),
      .init(
        "passes",
        .array(
          passes.map { pass in
            member(
              pass, share: share(pass),
              parts: pass.parts.map { member($0, share: share($0, in: pass), parts: []) })
          })),
    ]
    if let changes {
      members.append(
        .init(
          "changes", ["count": .integer(changes.count), "first": .string(changes.first.text)]))
    }
    if let cache {
      members.append(
        .init(
          "cache",
          [
            "hits": .integer(cache.hits), "misses": .integer(cache.misses),
            "addedBytes": .integer(cache.added), "fetched": .integer(cache.fetched),
          ]))
    }
    return .object(members)
  }

  private func member(
    _ timing: PassTiming, share: Double, parts: [JSONOutput]
  ) -> JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("pass", .string(timing.pass)), .init("seconds", .number(timing.seconds)),
      .init("share", .number(share)),
    ]
    if let items = timing.items { members.append(.init("items", .integer(items))) }
    if let bytes = timing.bytes { members.append(.init("bytes", .integer(bytes))) }
    if !parts.isEmpty { members.append(.init("parts", .array(parts))) }
    return .object(members)
  }

  /// The run in the trace-event format. Times are microseconds since the run began.
  package var trace: JSONOutput {
    let origin = passes.first?.start ?? 0
    func event(
      _ name: String, thread: Int, start: Double, seconds: Double, arguments: JSONOutput
    ) -> JSONOutput {
      [
        "name": .string(name), "ph": "X", "pid": 1, "tid": .integer(thread),
        "ts": .number((start - origin) * 1e6), "dur": .number(seconds * 1e6), "args": arguments,
      ]
    }
    func name(_ thread: Int) -> JSONOutput {
      [
        "name": "thread_name", "ph": "M", "pid": 1, "tid": .integer(thread),
        "args": ["name": .string(thread == 0 ? "passes" : "thread \(thread)")],
      ]
    }
    let workers = Set(spans.map(\.thread)).sorted()
    var events = ([0] + workers).map(name)
    events += passes.map { pass in
      var arguments: [JSONOutput.Member] = []
      if let items = pass.items { arguments.append(.init("items", .integer(items))) }
      if let bytes = pass.bytes { arguments.append(.init("bytes", .integer(bytes))) }
      return event(
        pass.pass, thread: 0, start: pass.start, seconds: pass.seconds,
        arguments: .object(arguments))
    }
    events += spans.map {
      event(
        $0.work.rawValue, thread: $0.thread, start: $0.start, seconds: $0.seconds,
        arguments: ["bytes": .integer($0.bytes)])
    }
    return ["traceEvents": .array(events), "displayTimeUnit": "ms"]
  }
}
