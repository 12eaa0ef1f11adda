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
    discussion: HelpText.discussion(
      """
      The broker finds the application, signals it where it runs, starts it where it does not, and answers with a \
      receipt. Without a session bus the same is decided here, and plain programs are started. Words that are no URL \
      are files. With --wait handled, Ctrl-C withdraws the request.
      """,
      exit: [
        0: "the request got as far as --wait says; with --dry-run, it would be opened",
        2: "no application opens it, or there is no such file",
        3: "a route, a policy or a person refused it",
        4: "the application cannot be started",
        5: "no answer in time, or nobody can know what became of it",
        6: "the application failed, answered an error, or said that it is not for it",
        7: "it came back too often",
        8: "too much is waiting already",
        9: "the request was withdrawn, or given up in the application",
        64: "the command was called in a wrong way",
        65: "what was given is neither a URL nor a file",
        69: "the application can only be reached over a session bus, and there is none",
      ],
      examples: [
        "Open a link, or a file": "usher open notes://note/7",
        "Have the application answer, with something said to it":
          "usher open --annotation '{\"from\":\"demo\"}' --wait handled notes://note/7",
        "See what would open it": "usher open --dry-run notes://note/7",
        "Start an application, or bring it to the front":
          "usher open --reason activate --app org.example.Notes",
        "Choose one of its actions": "usher open --action new-note --app org.example.Notes",
      ]))

  @Argument(
    help: ArgumentHelp("What to open, in this order; none with --reason or --action.", valueName: "url"))
  var urls: [OpenArgument] = []

  @OptionGroup(title: "Request") var request: RequestOptions

  @OptionGroup(title: "For the application") var envelope: EnvelopeArguments

  @Option(
    help: ArgumentHelp("How far to wait: until the broker has it, the application has it, or handled it."))
  var wait: OpenOptions.Wait?

  @Option(help: ArgumentHelp("How long to wait, 0.001 to 86400 (default: 20).", valueName: "seconds"))
  var timeout: Seconds?

  @Option(help: ArgumentHelp("A URL to open when it is certain that nothing arrived.", valueName: "url"))
  var fallback: OpenArgument?

  @Flag(
    help: ArgumentHelp(
      "With --wait handled: tell on standard error how far the application is, also where that is no terminal."
    ))
  var progress = false

  @Flag(
    help: ArgumentHelp(
      "Wait for the answer of an application that answers by x-callback-url, and print it (--timeout: 300)."))
  var callback = false

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
    guard !progress || wait == .handled else { throw ValidationError("--progress goes with --wait handled") }
    if callback {
      guard urls.count == 1, wait == nil, fallback == nil, !fromDesktop else {
        throw ValidationError("--callback goes with one URL, and without --wait and --fallback")
      }
    }
    guard urls.isEmpty else { return }
    guard !dryRun, !fromDesktop else { throw ValidationError("there is no URL to decide about") }
    guard envelope.reason(hasURLs: false) != .url else {
      let other = request.app.map { ", or --reason activate to start \($0) or bring it to the front" } ?? ""
      throw ValidationError("there is nothing to open: give a URL or the path of a file\(other)")
    }
    guard request.app != nil else {
      throw ValidationError("without a URL it is for one application: name it by --app ID")
    }
  }

  func run() throws {
    let id = RequestID.random()
    var checked: [URLString] = []
    // The fallback is the last one.
    for argument in urls + (fallback.map { [$0] } ?? []) {
      do throws(URLString.Invalid) {
        checked.append(try argument.url(allowsAnyPath: !fromDesktop))
      } catch {
        // What another program hands on may hold a secret, and standard error may be a log.
        let message = fromDesktop ? error.description : argument.complaint(error)
        return try finish(OpenResult(BusError(.invalidURL, message), of: id, by: .usher))
      }
    }
    let fallback = fallback == nil ? nil : checked.removeLast()
    if dryRun { return try explain(checked) }
    if callback, let url = checked.first { return try call(url, id) }
    try finish(result(of: checked, fallback, id))
  }

  private func result(of urls: [URLString], _ fallback: URLString?, _ id: String) -> OpenResult {
    let source = LocalRules.source(claimed: request.sourceApplication)
    let options = options(fallback, id)
    var asked = OpenRequest(urls: urls, source: source, target: request.app, hops: options.hops)
    asked.origin = request.origin
    asked.isByClick = options.activationToken != nil
    asked.reason = options.reason.rawValue
    asked.desktopAction = options.desktopAction
    asked.isUniversalLinksOnly = options.universalLinksOnly
    let opening = LinkOpening(request: asked, fallback: fallback, options: options, id: id, tell: telling)
    return fromDesktop ? opening.carryOut() : opening.carryOutAsking()
  }

  /// Opens a URL with callbacks, and tells the answer.
  private func call(_ url: URLString, _ id: String) throws {
    let opening = CallbackOpening(
      url: url, id: id, source: request.sourceApplication?.rawValue ?? "usher",
      patience: timeout?.duration ?? CallbackOpening.patience)
    switch opening.carryOut({ result(of: [$0], nil, id) }) {
    case .failed(let result): try finish(result)
    // The signal does what it does to any command: nothing waits any longer that would be left behind.
    case .interrupted(let number): raise(number)
    case .answered(let report):
      if json { Console.emit(report.json) } else { report.tell() }
      if report.exitCode != 0 { throw ExitCode(report.exitCode) }
    }
  }

  /// Tells a person how far an application is, where somebody reads that.
  private var telling: BrokerWord.Telling? {
    guard wait == .handled, progress || isatty(STDERR_FILENO) == 1 else { return nil }
    var last = ""
    return { application, progress in
      guard let text = progress.text, text != last else { return }
      last = text
      Console.warn(text, by: application)
    }
  }

  private func options(_ fallback: URLString?, _ id: String) -> OpenOptions {
    var options = OpenOptions.forStartedProgram()
    options.requestID = id
    options.fallback = fallback?.text
    envelope.put(into: &options, hasURLs: !urls.isEmpty)
    options.targetContentID = request.targetContentID
    options.universalLinksOnly = request.universalLinksOnly
    options.sourceApplication = request.sourceApplication?.rawValue
    options.origin = request.origin
    options.target = request.app?.rawValue
    // An opener hands the link on and goes; it must not stay as long as an application needs.
    options.wait = wait ?? (fromDesktop ? .accepted : .delivered)
    options.timeout = timeout?.duration ?? OpenOptions.defaultTimeout
    return options
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
    if json {
      Console.emit(result.json)
    } else {
      result.tell()
      // The standard error of what the desktop started is a log.
      if !fromDesktop, let failure = result.failure {
        let steps = nextSteps(after: failure.name)
        if steps.isEmpty, failure.name == BrokerErrorName.noHandler.errorName, urls.count == 1 {
          for hint in urls.compactMap(\.hintOfMissingScheme) { Console.warn(hint) }
        }
        Console.suggest(steps)
      }
    }
    let code = fromDesktop ? result.exitCodeForDesktop : result.exitCode
    if code != 0 { throw ExitCode(code) }
  }
}

