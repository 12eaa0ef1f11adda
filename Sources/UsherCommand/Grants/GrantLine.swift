// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus

/// One grant as a line of text.
struct GrantLine {
  let text: StyledText

  init(_ grant: [String: Variant]) {
    func word(_ key: String) -> String? { grant[key]?.string }
    let answer: StyledText =
      switch word("answer") {
      case "yes": "\("allowed", as: .good)"
      case "no": "\("refused", as: .bad)"
      case let other: "by \(other ?? "?")"
      }
    let parts = ["source-application", "container", "remote", "origin", "scheme", "host", "route"].compactMap
    { key in
      word(key).map { value in
        if key == "remote" { return "from \(RemoteMachine.title(ofMachineNamed: value))" }
        guard key == "source-application" else { return "\(key) \(value)" }
        return word("permission").map { "\($0) of \(value)" } ?? "from \(value)"
      }
    }
    let layer = word("layer").map { " (\($0))" } ?? ""
    let isSandboxed = grant["sandboxed"]?.boolean == true
    let box = isSandboxed && word("container") == nil && word("remote") == nil ? ", in a sandbox" : ""
    let assurance = word("assurance").map { " (\(Self.text(of: $0, isSandboxed: isSandboxed)))" } ?? ""
    let end =
      grant["expires"]?.integer.map { "until \(Timestamp.text(of: Int($0 / 1_000_000)))" } ?? "without expiry"
    text = "\(answer)  \(parts.joined(separator: ", "))\(layer)\(box)\(assurance)  \(end)"
  }

  /// Returns the meaning of a minimum assurance for a caller.
  ///
  /// A caller in a sandbox is never identified by its program.
  private static func text(of assurance: String, isSandboxed: Bool) -> String {
    guard isSandboxed else { return assurance == "sandbox" ? assurance : "\(assurance) or higher" }
    return switch assurance {
    case "sandbox": "identified by the sandbox"
    case "unit", "executable": "identified by the sandbox or the unit"
    default: "\(assurance) or higher"
    }
  }
}
