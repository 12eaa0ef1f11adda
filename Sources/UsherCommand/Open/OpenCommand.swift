// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import OpenSocket

/// The command `usher open`, which opens URLs and reports the outcome.
struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open URLs and files, and report the outcome.",
    discussion: HelpText.discussion(
      """
      The broker selects the application, delivers the URLs to its running instance or starts it, and returns a \
      receipt. Without a session bus, this command decides by the same rules and starts the program itself. Arguments that \
      are not URLs are paths of files. With --wait handled, Ctrl-C cancels the request.
      """,
      exit: [
        0: "the request reached the state of --wait; with --dry-run, it would be opened",
        2: "no application opens it, or the file does not exist",
        3: "a route, a policy or the user denied the request",
        4: "the application cannot be started",
        5:
          "no answer in time; the outcome is unknown; or, with --wait handled, the application received the link but cannot report that it handled it",
        6: "the application failed, returned an error or did not handle the request",
        7: "redirect loop, or too many redirects",
        8: "too many requests are waiting, or there are more than 512 URLs",
        9: "the caller cancelled the request, or the user cancelled it in the application",
        64: "the arguments are wrong",
        65: "an argument is neither a URL nor a file, or the URL is ambiguous",
        69: "the application needs a session bus, and none is available",
      ],
      examples: [
        "Open a link": "usher open notes://note/7",
        "Open a file": "usher open ~/report.pdf",
        "Pass a value to the application and print its answer":
          "usher open --annotation '{\"from\":\"demo\"}' --wait handled notes://note/7",
        "Show which application would open it": "usher open --dry-run notes://note/7",
        "Start an application, or raise its window":
          "usher open --reason activate --app org.example.Notes",
        "Perform one of its actions": "usher open --action new-note --app org.example.Notes",
      ]))

  @Argument(
    help: ArgumentHelp(
      "Open these URLs or files, in this order; optional with --reason or --action.", valueName: "url"))
  var urls: [OpenArgument] = []

  @OptionGroup(title: "Request") var request: RequestOptions

  @OptionGroup(title: "For the application") var envelope: EnvelopeArguments

  @Option(
    name: .plain(.wait),
    help: ArgumentHelp(
      """
      Wait until the broker has accepted the request, the application has received it and, if it can reply, has replied (delivered, the \
      default), or has handled it.
      """))
  var wait: OpenOptions.Wait?

  @Option(help: ArgumentHelp("Wait at most this long, 0.001 to 86400 (default: 20).", valueName: "seconds"))
  var timeout: Seconds?

  @Option(
    help: ArgumentHelp(
      "Open this URL instead if the application was not reached, declined the request or reported an error.",
      valueName: "url"))
  var fallback: OpenArgument?

  @Flag(
    help: ArgumentHelp(
      "With --wait handled: print progress on standard error even if it is not a terminal."
    ))
  var progress = false

  @Flag(
    help: ArgumentHelp(
      "Wait for the x-callback-url answer of the application and print it (--timeout: 300)."))
  var callback = false

  @Flag(help: "Print the decision and its reasons, and open nothing.")
  var dryRun = false

  @Flag(name: .plain(.json), help: "Print one JSON object: the receipt, plus error and message on failure.")
  var json = false

  @Flag(
    name: .plain(.fromDesktop),
    help: ArgumentHelp(
      "Return 0 as soon as the broker has accepted the request, even if it is then rejected (for org.usher.Handler.desktop).",
      visibility: .hidden))
  var fromDesktop = false

  func validate() throws {
    guard !progress || wait == .handled else { throw ValidationError("--progress needs --wait handled") }
    if callback {
      guard urls.count == 1, wait == nil, fallback == nil, !fromDesktop else {
        throw ValidationError("--callback takes one URL, and excludes --wait and --fallback")
      }
    }
    guard urls.isEmpty else { return }
    guard !dryRun, !fromDesktop else {
      throw ValidationError(
        "no URL is given; add one, or leave out \(dryRun ? "--dry-run" : "--from-desktop")")
    }
    guard envelope.reason(hasURLs: false) != .url else {
      let other = request.app.map { ", or add --reason activate to start \($0) or raise its window" } ?? ""
      throw ValidationError("no URL is given; add a URL or the path of a file\(other)")
    }
    guard request.app != nil else {
      throw ValidationError("a request without a URL needs an application; add --app ID")
    }
  }

  func run() throws {
    let status = call.carryOut()
    if status != 0 { throw ExitCode(status) }
  }

  /// The invocation that the arguments describe.
  var call: OpenInvocation {
    var call = OpenInvocation(
      urls, fallback: fallback, wait: callback ? .delivered : wait, fromDesktop: fromDesktop)
    call.reportsProgress = progress
    call.json = json
    if let timeout { call.options.timeout = timeout.duration }
    if callback {
      // An application may reply only after it has answered, for example because it asks the user.
      if timeout == nil { call.options.timeout = CallbackOpenOperation.timeout }
      call.purpose = .ask(timeout: call.options.timeout)
    }
    if dryRun { call.purpose = .explain }
    request.put(into: &call.options)
    envelope.put(into: &call.options, hasURLs: !urls.isEmpty)
    return call
  }
}
