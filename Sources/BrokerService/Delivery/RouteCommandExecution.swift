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
  private let request: DeliveryJob
  private let command: RouteCommand
  private let dependencies: DeliveryQueue.Dependencies
  /// The delivery to report to the caller.
  private let answer: Promise<Delivery?>

  /// Creates an execution of `command`.
  ///
  /// The program finds `envelope` through `USHER_ENVELOPE`, and the URLs that it opens have one more hop.
  init(
    _ command: RouteCommand, _ envelope: Envelope, wait: OpenOptions.Wait, _ context: DeliveryContext,
    _ dependencies: DeliveryQueue.Dependencies
  ) {
    self.command = command
    self.dependencies = dependencies
    let request = DeliveryJob(number: 1, envelope, for: nil, wait: wait, context)
    answer = request.answer
    self.request = request
  }

  /// Starts the program.
  ///
  /// - Parameter written: Whether the request is stored.
  func start(written: Bool) {
    request.take(written ? .stored : .cannotBeStored)
    let caller = request.caller
    guard dependencies.starts.take(for: caller) else {
      BrokerActor.loop.start {
        await self.dependencies.starts.turn(of: caller)
        self.begin()
      }
      return
    }
    begin()
  }

  private func begin() {
    // The caller may have cancelled the request while it waited.
    guard !request.life.isEnded else { return }
    guard request.take(.sending(request.programWay)).contains(.send) else {
      return settle(
        .startFailed, Self.failure(.launchFailed, "the start of the program cannot be recorded"))
    }
    let file = EnvelopeFile(request.envelope, in: dependencies.runtimeDirectory)
    var launch = Launch(command)
    launch.variables = EnvelopeFile.variables(for: request.envelope, in: file)
    BrokerActor.loop.start { await self.run(launch, file) }
  }

  private func run(_ launch: Launch, _ file: EnvelopeFile?) async {
    do throws(LaunchError) {
      let program = try await dependencies.launcher.start(launch)
      request.testHook()
      file?.remove(after: program)
      settle(.arrived, Self.delivered)
      guard !request.life.isEnded else { return }
      guard let status = await program.exitStatus() else { return settle(.noReply, Self.delivered) }
      guard status.isSuccess else {
        return settle(
          .processExits(success: false),
          Self.failure(.targetFailed, "the program of the route “\(command.route)” exited with \(status)"))
      }
      settle(
        .processExits(success: true), Delivery(application: nil, outcome: .handled, kind: .launch))
    } catch {
      file?.remove()
      var answer = Self.failure(.launchFailed, error.description)
      guard error.isUncertain else {
        request.take(.provenNotDelivered)
        return settle(.startFailed, answer)
      }
      answer.outcome = .unknown
      settle(.noReply, answer)
    }
  }

  private func settle(_ event: RequestEvent, _ delivery: Delivery? = nil) { request.take(event, delivery) }

  /// Returns the delivery, waiting for at most `timeout`; after that, the outcome so far.
  func delivery(timeout: Duration) async -> Delivery {
    let timer = LoopTimer(on: BrokerActor.loop, after: timeout) { [weak self] in
      self?.settle(.callerTimedOut)
    }
    defer { timer?.cancel() }
    return await answer.value ?? Self.delivered
  }

  private static let delivered = Delivery(application: nil, outcome: .delivered, kind: .launch)

  private static func failure(_ name: BrokerErrorName, _ message: String) -> Delivery {
    Delivery(application: nil, outcome: .failed, kind: .launch, error: name.errorName, message: message)
  }
}

extension EnvelopeFile {
  /// Removes the file when the program exits, or after an hour.
  func remove(after program: LaunchedProgram) {
    let hour = BrokerActor.loop.start {
      if (try? await BrokerActor.loop.sleep(for: .seconds(3_600))) != nil { remove() }
    }
    BrokerActor.loop.start {
      _ = await program.exitStatus()
      hour.cancel()
      remove()
    }
  }
}
