// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// A comparison of the decision with those of the desktop's other openers.
struct OpenerComparison {
  /// The answer of one opener.
  struct Finding: Equatable {
    enum State: String {
      /// The opener chooses the same application, or Usher.
      case same
      /// The opener chooses another application, or none.
      case differs
      /// The opener asks the user.
      case asks
      /// The opener is not installed.
      case missing
      /// The opener gave no answer in time.
      case timedOut = "timeout"
      /// The opener could not be executed, was killed, or its output is too long.
      case failed
    }

    let tool: String
    let state: State
    var answer: String?
    var reason: String?
    /// The calling application for which the portal has stored the answer; empty for those that it cannot identify.
    var caller: String?
  }

  /// The findings, in the order of the queries.
  let findings: [Finding]
}

extension OpenerComparison {
  /// The lines about openers with a different answer, or about those that agree, and about those without an answer.
  var lines: [String] {
    var lines = findings.compactMap { finding -> String? in
      guard finding.state != .failed, let reason = finding.reason else { return nil }
      let answer = finding.state == .asks ? "asks which" : finding.answer ?? "nothing"
      let choices = finding.state == .asks ? finding.answer.map { " (\($0))" } ?? "" : ""
      return "elsewhere: \(finding.tool): \(answer)\(choices): \(reason)"
    }
    let agreeing = findings.filter { $0.state == .same && $0.answer != nil }.map(\.tool)
    let without = findings.filter { $0.state == .same && $0.answer == nil }.map(\.tool)
    if lines.isEmpty {
      if !agreeing.isEmpty { lines.append("also chosen by: \(Self.list(agreeing))") }
      if !without.isEmpty { lines.append("no application is chosen by: \(Self.list(without))") }
    }
    let timedOut = findings.filter { $0.state == .timedOut }.map(\.tool)
    if !timedOut.isEmpty { lines.append("no reply in time from: \(Self.list(timedOut))") }
    for finding in findings where finding.state == .failed {
      lines.append("no answer from \(finding.tool): \(finding.reason ?? "")")
    }
    let missing = findings.filter { $0.state == .missing }.map(\.tool)
    if !missing.isEmpty { lines.append("not compared, because not installed: \(Self.list(missing))") }
    return lines
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

  /// The findings for `--json`.
  var entries: Variant {
    .array(
      of: "a{sv}",
      findings.map { finding in
        var entries: [String: Variant] = [
          "tool": .string(finding.tool), "state": .string(finding.state.rawValue),
        ]
        entries["answer"] = finding.answer.map(Variant.string)
        entries["reason"] = finding.reason.map(Variant.string)
        entries["caller"] = finding.caller.map(Variant.string)
        return .dictionary(entries)
      })
  }
}
