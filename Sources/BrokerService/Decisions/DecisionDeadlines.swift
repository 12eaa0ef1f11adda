// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Systemd

/// The times until which decisions wait for files of the user, which may be on a disk that does not respond.
@BrokerActor
final class DecisionDeadlines {
  /// A request that is being decided.
  private struct Undecided {
    let end: ContinuousClock.Instant
    let timedOut: @BrokerActor () -> Void
  }

  /// The error of a decision that was not made in time.
  nonisolated static let exceeded = BusError(
    BrokerErrorName.timeout,
    "cannot decide, because route or desktop files could not be read in time; nothing was opened")

  /// The longest time for a decision, unless the caller waits longer.
  private let lifetime: Duration
  /// The requests that are being decided, by number.
  private var undecided: [Int64: Undecided] = [:]
  /// The timer for the first of them, and the time at which it fires; `nil` before the first one.
  ///
  /// It serves all of them, and is not cancelled with them, because almost all requests are decided at once.
  private var timer: (timer: LoopTimer, end: ContinuousClock.Instant)?

  init(lifetime: Duration) { self.lifetime = lifetime }

  /// Begins the decision of a new request, in the task of the request.
  ///
  /// - Parameter timedOut: Called if the decision has not ended in time, although the task of the request still waits for it.
  func begin(_ request: ActiveRequest, timedOut: @escaping @BrokerActor () -> Void) {
    let end = request.times.arrival + max(lifetime, request.options.timeout)
    undecided[request.number] = Undecided(end: end, timedOut: timedOut)
    setTimer(until: end)
  }

  /// Ends the decision of a request; returns `false` if it has taken too long, so that nothing may be opened.
  func end(_ request: ActiveRequest) -> Bool {
    undecided.removeValue(forKey: request.number).map { $0.end > .now } ?? false
  }

  /// Returns the result of another decision of a request, in a task of its own.
  ///
  /// - Throws: `exceeded` if it takes longer than the lifetime of a request, or until the request expires. The result is then dropped.
  func result<Value: Sendable>(
    for request: ActiveRequest, of decision: @escaping @BrokerActor () async -> Value
  ) async throws(BusError) -> Value {
    try await result(until: min(.now + lifetime, request.times.expires), of: decision)
  }

  /// Returns the result of a decision for a call that opens nothing, or of one about which the user was asked, in a task of its own.
  ///
  /// - Throws: `exceeded` if it is not made within the lifetime of a request that has arrived, or of a prompt that has ended, at `arrival`. The result is then dropped.
  func result<Value: Sendable>(
    since arrival: ContinuousClock.Instant,
    of decision: @escaping @BrokerActor () async throws(BusError) -> Value
  ) async throws(BusError) -> Value {
    try await result(until: arrival + lifetime) { () -> Result<Value, BusError> in
      do throws(BusError) { return .success(try await decision()) } catch { return .failure(error) }
    }.get()
  }

  private func result<Value: Sendable>(
    until end: ContinuousClock.Instant, of decision: @escaping @BrokerActor () async -> Value
  ) async throws(BusError) -> Value {
    let limit = max(end - .now, .zero)
    guard let value = await BrokerActor.result(within: limit, otherwise: nil, of: { await decision() }) else {
      throw Self.exceeded
    }
    return value
  }

  private func setTimer(until end: ContinuousClock.Instant) {
    if let timer, timer.end <= end { return }
    timer?.timer.cancel()
    timer = LoopTimer(on: BrokerActor.loop, after: max(end - .now, .zero)) { [weak self] in
      self?.timerFired()
    }.map { (timer: $0, end: end) }
  }

  private func timerFired() {
    timer = nil
    let now = ContinuousClock.now
    for (number, request) in undecided where request.end <= now {
      undecided[number] = nil
      request.timedOut()
    }
    if let next = undecided.values.map(\.end).min() { setTimer(until: next) }
  }
}
