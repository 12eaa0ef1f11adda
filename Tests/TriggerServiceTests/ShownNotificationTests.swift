// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import State
import Testing
@testable import TriggerService
import Triggers

/// The states of a notification, without a bus.
@Suite struct `A delivered notification` {
  private static let server: BusName = ":1.5"
  private static let done = NotificationCategory.Action(identifier: "done", title: "Done")
  private static let open = NotificationCategory.Action(identifier: "open", title: "Show", isForeground: true)
  private static let reply = NotificationCategory.Action(
    identifier: "reply", title: "Reply", hasTextInput: true)

  private static func stored(_ id: String) -> StoredNotification {
    StoredNotification(
      id: id, application: "org.example.Notes", identifier: "a", request: "", date: 0, isOfUser: false)
  }

  private static func request(_ content: NotificationContent = NotificationContent(title: "Title"))
    -> NotificationRequest
  {
    NotificationRequest(identifier: "a", content: content)
  }

  @BrokerActor private static func notification(
    _ id: String = "first", replacing replaced: ShownNotification? = nil
  ) -> ShownNotification {
    ShownNotification(stored(id), request(), replacing: replaced, on: server)
  }

  /// Returns a notification that the server shows under the number 7.
  @BrokerActor private static func shown(
    _ reactions: ShownNotification.Reactions = .init()
  ) -> ShownNotification {
    let notification = notification()
    _ = notification.beginAttempt()
    notification.beginCall(offering: reactions)
    notification.recordShown(as: 7, by: server)
    notification.endAttempt()
    return notification
  }

  @BrokerActor @Test func `is shown by one attempt at a time, and again by the next server`() {
    let notification = Self.notification()
    for _ in 0..<2 {
      let isFirst = notification.beginAttempt()
      let isSecond = notification.beginAttempt()
      #expect(isFirst && !isSecond)
      notification.beginCall(offering: .init())
      #expect(notification.phase == .calling)
      notification.recordShown(as: 7, by: Self.server)
      notification.endAttempt()
      let isAgain = notification.beginAttempt()
      #expect(notification.phase == .shown && !isAgain)
      notification.recordEndOfServer()
    }
    #expect(notification.phase == .hidden)
  }

  @BrokerActor @Test func `reports the first failure until it is shown`() {
    let notification = Self.notification()
    _ = notification.beginAttempt()
    notification.beginCall(offering: .init())
    let failures = [notification.recordFailure(), notification.recordFailure()]
    #expect(failures == [true, false])
    notification.endAttempt()
    #expect(notification.phase == .hidden)
    notification.recordShown(as: 7, by: Self.server)
    let isFirst = notification.recordFailure()
    #expect(isFirst)
  }

  @BrokerActor @Test
  func `of an earlier daemon is on the screen of its server only, and gets its events later`() {
    var stored = Self.stored("first")
    (stored.number, stored.server) = (7, Self.server.rawValue)
    let notification = ShownNotification(stored, Self.request())
    #expect(notification.isOnScreen(of: Self.server))
    #expect(!notification.isOnScreen(of: ":1.6") && !notification.isOnScreen(of: nil))
    #expect(notification.number(on: ":1.6") == nil)
    #expect(notification.target(of: .closed(7, .dismissed), under: 7) == nil)
    #expect(notification.mayBecomeTarget(under: 7, on: Self.server))
    #expect(!notification.mayBecomeTarget(under: 8, on: Self.server))
    #expect(!notification.mayBecomeTarget(under: 7, on: ":1.6"))
  }

  @BrokerActor @Test func `leaves events to the one that it replaces until it is shown in its place`() {
    let first = Self.shown(.init(actions: ["key": Self.done]))
    let second = Self.notification("second", replacing: first)
    let events: [NotificationServer.Event] = [
      .invoked(7, key: "key", token: nil), .invoked(7, key: "default", token: nil), .closed(7, .dismissed),
    ]
    func targets() -> [String?] { events.map { second.target(of: $0, under: 7)?.stored.id } }
    #expect(second.visible(on: Self.server) === first && second.number(on: Self.server) == 7)
    _ = second.beginAttempt()
    #expect(targets() == ["first", "first", "first"])
    // The user may have seen either of them, and only one has the key.
    second.beginCall(offering: .init())
    #expect(targets() == ["first", nil, nil] && second.mayBecomeTarget(under: 7, on: Self.server))
    second.recordShown(as: 7, by: Self.server)
    #expect(targets() == ["second", "second", "second"] && second.predecessor == nil)
    #expect(second.target(of: events[1], under: 8) == nil)
  }

