import ArgumentParser
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import Launching
import RouteTables

/// `usher open`: opens URLs and says what became of them.
struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Opens URLs and files, and says what became of them.",
    discussion: """
      The broker finds the application, signals it where it runs, starts it where it does not, and answers with a \
      receipt. Without a session bus the same is decided here, and plain programs are started.

      Exit status: 0 as far as --wait says, 2 no handler, 3 denied, 4 launch failed, 5 time-out or unknown, 6 the \
      application failed or did not handle it, 7 loop, 8 too many, 9 cancelled, 64 usage, 65 invalid URL, 69 needs \
      the bus.

      Examples:
        usher open notes://note/7
        usher open --annotation '{"from":"demo"}' --wait handled --json notes://note/7
      """)

  @Argument(help: ArgumentHelp("What to open, in this order.", valueName: "url"))
  var urls: [OpenArgument]

  @OptionGroup(title: "Request") var request: RequestOptions

  @Option(help: ArgumentHelp("A value for the application: any JSON, at most 64 KiB.", valueName: "json"))
  var annotation: AnnotationArgument?

  @Option(
    help: ArgumentHelp("How far to wait: until the broker has it, the application has it, or handled it."))
  var wait: OpenOptions.Wait?

  @Option(help: ArgumentHelp("How long to wait, 0.001 to 86400 (default: 20).", valueName: "seconds"))
  var timeout: Seconds?

  @Option(help: ArgumentHelp("A URL to open when it is certain that nothing arrived.", valueName: "url"))
  var fallback: OpenArgument?

  @Flag(help: "Decide and say why, open nothing.")
  var dryRun = false

  @Flag(help: "Print one JSON object: the receipt, with error and message when it failed.")
  var json = false

  @Flag(
    help: ArgumentHelp(
      "For desktops' openers: return once the broker has it, with 0 whatever was decided.",
      visibility: .hidden))
  var fromDesktop = false

  func validate() throws {
    if case .failure(let error)? = annotation?.outcome { throw ValidationError(error.description) }
  }

  func run() throws {
    let id = RequestID.random()
    let checked: (urls: [URLString], fallback: URLString?)
    do throws(URLString.Invalid) {
      checked = try check()
    } catch {
      return try finish(OpenResult(BusError(.invalidURL, error.description), of: id, by: .usher))
    }
    if dryRun { return try explain(checked.urls) }
    try finish(open(checked.urls, checked.fallback, id))
  }

  private func check() throws(URLString.Invalid) -> (urls: [URLString], fallback: URLString?) {
    var checked: [URLString] = []
    for url in urls { checked.append(try url.url(allowsAnyPath: !fromDesktop)) }
    return (checked, try fallback?.url(allowsAnyPath: true))
  }

  private func open(_ urls: [URLString], _ fallback: URLString?, _ id: String) -> OpenResult {
    var options = options()
    options.requestID = id
    options.fallback = fallback?.text
    do throws(BrokerLink.Failure) {
      // The broker's own time-out says more, so ours comes later; it also covers the broker's start.
      let patience = options.timeout + .seconds(5)
      let receipt = try BrokerLink().ask { bus throws(BusError) in
        try bus.call(
          BrokerInterface.open, at: BrokerInterface.broker, urls.map(\.text), options.entries,
          timeout: patience)
      }
      return read(receipt, options, id)
    } catch {
      switch error {
      case .answered(let error): return OpenResult(error, of: id, by: .broker)
      case .unreachable(let obstacle): return openHere(urls, fallback, options, id, obstacle)
      }
    }
  }

  private func read(_ entries: [String: Variant], _ options: OpenOptions, _ id: String) -> OpenResult {
    do throws(MessageError) {
      return OpenResult(try Receipt(entries), waitingFor: options.wait, by: .broker)
    } catch {
      let message =
        "the broker's receipt cannot be read: \(error); is it of another version than this command?"
      return OpenResult(BusError(.noReply, message), of: id, by: .broker)
    }
  }

  private func openHere(
    _ urls: [URLString], _ fallback: URLString?, _ options: OpenOptions, _ id: String, _ obstacle: String
  ) -> OpenResult {
    let local = LocalRules()
    let source = LocalRules.source(claimed: request.sourceApplication)
    let opening = DirectOpening(
      rules: local.rules, environment: local.environment, obstacle: obstacle,
      // Standard output is for our own result, and a reader of it does not wait for the program's end.
      output: STDERR_FILENO)
    let receipt = opening.open(
      OpenRequest(urls: urls, source: source, target: request.app),
      fallback: fallback.map { OpenRequest(urls: [$0], source: source, hops: 1) }, options, id: id)
    return OpenResult(receipt, waitingFor: options.wait, by: .usher)
  }

  private func options() -> OpenOptions {
    var options = OpenOptions()
    options.annotation = try? annotation?.outcome.get()
    options.sourceApplication = request.sourceApplication?.rawValue
    options.target = request.app?.rawValue
    options.activationToken = activationToken
    // An opener hands the link on and goes; it must not stay as long as an application needs.
    options.wait = wait ?? (fromDesktop ? .accepted : .delivered)
    options.timeout = timeout?.duration ?? OpenOptions.defaultTimeout
    return options
  }

  /// What the launcher that started us gave us for the window of the application.
  private var activationToken: String? {
    for name in ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"] {
      guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { continue }
      // What the broker would refuse is not worth losing the link.
      if value.utf8.count <= 4_096, Console.visible(value) == value, !value.contains("\n") { return value }
    }
    return nil
  }

  private func explain(_ urls: [URLString]) throws {
    let told = urls.map { ToldExplanation($0, request) }
    if json {
      Console.emit(JSONText.line(["decisions": .array(of: "a{sv}", told.map { .dictionary($0.entries) })]))
    } else {
      for (index, explanation) in told.enumerated() {
        if index > 0 { Console.say("") }
        explanation.tell()
      }
    }
    guard let failed = told.first(where: { $0.exitCode != 0 }) else { return }
    throw ExitCode(failed.exitCode)
  }

  private func finish(_ result: OpenResult) throws {
    if json { Console.emit(result.json) } else { result.tell() }
    let code = fromDesktop ? result.exitCodeForDesktop : result.exitCode
    if code != 0 { throw ExitCode(code) }
  }
}

/// What has a part in the decision, beside the URL.
struct RequestOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The application that asks; a claim that never overrides what is verified.", valueName: "id"))
  var sourceApplication: ApplicationID?

  @Option(help: ArgumentHelp("The application to open with, by its desktop-file ID.", valueName: "id"))
  var app: ApplicationID?
}
