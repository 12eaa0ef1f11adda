import BrokerCore

/// What was found out when a caller's request came: who is behind its connection, and what programs are given.
struct CallerContext: Sendable {
  /// What can be read about it; `nil` when nothing can be read safely.
  let facts: CallerCredentials?
  /// In whose scope its request IDs are; `nil` for its connection's alone.
  let scope: String?
  /// The caller that limits and rates count for.
  let charged: ChargedCaller
  /// The environment of programs, by which the rules are found.
  let environment: [String: String]

  init(facts: CallerCredentials?, environment: [String: String]) {
    self.facts = facts
    self.environment = environment
    scope = facts?.scope
    charged = ChargedCaller(facts)
  }
}
