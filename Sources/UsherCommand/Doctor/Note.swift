// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// A limit of this machine that is not a problem: no command removes it.
struct Note: Hashable {
  /// The name of the check, such as `callers`.
  let check: String
  /// The limit and its consequence.
  let message: String

  /// The note as one line.
  var text: StyledText {
    let text: StyledText = "note: \(message)"
    return text.inOneLine
  }

  /// The keys for JSON: `check` s and `message` s.
  var entries: [String: Variant] { ["check": .string(check), "message": .string(message)] }
}
