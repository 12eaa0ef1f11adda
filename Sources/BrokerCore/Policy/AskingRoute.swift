// SPDX-License-Identifier: Apache-2.0
public import Freedesktop
public import RouteTables

/// An `ask` route: its applications, if it asks which one opens the URL, and the keys of the scope of its grants.
public struct AskingRoute: Sendable {
  /// The route.
  public let route: PromptingRoute
  /// The applications to choose from; empty if the route asks whether the URL may be opened.
  public let choices: [ApplicationID]
  /// The keys of the scope.
  public let remembered: [RouteAction.AnswerKey]

  /// Returns the reason why `answer` has no effect as a stored answer to the route; `nil` if it has one.
  public func objection(to answer: Answer) -> String? {
    let names = choices.map(\.rawValue).joined(separator: ", ")
    switch answer {
    case .no: return nil
    case .yes where choices.isEmpty: return nil
    case .yes:
      return
        "the route “\(route.name)” asks which application opens the link; name one of its applications (--app): \(names)"
    case .application(let id) where choices.isEmpty:
      return
        "the route “\(route.name)” asks only whether the link may be opened, so it cannot choose \(id); leave --app out"
    case .application(let id) where choices.contains(id): return nil
    case .application(let id):
      return
        "the route “\(route.name)” does not offer \(id); name one of its applications (--app): \(names)"
    }
  }
}
