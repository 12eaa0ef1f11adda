// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import Systemd

/// One run of an application, from the acquisition of its bus name to its termination.
struct ApplicationRun: Sendable {
  /// The application's name and connection; `nil` in a test without a bus.
  let busRegistration: BusRegistration?
  let server: SceneServer
  /// The longest wait for the request for which the application was started; `nil` if there is no such request.
  let timeout: Duration?
  let hasReason: Bool

  /// The reason why a run ends.
  private enum Stop: Sendable {
    case asked
    case nameLost(BusName)
    case preparationFailed(any Error)
  }

  /// Serves requests until the run is stopped, then answers the requests that arrived before.
  nonisolated(nonsending) func run(terminationSignals: [Int32]) async throws(SceneError) {
    let (stops, stopper) = AsyncStream<Stop>.makeStream()
    // Installed before any request is handled, because a process that sees a request handled may send a signal.
    let signals = terminationSignals.isEmpty ? nil : server.loop.signals(terminationSignals)
    let watchers = [
      Task { if let signals { for await _ in signals { stopper.yield(.asked) } } },
      Task { await watchBus(stopper) },
      Task {
        do { try await server.requestHandler.prepare(hasReason: hasReason) } catch {
          return _ = stopper.yield(.preparationFailed(error))
        }
        await server.becomeReady()
        try await startWithoutReason()
      },
    ]
    // The wait and the shutdown run in their own tasks, because a cancelled task cannot send bus messages.
    let first = Task { await stops.first { _ in true } ?? .asked }
    let stop = await withTaskCancellationHandler {
      await first.value
    } onCancel: {
      stopper.yield(.asked)
    }
    await Task { await end(after: stop, stops) }.value
    for watcher in watchers { watcher.cancel() }
    for number in terminationSignals { signal(number, SIG_DFL) }
    switch stop {
    case .asked: return
    case .nameLost(let name): throw .nameLost(name)
    case .preparationFailed(let error): throw .preparationFailed(error)
    }
  }

  private nonisolated(nonsending) func end(after stop: Stop, _ stops: AsyncStream<Stop>) async {
    let timeoutTask = Task {
      // A launch may fail while the application exits, which is not a second signal.
      let next = await stops.first { if case .preparationFailed = $0 { false } else { true } }
      guard next != nil, !Task.isCancelled else { return }
      await server.abandon()
    }
    let error: SceneError? =
      if case .preparationFailed(let error) = stop { .preparationFailed(error) } else { nil }
    await server.shutDown(after: error, releasing: busRegistration)
    timeoutTask.cancel()
    await busRegistration?.connection.close()
  }

  /// Connects a scene if the expected request has not arrived in time: it may have been cancelled, and the user expects a window.
  private nonisolated(nonsending) func startWithoutReason() async throws {
    guard let timeout else { return }
    try await Task.sleep(for: timeout)
    try await server.handleOwn(.start, nil)
  }

  private nonisolated(nonsending) func watchBus(_ stopper: AsyncStream<Stop>.Continuation) async {
    guard let busRegistration else { return }
    for await event in await busRegistration.connection.events() {
      switch event {
      // A restarted bus may assign the broker's unique name to another connection.
      case .lost: await server.brokerChanged(to: nil)
      case .restored:
        // The connection has already requested the name again; this request obtains the result.
        guard let answer = try? await busRegistration.connection.requestName(busRegistration.name),
          answer == .taken
        else {
          continue
        }
        stopper.yield(.nameLost(busRegistration.name))
      }
    }
  }
}
