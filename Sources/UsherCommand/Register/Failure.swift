// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus

/// The failure of commands that change files.
enum Failure {
  /// Reports the reasons, and exits with status 1; does nothing if there are no reasons.
  ///
  /// With `json` it prints an object: `entries`, `error` s, always `refused`, `message` s, and `reasons` as.
  static func report(
    _ reasons: [String], next steps: [SuggestedCommand] = [], adding entries: [String: Variant] = [:],
    json: Bool
  ) throws {
    guard let first = reasons.first else { return }
    if json {
      Console.emit(
        JSONText.line(
          entries.merging([
            "error": .string("refused"), "message": .string(first), "reasons": .strings(reasons),
          ]) { $1 }))
    } else {
      for reason in reasons { Console.warn(reason) }
      Console.suggest(steps)
    }
    throw ExitCode.failure
  }
}
