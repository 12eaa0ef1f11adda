// SPDX-License-Identifier: Apache-2.0
package import BusInterfaces
import DBus
import Synchronization
import Systemd

/// An opener of the URLs that the application itself opens.
package protocol URLOpening: Sendable {
  /// Opens URLs; if the task is cancelled, so is the request.
  nonisolated(nonsending) func open(
    _ urls: [String], options: OpenOptions, progress: (@Sendable (RequestProgress) -> Void)?
  ) async throws(SceneError) -> Receipt
  /// Returns `true` if an application would open a URL.
  nonisolated(nonsending) func canOpen(_ url: String) async throws(SceneError) -> Bool
  /// Returns the same as `canOpen` if that is known without a wait; otherwise `nil`.
  func canOpenAtOnce(_ url: String) -> Bool?
}

extension URLOpening {
  package func canOpenAtOnce(_ url: String) -> Bool? { nil }
}

/// A client of the broker on the application's bus connection.
final class BrokerClient: URLOpening {
  private let connection: BusConnection
  let state = Mutex(State())

  struct State {
    /// The open requests, by ID.
    var openRequests: [String: OpenRequest] = [:]
    /// The task that starts to record them; `nil` before the first request, and after a failure.
    var watching: Task<Void, Never>?
  }

  /// A request that the broker has not answered.
  struct OpenRequest: Equatable {
    /// A Boolean value that is `true` if the broker has declared that the outcome is unknown if it exits.
    var isUncertain = false
    /// A Boolean value that is `true` if the task that waits for the answer is cancelled.
    var isCancelled = false
  }

  init(on connection: BusConnection) { self.connection = connection }

  nonisolated(nonsending) func canOpen(_ url: String) async throws(SceneError) -> Bool {
    do throws(BusError) {
      return try await connection.call(BrokerInterface.canOpen, at: BrokerInterface.broker, url)
    } catch {
      throw .notOpened(error)
    }
  }

  nonisolated(nonsending) func open(
    _ urls: [String], options: OpenOptions, progress: (@Sendable (RequestProgress) -> Void)?
  ) async throws(SceneError) -> Receipt {
    let requestID = options.requestID ?? ""
    state.withLock { $0.openRequests[requestID] = OpenRequest() }
    defer { state.withLock { $0.openRequests[requestID] = nil } }
    await watchUncertainty()
    let watching = await watch(requestID, progress)
    defer { watching?.cancel() }
    // A separate task, because a cancelled task cannot make bus calls. Tasks of `start` begin in the order of the calls, so that
    // the broker receives the request before its cancellation.
    let call = connection.loop.start { () async -> Result<Receipt, SceneError> in
      do throws(SceneError) { return .success(try await self.callBroker(urls, options)) } catch {
        return .failure(error)
      }
    }
    return try await withTaskCancellationHandler {
      await call.value
    } onCancel: {
      state.withLock { $0.openRequests[requestID]?.isCancelled = true }
      startToCancel(requestID)
    }.get()
  }

  /// Cancels a request in a task that begins after the current work of the loop.
  private func startToCancel(_ requestID: String) {
    let connection = connection
    connection.loop.start {
      try? await connection.call(BrokerInterface.cancel, at: BrokerInterface.broker, requestID)
    }
  }

  /// Calls the broker with a new request; if it exits, calls the next one with the same ID, which identifies the repetition.
  private nonisolated(nonsending) func callBroker(_ urls: [String], _ options: OpenOptions)
    async throws(SceneError) -> Receipt
  {
    let end = ContinuousClock.now + options.timeout + Self.replyMargin
    let requestID = options.requestID ?? ""
    var options = options
    options.isFirstAttempt = true
    while true {
      do throws(BusError) {
        let entries = try await connection.call(
          BrokerInterface.open, at: BrokerInterface.broker, urls, options.entries, timeout: end - .now)
        return try decoded(Receipt(entries))
      } catch {
        let request = state.withLock { $0.openRequests[requestID] } ?? OpenRequest()
        // After the broker has declared the outcome unknown, the next broker has no record of the request, so that a
        // repetition is unsafe.
        guard error.busFailure == .noReply, !request.isUncertain, ContinuousClock.now < end else {
          throw .notOpened(error)
        }
        options.isFirstAttempt = false
        // The next broker may open a request that the last one has stored, but it has received no cancellation. It receives this
        // one after the repeated request, which this task sends before it waits.
        if request.isCancelled { startToCancel(requestID) }
      }
    }
  }

  /// The time that the broker may need beyond its own timeout to answer.
  private static let replyMargin = Duration.seconds(5)

  /// Starts to record the requests whose outcome, as the broker declares, is unknown if it exits.
  private nonisolated(nonsending) func watchUncertainty() async {
    await state.withLock { state in
      // A separate task, because a cancelled task cannot make bus calls.
      let watching = state.watching ?? connection.loop.start { await self.startToWatch() }
      state.watching = watching
      return watching
    }.value
  }

  private nonisolated(nonsending) func startToWatch() async {
    guard
      let signals = try? await connection.signals(BrokerInterface.progress, from: BrokerInterface.busName)
    else { return state.withLock { $0.watching = nil } }
    // On the loop, as the calls are, so that a declaration is recorded before the error that follows it.
    connection.loop.start { [weak self] in
      for await signal in signals where signal.values.1 == Outcome.unknown.rawValue {
        // The request may have ended in the meantime.
        self?.state.withLock { $0.openRequests[signal.values.0]?.isUncertain = true }
      }
    }
  }

  private nonisolated(nonsending) func watch(
    _ requestID: String, _ progress: (@Sendable (RequestProgress) -> Void)?
  ) async -> Task<Void, Never>? {
    guard let progress,
      let signals = try? await connection.signals(BrokerInterface.handling, from: BrokerInterface.busName)
    else { return nil }
    return Task {
      for await signal in signals where signal.values.0 == requestID {
        if let reported = try? RequestProgress(signal.values.2) { progress(reported) }
      }
    }
  }
}
