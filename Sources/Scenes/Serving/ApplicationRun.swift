import BusInterfaces
import DBus
import Glibc
import Systemd

/// One run of an application: from its name on the bus to its end.
struct ApplicationRun: Sendable {
  /// Its place on the bus; `nil` in a test without one.
  let seat: BusRegistration?
  let server: SceneServer
  /// How long the request may take that the application was started for; `nil` where there is none.
  let timeout: Duration?
  let hasReason: Bool

  /// Why a run ends.
  private enum Stop: Sendable {
    case asked
    case nameLost(BusName)
    case unprepared(any Error)
  }

  /// Serves until it is told to stop, then answers what came before.
  func run(endingSignals: [Int32]) async throws(SceneError) {
    let (stops, stopper) = AsyncStream<Stop>.makeStream()
    // Before anything is handled: whoever sees that it is may send one.
    let signals = endingSignals.isEmpty ? nil : server.loop.signals(endingSignals)
    let watchers = [
      Task { if let signals { for await _ in signals { stopper.yield(.asked) } } },
      Task { await watchBus(stopper) },
      Task {
        do { try await server.profile.prepare(hasReason: hasReason) } catch {
          return _ = stopper.yield(.unprepared(error))
        }
        await server.becomeReady()
        try await startWithoutReason()
      },
    ]
    // Waiting and ending are tasks of their own: from a cancelled one nothing more can be said to the bus.
    let first = Task { await stops.first { _ in true } ?? .asked }
    let stop = await withTaskCancellationHandler {
      await first.value
    } onCancel: {
      stopper.yield(.asked)
    }
    await Task { await end(after: stop, stops) }.value
    for watcher in watchers { watcher.cancel() }
    for number in endingSignals { signal(number, SIG_DFL) }
    switch stop {
    case .asked: return
    case .nameLost(let name): throw .nameLost(name)
    case .unprepared(let error): throw .unprepared(error)
    }
  }

  private func end(after stop: Stop, _ stops: AsyncStream<Stop>) async {
    if case .unprepared(let error) = stop {
      await server.refuseAll(BusError(.targetFailed, "the application could not get ready: \(error)"))
    }
    let impatience = Task {
      guard await stops.first(where: { _ in true }) != nil, !Task.isCancelled else { return }
      await server.abandon()
    }
    await server.end()
    await server.waitUntilIdle()
    if let seat {
      _ = try? await seat.connection.releaseName(seat.name)
      // What others sent before the name was gone is here by now: the bus keeps order.
      await server.drainBroker(on: seat.connection, timeout: seat.brokerTimeout)
    }
    await server.close()
    await server.terminate()
    await server.waitUntilIdle()
    impatience.cancel()
    await seat?.connection.close()
  }

  /// The request may have been withdrawn that the application was started for, and somebody wants to see a window.
  private func startWithoutReason() async throws {
    guard let timeout else { return }
    try await Task.sleep(for: timeout)
    try await server.handleOwn(.start, nil)
  }

  private func watchBus(_ stopper: AsyncStream<Stop>.Continuation) async {
    guard let seat else { return }
    for await event in await seat.connection.events() {
      switch event {
      // A bus that is started again gives out the same unique names to others.
      case .lost: await server.brokerChanged(to: nil)
      case .restored:
        // Asked for already; asked again to hear the answer.
        guard let answer = try? await seat.connection.requestName(seat.name), answer == .taken else {
          continue
        }
        stopper.yield(.nameLost(seat.name))
      }
    }
  }
}
