import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import Systemd

extension DeliveryQueue {
  /// The result of a start of the application.
  enum Start: Sendable {
    /// The application has acquired its name.
    case running(BusName)
    /// The application cannot be started by this strategy; another one may succeed.
    case impossible(String)
    /// The application was started and did not acquire its name.
    case failed(String)
    /// The bus was disconnected in the meantime.
    case busWent
  }

  /// Starts the application, unless it is delayed because of failed starts.
  func limited(_ start: () async -> Start) async -> Start {
    if let rest = startLimit.rest(at: .now) {
      return .failed(
        """
        \(id) was started \(StartLimit.burst) times within \(StartLimit.interval.components.seconds) s and failed \
        each time; the next attempt is in \(max(1, rest.components.seconds)) s
        """)
    }
    let outcome = await start()
    switch outcome {
    case .running: startLimit.succeed()
    case .failed: startLimit.fail(at: .now)
    case .impossible, .busWent: break
    }
    return outcome
  }

  /// Has the bus start the application, without a message that waits inside the bus.
  ///
  /// The bus and the service manager set the timeout of the start.
  func activate() async -> Start {
    guard let name = busName else { return .impossible("\(id) is not a valid bus name") }
    let slowness = watchForSlowness("started by the bus")
    defer { end(slowness) }
    while true {
      do throws(BusError) {
        _ = try await dependencies.bus.call(
          BusDaemon.startServiceByName, at: .bus, name.rawValue, 0, timeout: nil)
        if let owner = await currentOwner() { return .running(owner) }
        return .failed("\(id) acquired its bus name and released it at once")
      } catch {
        switch error.name {
        case "org.freedesktop.DBus.Error.Spawn.ChildExited", "org.freedesktop.DBus.Error.Spawn.ChildSignaled":
          return .failed(
            "\(id) was started by the bus and exited before it acquired its bus name: \(error.message)")
        case "org.freedesktop.DBus.Error.TimedOut":
          // The service manager continues to start its unit, and the bus waits again. Without a service manager the bus
          // has terminated the program.
          guard hasWaiting, await dependencies.launcher.hasUserManager() else {
            return .failed(
              "\(id) did not acquire its bus name before the timeout of the bus: \(error.message)")
          }
        case .disconnected: return .busWent
        default: return .impossible("the bus cannot start \(id): \(error.message)")
        }
      }
    }
  }

  /// Starts the application's program without a URL, and waits for its name.
  func launch(for requestID: String) async -> Start {
    guard let name = busName else { return .impossible("\(id) is not a valid bus name") }
    do {
      let owners = try await dependencies.bus.owners(of: name)
      var launches = try await launches()
      guard launches.count == 1 else { return .impossible("\(id) needs more than one program to start") }
      launches[0].variables["USHER_LAUNCH"] = requestID
      let begin = ProcDirectory.now
      let program = try await dependencies.launcher.start(launches[0])
      let slowness = watchForSlowness(program.description, since: begin)
      defer { end(slowness) }
      return await wait(for: program, owners)
    } catch let error as LaunchError {
      return .impossible(error.description)
    } catch let error as BusError where error.name == .disconnected {
      return .busWent
    } catch {
      return .impossible("\(error)")
    }
  }

  private enum StartEvent: Sendable {
    case owner(BusName)
    case ended(ExitStatus?)
  }

  /// Waits until a program has acquired its name or exits.
  ///
  /// There is no timeout, because the broker must not terminate a program that is starting.
  private func wait(for program: LaunchedProgram, _ owners: AsyncStream<BusName?>) async -> Start {
    let (events, happened) = AsyncStream<StartEvent>.makeStream()
    let loop = BrokerActor.loop
    let watches = [
      loop.start { for await case let owner? in owners { _ = happened.yield(.owner(owner)) } },
      loop.start { _ = happened.yield(.ended(await program.exitStatus())) },
    ]
    defer { for watch in watches { watch.cancel() } }
    for await event in events {
      switch event {
      case .owner(let owner): return .running(owner)
      case .ended(let status):
        // The program may have started another process, which owns the name now.
        if let owner = await currentOwner() { return .running(owner) }
        let how = status.map { "\($0)" } ?? "an unknown status"
        return .failed("\(id) exited with \(how) before it acquired its bus name")
      }
    }
    return .failed("\(id) was abandoned while it started")
  }

