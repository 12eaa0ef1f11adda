// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A line of the record of an application of the fault harness.
struct TriggerTortureLine {
  let event: String
  let process: Int32
  let request: String
  let kind: String
  let name: String
  let isRedelivered: Bool

  init?(_ line: Substring) {
    let words = line.split(separator: " ").map { String($0) }
    guard words.count == 7, words[0] == "notified", let process = Int32(words[2]) else { return nil }
    (event, self.process, request, kind, name) = (words[1], process, words[3], words[4], words[5])
    isRedelivered = words[6] == "true"
  }

  /// Reads the records of applications.
  static func read(_ paths: [String]) -> [TriggerTortureLine] {
    paths.flatMap { path in
      ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
        .compactMap { TriggerTortureLine($0) }
    }
  }
}

/// The violations of a run of the fault harness, with its figures.
///
/// A request begins once, and once more only after its application was killed in between, marked as redelivered. Only a request
/// that was cut off twice does not end.
struct TriggerTortureVerdict {
  private(set) var diagnostics: [String] = []
  private(set) var figures: [String: Int] = [:]
  let killed: Set<Int32>

  /// - Parameters:
  ///   - responses: The names of the notifications, on each of which the user acted.
  ///   - background: The names of the pushes for the background.
  ///   - unconfirmed: The names of those that the daemon may not have stored, because it was killed while they were added.
  ///   - killed: The process IDs of the applications that were killed.
  init(
    _ lines: [TriggerTortureLine], responses: [String], background: [String], unconfirmed: Set<String> = [],
    killed: Set<Int32>
  ) {
    self.killed = killed.union(lines.filter { $0.event == "die" }.map(\.process))
    let all = Dictionary(grouping: lines) { "\($0.kind) \($0.name)" }
    for name in responses {
      judge(all["response \(name)"] ?? [], "response \(name)", isRequired: !unconfirmed.contains(name))
      judge(all["offer \(name)"] ?? [], "offer \(name)", isRequired: false)
    }
    if !unconfirmed.isEmpty { figures["unconfirmed"] = unconfirmed.count }
    for name in background { judge(all["background \(name)"] ?? [], "background \(name)", isRequired: true) }
    let known = Set(
      responses.flatMap { ["response \($0)", "offer \($0)"] } + background.map { "background \($0)" })
    for key in all.keys where !known.contains(key) { diagnostics.append("unexpected: \(key)") }
  }

  private mutating func judge(_ lines: [TriggerTortureLine], _ what: String, isRequired: Bool) {
    let requests = Set(lines.map(\.request))
    let begun = lines.filter { $0.event == "begin" }
    let ended = lines.filter { $0.event == "end" }
    func report(_ violation: String) -> String { "\(violation): \(what) \(lines.map { "\($0)" })" }
    guard let first = begun.first else {
      if isRequired { diagnostics.append(report("lost")) }
      return
    }
    figures[first.kind, default: 0] += 1
    if requests.count > 1 { diagnostics.append(report("doubled, with \(requests.count) requests")) }
    if begun.count > 1 {
      figures["begun again after a kill", default: 0] += 1
      let isRight =
        begun.count == 2 && begun[1].isRedelivered && begun[0].process != begun[1].process
        && killed.contains(begun[0].process)
      if !isRight { diagnostics.append(report("begun \(begun.count) times")) }
    }
    let isCutOffTwice = begun.count == 2 && begun.allSatisfy { killed.contains($0.process) }
    if ended.isEmpty, isRequired {
      if isCutOffTwice {
        figures["cut off twice", default: 0] += 1
      } else {
        diagnostics.append(report("not ended"))
      }
    }
  }
}
