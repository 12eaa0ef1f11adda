/// Which scene gets an event: one that prefers its content, else one that can take it, else a new one.
///
/// Of several the connected ones come first, and among those the one that was active last.
struct SceneSelection: Equatable {
  /// A session among which is chosen.
  struct Candidate: Hashable {
    let identifier: String
    let isConnected: Bool
    /// Higher is later.
    let activated: Int64
    let conditions: SceneActivationConditions
  }

  /// Those that may get it, the first one first; with none of them a new scene is connected.
  let sessions: [String]
  /// What was looked at, in order, for a person.
  let steps: [String]

  /// Chooses for a content; without one the scene that was active last is meant, whatever its conditions.
  init(for content: String?, among candidates: [Candidate]) {
    let ordered = candidates.sorted { one, other in
      (one.isConnected ? 0 : 1, -one.activated) < (other.isConnected ? 0 : 1, -other.activated)
    }
    guard let content else {
      sessions = ordered.map(\.identifier)
      steps =
        Self.steps(ordered) { _ in "it says nothing of its content" } + [
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
          ? "can take \(conditions.canActivateForTargetContentIdentifier)"
          : "takes only \(conditions.canActivateForTargetContentIdentifier)"
    }
    let reason =
      !preferring.isEmpty
      ? "a scene that prefers it"
      : others.isEmpty ? "no scene takes it" : "no scene prefers it, and this one can"
    steps = reasons + [Self.verdict(sessions, reason)]
  }

  private static func steps(_ candidates: [Candidate], _ reason: (Candidate) -> String) -> [String] {
    candidates.map { candidate in
      let state = candidate.isConnected ? "connected" : "disconnected"
      return "scene \(candidate.identifier) (\(state)): \(reason(candidate))"
    }
  }

  private static func verdict(_ sessions: [String], _ reason: String) -> String {
    sessions.first.map { "scene \($0) gets it: \(reason)" } ?? "a new scene gets it: \(reason)"
  }
}