  /// Runs the application's Exec line with the URLs: one program, or one for each URL.
  func execute(_ request: DeliveryJob) async -> DeliveryAttempt {
    request.envelope.delivery = .launch
    do throws(LaunchError) {
      let launches = try await launches(
        opening: request.envelope.urls, performing: request.envelope.desktopAction)
      writeDown(with: request)
      guard request.take(.sending(request.programWay)).contains(.send) else { return unsent(request) }
      guard launches.count > 1 else { return await start(launches, for: request) }
      startAside(launches, for: request)
      return .sent
    } catch {
      return .notDelivered(error.description)
    }
  }

  /// Starts programs one after the other.
  ///
  /// The turn of the caller for the first program is acquired before; this function waits for the turns of the others.
  func start(_ launches: [Launch], for request: DeliveryJob) async -> DeliveryAttempt {
    let urls = request.envelope.urls
    var started: [LaunchedProgram] = []
    do throws(LaunchError) {
      for (index, launch) in launches.enumerated() {
        if index > 0 { await dependencies.starts.turn(of: request.caller) }
        var envelope = request.envelope
        if launches.count == urls.count { envelope.urls = [urls[index]] }
        started.append(try await start(launch, with: envelope))
      }
      request.testHook()
      return settle(request, started)
    } catch {
      guard error.isUncertain || !started.isEmpty else {
        request.take(.provenNotDelivered)
        return .notDelivered(error.description)
      }
      // The outcome is not `failed`, because some programs may have received their URLs and the fallback must not be
      // opened.
      return .finished(
        .noReply,
        Delivery(
          application: id.rawValue, outcome: .unknown, kind: .launch,
          error: BrokerErrorName.launchFailed.errorName,
          message: started.isEmpty
            ? error.description : "\(error); \(started.count) of its links were passed to it before"))
    }
  }

  /// Returns the programs of the Exec line.
  ///
  /// It runs on the file thread, because programs are searched in the user's directories too.
  private func launches(
    opening urls: [String] = [], performing action: String? = nil
  ) async throws(LaunchError) -> [Launch] {
    let (entry, id, programs) = (application.entry, id, programs)
    return try await dependencies.files.run { () -> Result<[Launch], LaunchError> in
      do throws(LaunchError) {
        return .success(
          try EntryLaunch.launches(of: entry, id: id, opening: urls, performing: action, programs: programs))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  private func start(_ launch: Launch, with envelope: Envelope) async throws(LaunchError) -> LaunchedProgram {
    let file = envelopeFile(for: envelope)
    var launch = launch
    launch.variables = variables(for: envelope, file)
    do throws(LaunchError) {
      let program = try await dependencies.launcher.start(launch)
      file?.remove(after: program)
      return program
    } catch {
      file?.remove()
      throw error
    }
  }

  private func settle(_ request: DeliveryJob, _ programs: [LaunchedProgram]) -> DeliveryAttempt {
    let delivered = Delivery(application: id.rawValue, outcome: .delivered, kind: .launch)
    guard request.wait == .handled else { return .finished(.arrived, delivered) }
    // A program with a bus name forwards its URLs to the running instance, so its exit status says nothing about that
    // instance.
    let speaksForAnother = application.isDBusActivatable || application.takesEnvelopes
    request.take(.arrived, delivered)
    BrokerActor.loop.start {
      for program in programs {
        guard let status = await program.exitStatus() else {
          return self.settle(request, .noReply, delivered)
        }
        guard status.isSuccess else {
          return self.settle(
            request, .processExits(success: false),
            self.failure(.targetFailed, "\(self.id) exited with \(status)", kind: .launch))
        }
      }
      guard !speaksForAnother else { return self.settle(request, .noReply, delivered) }
      self.settle(
        request, .processExits(success: true),
        Delivery(application: self.id.rawValue, outcome: .handled, kind: .launch))
    }
    return .sent
  }

  private func envelopeFile(for envelope: Envelope) -> EnvelopeFile? {
    // The path does not exist inside a sandbox.
    guard application.entry["X-Flatpak"] == nil, application.entry["X-SnapInstanceName"] == nil else {
      return nil
    }
    return EnvelopeFile(envelope, in: dependencies.runtimeDirectory)
  }

  private func variables(for envelope: Envelope, _ file: EnvelopeFile?) -> [String: String] {
    var variables = EnvelopeFile.variables(for: envelope, in: file)
    if application.entry.startupNotify == true, let token = envelope.activationToken {
      variables["XDG_ACTIVATION_TOKEN"] = token
      variables["DESKTOP_STARTUP_ID"] = token
    }
    return variables
  }
}
