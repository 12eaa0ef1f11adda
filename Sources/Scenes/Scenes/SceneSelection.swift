// SPDX-License-Identifier: Apache-2.0
/// The choice of the scene for an event: one that prefers its content, otherwise one that accepts it, otherwise a new one.
///
/// Connected scenes precede disconnected ones, and more recently active scenes precede others.
struct SceneSelection: Equatable {
  /// A session that is considered in the choice.
  struct Candidate: Hashable {
    let identifier: String
    let isConnected: Bool
    /// The order of the last activation; higher is later.
    let activated: Int64
    let conditions: SceneActivationConditions
  }

  /// The identifiers of the candidate sessions, best first; if empty, a new scene is connected.
  let sessions: [String]
  /// The explanation of the choice, in order.
  let steps: [String]

  /// Chooses for a content identifier; for `nil` chooses the most recently active scene, regardless of conditions.
  init(for content: String?, among candidates: [Candidate]) {
    let ordered = candidates.sorted { one, other in
      (one.isConnected ? 1 : 0, one.activated) > (other.isConnected ? 1 : 0, other.activated)
    }
    guard let content else {
      sessions = ordered.map(\.identifier)
      steps =
        Self.steps(ordered) { _ in "the request has no target content ID" } + [
          Self.verdict(sessions, "the scene that was active last")
        ]
      return
    }
    func prefers(_ candidate: Candidate) -> Bool {
      candidate.conditions.prefersToActivateForTargetContentIdentifier.evaluate(with: content)
    }
    func can(_ candidate: Candidate) -> Bool {
      candidate.conditions.canActivateForTargetContentIdentifier.evaluate(with: content)
    }
    let preferring = ordered.filter(prefers)
    let others = ordered.filter { !prefers($0) && can($0) }
    sessions = (preferring + others).map(\.identifier)
    let reasons = Self.steps(ordered) { candidate in
      let conditions = candidate.conditions
      return prefers(candidate)
        ? "prefers \(conditions.prefersToActivateForTargetContentIdentifier)"
        : can(candidate)
          ? "accepts \(conditions.canActivateForTargetContentIdentifier)"
          : "accepts only \(conditions.canActivateForTargetContentIdentifier)"
    }
    let reason =
      !preferring.isEmpty
      ? "a scene that prefers it"
      : others.isEmpty ? "no scene accepts it" : "no scene prefers it, and this one accepts it"
    steps = reasons + [Self.verdict(sessions, reason)]
  }

  private static func steps(_ candidates: [Candidate], _ reason: (Candidate) -> String) -> [String] {
    candidates.map { candidate in
      let state = candidate.isConnected ? "connected" : "disconnected"
      return "scene \(candidate.identifier) (\(state)): \(reason(candidate))"
    }
  }

  private static func verdict(_ sessions: [String], _ reason: String) -> String {
    sessions.first.map { "scene \($0) receives it: \(reason)" } ?? "a new scene receives it: \(reason)"
  }
}
