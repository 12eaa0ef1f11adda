import ArgumentParser
import BusInterfaces
import DBus

/// How the commands that change files fail.
enum Failure {
  /// Says why, and ends the command with 1; does nothing when there are no reasons.
  ///
  /// With `json` it is an object: `error` s, always `refused`, `message` s, and `reasons` as.
  static func report(_ reasons: [String], next steps: [SuggestedCommand] = [], json: Bool) throws {
    guard let first = reasons.first else { return }
    if json {
      Console.emit(
        JSONText.line([
          "error": .string("refused"), "message": .string(first), "reasons": .strings(reasons),
        ]))
    } else {
      for reason in reasons { Console.warn(reason) }
      Console.suggest(steps)
    }
    throw ExitCode.failure
  }
}
