// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import Freedesktop

/// The command `usher register`, which makes an application the handler of a scheme.
struct RegisterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "register",
    abstract: "Make an application the default for the links of a scheme.",
    usage: """
      usher register <id|file.desktop> --scheme <scheme> ... [<options>]
      usher register <file.AppImage> [--scheme <scheme> ...] [<options>]
      usher register --name <name> --exec <command> --scheme <scheme> ...
      usher register [<id>] --web
      usher register <id> --system --scheme <scheme> ... [--default]
      """,
    discussion: HelpText.discussion(
      """
      Adds the scheme to the application's desktop entry, and puts Usher first and the application second in your mimeapps.list; the \
      previous default follows. Then verifies the result with Usher's own rules, gio and xdg-mime, and prints their answers; if an \
      answer is wrong, all changes are reverted. Programs that share a --name get separate entries. If the desktop portal has stored \
      another choice for a scheme, which precedes the default for sandboxed applications, a warning names it; --reset-portal removes it.

      An AppImage is run once with --appimage-extract to read its desktop entry. Its ID stays the same when the file is moved or \
      updated; register the file again after that, or run “usher doctor --fix”.

      The schemes file, http, https, ftp, mailto, tel and sms cannot be registered. With --web, your routes also apply to web links, and your default browser opens all web links that no route matches.

      With --system, which needs root, the entry is installed for all users; with --default, it also becomes the default of users whose \
      own mimeapps.list has no default for the scheme.
      """,
      exit: [
        0: "the application is registered", 1: "the registration failed and nothing was changed",
        64: "the arguments are wrong",
      ],
      examples: [
        "Register an installed application": "usher register org.example.Notes --scheme notes --scheme memo",
        "Register an AppImage for the schemes that it declares": "usher register ./Notes.AppImage",
        "Register a development build beside the installed release":
          "usher register ./Notes.desktop --id org.example.Notes.Devel --scheme notes",
        "Register a program without a desktop entry":
          "usher register --name \"My Notes\" --exec \"my-notes --open %u\" --scheme notes",
        "Apply your routes to web links": "usher register --web",
        "Register, and remove the portal's stored choice":
          "usher register org.example.Notes --scheme notes --reset-portal",
        "Register for all users, as the default":
          "usher register --system org.example.Notes --scheme notes --default",
      ]))

  @OptionGroup var applicant: ApplicantArguments

  // The parser would report a further argument only after `validate`, which misses the scheme.
  @Argument(help: ArgumentHelp(visibility: .hidden))
  var extra: [String] = []

  @Option(help: ArgumentHelp("Register this scheme, such as notes; may be repeated.", valueName: "scheme"))
  var scheme: [URLScheme] = []

  @OptionGroup var web: WebArguments

  @Flag(help: "Make the application itself the default, bypassing Usher's broker.")
  var direct = false

  @Flag(help: "Register for all users, below /usr/local/share and /etc/xdg; needs root.")
  var system = false

  @Flag(
    name: .customLong("default"),
    help:
      "With --system: also make it the default for users who have chosen no default for the scheme. Without --system, it always becomes the default."
  )
  var asDefault = false

  @Flag(
    help:
      "Also remove the desktop portal's stored choices for these schemes, which would take precedence over the new default."
  )
  var resetPortal = false

  func validate() throws {
    if let word = extra.first {
      // An ID of an application, such as org.example.Notes, could also be a scheme.
      let isScheme = web.isEmpty && URLScheme(word) != nil && !word.contains(".")
      let advice = isScheme ? "did you mean --scheme \(word)?" : "register one application at a time"
      throw ValidationError("“\(word)” is an extra argument; \(advice)")
    }
    guard !system || !resetPortal else {
      throw ValidationError(
        "--reset-portal changes the store of this user only; leave it out with --system, or run “usher doctor --fix” as each user"
      )
    }
    guard system || !asDefault else {
      throw ValidationError(
        "--default needs --system; for this user, the application always becomes the default")
    }
    guard !system || asDefault || !direct && web.isEmpty else {
      throw ValidationError("--direct and --web change the default; with --system, add --default")
    }
    guard scheme.isEmpty != web.isEmpty || web.isEmpty && applicant.appImage != nil else {
      throw ValidationError("no scheme is given; add --scheme notes; for web links, use --web alone")
    }
    guard !direct || web.isEmpty else {
      throw ValidationError("--web and --direct cannot be combined")
    }
    guard !web.isEmpty || applicant.application != nil || applicant.name != nil else {
      throw ValidationError("no application is given; add its ID, its desktop file, or --name and --exec")
    }
  }

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let invocation = RegistrationInvocation(
      schemes: scheme + web.schemes, isForWeb: !web.isEmpty, isDirect: direct, isForAllUsers: system,
      setsDefault: asDefault || !system, resetsPortal: resetPortal)
    switch invocation.carryOut({ () throws(FreedesktopError) in try applicant.applicant() }) {
    case .refused(let reasons):
      let likely = applicant.application.flatMap(UserEnvironment.application).flatMap {
        ApplicationSuggestion(for: $0)
      }
      let steps = likely.map { [SuggestedCommand.register($0.id, for: scheme)] } ?? []
      try Failure.report(reasons, next: scheme.isEmpty ? [] : steps, json: json)
    case .done(let report):
      guard !json else { return Console.emit(JSONText.line(report.entries)) }
      for warning in report.warnings { Console.warn(warning) }
      for line in report.lines { Console.print(line) }
      Console.suggest(report.nextSteps)
    }
  }
}
