// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
import FoundationEssentials
public import Scenes
public import Triggers

/// Remote notifications of an application under test.
///
/// ```swift
/// let pushed = try await app.push(["aps": ["alert": "Milk", "content-available": 1], "note": 7])
/// #expect(pushed.presentation == [.banner, .list])              // `willPresent` in the foreground
/// #expect(pushed.result == .handled(["fetch-result": "new-data"]))
/// try await app.respond(toNotification: try #require(pushed.identifier))   // the user taps it
/// ```
extension TestApplication {
  /// The effect of a message of the application's server.
  public struct PushResult: Hashable, Sendable {
    /// The identifier of the notification, for `respond(toNotification:)`; `nil` if none is shown.
    public var identifier: String?
    /// The presentation of the alert and the badge; empty without both, and without the user's permission.
    public var presentation: NotificationPresentationOptions
    /// The application's result in the background, such as `.handled(["fetch-result": "new-data"])`; `nil` if the message is not
    /// for the background.
    public var result: SceneResult?

    /// Creates a result, by default that of a message without an effect.
    public init(
      identifier: String? = nil, presentation: NotificationPresentationOptions = [],
      result: SceneResult? = nil
    ) {
      self.identifier = identifier
      self.presentation = presentation
      self.result = result
    }
  }

  /// Delivers a message of the application's server, as `usher-triggers` does.
  ///
  /// An alert or a badge needs the user's permission, which the application requests by `requestAuthorization`. The running
  /// application is asked how it is shown. A message for the background launches the application if it does not run.
  ///
  /// - Throws: The error of the application's code for a message in the background.
  @discardableResult
  public func push(_ message: [String: PropertyList]) async throws(RequestFailure) -> PushResult {
    try await push(PropertyList.dictionary(message).json)
  }

  /// Delivers a message of the application's server in its own form: JSON, or a text that is shown.
  @discardableResult
  public func push(_ message: String) async throws(RequestFailure) -> PushResult {
    let notification = RemoteNotification(message: Array(message.utf8))
    var pushed = PushResult()
    if let content = notification.content, board.update({ $0.isAuthorized == true }) {
      let request = NotificationRequest(
        identifier: "push-\(RequestID.random())", content: content, remotePayload: notification.payload)
      let time = WallTime(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded()))
      pushed.presentation = await show(request, at: time)
      let isShown = board.update { state in
        state.delivered.contains { $0.request.identifier == request.identifier }
      }
      if isShown { pushed.identifier = request.identifier }
    }
    if notification.isForBackground {
      pushed.result = try await deliver(.reason(.remoteNotification, notification.payload))
    }
    return pushed
  }

  /// Replaces the token of the registration, as a distributor does, or ends the registration with `nil`.
  ///
  /// It returns when the delegate was informed. An application with one closure receives the token in its streams.
  public func replaceRemoteNotificationToken(with token: RemoteNotificationToken?) async {
    guard application.delegate != nil else {
      for follower in board.update({ $0.followers }) { follower.yield(token) }
      return
    }
    application.tokenChanged(token)
    await application.untilRegistered()
  }
}
