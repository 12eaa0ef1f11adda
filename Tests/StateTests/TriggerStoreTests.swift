// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import State

@Suite struct `A store of triggers` {
  private let directory: TemporaryDirectory
  private var path: String { "\(directory.path)/usher/triggers.sqlite" }

  init() throws { directory = try TemporaryDirectory() }

  private func store() throws(StateError) -> TriggerStore { try TriggerStore.open(at: path).store }

  private func trigger(
    _ identifier: String, of application: String = "org.a", anchor: Int64 = 1, isOfUser: Bool = false,
    state: String? = nil
  ) -> StoredTrigger {
    StoredTrigger(
      application: application, identifier: identifier, request: "{\"identifier\":\"\(identifier)\"}",
      anchor: anchor, isOfUser: isOfUser, state: state)
  }

  private func notification(
    _ id: String, _ identifier: String, of application: String = "org.a", isOfUser: Bool = false
  ) -> StoredNotification {
    StoredNotification(
      id: id, application: application, identifier: identifier, request: "{}", date: 7, isOfUser: isOfUser)
  }

  private func sorted(_ triggers: [StoredTrigger]) -> [StoredTrigger] {
    triggers.sorted { ($0.application, $0.identifier) < ($1.application, $1.identifier) }
  }

  @Test func `keeps everything for the next daemon`() throws {
    var facts = TriggerStore.Application()
    (facts.categories, facts.badge, facts.options, facts.missingSince) = ("[]", 3, "alert badge", 9)
    var shown = notification("1", "due", isOfUser: true)
    let event = StoredEvent(id: "notification-0-1", application: "org.a", content: "{}")
    try {
      let store = try store()
      for trigger in [trigger("a", isOfUser: true), trigger("b")] { try store.add(trigger) }
      try store.deliver(shown, anchor: nil)
      try store.setPresentation("banner sound", of: "1")
      try store.setShown("1", number: .max, server: ":1.7")
      try store.deliver(notification("0", "tapped"), anchor: nil)
      try store.respond(to: "0", event)
      try store.set(facts, of: "org.a")
    }()
    (shown.presentation, shown.number, shown.server) = ("banner sound", .max, ":1.7")
    let next = try store()
    #expect(sorted(try next.triggers()) == [trigger("a", isOfUser: true), trigger("b")])
    #expect(try next.notifications() == [shown])
    #expect(try next.events() == [event])
    #expect(try next.applications() == ["org.a": facts])
  }