extension OpenCommand {
  /// What a person may type who is told of this error.
  private func nextSteps(after error: ErrorName) -> [NextStep] {
    if let application = request.app.flatMap({ LikelyApplication(for: $0) }) {
      return [.open(urls.map(\.text), with: application.id)]
    }
    // Several words that are no URL were one, without its quotes.
    let isOne = urls.count == 1 || error == BrokerErrorName.invalidURL.errorName
    return NextStep.after(error, about: isOne ? urls.map(\.text).joined(separator: " ") : nil)
  }
}

/// What has a part in the decision, the application's own too, beside the URL.
struct RequestOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The application that asks; a claim that never overrides what is verified.", valueName: "id"))
  var sourceApplication: ApplicationID?

  @Option(
    help: ArgumentHelp(
      "The page that the link is on, as https://example.org: without a click a person is asked.",
      valueName: "origin"))
  var origin: String?

  @Option(help: ArgumentHelp("The application to open with, by its desktop-file ID.", valueName: "id"))
  var app: ApplicationID?

  @Flag(
    help: ArgumentHelp(
      "Only by an application that a route, or its own entry, gives this very link to; by no browser."))
  var universalLinksOnly = false

  @Option(help: ArgumentHelp("Which content it is for: scenes are chosen by it.", valueName: "text"))
  var targetContentID: String?
}
