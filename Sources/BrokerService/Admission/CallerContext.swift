import BrokerCore

/// The identified caller of a request, and the environment of programs.
struct CallerContext: Sendable {
  /// The credentials of the caller; `nil` if they could not be read safely.
  let facts: CallerCredentials?
  /// The scope of the caller's request IDs; `nil` for its connection alone.
  let scope: String?
  /// The identity to which quotas and rates are charged.
  let charged: ChargedCaller
  /// The environment of programs, which leads to the files of the policy.
  let environment: [String: String]

  init(facts: CallerCredentials?, environment: [String: String]) {
    self.facts = facts
    self.environment = environment
    scope = facts?.scope
    charged = ChargedCaller(facts)
  }
}
