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
  private let state = Mutex(State())

  private struct State {
    /// The IDs of the open requests, and whether their outcome, as the broker has declared, is unknown if it exits.
    var isUncertain: [String: Bool] = [:]
    /// The task that starts to record them; `nil` before the first request, and after a failure.
    var watching: Task<Void, Never>?
  }

  init(on connection: BusConnection) { self.connection = connection }

  /// The IDs of the open requests, and whether their outcome is unknown if the broker exits.
  var openRequests: [String: Bool] { state.withLock(\.isUncertain) }

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
    state.withLock { $0.isUncertain[requestID] = false }
    defer { state.withLock { $0.isUncertain[requestID] = nil } }
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
    let connection = connection
    return try await withTaskCancellationHandler {
      await call.value
    } onCancel: {
      connection.loop.start {
        try? await connection.call(BrokerInterface.cancel, at: BrokerInterface.broker, requestID)
      }
    }.get()
  }

  /// Calls the broker with a new request; if it exits, calls the next one with the same ID, which identifies the repetition.
  private nonisolated(nonsending) func callBroker(_ urls: [String], _ options: OpenOptions)
    async throws(SceneError) -> Receipt
  {
    let end = ContinuousClock.now + options.timeout + Self.replyMargin
    var options = options
    options.isFirstAttempt = true
    while true {
      do throws(BusError) {
        let entries = try await connection.call(
          BrokerInterface.open, at: BrokerInterface.broker, urls, options.entries, timeout: end - .now)
        return try decoded(Receipt(entries))
      } catch {
        // After the broker has declared the outcome unknown, the next broker has no record of the request, so that a
        // repetition is unsafe.
        let isUncertain = state.withLock { $0.isUncertain[options.requestID ?? ""] == true }
        guard error.busFailure == .noReply, !isUncertain, ContinuousClock.now < end else {
          throw .notOpened(error)
        }
        options.isFirstAttempt = false
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
        self?.state.withLock {
          if $0.isUncertain[signal.values.0] != nil { $0.isUncertain[signal.values.0] = true }
        }
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
