// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Systemd

/// A question as a notification with buttons (Desktop Notifications Specification 1.2).
struct NotificationQuestion: Sendable {
  static let name = NotificationsInterface.server.name

  let bus: BusConnection
  /// The connection of the server.
  let server: BusName
  /// A Boolean value that indicates whether the server interprets `<` and `&` in a body as markup.
  let takesMarkup: Bool

  private enum Event: Sendable {
    case token(UInt32, String)
    case invoked(UInt32, String)
    case answered(Answer)
    case closed(UInt32)
    case serverGone
    case late
  }

  /// Shows the notification and waits for a button.
  ///
  /// - Parameter closing: Fulfilled when the notification is to be closed without an answer, and at the latest when it has ended.
  func ask(_ query: PromptService.Query, timeout: Duration, until closing: Promise<Void>) async
    -> PromptResult
  {
    do throws(BusError) {
      let (events, continuation) = AsyncStream<Event>.makeStream()
      let listening = try await listen(continuation, timeout, until: closing)
      defer { for task in listening { task.cancel() } }
      let options = query.text.options
      let keys = NotificationsInterface.actionKeys(options.count)
      let actions = zip(keys, options).flatMap { [$0, $1.label] }
      let (id) = try await bus.call(
        NotificationsInterface.notify, at: object, "Usher", 0, "dialog-question", query.text.summary,
        body(query), actions,
        // Critical urgency keeps the notification until it is answered. There is no desktop-entry hint, because the
        // broker is not an application that could be started.
        ["urgency": .byte(2), "transient": .boolean(true)], 0, timeout: .seconds(10))
      return await end(
        of: id, events, continuation,
        answers: Dictionary(zip(keys, options.map(\.answer))) { first, _ in first })
    } catch {
      return .impossible
    }
  }

  private var object: RemoteObject { RemoteObject(server, NotificationsInterface.server.path) }

  private func body(_ query: PromptService.Query) -> String {
    NotificationsInterface.body(query.text.body, takesMarkup: takesMarkup)
  }

  private func end(
    of id: UInt32, _ events: AsyncStream<Event>, _ later: AsyncStream<Event>.Continuation,
    answers: [String: Answer]
  ) async -> PromptResult {
    var (token, isAnswered): (String?, Bool) = (nil, false)
    for await event in events {
      switch event {
      case .token(id, let text): token = text
      case .invoked(id, let key):
        await close(id)
        // A click beside the buttons is not an answer.
        guard let answer = answers[key] else { return .closed }
        // The server sends the token before the answer, but the two signals are read by separate tasks.
        isAnswered = true
        later.yield(.answered(answer))
      case .answered(let answer): return .answered(answer, token: token)
      case .closed(id) where !isAnswered: return .closed
      case .serverGone where !isAnswered: return .impossible
      case .late where !isAnswered:
        await close(id)
        return .late
      default: continue
      }
    }
    return .impossible
  }

  private func close(_ id: UInt32) async {
    // The server may have removed the notification already.
    _ = try? await bus.call(
      NotificationsInterface.closeNotification, at: object, id, timeout: .seconds(2), autoStart: false)
  }

  /// Merges all relevant events into one stream, with signals of this server only.
  private func listen(
    _ events: AsyncStream<Event>.Continuation, _ timeout: Duration, until closing: Promise<Void>
  ) async throws(BusError) -> [Task<Void, Never>] {
    let invoked = try await bus.signals(NotificationsInterface.actionInvoked, from: server, at: object.path)
    let tokens = try await bus.signals(NotificationsInterface.activationToken, from: server, at: object.path)
    let closed = try await bus.signals(
      NotificationsInterface.notificationClosed, from: server, at: object.path)
    let owners = try await bus.owners(of: Self.name)
    let loop = bus.loop
    return [
      loop.start { for await signal in tokens { events.yield(.token(signal.values.0, signal.values.1)) } },
      loop.start { for await signal in invoked { events.yield(.invoked(signal.values.0, signal.values.1)) } },
      loop.start { for await signal in closed { events.yield(.closed(signal.values.0)) } },
      loop.start { for await owner in owners where owner != server { events.yield(.serverGone) } },
      loop.start { if (try? await loop.sleep(for: timeout)) != nil { events.yield(.late) } },
      loop.start {
        await closing.value
        events.yield(.late)
      },
    ]
  }
}
