// SPDX-License-Identifier: Apache-2.0
import BrokerService
import DBus

/// The gate of the daemon's calls: it counts those in progress, and loads what is stored before the first one.
@BrokerActor
final class CallGate {
  private let load: () throws(BusError) -> Void
  /// A Boolean value that indicates whether what is stored was loaded.
  private(set) var isLoaded = false
  /// The number of calls in progress.
  private(set) var calls = 0
  /// Called after each call.
  var called: () -> Void = {}

  /// - Parameter load: Loads what is stored; after an error it is called again by the next call.
  init(load: @escaping () throws(BusError) -> Void) { self.load = load }

  /// Loads what is stored, if that has not succeeded yet.
  func loadOnce() throws(BusError) {
    guard !isLoaded else { return }
    try load()
    isLoaded = true
  }

  /// Runs a call after what is stored was loaded.
  func serve<Value: Sendable>(
    _ body: () async throws(BusError) -> Value
  ) async throws(BusError) -> Value {
    calls += 1
    defer {
      calls -= 1
      called()
    }
    try loadOnce()
    return try await body()
  }
}
