// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// One application of the stress test, which records its requests in a file.
struct TortureTarget: Sendable {
  enum Kind: CaseIterable, Sendable {
    /// On `Scenes`, started by the broker.
    case launched
    /// On `Scenes`, started by the bus.
    case activated
    /// On `Scenes`, with handlers that never return.
    case hanging
    /// With the standard interface only.
    case standard
    /// A program that takes one URL.
    case plain
    /// A program that takes several URLs.
    case several

    var isScenes: Bool { self == .launched || self == .activated || self == .hanging }
  }

  let kind: Kind
  let id: String
  private let log: String

  static func install(_ number: Int, on desktop: ThrowAwayDesktop) throws -> TortureTarget {
    let kind = Kind.allCases[number % Kind.allCases.count]
    let id = "org.example.Torture\(number)"
    let log = "\(desktop.root)/\(id).log"
    let probe = "\(BuiltProducts.directory)/SceneProbe"
    switch kind {
    case .launched, .hanging:
      try desktop.installDesktopEntry(
        id, exec: "\(probe) \(id) \(log)", schemes: ["probe"], lines: ["Implements=org.usher.Application1;"])
    case .activated, .standard:
      let exec = "\(probe) \(id) \(log)" + (kind == .standard ? " --standard" : "")
      try desktop.installActivation(id, exec: exec)
      try desktop.installDesktopEntry(
        id, exec: exec, schemes: ["probe"],
        lines: ["DBusActivatable=true"] + (kind == .activated ? ["Implements=org.usher.Application1;"] : []))
    case .plain, .several:
      let script = try desktop.installScript(
        "torture-\(number)",
        "#!/bin/sh\nfor url; do echo \"begin - $url\"; done >> '\(log)'\ncase \"$*\" in *probe:fail/*) exit 3;; esac\n"
      )
      try desktop.installDesktopEntry(
        id, exec: "\(script) \(kind == .plain ? "%u" : "%U")", schemes: ["probe"])
    }
    return TortureTarget(kind: kind, id: id, log: log)
  }

  /// Returns the behaviour that a request asks for, with weights.
  func behaviour(_ random: inout SeededGenerator) -> String {
    if kind == .hanging { return "hang" }
    let odd = ["refuse", "fail", "die", "quit"]
    return random.oneIn(8) ? random.pick(odd) : "ok"
  }

  /// Returns the numbers of begun and ended handlings for each URL, and the URLs in the order of their first handling.
  func arrivals() -> (begun: [String: Int], ended: [String: Int], order: [String]) {
    var (begun, ended, order) = ([String: Int](), [String: Int](), [String]())
    for line in ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n") {
      let words = line.split(separator: " ").map { String($0) }
      guard words.count == 3 else { continue }
      if words[0] == "begin" {
        if begun[words[2]] == nil { order.append(words[2]) }
        begun[words[2], default: 0] += 1
      } else {
        ended[words[2], default: 0] += 1
      }
    }
    return (begun, ended, order)
  }
}
