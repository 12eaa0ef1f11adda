// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import OpenSocket

/// The command `usher explain`, which shows the application that opens a URL, and the reason.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show which application opens a URL and why, step by step, and open nothing.",
    usage: "usher explain [<options>] <url>",
    discussion: HelpText.discussion(
      """
      The broker makes the decision. If it cannot be reached, this command applies the same rules itself. The \
      command also asks the desktop's other openers (gio mime, xdg-mime, KDE), for at most three seconds, and lists each that chooses \
      another application, with the reason; --skip-comparison leaves this out. With --in-app, a running \
      application reports which of its scenes would receive the URL. With --as, the decision is made for another caller, including \
      its grants; the broker rejects --as from sandboxed programs. If the broker would prompt the user, the exit status is 0; the last lines name the \
      application that would open the URL after consent, and the usher grants allow command that makes the prompt unnecessary.
      """,
      exit: [
        0: "an application opens it, or the broker would prompt the user", 2: "no application opens it",
        3: "a route or a policy denies it",
        4: "the program of the application is missing", 5: "the application did not answer in time",
        7: "redirect loop", 64: "the arguments are wrong",
        65: "the argument is neither a URL nor a file, or the URL is ambiguous",
      ],
      examples: [
        "Show which application opens a link, and why": "usher explain notes://note/7",
        "Decide as for a link in an application":
          "usher explain --source-application org.example.Chat notes://note/7",
        "Decide as for a sandboxed application": "usher explain --as org.example.Chat:sandbox notes://note/7",
        "Decide as for an unidentified program": "usher explain --as unknown notes://note/7",
        "Show which scene of the application would receive it": "usher explain --in-app notes://note/7",
      ]))

  @Argument(help: ArgumentHelp("Explain this URL, or this path of a file.", valueName: "url"))
  var url: OpenArgument

  @OptionGroup var request: RequestOptions

  @OptionGroup var asking: ExplainedCallerOptions

  @Flag(help: "If the application runs, ask it which of its scenes would receive the URL, and why.")
  var inApp = false

  @Flag(name: .plain(.skipComparison), help: "Do not compare with the desktop's other openers.")
  var skipComparison = false

  @Flag(name: .plain(.json), help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard try asking.explained() != nil else { return }
    guard request.sourceApplication == nil, !inApp else {
      throw ValidationError(
        "--as replaces the caller; leave \(inApp ? "--in-app" : "--source-application") out")
    }
  }

  func run() throws {
    let status = call.carryOut()
    if status != 0 { throw ExitCode(status) }
  }

  /// The invocation that the arguments describe.
  var call: ExplainInvocation {
    var call = ExplainInvocation(url)
    request.put(into: &call.options)
    (call.caller, call.isClicked) = (try? asking.explained(), asking.clicked)
    (call.asksApplication, call.isAlone, call.json) = (inApp, skipComparison, json)
    return call
  }
}