  @Test func `on a full disk names the file and the fix, keeps what it has stored, and still removes it`()
    throws
  {
    var stored: [StoredTrigger] = []
    try {
      let store = try store()
      try store.add(trigger("first"))
      stored = try store.triggers()
      try store.database.execute("PRAGMA max_page_count = 1")
      let error = #expect(throws: StateError.self) {
        for number in 0..<10_000 {
          try store.add(trigger("\(number)"))
          stored.append(trigger("\(number)"))
        }
      }
      #expect(error == StateError(.diskFull, at: path))
      #expect(
        error?.description == "cannot write \(path), because the disk is full; free space on that file system"
      )
      #expect(sorted(try store.triggers()) == sorted(stored))
      try store.removeTriggers(["first"], of: "org.a")
      stored.removeAll { $0.identifier == "first" }
    }()
    #expect(sorted(try store().triggers()) == sorted(stored))
  }

  @Test func `replaces, moves and removes triggers by application and identifier`() throws {
    let store = try store()
    for trigger in [trigger("a"), trigger("b"), trigger("a", of: "org.b")] { try store.add(trigger) }
    try store.add(trigger("a", anchor: 2, isOfUser: true))
    try store.move([trigger("b", anchor: 3), trigger("none", anchor: 4)])
    #expect(
      sorted(try store.triggers()) == [
        trigger("a", anchor: 2, isOfUser: true), trigger("b", anchor: 3), trigger("a", of: "org.b"),
      ])
    try store.removeTriggers(["a", "none", "' OR 1"], of: "org.a")
    #expect(sorted(try store.triggers()) == [trigger("b", anchor: 3), trigger("a", of: "org.b")])
  }

  @Test func `delivers a notification and updates its trigger in one step`() throws {
    let store = try store()
    for trigger in [trigger("once"), trigger("again"), trigger("once", of: "org.b")] {
      try store.add(trigger)
    }
    try store.deliver(notification("1", "once"), anchor: nil)
    try store.deliver(notification("2", "again"), anchor: 5)
    #expect(sorted(try store.triggers()) == [trigger("again", anchor: 5), trigger("once", of: "org.b")])
    // One with the identifier of a delivered one replaces it, and is the last.
    try store.deliver(notification("3", "once"), anchor: nil)
    #expect(try store.notifications().map(\.id) == ["2", "3"])
    try store.removeNotifications(["2", "none"])
    #expect(try store.notifications().map(\.id) == ["3"])
  }

  @Test func `keeps the state of a trigger's region, and changes it with the delivery`() throws {
    try {
      let store = try store()
      for trigger in [trigger("once", state: "unknown"), trigger("again", state: "unknown")] {
        try store.add(trigger)
      }
      try store.move([trigger("once", state: "outside"), trigger("again", state: "outside")])
      try store.deliver(notification("1", "again"), anchor: 1, state: "inside")
    }()
    let next = try store()
    #expect(
      sorted(try next.triggers()) == [trigger("again", state: "inside"), trigger("once", state: "outside")])
    try next.deliver(notification("2", "once"), anchor: nil)
    #expect(try next.triggers() == [trigger("again", state: "inside")])
  }

  @Test func `stores a response in place of its notification, and keeps the order`() throws {
    let store = try store()
    for id in ["1", "2"] { try store.deliver(notification(id, "n\(id)"), anchor: nil) }
    for id in ["2", "1"] {
      try store.respond(to: id, StoredEvent(id: "r\(id)", application: "org.a", content: id))
    }
    #expect(try store.notifications().isEmpty)
    #expect(try store.events().map(\.id) == ["r2", "r1"])
    try store.removeEvent("r2")
    #expect(try store.events().map(\.id) == ["r1"])
  }

  @Test func `removes everything of an application, and nothing of another`() throws {
    let store = try store()
    var facts = TriggerStore.Application()
    facts.badge = 1
    for application in ["org.a", "org.b"] {
      try store.add(trigger("a", of: application))
      try store.deliver(notification("\(application)-1", "b", of: application), anchor: nil)
      try store.deliver(notification("\(application)-2", "c", of: application), anchor: nil)
      try store.respond(
        to: "\(application)-2", StoredEvent(id: application, application: application, content: "{}"))
      try store.set(facts, of: application)
      try store.set(registration(application, token: application))
      _ = try receive(push(application, "m", of: application), in: store)
    }
    try store.remove(application: "org.a")
    #expect(try store.registrations().map(\.application) == ["org.b"])
    #expect(try store.waitingPushes().map(\.application) == ["org.b"])
    #expect(try store.triggers().map(\.application) == ["org.b"])
    #expect(try store.notifications().map(\.application) == ["org.b"])
    #expect(try store.events().map(\.application) == ["org.b"])
    #expect(try store.applications() == ["org.b": facts])
    try store.set(TriggerStore.Application(), of: "org.b")
    #expect(try store.applications().isEmpty)
  }

  @Test func `of the first version is read, and its notifications need no permission`() throws {
    try {
      let old = try Database(at: path, .power, Array(Migration.ofTriggers.prefix(1)))
      try old.run("INSERT INTO triggers VALUES ('org.a', 'a', '{}', 1)")
      try old.run(
        "INSERT INTO notification (id, application, identifier, request, date) VALUES ('1', 'org.a', 'b', '{}', 7)"
      )
    }()
    let store = try store()
    #expect(try store.triggers().map(\.isOfUser) == [true])
    #expect(try store.notifications() == [notification("1", "b", isOfUser: true)])
  }

  private func registration(_ application: String = "org.a", token: String = "t") -> StoredRegistration {
    StoredRegistration(
      application: application, token: token, distributor: "org.unifiedpush.Distributor.d", date: 5,
      isOfUser: true, privateKey: [1, 0], publicKey: [4, 2], authenticationSecret: [])
  }

  private func push(
    _ id: String, _ message: String, of application: String = "org.a", content: String? = "{}"
  ) -> StoredPush {
    StoredPush(
      id: id, application: application, token: "t-\(application)", message: message, content: content, date: 7
    )
  }

  private func receive(
    _ push: StoredPush, in store: TriggerStore, showing notification: StoredNotification? = nil
  ) throws -> Bool {
    try store.receive(push, showing: notification, countingStartsSince: 0)
  }

  @Test func `keeps one registration for each application`() throws {
    var changed = registration()
    (changed.endpoint, changed.vapid) = ("https://push.example/1", "key")
    try {
      let store = try store()
      try store.set(registration())
      try store.set(registration("org.b", token: "u"))
      try store.set(changed)
      try store.removeRegistration(of: "org.b")
      try store.removeRegistration(of: "org.none")
    }()
    #expect(try store().registrations() == [changed])
  }

  @Test func `stores each push once, with the notification that it shows, until it was delivered`() throws {
    try {
      let store = try store()
      #expect(try receive(push("1", "m1"), in: store))
      #expect(try receive(push("2", "m2", content: nil), in: store, showing: notification("n", "push-2")))
      // The distributor repeats both.
      #expect(try !receive(push("3", "m1"), in: store))
      #expect(try !receive(push("4", "m2", content: nil), in: store, showing: notification("o", "push-4")))
      #expect(try receive(push("5", "m1", of: "org.b"), in: store))
      try store.finish(push: "5", started: 100)
    }()
    let next = try store()
    #expect(try next.waitingPushes() == [push("1", "m1")])
    #expect(try next.notifications() == [notification("n", "push-2")])
    #expect(try next.backgroundStarts(since: 100) == ["org.b": [100]])
    #expect(try next.backgroundStarts(since: 101).isEmpty)
    try next.finish(push: "1", started: nil)
    #expect(try next.waitingPushes().isEmpty)
    // A message is recognized also after it was delivered.
    #expect(try !receive(push("6", "m1"), in: next))
  }

  @Test func `forgets the oldest messages that were delivered, and none that waits`() throws {
    let store = try store()
    _ = try receive(push("waiting", "waiting"), in: store)
    for number in 0..<300 {
      _ = try receive(push("\(number)", "m\(number)", content: nil), in: store)
    }
    #expect(try !receive(push("new", "m299", content: nil), in: store))
    #expect(try receive(push("old", "m0", content: nil), in: store))
    #expect(try store.waitingPushes().map(\.id) == ["waiting"])
  }

  @Test func `forgets the messages of an ended registration, except those that wait and recent starts`()
    throws
  {
    let store = try store()
    try store.set(registration("org.a", token: "t-org.a"))
    for application in ["org.a", "org.b"] {
      for (id, started) in [("delivered", nil), ("old", 6), ("recent", 7)] as [(String, Int64?)] {
        _ = try receive(push("\(application)-\(id)", id, of: application), in: store)
        try store.finish(push: "\(application)-\(id)", started: started)
      }
      _ = try receive(push("\(application)-waiting", "waiting", of: application), in: store)
    }
    try store.forgetPushes(startedBefore: 7)
    #expect(try store.waitingPushes().map(\.id) == ["org.a-waiting", "org.b-waiting"])
    #expect(try store.backgroundStarts(since: 0) == ["org.a": [6, 7], "org.b": [7]])
    #expect(try !receive(push("new", "delivered"), in: store))
    #expect(try receive(push("new", "delivered", of: "org.b"), in: store))
  }

  @Test func `keeps which applications are to be informed of their tokens, with the change`() throws {
    try {
      let store = try store()
      try store.set(registration("org.a", token: "1"))
      #expect(try store.tokenReports().isEmpty)
      for application in ["org.b", "org.a"] {
        try store.set(registration(application, token: application), isReported: true)
      }
      try store.removeRegistration(of: "org.a", isReported: true)
    }()
    let next = try store()
    #expect(try next.tokenReports() == ["org.a", "org.b"])
    #expect(try next.registrations().map(\.application) == ["org.b"])
    try next.removeTokenReport(for: "org.a")
    try next.remove(application: "org.b")
    #expect(try next.tokenReports().isEmpty)
  }

  @Test func `gives what was not delivered another ID, and drops pushes with their registration`() throws {
    let store = try store()
    _ = try receive(push("1", "m1"), in: store)
    try store.renew(push: "1", as: "2")
    #expect(try store.waitingPushes().map(\.id) == ["2"])
    try store.respond(to: "none", StoredEvent(id: "r", application: "org.a", content: "{}"))
    try store.renew(event: "r", as: "s")
    #expect(try store.events().map(\.id) == ["s"])
    try store.removeRegistration(of: "org.a", droppingPushes: true)
    #expect(try store.waitingPushes().isEmpty)
  }

  @Test func `counts the starts of the last hour, however many messages arrive after them`() throws {
    let store = try store()
    _ = try receive(push("started", "started"), in: store)
    try store.finish(push: "started", started: 7)
    for number in 0..<300 {
      _ = try receive(push("\(number)", "m\(number)", content: nil), in: store)
    }
    #expect(try store.backgroundStarts(since: 7) == ["org.a": [7]])
  }

  @Test func `calls a function immediately before and after each change`() throws {
    let calls = Counter()
    let store = try TriggerStore.open(at: path, atCommit: { calls.count += 1 }).store
    let before = calls.count
    try store.add(trigger("a"))
    try store.deliver(notification("1", "a"), anchor: nil)
    #expect(calls.count == before + 4)
  }

  private final class Counter {
    var count = 0
  }

  @Test func `that is damaged is moved aside, and one that another daemon has is locked`() throws {
    try directory.write(String(repeating: "no database ", count: 400), to: "usher/triggers.sqlite")
    let (store, aside) = try TriggerStore.open(at: path)
    #expect(aside?.contains("corrupt") == true)
    try store.add(trigger("a"))
    #expect(throws: StateError(.locked, at: path)) { try TriggerStore.open(at: path) }
  }

  @Test(arguments: [StoredItem.Kind.region, .bluetoothCentral, .bluetoothPeripheral])
  func `keeps items of each kind, and records a change of their states together with its event`(
    kind: StoredItem.Kind
  ) throws {
    var belt = StoredItem(
      application: "org.a", identifier: "belt", content: "{}", state: "{}", isOfUser: false)
    let other = StoredItem(
      application: "org.b", identifier: "belt", content: "[]", state: "{}", isOfUser: true)
    let event = StoredEvent(id: "bluetooth-1", application: "org.a", content: "{}")
    try {
      let store = try store()
      for item in [belt, other] { try store.set(item, of: kind) }
      belt.state = #"{"in-range":[]}"#
      try store.record([belt], of: kind, events: [event])
      try store.record([other], of: kind, events: [])
    }()
    let next = try store()
    #expect(try next.items(of: kind).sorted { $0.application < $1.application } == [belt, other])
    #expect(try next.events() == [event])
    // An item that was removed meanwhile does not return.
    try next.removeItems(["belt"], of: "org.b", kind)
    try next.record([other], of: kind, events: [])
    #expect(try next.items(of: kind) == [belt])
    try next.remove(application: "org.a")
    #expect(try next.items(of: kind).isEmpty)
  }

  @Test func `keeps significant changes, and records all effects of a measurement together`() throws {
    var home = StoredItem(
      application: "org.a", identifier: "home", content: "{}", state: "outside", isOfUser: false)
    var changes = StoredLocationChange(application: "org.a", isOfUser: false)
    let event = StoredEvent(id: "location-1", application: "org.a", content: "{}")
    try {
      let store = try store()
      try store.set(home, of: .region)
      try store.set(changes)
      home.state = "inside"
      changes.location = "{}"
      try store.record([home], of: .region, [changes], events: [event])
      // Nothing of a measurement is stored if an event has the ID of another one.
      home.state = "outside"
      #expect(throws: StateError.self) { try store.record([home], of: .region, events: [event]) }
      home.state = "inside"
    }()
    let next = try store()
    #expect(try next.items(of: .region) == [home])
    #expect(try next.locationChanges() == [changes])
    #expect(try next.events() == [event])
    try next.removeLocationChange(of: "org.b")
    #expect(try next.locationChanges() == [changes])
    try next.remove(application: "org.a")
    #expect(try next.locationChanges().isEmpty)
    #expect(try next.events().isEmpty)
  }
}
