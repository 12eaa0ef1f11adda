/// Why the test support could not do what a test asked of it.
public struct TestSupportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The sentence a person reads in the test log.
  public let description: String

  /// An error with its sentence.
  public init(_ description: String) { self.description = description }
}
