// SPDX-License-Identifier: Apache-2.0
/// A question for the user.
public enum UserQuestion: Hashable, Sendable {
  /// The question whether, or with which application, a link is opened.
  case link(Question)
  /// The question whether an application has a permission.
  case permission(PermissionQuestion)
  /// The question whether a program on another machine receives the links of a scheme.
  case registration(SchemeRegistration)

  /// The identity of a question: equal questions share one answer.
  public enum Identity: Hashable, Sendable {
    /// The identity of a question about a link.
    case link(Question.Identity)
    /// A question about a permission.
    case permission(PermissionQuestion)
    /// A question about a scheme for another machine.
    case registration(SchemeRegistration)
  }

  /// The identity of the question.
  public var identity: Identity {
    switch self {
    case .link(let question): .link(question.identity)
    case .permission(let question): .permission(question)
    case .registration(let question): .registration(question)
    }
  }

  /// The scope for which the answer is stored; `nil` if it is not stored.
  public var scope: GrantScope? {
    switch self {
    case .link(let question): question.scope
    case .permission(let question): question.scope
    case .registration: nil
    }
  }

  /// Returns whether `answer` is stored: the user who chooses no application wants to be asked again.
  public func stores(_ answer: Answer) -> Bool { !(offersApplications && answer == .no) }

  /// A Boolean value that indicates whether the user chooses an application, so that the negative answer closes the prompt.
  public var offersApplications: Bool {
    if case .link(let question) = self { !question.choices.isEmpty } else { false }
  }

  /// Returns whether `answer` is a valid answer to the question.
  public func takes(_ answer: Answer) -> Bool {
    switch self {
    case .link(let question): question.takes(answer)
    case .permission, .registration: answer == .yes || answer == .no
    }
  }
}
