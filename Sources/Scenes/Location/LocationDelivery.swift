// SPDX-License-Identifier: Apache-2.0
import Triggers

/// The managers of an application, and the events that wait for one.
struct LocationDelivery {
  /// A manager that its owner retains.
  struct WeakManager {
    weak var manager: LocationManager?
  }

  /// The maximum number of events that wait for a manager; the oldest ones are dropped.
  static let maximumHeld = 64

  var managers: [WeakManager] = []
  /// The events for which no manager had a delegate.
  var held: [LocationEvent] = []
  /// The delivery of held events, which the next one follows.
  var last: Task<Void, Never>?
}

/// A manager with its delegate at the time of an event.
private struct LocationReceiver: Sendable {
  let manager: LocationManager
  let delegate: any LocationManagerDelegate

  nonisolated(nonsending) func receive(_ event: LocationEvent) async {
    switch event {
    case .entered(let region): await delegate.locationManager(manager, didEnterRegion: region)
    case .exited(let region): await delegate.locationManager(manager, didExitRegion: region)
    case .moved(let location): await delegate.locationManager(manager, didUpdateLocations: [location])
    }
  }
}

extension Application {
  private var locationReceivers: [LocationReceiver] {
    let managers: [LocationManager] = update { state in
      state.locations.managers.removeAll { $0.manager == nil }
      return state.locations.managers.compactMap(\.manager)
    }
    return managers.compactMap { manager in
      manager.delegate.map { LocationReceiver(manager: manager, delegate: $0) }
    }
  }

  /// Delivers the event of a request to the delegates of the managers, after those that wait; `false` if it has none, or if there is no
  /// delegate.
  nonisolated(nonsending) func deliverLocation(_ request: SceneRequest) async -> Bool {
    guard request.reason == .location, let event = request.payload.flatMap(LocationEvent.init) else {
      return false
    }
    await update { $0.locations.last }?.value
    let receivers = locationReceivers
    guard !receivers.isEmpty else {
      update { state in
        state.locations.held.append(event)
        if state.locations.held.count > LocationDelivery.maximumHeld { state.locations.held.removeFirst() }
      }
      return false
    }
    for receiver in receivers { await receiver.receive(event) }
    return true
  }

  /// Delivers the events that no delegate has received.
  func deliverHeldLocations() {
    let held: [LocationEvent] = update { state in
      defer { state.locations.held = [] }
      return state.locations.held
    }
    let receivers = locationReceivers
    guard !held.isEmpty, !receivers.isEmpty else { return }
    update { state in
      state.locations.last = Task { [last = state.locations.last] in
        await last?.value
        for event in held {
          for receiver in receivers { await receiver.receive(event) }
        }
      }
    }
  }
}
