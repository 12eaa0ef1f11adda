// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import DBus
import Freedesktop
import Launching
import Systemd

/// Starts one application without a URL and waits for its bus name, for as long as the start takes.
@BrokerActor
final class ApplicationStarter {
  /// The result of a start.
  enum Start: Sendable {
    /// The application has acquired its name.
    case running(BusName)
    /// The application cannot be started by this strategy; another one may succeed.
    case impossible(String)
    /// The application was started and did not acquire its name.
    case failed(String)
    /// The bus was disconnected in the meantime.
    case busDisconnected
  }

  /// A function that returns the programs of the application's `Exec` line without a URL.
  typealias Launches = @BrokerActor () async throws(LaunchError) -> [Launch]

  /// The display on which a program starts.
  enum Display {
    case session
    /// Another one, which a caller has chosen, and which may not exist any more.
    case other
  }

  private enum StartEvent: Sendable {
    case owner(BusName)
    case exited(ExitStatus?)
    case busLost
  }

  private let instance: ApplicationInstance
  private let bus: BusConnection
  private let launcher: ProgramLauncher
  /// The time after which a start counts as slow.
  private let slowAfter: Duration
  private var startLimits: [Display: StartLimit] = [:]
  /// The reason why requests wait for a slow start, as a sentence; `nil` if no start is slow.
  private(set) var slowStart: String?
  /// The end of a sentence about the other names that appeared during a slow start; empty if there were none.
  private var namesOfSlowStart = ""

  init(_ instance: ApplicationInstance, bus: BusConnection, launcher: ProgramLauncher, slowAfter: Duration) {
    self.instance = instance
    self.bus = bus
    self.launcher = launcher
    self.slowAfter = slowAfter
  }

  private var id: ApplicationID { instance.id }

  /// Has the bus start the application, without a message that waits inside the bus.
  ///
  /// The bus and the service manager set the timeout of the start.
  ///
  /// - Parameters:
  ///   - launches: Returns the programs of the `Exec` line without a URL.
  ///   - isWanted: Returns whether a request still waits for the application.
  func activate(
    _ launches: @escaping Launches, while isWanted: @BrokerActor () -> Bool
  ) async -> Start {
    await limited(on: .session) {
      guard let name = instance.busName else { return .impossible("\(id) is not a valid bus name") }
      let begin = ProcDirectory.now
      let watch = watchForSlowness("started by the bus", since: begin, of: launches)
      defer { end(watch) }
      while true {
        do throws(BusError) {
          _ = try await bus.call(BusDaemon.startServiceByName, at: .bus, name.rawValue, 0, timeout: nil)
          if let owner = await instance.currentOwner() { return .running(owner) }
          return .failed("\(id) acquired its bus name and released it at once")
        } catch {
          switch error.busFailure {
          case .exitedAtStart:
            let others = await otherNames(since: begin, running: try? await launches().first)
            return .failed(
              "\(id) was started by the bus and exited before it acquired its bus name: \(error.message)"
                + others.diagnostic)
          case .startTimedOut:
            // The service manager continues to start its unit, and the bus waits again. Without a service manager the
            // bus has terminated the program.
            guard isWanted(), await launcher.hasUserManager() else {
              let others = await otherNames(since: begin, running: try? await launches().first)
              return .failed(
                "\(id) did not acquire its bus name before the timeout of the bus: \(error.message)"
                  + (others.diagnostic.isEmpty ? namesOfSlowStart : others.diagnostic))
            }
          case .disconnected: return .busDisconnected
          default: return .impossible("the bus cannot start \(id): \(error.message)")
          }
        }
      }
    }
  }

  /// Starts the program of the application's `Exec` line, and waits for its name.
  ///
  /// - Parameters:
  ///   - launches: Returns the programs of the `Exec` line without a URL.
  ///   - requestID: The ID of the request that the start is for.
  ///   - display: The display of the program.
  func launch(
    _ launches: Launches, for requestID: String, on display: Display
  ) async -> Start {
    await limited(on: display) {
      guard let name = instance.busName else { return .impossible("\(id) is not a valid bus name") }
      do {
        let owners = try await bus.owners(of: name)
        let busEvents = await bus.events()
        var launches = try await launches()
        guard launches.count == 1 else {
          return .impossible(
            "the Exec line of \(id) starts \(launches.count) programs without a link; it must start one")
        }
        launches[0].variables["USHER_LAUNCH"] = requestID
        let begin = ProcDirectory.now
        let program = try await launcher.start(launches[0])
        let watch = watchForSlowness(program.description, since: begin, of: { [launches] in launches })
        defer { end(watch) }
        return await wait(for: program, of: launches[0], since: begin, owners, busEvents)
      } catch let failure as LaunchError {
        // The service manager is asked over the bus, and a start carries no link.
        do throws(BusError) { _ = try await bus.owner(of: name) } catch {
          if error.busFailure == .disconnected { return .busDisconnected }
        }
        return .impossible(failure.description)
      } catch let error as BusError where error.busFailure == .disconnected {
        return .busDisconnected
      } catch {
        return .impossible("\(error)")
      }
    }
  }

