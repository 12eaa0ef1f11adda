/// What a person goes on with here, from the announcement of its type until it is here itself.
struct Handoff {
  private var announced: String?

  /// The type that is to be announced before `content` is handed over; `nil` where it has been, and where there is none.
  mutating func announce(_ content: RequestContent) -> String? {
    switch content {
    case .handoff(let type):
      announced = type
      return type
    case .userActivity(let activity):
      defer { announced = nil }
      return announced == activity.activityType ? nil : activity.activityType
    case .handoffFailed:
      announced = nil
      return nil
    default: return nil
    }
  }
}

/// Why what was to be gone on with did not come.
struct HandoffError: Error, CustomStringConvertible {
  let description: String
}
