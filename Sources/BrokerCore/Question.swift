public import Freedesktop

/// What a route wants a person to say before a URL is opened.
public struct Question: Hashable, Sendable, CustomStringConvertible {
  /// The ID of the route that asks.
  public let route: String
  /// The applications to choose among; empty where the question is whether it may be opened at all.
  public let choices: [ApplicationID]

  /// The answer to a question without choices.
  public static let consent = "yes"

  /// A question of `route`.
  public init(route: String, choices: [ApplicationID]) {
    self.route = route
    self.choices = choices
  }

  /// The sentence a person reads where nobody can be asked.
  public var description: String {
    let what =
      choices.isEmpty
      ? "whether it may be opened" : "which of \(choices.map(\.rawValue).joined(separator: ", ")) opens it"
    return
      "the route “\(route)” asks \(what), and nobody can be asked here: open it with “usher open” in a terminal"
  }
}
