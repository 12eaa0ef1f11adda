// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import Scenes

@Suite struct `Held events` {
  private let held = HeldEvents<Int>()
  private let log = Log()

  /// A manager of events, whose delegate may be set and removed.
  private final class Manager: EventManager {
    private struct Receiver: EventReceiver {
      let log: Log
      let event: Int
      let answer: SceneResult

      func receive() async -> SceneResult {
        log.add("\(event)")
        return answer
      }
    }

    private let log: Log
    private let answer: SceneResult
    private let events: Range<Int>
    private let hasDelegate: Mutex<Bool>
    /// A function that is called once, after the manager has returned that it has no delegate.
    let isAsked = Mutex<(@Sendable () -> Void)?>(nil)

    init(
      _ log: Log, of events: Range<Int> = 0..<100, answer: SceneResult = .handled, hasDelegate: Bool = true
    ) {
      (self.log, self.events, self.answer) = (log, events, answer)
      self.hasDelegate = Mutex(hasDelegate)
    }

    func setDelegate(_ exists: Bool) { hasDelegate.withLock { $0 = exists } }

    func receiver(of event: Int) -> (any EventReceiver)? {
      let hasReceiver = events.contains(event) && hasDelegate.withLock { $0 }
      if !hasReceiver, let action = isAsked.withLock({ $0.take() }) { action() }
      return hasReceiver ? Receiver(log: log, event: event, answer: answer) : nil
    }
  }

  /// Delivers an event that the application itself does not handle.
  private func deliver(_ event: Int, canWait: Bool = true) async throws -> SceneResult {
    try await held.deliver(event, canWait: canWait) { .notHandled }
  }

  @Test func `are delivered in order before the next event`() async throws {
    for event in 1...2 { #expect(try await deliver(event) == .notHandled) }
    let manager = Manager(log)
    held.add(manager)
    held.deliverHeld()
    #expect(try await deliver(3) == .handled)
    held.deliverHeld()
    #expect(try await deliver(4) == .handled)
    withExtendedLifetime(manager) {}
    #expect(await log.finish() == ["1", "2", "3", "4"])
  }

  /// An event may arrive after a delegate was set, and before the manager has delivered the events that wait for it.
  @Test func `are delivered before an event that arrives as a delegate is set`() async throws {
    let manager = Manager(log, hasDelegate: false)
    held.add(manager)
    for event in 1...2 { #expect(try await deliver(event) == .notHandled) }
    manager.setDelegate(true)
    #expect(try await deliver(3) == .handled)
    held.deliverHeld()
    #expect(try await deliver(4) == .handled)
    withExtendedLifetime(manager) {}
    #expect(await log.finish() == ["1", "2", "3", "4"])
  }

  /// The delegate that was set may be removed before the events are delivered.
  @Test func `wait until a manager has a delegate for them`() async throws {
    let (manager, other) = (Manager(log, of: 1..<3, hasDelegate: false), Manager(log, of: 3..<4))
    held.add(manager)
    held.add(other)
    for event in 1...2 { #expect(try await deliver(event) == .notHandled) }
    held.deliverHeld()
    #expect(try await deliver(3) == .handled)
    manager.setDelegate(true)
    held.deliverHeld()
    #expect(try await deliver(3) == .handled)
    withExtendedLifetime((manager, other)) {}
    #expect(await log.finish() == ["3", "1", "2", "3"])
  }

  @Test func `are received by a delegate that is set as they arrive`() async throws {
    let manager = Manager(log, hasDelegate: false)
    held.add(manager)
    manager.isAsked.withLock { action in
      action = { [held, manager] in
        manager.setDelegate(true)
        Task { held.deliverHeld() }
      }
    }
    #expect(try await deliver(1) == .notHandled)
    #expect(try await log.next() == "1")
    withExtendedLifetime(manager) {}
  }

  @Test func `do not include one that cannot wait`() async throws {
    #expect(try await deliver(1, canWait: false) == .notHandled)
    let manager = Manager(log)
    held.add(manager)
    held.deliverHeld()
    #expect(try await deliver(2, canWait: false) == .handled)
    withExtendedLifetime(manager) {}
    #expect(await log.finish() == ["2"])
  }

  @Test func `do not include one that the application has handled itself`() async throws {
    #expect(try await held.deliver(1) { .handled } == .handled)
    #expect(try await deliver(1) == .notHandled)
    await #expect(throws: CancellationError.self) { try await held.deliver(2) { throw CancellationError() } }
    let manager = Manager(log)
    held.add(manager)
    held.deliverHeld()
    #expect(try await deliver(3) == .handled)
    withExtendedLifetime(manager) {}
    #expect(await log.finish() == ["1", "2", "3"])
  }

  @Test func `include one that is equal to one that the application has handled itself`() async throws {
    let result = try await held.deliver(1) {
      let other = try await deliver(1)
      #expect(other == .notHandled)
      return .handled
    }
    #expect(result == .handled)
    let manager = Manager(log)
    held.add(manager)
    held.deliverHeld()
    #expect(try await deliver(2) == .handled)
    withExtendedLifetime(manager) {}
    #expect(await log.finish() == ["1", "2"])
  }

  @Test func `include one whose manager is created while the application handles it`() async throws {
    let manager = Manager(log)
    let result = try await held.deliver(1) { [held] in
      held.add(manager)
      held.deliverHeld()
      return .handled
    }
    #expect(result == .handled)
    #expect(try await deliver(2) == .handled)
    withExtendedLifetime(manager) {}
    #expect(await log.finish() == ["1", "2"])
  }

  @Test func `are dropped beyond the limit, the oldest ones first`() async throws {
    let limit = HeldEvents<Int>.maximum
    for event in 0...limit { #expect(try await deliver(event) == .notHandled) }
    let manager = Manager(log)
    held.add(manager)
    held.deliverHeld()
    #expect(try await deliver(0) == .handled)
    withExtendedLifetime(manager) {}
    #expect(await log.finish() == (1...limit).map(String.init) + ["0"])
  }

  /// An application that creates managers again and again would otherwise keep an entry for each of them.
  @Test func `forget the managers that do not exist any more when another one is added`() {
    for _ in 1...3 { held.add(Manager(log)) }
    let manager = Manager(log)
    held.add(manager)
    #expect(held.managerCount == 1)
    withExtendedLifetime(manager) {}
  }

  @Test func `have the first answer with a value, of the managers that exist`() async throws {
    let managers = [
      Manager(log, answer: .notHandled), Manager(log), Manager(log, answer: .handled(1)),
      Manager(log, answer: .handled(2)),
    ]
    for manager in managers { held.add(manager) }
    held.add(Manager(log))
    #expect(try await deliver(7) == .handled(1))
    withExtendedLifetime(managers) {}
    #expect(await log.finish() == ["7", "7", "7", "7"])
  }
}
