// SPDX-License-Identifier: Apache-2.0
/// The error of the test support if it cannot do what a test requests.
public struct TestSupportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The message for the test log.
  public let description: String

  /// Creates an error with its message.
  public init(_ description: String) { self.description = description }
}
