public import BusInterfaces
public import Scenes

/// Envelopes as tests write them; set what else is to be known of them.
///
/// ```swift
/// try await app.deliver(.shortcutItem("new-note"))
/// try await app.deliver(.remoteNotification(["aps": ["alert": "Milk is due"]], action: "default"))
/// ```
extension Envelope {
  /// URLs to open.
  ///
  /// - Parameters:
  ///   - source: who asked, by desktop-file ID.
  ///   - assurance: how surely that is known; surely where somebody is named and nothing else is said.
  public static func urls(
    _ urls: [String], from source: String? = nil, assurance: Assurance? = nil,
    annotation: PropertyList? = nil, targetContentID: String? = nil
  ) -> Envelope {
    var envelope = Envelope(requestID: RequestID.random(), urls: urls)
    envelope.sourceApplication = source
    envelope.assurance = assurance ?? (source == nil ? .unknown : .unit)
    envelope.annotation = annotation
    envelope.targetContentID = targetContentID
    return envelope
  }

  /// A request of another reason, with its payload.
  public static func reason(_ reason: LaunchReason, _ payload: PropertyList? = nil) -> Envelope {
    var envelope = urls([])
    envelope.reason = reason
    envelope.payload = payload
    return envelope
  }

  /// To start, or to come to the front.
  public static var activate: Envelope { reason(.activate) }

  /// A quick action by its type.
  public static func shortcutItem(
    _ type: String, userInfo: [String: PropertyList] = [:], targetContentID: String? = nil
  ) -> Envelope {
    var envelope = reason(.shortcutItem, ["type": .string(type), "user-info": .dictionary(userInfo)])
    envelope.targetContentID = targetContentID
    return envelope
  }

  /// An action of the desktop entry, with what it was called with.
  public static func desktopAction(_ name: String, parameter: PropertyList? = nil) -> Envelope {
    var envelope = reason(.shortcutItem, parameter)
    envelope.desktopAction = name
    return envelope
  }

  /// What to go on with.
  public static func userActivity(_ activity: UserActivity) -> Envelope {
    reason(.userActivity, activity.payload)
  }

  /// The type of what comes from another device and is not here yet.
  public static func handoff(_ type: String) -> Envelope {
    reason(.userActivity, ["type": .string(type), "handoff": true])
  }

  /// What was to be gone on with did not come.
  public static func handoff(_ type: String, failed error: String) -> Envelope {
    reason(.userActivity, ["type": .string(type), "error": .string(error)])
  }

  /// What a server pushed, and the action that a person chose, where one did.
  public static func remoteNotification(
    _ payload: [String: PropertyList], action: String? = nil
  ) -> Envelope {
    reason(.remoteNotification, notification(payload, action))
  }

  /// A notification of the application's own, and the action that a person chose, where one did.
  public static func localNotification(
    _ payload: [String: PropertyList], action: String? = nil
  ) -> Envelope {
    reason(.localNotification, notification(payload, action))
  }

  private static func notification(
    _ payload: [String: PropertyList], _ action: String?
  ) -> PropertyList {
    var payload = payload
    if let action { payload["action-identifier"] = .string(action) }
    return .dictionary(payload)
  }
}
