// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import Freedesktop
import Launching
import Systemd

/// The delivery of URLs on the command lines of programs: an application's `Exec` line, or the command of a route.
@BrokerActor
struct ProgramDelivery {
  let launcher: ProgramLauncher
  let starts: ProgramStarts
  let runtimeDirectory: String?
  /// The application that the programs belong to; `nil` for a program that a route runs.
  let application: TargetApplication?
  /// The subject of messages, such as `org.example.Notes`.
  let name: String

  /// Starts the programs of a job one after the other, and follows them until they exit if the caller waits for that.
  ///
  /// The first program uses the start that its caller has acquired from `ProgramStarts`; the others wait for theirs, and
  /// those that still wait when the caller cancels the request, or when it expires, are not started.
  ///
  /// - Parameter settle: Receives the events of the job, after this function has returned, too.
  /// - Returns: The reason why certainly no program was started; otherwise `nil`.
  func run(
    _ launches: [Launch], for job: DeliveryJob,
    settle: @escaping @BrokerActor (RequestEvent, Delivery) -> Void
  ) async -> String? {
    var programs: [LaunchedProgram] = []
    do throws(LaunchError) {
      for (index, launch) in launches.enumerated() {
        if index > 0 {
          await starts.turn(of: job.caller)
          guard job.life.isWanted else {
            starts.giveBack(job.caller)
            let message =
              "the request was cancelled after the start of \(index) of its \(launches.count) programs"
            settle(.noReply, delivery(.unknown, .cancelled, message: message))
            return nil
          }
        }
        var envelope = job.envelope
        if launches.count > 1, launches.count == envelope.urls.count {
          envelope.urls = [envelope.urls[index]]
        }
        programs.append(try await start(launch, with: envelope, in: job.session))
      }
    } catch {
      guard error.isUncertain || !programs.isEmpty else {
        job.apply(.provenNotDelivered)
        return error.description
      }
      // The outcome is not `failed`, because some programs may have received their URLs and the fallback must not be
      // opened.
      settle(
        .noReply, delivery(.unknown, .launchFailed, message: error.message(afterStarting: programs.count)))
      return nil
    }
    job.testHook()
    settle(.arrived, delivery(.delivered))
    guard !job.life.isEnded else { return nil }
    BrokerActor.loop.start { [programs] in
      let (event, delivery) = await exit(of: programs)
      settle(event, delivery)
    }
    return nil
  }

  /// Returns the event of the exit of the programs, and what it says about the URLs.
  private func exit(of programs: [LaunchedProgram]) async -> (RequestEvent, Delivery) {
    for program in programs {
      guard let status = await program.exitStatus() else { return (.noReply, delivery(.delivered)) }
      guard status.isSuccess else {
        return (
          .processExits(success: false),
          delivery(.failed, .targetFailed, message: "\(name) exited with \(status)")
        )
      }
    }
    // A program with a bus name forwards its URLs to the running instance, so its exit status says nothing about that
    // instance.
    let speaksForAnother = application.map { $0.isDBusActivatable || $0.takesEnvelopes } ?? false
    return speaksForAnother
      ? (.noReply, delivery(.delivered)) : (.processExits(success: true), delivery(.handled))
  }

  private func start(
    _ launch: Launch, with envelope: Envelope, in session: CallerSession
  ) async throws(LaunchError) -> LaunchedProgram {
    var launch = launch.started(in: session)
    let file = launch.pass(envelope, to: application?.entry, in: runtimeDirectory)
    do throws(LaunchError) {
      let program = try await launcher.start(launch)
      file?.remove(after: program)
      return program
    } catch {
      file?.remove()
      throw error
    }
  }

  private func delivery(
    _ outcome: Outcome, _ error: BrokerErrorName? = nil, message: String? = nil
  ) -> Delivery {
    Delivery(
      application: application?.id.rawValue, outcome: outcome, kind: .launch, error: error?.errorName,
      message: message)
  }
}

extension EnvelopeFile {
  /// Removes the file when the program exits, or after an hour.
  fileprivate func remove(after program: LaunchedProgram) {
    let hour = BrokerActor.loop.start {
      if (try? await BrokerActor.loop.sleep(for: BrokerLimits.envelopeFile)) != nil { remove() }
    }
    BrokerActor.loop.start {
      // A program whose status is lost may run, and may not have read the file yet.
      guard await program.exitStatus() != nil else { return }
      hour.cancel()
      remove()
    }
  }
}
