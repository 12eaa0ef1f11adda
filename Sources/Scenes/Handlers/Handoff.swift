// SPDX-License-Identifier: Apache-2.0
/// The state of a Handoff continuation, from the announcement of its activity type until the activity arrives.
struct Handoff {
  private var announced: String?

  /// Returns the activity type to announce before `content` is delivered; `nil` if it was announced or `content` has none.
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

/// The reason why an announced user activity did not arrive.
struct HandoffError: Error, CustomStringConvertible {
  let description: String
}
