// SPDX-License-Identifier: Apache-2.0
/// An error in a regular expression, or a language whose automaton is too large.
public struct RegularLanguageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The cause of the error.
  public enum Reason: Hashable, Sendable {
    /// The expression is invalid or uses an unsupported feature; the description of the error.
    case invalidExpression(String)
    /// The automaton needs more than ``RegularLanguage/maximumStates`` states.
    case tooLarge
  }

  /// The cause of the error.
  public let reason: Reason
  /// The offset of the error in the expression, in UTF-8 bytes; `nil` if the error concerns the whole expression.
  public let offset: Int?

  package init(_ reason: Reason, at offset: Int? = nil) {
    self.reason = reason
    self.offset = offset
  }

  /// The message for the author of the expression, without the offset.
  public var description: String {
    switch reason {
    case .invalidExpression(let message): "invalid regular expression: \(message)"
    case .tooLarge:
      "the expression needs an automaton of more than \(RegularLanguage.maximumStates) states: use smaller repetition counts"
    }
  }
}
