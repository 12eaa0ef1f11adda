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
/// An event waits until a manager has a delegate for it. Only then, beyond the limit, or if the application has handled it itself, it is
/// removed.
final class HeldEvents<Event: Sendable>: Sendable {
  /// A manager that its owner retains.
  private struct WeakManager {
    weak var manager: (any EventManager<Event>)?
  }

  /// One arrival of an event; two arrivals may have equal events.
  private final class Arrival: Sendable {
    let event: Event

    init(_ event: Event) { self.event = event }
  }

  private struct State {
    var managers: [WeakManager] = []
    /// The events for which no manager had a delegate, oldest first.
    var events: [Arrival] = []
    /// The delivery of held events, which the next one follows.
    var last: Task<Void, Never>?

    mutating func hold(_ arrival: Arrival) {
      events.append(arrival)
      if events.count > HeldEvents.maximum { events.removeFirst() }
    }

    /// Starts the delivery of the events for which one of the managers has a delegate now, and returns the receivers.
    mutating func deliverHeld(to managers: [any EventManager<Event>]) -> [any EventReceiver] {
      let deliveries = events.map { held in (held, managers.compactMap { $0.receiver(of: held.event) }) }
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

  /// The number of managers that were added and not forgotten; some of them may not exist any more.
  var managerCount: Int { state.withLock(\.managers.count) }

  /// Adds a manager, which is not retained.
  func add(_ manager: any EventManager<Event>) {
    let released = state.withLock { state in
      defer { state.managers.append(WeakManager(manager: manager)) }
      return state.existingManagers()
    }
    // After the lock, because the release of an object may run code of the application.
    withExtendedLifetime(released) {}
  }

  /// Delivers an event to the delegates of its managers, after the events that wait, and returns the answer.
  ///
  /// - Parameters:
  ///   - canWait: `false` if the event has no effect when it is delivered later.
  ///   - handler: Returns the answer of the application itself if there is no delegate. An event that it handles no longer waits.
  nonisolated(nonsending) func deliver(
    _ event: Event, canWait: Bool = true, or handler: nonisolated(nonsending) () async throws -> SceneResult
  ) async throws -> SceneResult {
    let arrival = Arrival(event)
    var found: [any EventReceiver]?
    while found == nil {
      let last = state.withLock { $0.last }
      await last?.value
      found = receivers(of: arrival, canWait: canWait, after: last)
    }
    guard let receivers = found, !receivers.isEmpty else {
      // The event waits during the call, in which the application may create the manager for it.
      let answer = try await handler()
      if answer.isHandled { state.withLock { $0.events.removeAll { $0 === arrival } } }
      return answer
    }
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
    of arrival: Arrival, canWait: Bool, after last: Task<Void, Never>?
  ) -> [any EventReceiver]? {
    // One step, because a delegate that is set between two steps would receive the event not at all, or before those that wait. The
    // objects are released after the lock, because their release may run code of the application.
    let (receivers, _, _) = state.withLock { state in
      let managers = state.existingManagers()
      let held = state.deliverHeld(to: managers)
      guard state.last == last else { return ([any EventReceiver]?.none, managers, held) }
      let receivers = managers.compactMap { $0.receiver(of: arrival.event) }
      if receivers.isEmpty, canWait { state.hold(arrival) }
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
