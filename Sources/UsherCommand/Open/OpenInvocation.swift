// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import Launching
import OpenSocket
import RouteTables

/// An invocation of `usher open`, parsed by ArgumentParser or as a `PlainCall`.
struct OpenInvocation: Equatable {
  /// The operation on the URLs.
  enum Purpose: Equatable {
    case open
    /// Opens the URL and waits for the application's answer by x-callback-url.
    case ask(timeout: Duration)
    /// Decides and explains without opening.
    case explain
  }

  /// The URLs or paths, in order.
  var urls: [OpenArgument]
  /// The URL to open if the target was not reached, declined the first ones or reported an error.
  var fallback: OpenArgument?
  var purpose = Purpose.open
  /// The options from the arguments; the request ID and the inherited options are added later.
  var options = OpenOptions()
  /// The progress that makes the request a success; `nil` for what the options wait for.
  var goal: OpenOptions.Wait?
  /// Prints progress reports even if no terminal is attached.
  var reportsProgress = false
  /// Prints one JSON object for programs.
  var json = false
  /// A Boolean value that is `true` if a desktop's opener is the caller, which passes the link on and exits.
  var fromDesktop = false
  /// A Boolean value that is `false` if this process must not start applications itself.
  var mayStartPrograms = true
  /// The request that was sent for this invocation before this program ran.
  var sent: HandedOffRequest?

  /// Creates an invocation that opens `urls`; `wait` is the progress to wait for, `nil` for the default.
  init(
    _ urls: [OpenArgument], fallback: OpenArgument? = nil, wait: OpenOptions.Wait? = nil,
    fromDesktop: Bool = false
  ) {
    (self.urls, self.fallback) = OpenArgument.originals(of: urls, fallback: fallback)
    self.fromDesktop = fromDesktop
    if let wait {
      options.wait = wait
    } else if fromDesktop {
      // A desktop waits for its opener, which therefore must not run as long as the application needs.
      options.wait = .accepted
    } else if ForwardedDisplay.mayEndWithProcess(UserEnvironment.variable) {
      // The application would lose its display before it has connected to it. Not every application reports more than `delivered`.
      options.wait = .handled
      options.timeout = .microseconds(OpenOptions.timeoutRange.upperBound)
      goal = .delivered
    }
    // The user's answer opens the link however long it takes, because no program reads the outcome of a desktop's opener.
    if fromDesktop, options.wait == .accepted { options.prompt = .leave }
  }

  /// Creates the invocation of a plain call; `nil` if that is another subcommand's.
  init?(_ call: PlainCall, _ sent: HandedOffRequest? = nil) {
    guard call.command == .open else { return nil }
    self.init(
      call.arguments.map { OpenArgument(argument: $0) }, wait: call.wait.flatMap(OpenOptions.Wait.init),
      fromDesktop: call.has(.fromDesktop))
    json = call.has(.json)
    self.sent = sent
  }

  /// Performs the operation, prints the outcome, and returns the exit status.
  func carryOut() -> Int32 {
    let id = sent?.id ?? RequestID.random()
    if purpose != .explain,
      let error = RequestSize.refusal(count: urls.count, bytes: urls.reduce(0) { $0 + $1.count })
    {
      return report(OpenResult(error, of: id, by: .usher))
    }
    var checked: [CorrectedURL] = []
    // The fallback is the last element.
    for argument in urls + (fallback.map { [$0] } ?? []) {
      do throws(URLString.Invalid) {
        checked.append(try argument.corrected(allowsAnyPath: !fromDesktop))
      } catch {
        // The URL of another program may contain a secret, and standard error may be a log.
        let message = fromDesktop ? error.description : argument.diagnostic(error)
        return report(OpenResult(BusError(.invalidURL, message), of: id, by: .usher))
      }
    }
    let fallback = fallback == nil ? nil : checked.removeLast().url
    switch (purpose, checked.first?.url) {
    case (.explain, _): return explain(checked)
    case (.ask(let timeout), let url?): return ask(url, id: id, timeout: timeout)
    default:
      let result = open(checked.map(\.url), fallback: fallback, id: id)
      // The request is known to have succeeded, so that a failed query for details is not a failure.
      if sent?.status == .opened, result.failure != nil { return 0 }
      return report(result)
    }
  }

  /// Opens URLs with the options of the invocation.
  ///
  /// - Parameter ending: The event after which the result does not matter any more.
  func open(
    _ urls: [URLString], fallback: URLString? = nil, id: String, until ending: RequestSession.Ending? = nil
  ) -> OpenResult {
    let options = whole(fallback, id)
    let source = LocalPolicy.source(claimed: options.sourceApplication)
    var asked = OpenRequest(urls: urls, source: source, target: target, hops: options.hops)
    asked.caller.origin = options.origin
    asked.caller.isByClick = options.activationToken != nil
    asked.reason = options.reason.rawValue
    asked.desktopAction = options.desktopAction
    asked.isUniversalLinksOnly = options.universalLinksOnly
    let opening = OpenOperation(
      request: asked, fallback: fallback, options: options, id: id, goal: goal, wasSent: sent != nil,
      mayStartPrograms: mayStartPrograms, ending: ending, reportProgress: progressOutput)
    let result = fromDesktop ? opening.carryOut() : opening.carryOutAsking()
    completeStartup(after: result)
    return result
  }

  /// Completes the startup sequence of this process, unless an application that received the URLs does.
  private func completeStartup(after result: OpenResult) {
    guard let sequence = StartupSequence(UserEnvironment.variable) else { return }
    let catalog = ApplicationCatalog(directories: UserEnvironment.directories, isForOneAnswer: true)
    guard !StartupNotification.isCompleted(byTargetsOf: result.deliveries, in: catalog) else { return }
    sequence.complete(UserEnvironment.variable)
  }

  /// Opens a URL with callbacks, and prints the answer.
  private func ask(_ url: URLString, id: String, timeout: Duration) -> Int32 {
    let opening = CallbackOpenOperation(
      url: url, id: id, source: options.sourceApplication ?? "usher", timeout: timeout)
    switch opening.carryOut({ open([$0], id: id, until: $1) }) {
    case .failed(let result): return report(result)
    case .interrupted(let number):
      // The signal has its default effect, because no socket remains that would have to be removed.
      raise(number)
      return 0
    case .answered(let answer): return report(answer)
    }
  }

  /// Returns the complete options of one request.
  private func whole(_ fallback: URLString?, _ id: String) -> OpenOptions {
    var options = options
    options.requestID = id
    options.isAgain = sent.map { $0.status != .sent } ?? false
    options.fallback = fallback?.text
    options.inherit()
    if options.prompt == .wait, !fromDesktop, isatty(STDERR_FILENO) == 1 { options.prompt = .announce }
    return options
  }

  /// The application that the arguments name.
  var target: ApplicationID? { options.target.flatMap(UserEnvironment.application) }
}
