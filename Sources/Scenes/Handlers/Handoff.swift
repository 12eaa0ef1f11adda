// SPDX-License-Identifier: Apache-2.0
/// The state of a Handoff continuation, from the announcement of its activity type until the activity arrives.
struct Handoff {
  /// The announced type, and the session of the scene to whose delegate it was announced; `nil` without scenes.
  private var announced: (type: String, session: String?)?

  /// Returns the activity type to announce before `content` is delivered; `nil` if it was announced or `content` has none.
  mutating func announce(_ content: RequestContent, to session: String? = nil) -> String? {
    switch content {
    case .handoff(let type):
      announced = (type, session)
      return type
    case .userActivity(let activity):
      guard let announced, announced.type == activity.activityType else { return activity.activityType }
      self.announced = nil
      return announced.session == session ? nil : activity.activityType
    case .handoffFailed(let type, _):
      if announced?.type == type { announced = nil }
      return nil
    default: return nil
    }
  }

  /// Returns the session of the scene that expects this content, because its type was announced there.
  func session(expecting content: RequestContent) -> String? {
    switch content {
    case .userActivity(let activity) where activity.activityType == announced?.type: announced?.session
    case .handoffFailed(let type, _) where type == announced?.type: announced?.session
    default: nil
    }
  }
}

/// The reason why an announced user activity did not arrive.
struct HandoffError: Error, CustomStringConvertible {
  let description: String
}
