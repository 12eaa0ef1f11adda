// SPDX-License-Identifier: Apache-2.0
import DBus

/// A method by which programs of this desktop open web links.
struct WebOpener: Hashable {
  /// The program to which it leads.
  enum State: String {
    /// It opens web links through Usher.
    case usher
    /// It opens them with another program.
    case other
    /// It is not installed, or not set.
    case absent
    /// It did not answer.
    case unknown
  }

  /// The name, such as `gio mime` or `desktop xfce`.
  let name: String
  let state: State
  /// The answer or the reason, as a clause; `nil` if the state says all.
  var answer: String?
  /// The command that makes it open web links through Usher; `nil` if there is none, or if none is needed.
  var command: String?

  /// A Boolean value that indicates whether web links that it opens do not reach Usher.
  var bypassesUsher: Bool { state == .other }

  /// The opener as a line.
  var text: StyledText {
    let label: StyledText =
      switch state {
      case .usher: "\("through Usher", as: .good)"
      case .other: "\("not through Usher", as: .bad)"
      case .absent: "not used"
      case .unknown: "\("unknown", as: .open)"
      }
    let remedy: StyledText = command.map { "; to change it: \($0, as: .heading)" } ?? ""
    let line: StyledText = "  \(name): \(label)\(answer.map { ", \($0)" } ?? "")\(remedy)"
    return line.inOneLine
  }

  /// The keys for JSON: `name` s, `state` s; `answer` s and `command` s if there are some.
  var entries: [String: Variant] {
    var entries: [String: Variant] = ["name": .string(name), "state": .string(state.rawValue)]
    entries["answer"] = answer.map { .string($0) }
    entries["command"] = command.map { .string($0) }
    return entries
  }
}
