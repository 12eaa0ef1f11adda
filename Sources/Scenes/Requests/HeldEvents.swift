// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A manager that receives events of `usher-triggers`.
protocol EventManager<Event>: AnyObject, Sendable {
  associatedtype Event: Sendable

  /// Returns the receiver of an event; `nil` if the event is for another manager, or if there is no delegate.
  func receiver(of event: Event) -> (any EventReceiver)?
}

/// A manager with its delegate at the time of an event.
protocol EventReceiver: Sendable {
  /// Delivers the event, and returns the answer.
  nonisolated(nonsending) func receive() async -> SceneResult
}

/// The managers of an application for one kind of event, and the events that wait for a delegate of one.
///
/// An event waits until a manager has a delegate for it; only then, or beyond the limit, it is removed.
final class HeldEvents<Event: Sendable>: Sendable {
  /// A manager that its owner retains.
  private struct WeakManager {
    weak var manager: (any EventManager<Event>)?
  }

  private struct State {
    var managers: [WeakManager] = []
    /// The events for which no manager had a delegate, oldest first.
    var events: [Event] = []
    /// The delivery of held events, which the next one follows.
    var last: Task<Void, Never>?

    mutating func hold(_ event: Event) {
      events.append(event)
      if events.count > HeldEvents.maximum { events.removeFirst() }
    }

    /// Returns the managers that exist.
    mutating func existingManagers() -> [any EventManager<Event>] {
      managers.removeAll { $0.manager == nil }
      return managers.compactMap(\.manager)
    }
  }

  /// The maximum number of events that wait for a manager; the oldest ones are dropped.
  static var maximum: Int { 64 }

  private let state = Mutex(State())

  /// Adds a manager, which is not retained.
  func add(_ manager: any EventManager<Event>) {
    let released = state.withLock { state in
      defer { state.managers.append(WeakManager(manager: manager)) }
      return state.existingManagers()
    }
    // After the lock, because the release of an object may run code of the application.
    withExtendedLifetime(released) {}
  }

  /// Delivers an event to the delegates of its managers, after the events that wait, and returns the answer; `nil` if there is no delegate.
  ///
  /// - Parameter canWait: `false` if the event has no effect when it is delivered later.
  nonisolated(nonsending) func deliver(_ event: Event, canWait: Bool = true) async -> SceneResult? {
    await state.withLock { $0.last }?.value
    // One step, because a delegate that is set between two steps would not receive the event. The managers are released
    // after the lock, because the release of an object may run code of the application.
    let (receivers, _) = state.withLock { state in
      let managers = state.existingManagers()
      let receivers = managers.compactMap { $0.receiver(of: event) }
      if receivers.isEmpty, canWait { state.hold(event) }
      return (receivers, managers)
    }
    guard !receivers.isEmpty else { return nil }
    var result = SceneResult.notHandled
    for receiver in receivers {
      let answer = await receiver.receive()
      if !result.isHandled || result.value == nil { result = answer.isHandled ? answer : result }
    }
    return result
  }

  /// Delivers the events that no delegate has received, and whose managers have one now.
  func deliverHeld() {
    _ = state.withLock { state in
      let managers = state.existingManagers()
      let deliveries = state.events.map { event in (event, managers.compactMap { $0.receiver(of: event) }) }
      state.events = deliveries.filter(\.1.isEmpty).map(\.0)
      let receivers = deliveries.flatMap(\.1)
      if !receivers.isEmpty {
        state.last = Task { [last = state.last] in
          await last?.value
          for receiver in receivers { _ = await receiver.receive() }
        }
      }
      return (receivers, managers)
    }
  }
}
