import BrokerCore
import BusInterfaces
import DBus
import Launching
import Systemd

/// A program that a route runs for a URL, on its way.
///
/// It has no queue: it is started once, at once, and never again.
struct RoutedRun: Sendable {
  private let answers: AsyncStream<Delivery>

  /// Starts the program of `command`; it finds `envelope` by `USHER_ENVELOPE`, and what it opens counts as a round more.
  init(
    _ command: RoutedCommand, _ envelope: Envelope, wait: OpenOptions.Wait,
    _ surroundings: Target.Surroundings
  ) {
    let (answers, answering) = AsyncStream<Delivery>.makeStream()
    self.answers = answers
    let file = EnvelopeFile(envelope, in: surroundings.runtimeDirectory)
    Task {
      var launch = Launch(command)
      launch.variables = EnvelopeFile.variables(for: envelope, in: file)
      do throws(LaunchError) {
        let program = try await surroundings.launcher.start(launch)
        if wait != .handled { answering.yield(Self.delivered) }
        file?.remove(after: program, on: surroundings.loop)
        answering.yield(Self.delivery(after: await program.exitStatus(), of: command))
      } catch {
        file?.remove()
        var answer = Self.failure(.launchFailed, error.description)
        if error.isUncertain { answer.outcome = .unknown }
        answering.yield(answer)
      }
      answering.finish()
    }
  }

  private static let delivered = Delivery(application: nil, outcome: .delivered, kind: .launch)

  private static func failure(_ name: BrokerErrorName, _ message: String) -> Delivery {
    Delivery(application: nil, outcome: .failed, kind: .launch, error: name.errorName, message: message)
  }

  private static func delivery(after status: ExitStatus?, of command: RoutedCommand) -> Delivery {
    guard let status else { return delivered }
    guard status.isSuccess else {
      return failure(.targetFailed, "the program of the route “\(command.route)” ended with \(status)")
    }
    return Delivery(application: nil, outcome: .handled, kind: .launch)
  }

  /// What became of it, as far as its caller waits; after `timeout` what is known until then.
  func delivery(timeout: Duration, on loop: EventLoop) async -> Delivery {
    let (first, found) = AsyncStream<Delivery>.makeStream()
    let watches = [
      Task { for await answer in answers { _ = found.yield(answer) } },
      Task {
        guard (try? await loop.sleep(for: timeout)) != nil else { return }
        var late = Self.delivered
        late.error = BrokerErrorName.timeout.errorName
        late.message = "the program was started, or is being started, and has not ended in time"
        found.yield(late)
      },
    ]
    defer { for watch in watches { watch.cancel() } }
    return await first.first { _ in true } ?? Self.delivered
  }
}

extension EnvelopeFile {
  /// Removes the file when the program ends, or after an hour.
  func remove(after program: LaunchedProgram, on loop: EventLoop) {
    let hour = Task {
      if (try? await loop.sleep(for: .seconds(3_600))) != nil { remove() }
    }
    Task {
      _ = await program.exitStatus()
      hour.cancel()
      remove()
    }
  }
}
