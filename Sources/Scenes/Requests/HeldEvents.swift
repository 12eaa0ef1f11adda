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

    /// Starts the delivery of the events for which one of the managers has a delegate now, and returns the receivers.
    mutating func deliverHeld(to managers: [any EventManager<Event>]) -> [any EventReceiver] {
      let deliveries = events.map { event in (event, managers.compactMap { $0.receiver(of: event) }) }
      events = deliveries.filter(\.1.isEmpty).map(\.0)
      let receivers = deliveries.flatMap(\.1)
      if !receivers.isEmpty {
        last = Task { [last] in
          await last?.value
          for receiver in receivers { _ = await receiver.receive() }
        }
      }
      return receivers
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
    var found: [any EventReceiver]?
    while found == nil {
      let last = state.withLock { $0.last }
      await last?.value
      found = receivers(of: event, canWait: canWait, after: last)
    }
    guard let receivers = found, !receivers.isEmpty else { return nil }
    var result = SceneResult.notHandled
    for receiver in receivers {
      let answer = await receiver.receive()
      if !result.isHandled || result.value == nil { result = answer.isHandled ? answer : result }
    }
    return result
  }

  /// Returns the receivers of an event, which waits if there are none; `nil` if events that waited are delivered before it.
  ///
  /// - Parameter last: The last delivery of events that waited, which has ended.
  private func receivers(
    of event: Event, canWait: Bool, after last: Task<Void, Never>?
  ) -> [any EventReceiver]? {
    // One step, because a delegate that is set between two steps would receive the event not at all, or before those that wait. The
    // objects are released after the lock, because their release may run code of the application.
    let (receivers, _, _) = state.withLock { state in
      let managers = state.existingManagers()
      let held = state.deliverHeld(to: managers)
      guard state.last == last else { return ([any EventReceiver]?.none, managers, held) }
      let receivers = managers.compactMap { $0.receiver(of: event) }
      if receivers.isEmpty, canWait { state.hold(event) }
      return (receivers, managers, held)
    }
    return receivers
  }

  /// Delivers the events that no delegate has received, and whose managers have one now.
  func deliverHeld() {
    _ = state.withLock { state in
      let managers = state.existingManagers()
      return (state.deliverHeld(to: managers), managers)
    }
  }
}
