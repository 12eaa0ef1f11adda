import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import Launching
import RouteTables

/// A call of `usher open`, whoever read its words: what is to be opened, how, and how it is told.
struct OpenInvocation: Equatable {
  /// What is done with the URLs.
  enum Purpose: Equatable {
    case open
    /// Opened, and the application's answer by x-callback-url is waited for.
    case ask(timeout: Duration)
    /// Decided and explained alone.
    case explain
  }

  /// What it is about, in this order.
  var urls: [OpenArgument]
  /// What is opened when it is certain that nothing arrived.
  var fallback: OpenArgument?
  var purpose = Purpose.open
  /// What the words ask for; the request's ID, and what comes with how this process was started, are added.
  var options = OpenOptions()
  /// Whether it is told how far an application is, also where nobody sits at a terminal.
  var tellsProgress = false
  /// Whether a program is told, by one JSON object.
  var json = false
  /// Whether a desktop's opener has called, which hands the link on and goes.
  var fromDesktop = false
  /// The request that was sent for it before this program ran.
  var sent: HandedOffRequest?

  /// A call that opens `urls`; `wait` is how far is waited, where the words say so.
  init(_ urls: [OpenArgument], wait: OpenOptions.Wait? = nil, fromDesktop: Bool = false) {
    self.urls = urls
    self.fromDesktop = fromDesktop
    // An opener must not stay as long as an application needs.
    options.wait = wait ?? (fromDesktop ? .accepted : .delivered)
  }

  /// Does it and tells what became of it; the exit status.
  func carryOut() -> Int32 {
    let id = sent?.id ?? RequestID.random()
    if purpose != .explain,
      let error = RequestSize.refusal(count: urls.count, bytes: urls.reduce(0) { $0 + $1.count })
    {
      return tell(OpenResult(error, of: id, by: .usher))
    }
    var checked: [URLString] = []
    // The fallback is the last one.
    for argument in urls + (fallback.map { [$0] } ?? []) {
      do throws(URLString.Invalid) {
        checked.append(try argument.url(allowsAnyPath: !fromDesktop))
      } catch {
        // What another program hands on may hold a secret, and standard error may be a log.
        let message = fromDesktop ? error.description : argument.diagnostic(error)
        return tell(OpenResult(BusError(.invalidURL, message), of: id, by: .usher))
      }
    }
    let fallback = fallback == nil ? nil : checked.removeLast()
    switch (purpose, checked.first) {
    case (.explain, _): return explain(checked)
    case (.ask(let timeout), let url?): return ask(url, id, timeout)
    default:
      let result = open(checked, fallback, id)
      // It is known to be open, whoever cannot be asked for more.
      if sent?.status == .opened, result.failure != nil { return 0 }
      return tell(result)
    }
  }

  /// Opens URLs in the way that is asked for.
  func open(
    _ urls: [URLString], _ fallback: URLString? = nil, _ id: String
  ) -> OpenResult {
    let options = whole(fallback, id)
    let source = LocalPolicy.source(claimed: options.sourceApplication)
    var asked = OpenRequest(urls: urls, source: source, target: target, hops: options.hops)
    asked.origin = options.origin
    asked.isByClick = options.activationToken != nil
    asked.reason = options.reason.rawValue
    asked.desktopAction = options.desktopAction
    asked.isUniversalLinksOnly = options.universalLinksOnly
    let opening = OpenOperation(
      request: asked, fallback: fallback, options: options, id: id, wasSent: sent != nil, tell: telling)
    let result = fromDesktop ? opening.carryOut() : opening.carryOutAsking()
    completeStartup(after: result)
    return result
  }

  /// Ends the startup sequence that this process was started with, where no application that got the links does.
  private func completeStartup(after result: OpenResult) {
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    guard let sequence = StartupSequence(variable) else { return }
    let catalog = ApplicationCatalog(directories: UserEnvironment.directories, isForOneAnswer: true)
    guard !StartupNotification.isCompleted(byTargetsOf: result.deliveries, in: catalog) else { return }
    sequence.complete(variable)
  }

  /// Opens a URL with callbacks, and tells the answer.
  private func ask(_ url: URLString, _ id: String, _ timeout: Duration) -> Int32 {
    let opening = CallbackOpenOperation(
      url: url, id: id, source: options.sourceApplication ?? "usher", timeout: timeout)
    switch opening.carryOut({ open([$0], nil, id) }) {
    case .failed(let result): return tell(result)
    case .interrupted(let number):
      // The signal does what it does to any command: nothing waits any longer that would be left behind.
      raise(number)
      return 0
    case .answered(let report): return tell(report)
    }
  }

  /// The options of one request.
  private func whole(_ fallback: URLString?, _ id: String) -> OpenOptions {
    var options = options
    options.requestID = id
    options.isAgain = sent.map { $0.status != .sent } ?? false
    options.fallback = fallback?.text
    options.inherit()
    return options
  }

  /// The application that the words name.
  var target: ApplicationID? { options.target.flatMap(UserEnvironment.application) }
}
