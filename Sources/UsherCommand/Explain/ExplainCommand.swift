import ArgumentParser

/// The command `usher explain`, which shows the application that opens a URL, and the reason.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Says which application opens a URL and why, step by step; opens nothing.",
    usage: "usher explain [<options>] <url>",
    discussion: HelpText.discussion(
      """
      The broker is asked where it can be reached, because what it would do is what counts; otherwise it is decided \
      here. At the same time the desktop's other openers are asked (gio mime, xdg-mime, KDE's); they may take three seconds \
      longer at most, and those that lead elsewhere are named with the reason; --alone leaves that out. With --in-app the application that gets it \
      is asked, where it runs, which of its scenes that would be. With --as it is decided as for another caller, grants included; the broker \
      does that for no sandboxed program.
      """,
      exit: [
        0: "something opens it", 2: "nothing does", 3: "it is refused",
        4: "the program of what opens it is missing", 5: "the application did not answer in time",
        7: "its routes lead in a circle", 64: "the command was called in a wrong way",
        65: "what was given is neither a URL nor a file",
      ],
      examples: [
        "Say which application opens a link, and why": "usher explain notes://note/7",
        "Say what a link in a program does":
          "usher explain --source-application org.example.Chat notes://note/7",
        "Say what a sandboxed application gets": "usher explain --as org.example.Chat:sandbox notes://note/7",
        "Say what a program gets that nobody can name": "usher explain --as unknown notes://note/7",
        "Say which of the application's scenes would get it": "usher explain --in-app notes://note/7",
      ]))

  @Argument(help: ArgumentHelp("The URL, or the path of a file.", valueName: "url"))
  var url: OpenArgument

  @OptionGroup var request: RequestOptions

  @OptionGroup var asking: ExplainedCallerOptions

  @Flag(help: "Ask the application too, where it runs: which of its scenes would get it, and why.")
  var inApp = false

  @Flag(help: "Do not ask the desktop's other openers.")
  var alone = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard try asking.explained() != nil else { return }
    guard request.sourceApplication == nil, !inApp else {
      throw ValidationError(
        "--as replaces the caller: leave \(inApp ? "--in-app" : "--source-application") out")
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
    (call.caller, call.isClicked) = ((try? asking.explained()) ?? nil, asking.clicked)
    (call.asksApplication, call.isAlone, call.json) = (inApp, alone, json)
    return call
  }
}
