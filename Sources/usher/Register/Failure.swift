import ArgumentParser

/// How the commands that change files fail.
enum Failure {
  /// Writes the reasons and ends the command with 1; does nothing when there are none.
  static func report(_ reasons: [String]) throws {
    guard !reasons.isEmpty else { return }
    for reason in reasons { Console.warn(reason) }
    throw ExitCode.failure
  }
}