  @BrokerActor @Test func `replaces what the one before it was to replace`() {
    let first = Self.shown()
    let third = Self.notification("third", replacing: Self.notification("second", replacing: first))
    #expect(third.visible(on: Self.server) === first && third.number(on: Self.server) == 7)
    third.recordEndOfServer()
    #expect(third.visible(on: Self.server) == nil)
  }

  @BrokerActor @Test func `gets a number of its own if the user has answered the other before the call`() {
    let second = Self.notification("second", replacing: Self.shown())
    let number = second.forgetPredecessor()
    #expect(number == 7 && second.number(on: Self.server) == nil && second.predecessor == nil)
    let third = Self.notification("third", replacing: Self.shown())
    _ = third.beginAttempt()
    third.beginCall(offering: .init())
    let replaced = third.forgetPredecessor()
    #expect(replaced == nil && third.number(on: Self.server) == 7 && third.predecessor == nil)
  }

  @BrokerActor @Test func `takes the place of one that was shown after it was delivered`() {
    let second = Self.notification("second", replacing: Self.shown())
    let late = Self.shown()
    second.recordPredecessor(late)
    #expect(second.predecessor === late)
    second.recordShown(as: 7, by: Self.server)
    second.recordPredecessor(late)
    #expect(second.predecessor == nil)
  }

  @BrokerActor @Test func `gives the token only to an action that shows the application`() {
    let actions = ["1": Self.done, "2": Self.open, "inline-reply": Self.reply]
    let notification = Self.shown(.init(actions: actions))
    func reaction(_ event: NotificationServer.Event) -> [String?]? {
      notification.reaction(to: event).map { [$0.reaction.action, $0.reaction.text, $0.token] }
    }
    #expect(reaction(.invoked(7, key: "default", token: "t")) == ["default", nil, "t"])
    #expect(reaction(.invoked(7, key: "1", token: "t")) == ["done", nil, nil])
    #expect(reaction(.invoked(7, key: "2", token: "t")) == ["open", nil, "t"])
    #expect(reaction(.invoked(7, key: "3", token: "t")) == nil)
    #expect(reaction(.replied(7, text: "Yes", token: "t")) == ["reply", "Yes", nil])
    #expect(reaction(.closed(7, .dismissed)) == nil)
  }

  @BrokerActor @Test func `reports its removal by the user if its category asks for that`() {
    let notification = Self.shown(.init(hasDismissAction: true))
    notification.recordClosed()
    #expect(notification.reaction(to: .closed(7, .dismissed))?.reaction.action == "dismiss")
    #expect(notification.reaction(to: .closed(7, .expired))?.reaction == nil)
    #expect(notification.visible(on: Self.server) == nil)
  }

  @BrokerActor private static func message(
    _ notification: ShownNotification, _ categories: [NotificationCategory] = []
  ) -> (message: NotificationServer.Message, reactions: ShownNotification.Reactions) {
    notification.message(
      presentation: ["banner", "sound"], entry: nil, categories: categories, capabilities: ["inline-reply"],
      on: server)
  }

  @BrokerActor @Test func `has a message with a sound once, and replaces its last message`() {
    let content = NotificationContent(title: "Title", subtitle: "Subtitle", body: "Body", sound: "default")
    let notification = ShownNotification(Self.stored("first"), Self.request(content))
    let first = Self.message(notification).message
    #expect(first.hints["sound-name"] == .string("message-new-instant") && first.replaces == 0)
    #expect([first.summary, first.body] == ["Title", "Subtitle\nBody"])
    notification.recordShown(as: 7, by: Self.server)
    let second = Self.message(notification).message
    #expect(second.hints["sound-name"] == nil && second.replaces == 7)
    #expect(second.hints["suppress-sound"] == .boolean(true))
  }

  @BrokerActor @Test func `has the actions of its category, and one text field`() {
    let content = NotificationContent(title: "Title", categoryIdentifier: "note")
    let notification = ShownNotification(Self.stored("first"), Self.request(content))
    var category = NotificationCategory(identifier: "note", actions: [Self.reply, Self.done, Self.reply])
    category.hasCustomDismissAction = true
    let (message, reactions) = Self.message(notification, [NotificationCategory(identifier: "x"), category])
    #expect(message.actions.map(\.label) == ["Open", "Reply", "Done", "Reply"])
    #expect(message.actions.count { $0.key == "inline-reply" } == 1)
    #expect(message.actions.dropFirst().map { reactions.actions[$0.key] } == category.actions)
    #expect(reactions.hasDismissAction)
  }
}
