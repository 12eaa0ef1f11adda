// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import Scenes

/// Envelopes for tests, whose other properties can be set.
///
/// ```swift
/// try await app.deliver(.shortcutItem("new-note"))
/// try await app.deliver(.remoteNotification(["aps": ["alert": "Milk is due"]], action: "default"))
/// ```
extension Envelope {
  /// Returns an envelope with URLs to open.
  ///
  /// - Parameters:
  ///   - source: the desktop-file ID of the source application; `nil` for none.
  ///   - assurance: the assurance of the source; by default `unit` if there is a source, otherwise `unknown`.
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

  /// Returns an envelope with another launch reason and its payload.
  public static func reason(_ reason: LaunchReason, _ payload: PropertyList? = nil) -> Envelope {
    var envelope = urls([])
    envelope.reason = reason
    envelope.payload = payload
    return envelope
  }

  /// An envelope that launches or activates the application without content.
  public static var activate: Envelope { reason(.activate) }

  /// Returns an envelope with a shortcut item of a type.
  public static func shortcutItem(
    _ type: String, userInfo: [String: PropertyList] = [:], targetContentID: String? = nil
  ) -> Envelope {
    var envelope = reason(.shortcutItem, ["type": .string(type), "user-info": .dictionary(userInfo)])
    envelope.targetContentID = targetContentID
    return envelope
  }

  /// Returns an envelope with an action of the desktop entry and its parameter.
  public static func desktopAction(_ name: String, parameter: PropertyList? = nil) -> Envelope {
    var envelope = reason(.shortcutItem, parameter)
    envelope.desktopAction = name
    return envelope
  }

  /// Returns an envelope with a user activity.
  public static func userActivity(_ activity: UserActivity) -> Envelope {
    reason(.userActivity, activity.payload)
  }

  /// Returns an envelope that announces a Handoff activity of a type.
  public static func handoff(_ type: String) -> Envelope {
    reason(.userActivity, ["type": .string(type), "handoff": true])
  }

  /// Returns an envelope that reports that a Handoff activity failed to arrive.
  public static func handoff(_ type: String, failed error: String) -> Envelope {
    reason(.userActivity, ["type": .string(type), "error": .string(error)])
  }

  /// Returns an envelope with a web page that the user has sent from another device, as an application receives it whose entry
  /// requests activities.
  ///
  /// - Parameter source: The desktop-file ID of the source application.
  public static func handoff(
    webPage url: String, from source: String = "org.kde.kdeconnect.daemon"
  ) -> Envelope {
    var envelope = urls([url], from: source)
    envelope.reason = .userActivity
    envelope.payload = UserActivity(activityType: UserActivity.browsingWeb, webpageURL: url).payload
    return envelope
  }

  /// Returns an envelope with a remote notification and the action that the user chose; `nil` if the user chose none.
  public static func remoteNotification(
    _ payload: [String: PropertyList], action: String? = nil
  ) -> Envelope {
    reason(.remoteNotification, notification(payload, action))
  }

  /// Returns an envelope with a local notification and the action that the user chose; `nil` if the user chose none.
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
