// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import Launching
import RouteTables
import Systemd

/// The operation of `usher open --callback`: a request whose application answers by a URL.
struct CallbackOpenOperation {
  /// The default timeout, which leaves time for the user to answer.
  static let timeout = Duration.seconds(300)

  /// The outcome of the operation.
  enum Outcome {
    case answered(CallbackReport)
    case failed(OpenResult)
    /// The user or the end of the session interrupted the operation.
    case interrupted(by: Int32)
  }

  let url: URLString
  let id: String
  /// The name of the source that the application receives.
  let source: String
  let timeout: Duration

  /// Opens the URL with callbacks through `open`, and waits for the answer.
  ///
  /// - Parameter open: Opens a URL, and returns the result, which does not matter after the event that is passed to it.
  func carryOut(_ open: (URLString, RequestSession.Ending) -> OpenResult) -> Outcome {
    let end = ContinuousClock.now + timeout
    let address = CallbackAddress(scheme: CallbackAddress.commandScheme)
    let asking: URLString
    do {
      asking = try URLString(try address.adding(to: url.text, source: source))
    } catch {
      return failed(.invalidRequest, "cannot add callback parameters to the URL: \(error)")
    }
    guard let obstacle = Self.obstacle() else { return carryOut(asking, address: address, until: end, open) }
    return failed(.noHandler, obstacle)
  }

  private func carryOut(
    _ asking: URLString, address: CallbackAddress, until end: ContinuousClock.Instant,
    _ open: (URLString, RequestSession.Ending) -> OpenResult
  ) -> Outcome {
    guard let directory = AnswerCommand.runtimeDirectory else {
      return failed(.needsBus, "cannot wait for the answer: XDG_RUNTIME_DIR is not set")
    }
    guard let socket = CallbackSocket(for: address, in: directory) else {
      return failed(
        .needsBus,
        "cannot wait for the answer: no socket can be created in \(directory)/usher; check the owner of this "
          + "directory, the space there, and the limit on open files")
    }
    // The application may reply long after its answer has arrived.
    var early: XCallbackAnswer?
    let result = open(
      asking,
      RequestSession.Ending(descriptor: socket.descriptor) {
        early = socket.nextAnswer()
        return early != nil
      })
    if let early { return .answered(CallbackReport(answer: early, requestID: id)) }
    guard let rest = result.answerTimeout(rest: end - .now) else { return .failed(result) }
    if isatty(STDERR_FILENO) == 1 { Console.warn("waiting for the answer; press Ctrl-C to stop waiting") }
    let interruption = SignalDescriptor([SIGINT, SIGTERM, SIGHUP])
    guard let answer = socket.answer(until: .now + rest, interruptedBy: interruption?.rawValue ?? -1)
    else {
      if let number = interruption?.take() { return .interrupted(by: number) }
      guard result.failure == nil else { return .failed(result) }
      return failed(.timeout, "the application did not answer within \(timeout)")
    }
    return .answered(CallbackReport(answer: answer, requestID: id))
  }

  private func failed(_ name: BrokerErrorName, _ message: String) -> Outcome {
    .failed(OpenResult(BusError(name, message), of: id, by: .usher))
  }

  /// Returns the reason why no answer can arrive; `nil` if one can.
  private static func obstacle() -> String? {
    guard let scheme = URLScheme(CallbackAddress.commandScheme) else { return nil }
    let environment = LaunchEnvironment.current()
    let resolver = ApplicationResolver(
      directories: BaseDirectories(environment: environment),
      programs: ProgramSearch(path: environment["PATH"]))
    let chosen = resolver.resolve(scheme, excluding: [.usherHandler]).application?.id
    guard chosen != .usherCallback else { return nil }
    let file = ApplicationID.usherCallback.desktopFileName
    let who = chosen.map { "\($0), not \(file), opens" } ?? "no application opens"
    return "the answer would not reach this command, because \(who) \(scheme): links; check that \(file) is "
      + "installed, and run update-desktop-database on its directory"
  }
}