  /// Starts the application, or fails at once after repeated failed starts.
  ///
  /// Failures on the displays of callers do not delay a start on that of the session.
  private func limited(on display: Display, _ start: () async -> Start) async -> Start {
    if let delay = startLimits[display]?.delay(at: .now) {
      return .failed(
        """
        \(id) was started \(StartLimit.burst) times within \(BrokerLimits.failedStarts.components.seconds) s and failed \
        each time; the next attempt is in \(max(1, delay.components.seconds)) s
        """)
    }
    let outcome = await start()
    switch outcome {
    case .running: startLimits[display] = nil
    case .failed:
      startLimits[display, default: StartLimit(interval: BrokerLimits.failedStarts)].fail(at: .now)
    case .impossible, .busDisconnected: break
    }
    return outcome
  }

  /// Waits until a program has acquired its name or exits.
  ///
  /// There is no timeout, because the broker must not terminate a program that is starting.
  private func wait(
    for program: LaunchedProgram, of launch: Launch, since begin: UInt64, _ owners: AsyncStream<BusName?>,
    _ busEvents: AsyncStream<BusConnection.Event>
  ) async -> Start {
    let (events, happened) = AsyncStream<StartEvent>.makeStream()
    let watches = [
      BrokerActor.loop.start { for await case let owner? in owners { _ = happened.yield(.owner(owner)) } },
      BrokerActor.loop.start { _ = happened.yield(.exited(await program.exitStatus())) },
      BrokerActor.loop.start {
        for await event in busEvents where event == .lost { _ = happened.yield(.busLost) }
      },
    ]
    defer { for watch in watches { watch.cancel() } }
    var isBusLost = false
    for await event in events {
      switch event {
      case .owner(let owner): return .running(owner)
      // The program may acquire its name on the next bus.
      case .busLost: isBusLost = true
      case .exited(let status):
        do throws(BusError) {
          // The program may have started another process, which owns the name now.
          if let name = instance.busName, let owner = try await bus.owner(of: name) { return .running(owner) }
        } catch {
          if error.busFailure == .disconnected { isBusLost = true }
        }
        // The program may have exited because the bus was lost.
        if isBusLost { return .busDisconnected }
        let others = await otherNames(since: begin, running: launch)
        return .failed(message(ofExitWith: status, others))
      }
    }
    return .failed("the broker stopped waiting for \(id) while it started")
  }

  private func otherNames(since begin: UInt64, running launch: Launch?) async -> OtherBusNames {
    await OtherBusNames.find(besides: instance, on: bus, since: begin, running: launch)
  }

  /// Returns a sentence about a program that has exited without acquiring the application's name.
  private func message(ofExitWith status: ExitStatus?, _ others: OtherBusNames) -> String {
    // The second process of such an application, for example of a GtkApplication, has no fault.
    if status?.isSuccess == true, others.new.isEmpty, !others.ofProgram.isEmpty {
      return "\(id) runs already, without its bus name, and a second process of it exited at once"
        + others.diagnostic
    }
    let how = status.map { "\($0)" } ?? "an unknown status"
    return "\(id) exited with \(how) before it acquired its bus name" + others.diagnostic
  }

  /// Records that a start is slow after `slowAfter`.
  ///
  /// - Parameters:
  ///   - how: How the application was started, for the message, such as `process 4711`.
  ///   - begin: The start time; names that appeared since then are part of the message.
  ///   - launches: Returns the programs; names of their other processes are part of the message, too.
  private func watchForSlowness(
    _ how: String, since begin: UInt64, of launches: @escaping Launches
  ) -> Task<Void, Never> {
    namesOfSlowStart = ""
    return BrokerActor.loop.start { [weak self, slowAfter] in
      guard (try? await BrokerActor.loop.sleep(for: slowAfter)) != nil else { return }
      await self?.recordSlowness(how, begin, of: launches)
    }
  }

  private func recordSlowness(_ how: String, _ begin: UInt64, of launches: Launches) async {
    let reason =
      "\(id) was started, but did not acquire its bus name within \(slowAfter.components.seconds) s (\(how))"
    while !Task.isCancelled {
      slowStart = slowStart ?? reason
      let others = await otherNames(since: begin, running: try? await launches().first)
      guard !Task.isCancelled else { return }
      slowStart = reason + others.diagnostic
      if !others.diagnostic.isEmpty { namesOfSlowStart = others.diagnostic }
      // The application may acquire another name later.
      try? await BrokerActor.loop.sleep(for: max(slowAfter, .seconds(1)))
    }
  }

  /// Ends the watch when the start is finished.
  private func end(_ watch: Task<Void, Never>) {
    watch.cancel()
    slowStart = nil
  }
}
