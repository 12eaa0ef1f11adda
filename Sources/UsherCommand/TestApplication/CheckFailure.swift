// SPDX-License-Identifier: Apache-2.0
/// A clause of `org.usher.Application1.xml`, by the name that it has there in brackets.
enum Clause: String, CaseIterable {
  case serve, access, answer, invalid, unknown, order, one, join, `repeat`, crash, withdraw, stop, progress,
    limits
}

/// The reason why a check of an application does not pass.
enum CheckFailure: Error {
  /// The application does not do what a clause requires.
  case broken(Clause, String)
  /// The application exited while it had a request; with what it had.
  case exited(String)
  /// The check cannot be made, and says nothing about the application.
  case notChecked(String)
  /// The application cannot be tested.
  case cannotRun(String)
  /// There is no bus for the test.
  case noBus(String)
}
