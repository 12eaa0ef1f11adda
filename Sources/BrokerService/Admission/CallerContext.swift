// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Launching

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
  /// Reads the session in which the caller's process was started; `nil` for a caller whose requests have one.
  private let ownSession: Task<CallerSession, Never>?

  init(
    facts: CallerCredentials?, environment: [String: String],
    ownSession: Task<CallerSession, Never>? = nil
  ) {
    self.facts = facts
    self.environment = environment
    self.ownSession = ownSession
    scope = facts?.scope
    charged = ChargedCaller(facts)
  }

  /// Returns the context of a request with these options: that of the machine from which a relay forwards it, otherwise this one.
  ///
  /// - Throws: `AccessDenied` if another program than the relay names a machine, or the relay names none.
  func context(of options: OpenOptions) throws(BusError) -> CallerContext {
    let isRelay = facts?.isRelay ?? false
    guard let name = options.remote else {
      guard !isRelay else {
        throw BusError(
          .accessDenied, "usher-remote opens links of other machines only, so that it must name one in remote"
        )
      }
      return self
    }
    guard isRelay, let facts else {
      throw BusError(.accessDenied, "only usher-remote may state the machine of a request; leave remote out")
    }
    guard let machine = RemoteMachine(name) else {
      throw BusError(
        .invalidRequest, "remote: “\(name)” is not the name of a machine: \(RemoteMachine.rule)")
    }
    return CallerContext(facts: facts.forwarding(from: machine), environment: environment)
  }

  /// Returns the session in which programs are started for a request with these variables.
  ///
  /// Without them it is the session of the caller's process.
  func session(_ sent: [String: String]?) async -> CallerSession {
    if let sent { return CallerSession(sent) }
    return await ownSession?.value ?? .unknown
  }
}
