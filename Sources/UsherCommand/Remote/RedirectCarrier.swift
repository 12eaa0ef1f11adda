// SPDX-License-Identifier: Apache-2.0
import RemoteProtocol
import Systemd

/// Carries the answers of sign-ins from a relay to programs on its machine, over the connection that this process holds.
///
/// The relay names a port of the machine's own loopback interface, a path and a query. This process writes the request, and returns the
/// status of the response, so that the relay has no connection to the machine. If the relay exits, it is started again, as often as necessary
/// if that fails.
actor RedirectCarrier {
  /// Starts a relay, and returns when programs can connect to its socket.
  typealias RelayStart = @Sendable () throws(RemoteFailure) -> sending PipedProcess

  /// The maximum number of exits of relays within the time after which another one is started.
  private static let (maximumExits, exitInterval) = (5, Duration.seconds(60))

  private var relay: PipedProcess
  private let startRelay: RelayStart
  private let ssh: SSHClient
  /// The times of the last exits of relays.
  private var exits: [ContinuousClock.Instant] = []
  /// The pauses after attempts to start a relay that have failed.
  private var backoff = Backoff()
  /// The time until the next attempt to start a relay.
  private var pause: LoopTimer?
  private var isEnding = false
  private var transfers: [UInt64: Transfer] = [:]

  /// A request that is being carried.
  private struct Transfer {
    /// The connection to the port: ssh(1) with `-W`.
    let program: PipedProcess
    /// A Boolean value that indicates whether the relay has the status; the rest of the response is dropped.
    var isReported = false
    var timer: LoopTimer?
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { EventLoop.shared.asUnownedSerialExecutor() }

  /// Starts a relay for the machine of a connection.
  init(over ssh: SSHClient, startingRelayWith startRelay: @escaping RelayStart) throws(RemoteFailure) {
    relay = try startRelay()
    self.startRelay = startRelay
    self.ssh = ssh
  }

  /// Starts to carry requests, on the thread of the event loop.
  nonisolated func start() { EventLoop.shared.start { await self.watch() } }

  /// Ends the relay.
  nonisolated func end() { EventLoop.shared.start { await self.endRelay() } }

  private func watch() { relay.watch(on: .shared) { self.readRelay() } }

  private func endRelay() {
    isEnding = true
    pause?.cancel()
    relay.endInput()
    for number in transfers.keys { finish(number) }
  }

  private func readRelay() {
    while true {
      switch relay.next(by: .now) {
      case .line(let line):
        if case .carry(let number, let request)? = RelayLine(String(decoding: line, as: UTF8.self)) {
          carry(request, number)
        }
      case .tooLong: continue
      case .ended: return replaceRelay()
      case .late: return
      }
    }
  }

  /// Starts the relay again after it has exited, so that links of the machine open again.
  private func replaceRelay() {
    relay.unwatch()
    guard !isEnding else { return }
    // The next relay has its own numbers.
    for number in transfers.keys { finish(number, reports: false) }
    exits = exits.filter { $0 > .now - Self.exitInterval } + [.now]
    guard exits.count <= Self.maximumExits else {
      return Console.warn(
        "the relay of \(ssh.machine) exits again and again; end the connection, and connect again")
    }
    backoff.reset()
    startAgain(reported: [])
  }

  /// Starts a relay, and tries again after a time if that fails.
  ///
  /// - Parameter reasons: The reasons for which attempts have failed; later ones fail for the same.
  private func startAgain(reported reasons: Set<String>) {
    do throws(RemoteFailure) {
      relay = try startRelay()
      watch()
      Console.warn("the relay of \(ssh.machine) had exited, and is started again")
    } catch {
      if !reasons.contains("\(error)") {
        Console.warn(
          "the relay of \(ssh.machine) has exited and cannot be started again: \(error); trying again")
      }
      pause = LoopTimer(on: .shared, after: backoff.next()) {
        self.startAgain(reported: reasons.union(["\(error)"]))
      }
    }
  }

  private func carry(_ request: CarriedRequest, _ number: UInt64) {
    guard transfers.count < CarriedRequest.maximumCount, transfers[number] == nil,
      let program = try? PipedProcess(ssh.connection(to: request.authority))
    else { return report(.failed(number)) }
    program.send(request.bytes)
    transfers[number] = Transfer(program: program)
    transfers[number]?.timer = LoopTimer(on: .shared, after: .seconds(CarriedRequest.timeout)) {
      self.finish(number)
    }
    program.watch(on: .shared) { self.readResponse(number) }
  }

  /// Reads the status line, and drops the rest, so that the program can send all of it.
  private func readResponse(_ number: UInt64) {
    while let transfer = transfers[number] {
      switch transfer.program.next(by: .now) {
      case .line(let line) where !transfer.isReported:
        guard let status = CarriedRequest.status(inLine: line) else { return finish(number) }
        transfers[number]?.isReported = true
        report(.carried(number, status: status))
      case .line, .tooLong: continue
      case .ended: return finish(number)
      case .late: return
      }
    }
  }

  private func finish(_ number: UInt64, reports: Bool = true) {
    guard let transfer = transfers.removeValue(forKey: number) else { return }
    transfer.timer?.cancel()
    transfer.program.unwatch()
    if reports, !transfer.isReported { report(.failed(number)) }
    // ssh exits at once after SIGTERM.
    transfer.program.end(timeout: .milliseconds(100))
  }

  private func report(_ line: RelayLine) { relay.send(Array("\(line.text)\n".utf8)) }
}
