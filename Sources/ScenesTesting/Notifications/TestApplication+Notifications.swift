// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import Scenes
public import Triggers

/// Notifications of an application under test.
///
/// ```swift
/// try await app.open("notes://note/7/remind")                        // the application calls notifications.add
/// #expect(app.scheduledNotifications.map(\.identifier) == ["note-7"])
/// try await app.showNotification("note-7")                           // it is due
/// try await app.respond(toNotification: "note-7", action: "done")    // the user acts
/// ```
extension TestApplication {
  /// The notifications that are not due yet, in the order in which the application added them.
  public var scheduledNotifications: [NotificationRequest] { board.update { $0.pending } }

  /// The number on the application's icon; 0 for none.
  public var badgeCount: UInt32 { board.update { $0.badge } }

  /// Makes a scheduled notification due, as `usher-triggers` does, and returns how it is shown.
  ///
  /// The running application is asked first. One that does not run is not started. A notification that repeats remains
  /// scheduled.
  ///
  /// - Parameter date: When the notification is due.
  /// - Throws: `RequestFailure.failed` if no notification with this identifier is scheduled. An error of the application's
  ///   code has no effect, as with `usher-triggers`: everything of the notification is shown.
  @discardableResult
  public func showNotification(
    _ identifier: String, date: Date = Date()
  ) async throws(RequestFailure) -> NotificationPresentationOptions {
    let time = WallTime(milliseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded()))
    let due: NotificationRequest? = board.update { state in
      guard let index = state.pending.firstIndex(where: { $0.identifier == identifier }) else { return nil }
      let request = state.pending[index]
      if request.trigger?.repeats != true { state.pending.remove(at: index) }
      state.delivered.removeAll { $0.request.identifier == identifier }
      return request
    }
    guard let due else { throw .failed("no notification “\(identifier)” is scheduled") }
    return await show(due, at: time)
  }

  /// Shows a notification that is due, and returns how; the running application is asked first.
  func show(
    _ due: NotificationRequest, at time: WallTime
  ) async -> NotificationPresentationOptions {
    var presentation: NotificationPresentationOptions = [.banner, .list, .sound, .badge]
    if isRunning, let result = try? await deliver(envelope(of: due, at: time, nil)), result.isHandled,
      let names = result.value?["presentation"]?.array?.compactMap(\.string)
    {
      presentation = NotificationPresentationOptions(names: names)
    }
    let shown = presentation
    board.update { state in
      if shown.contains(.badge), let badge = due.content.badge { state.badge = badge }
      guard due.content.isShown, shown.contains(.banner) || shown.contains(.list) else { return }
      state.delivered.append((due, time))
    }
    return shown
  }

  /// Responds to a notification that is shown, as the user does, and returns the application's result.
  ///
  /// Launches the application if it does not run.
  ///
  /// - Parameters:
  ///   - action: The identifier of the action: `default` for the notification itself, `dismiss` for its removal.
  ///   - text: The text that the user enters.
  /// - Throws: `RequestFailure.failed` if no notification with this identifier is shown, and the error of the application's
  ///   code.
  @discardableResult
  public func respond(
    toNotification identifier: String, action: String = NotificationResponse.defaultActionIdentifier,
    text: String? = nil
  ) async throws(RequestFailure) -> SceneResult {
    let shown: (request: NotificationRequest, date: WallTime)? = board.update { state in
      guard let index = state.delivered.firstIndex(where: { $0.request.identifier == identifier }) else {
        return nil
      }
      return state.delivered.remove(at: index)
    }
    guard let shown else { throw .failed("no notification “\(identifier)” is shown") }
    return try await deliver(
      envelope(of: shown.request, at: shown.date, NotificationReaction(action: action, text: text)))
  }

  private func envelope(
    of request: NotificationRequest, at date: WallTime, _ reaction: NotificationReaction?
  ) -> Envelope {
    var envelope = Envelope.reason(request.reason, request.payload(date: date, response: reaction))
    envelope.targetContentID = request.content.targetContentID
    return envelope
  }
}
