import ArgumentParser
import BusInterfaces

/// The command `usher open`, which opens URLs and reports the outcome.
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
        8: "too much is waiting already, or there are more than 512 URLs",
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
    let status = call.carryOut()
    if status != 0 { throw ExitCode(status) }
  }

  /// The invocation that the arguments describe.
  var call: OpenInvocation {
    var call = OpenInvocation(urls, wait: wait, fromDesktop: fromDesktop)
    call.fallback = fallback
    call.tellsProgress = progress
    call.json = json
    if callback { call.purpose = .ask(timeout: timeout?.duration ?? CallbackOpenOperation.timeout) }
    if dryRun { call.purpose = .explain }
    call.options.timeout = timeout?.duration ?? OpenOptions.defaultTimeout
    request.put(into: &call.options)
    envelope.put(into: &call.options, hasURLs: !urls.isEmpty)
    return call
  }
}
