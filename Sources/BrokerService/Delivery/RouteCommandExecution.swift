// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Launching
import Systemd

/// The execution of a program that a route runs for a URL.
///
/// It has no queue: the program is started once, as soon as the caller's rate permits, and never again.
@BrokerActor
final class RouteCommandExecution {
  private let job: DeliveryJob
  private let command: RouteCommand
  private let programs: ProgramDelivery
  private let starts: ProgramStarts
  private let shutdown: DeliveryShutdown

  /// Creates an execution of `command` for `job`.
  ///
  /// The program finds the envelope through `USHER_ENVELOPE`, and the URLs that it opens have one more hop.
  init(of command: RouteCommand, for job: DeliveryJob, _ dependencies: DeliveryDependencies) {
    self.command = command
    self.job = job
    programs = dependencies.programs.delivery(to: nil, named: "the program of the route “\(command.route)”")
    starts = dependencies.programs.starts
    shutdown = dependencies.shutdown
  }

  /// Starts the program.
  ///
  /// - Parameter written: Whether the request is stored.
  func start(written: Bool) {
    job.apply(written ? .stored : .cannotBeStored)
    beginInTurn()
  }

  /// Starts a program that an earlier broker has not started, or ends the job if it has expired.
  func resume() {
    job.apply(.brokerRestarts)
    if job.expires <= .now { job.apply(.expired) } else { beginInTurn() }
  }

  private func beginInTurn() {
    let caller = job.caller
    guard starts.take(for: caller) else {
      BrokerActor.loop.start {
        await self.starts.turn(of: caller)
        // The caller may have cancelled the request while it waited.
        if self.job.life.isEnded { self.starts.giveBack(caller) } else { self.begin() }
      }
      return
    }
    begin()
  }

  private func begin() {
    // The next broker starts it.
    guard !shutdown.hasBegun else { return }
    guard job.apply(.sending(job.programWay)) == .send else {
      job.apply(.startFailed, Self.failure(.launchFailed, "the start of the program cannot be recorded"))
      return
    }
    BrokerActor.loop.start { [self] in
      let reason = await programs.run([Launch(command)], for: job) { [self] in job.apply($0, $1) }
      if let reason { job.apply(.startFailed, Self.failure(.launchFailed, reason)) }
    }
  }

  private static func failure(_ name: BrokerErrorName, _ message: String) -> Delivery {
    Delivery(application: nil, outcome: .failed, kind: .launch, error: name.errorName, message: message)
  }
}
