import ArgumentParser
import BusInterfaces
import Freedesktop
import RouteFiles

/// The command `usher register`, which makes an application the handler of a scheme.
struct RegisterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "register",
    abstract: "Makes an application the one that opens a scheme's links.",
    usage: """
      usher register <id|file.desktop> --scheme <scheme> ... [<options>]
      usher register --name <name> --exec <command> --scheme <scheme> ...
      usher register [<id>] --web
      usher register <id> --system --scheme <scheme> ... [--default]
      """,
    discussion: HelpText.discussion(
      """
      The application's own desktop entry gets the scheme, and your mimeapps.list gets Usher in front of it; what was \
      the default before stays behind it. Then Usher's own rules, gio and xdg-mime are asked, and what each answers is \
      said: when they do not answer as intended, everything is put back. Programs of one --name get an entry each. \
      With --web your routes see web links too, and the browser that is your default gets the rest. \
      With --system, which needs root, all users get the entry, and with --default the default too, where a user's own mimeapps.list \
      does not say otherwise.
      """,
      exit: [
        0: "it is registered", 1: "it was refused, and nothing is changed",
        64: "the command was called in a wrong way",
      ],
      examples: [
        "An application that is installed": "usher register org.example.Notes --scheme notes --scheme memo",
        "A development build beside it":
          "usher register ./Notes.desktop --id org.example.Notes.Devel --scheme notes",
        "A program that has no desktop entry":
          "usher register --name \"My Notes\" --exec \"my-notes --open %u\" --scheme notes",
        "Web links, so that your routes see them": "usher register --web",
        "For all users, as the default": "usher register --system org.example.Notes --scheme notes --default",
      ]))

  @OptionGroup var applicant: ApplicantArguments

  @Option(help: ArgumentHelp("A scheme, as notes; may be given more than once.", valueName: "scheme"))
  var scheme: [URLScheme] = []

  @OptionGroup var web: WebArguments

  @Flag(help: "Make the application itself the default, without Usher's broker in between.")
  var direct = false

  @Flag(help: "For all users, below /usr/local/share and /etc/xdg: needs root.")
  var system = false

  @Flag(
    name: .customLong("default"),
    help:
      "With --system: also make it the default of all users. Without --system it always becomes the default.")
  var asDefault = false

  func validate() throws {
    guard system || !asDefault else {
      throw ValidationError("--default goes with --system; for this user it always becomes the default")
    }
    guard !system || asDefault || !direct && web.isEmpty else {
      throw ValidationError("--direct and --web are about the default: with --system, give --default too")
    }
    guard scheme.isEmpty != web.isEmpty else {
      throw ValidationError("say which links: --scheme notes, or --web alone for http and https")
    }
    guard !direct || web.isEmpty else {
      throw ValidationError("--web puts Usher in front of the browser, and --direct leaves it out")
    }
    guard !web.isEmpty || applicant.application != nil || applicant.name != nil else {
      throw ValidationError("give an application's ID, or its desktop file, or --name and --exec")
    }
  }

  @Flag(help: "Print one JSON object.")
  var json = false

  /// The outcome of the command.
  private enum Outcome {
    case done(RegistrationReport)
    /// No file was changed, for these reasons.
    case refused([String])
  }

  func run() throws {
    switch outcome(at: RegistrationService(isForAllUsers: system)) {
    case .refused(let reasons):
      let likely = applicant.application.flatMap(UserEnvironment.application).flatMap {
        ApplicationSuggestion(for: $0)
      }
      let steps = likely.map { [SuggestedCommand.register($0.id, for: scheme)] } ?? []
      try Failure.report(reasons, next: scheme.isEmpty ? [] : steps, json: json)
    case .done(let report):
      guard !json else { return Console.emit(JSONText.line(report.entries)) }
      for warning in report.warnings { Console.warn(warning) }
      for line in report.lines { Console.say(line) }
      Console.suggest(report.nextSteps)
    }
  }

  private var setsDefault: Bool { asDefault || !system }

  private func outcome(at desk: RegistrationService) -> Outcome {
    if let obstacle = desk.missingPermission() { return .refused([obstacle]) }
    // A registration for all users is the administrator's own decision.
    if direct, !system, let file = Locks().file(of: .directRegistration) {
      return .refused([
        "`usher register --direct` is switched off by \(file); without --direct it registers through the broker"
      ])
    }
    if setsDefault, !direct, let obstacle = desk.missingHandler { return .refused([obstacle]) }
    do throws(FreedesktopError) {
      let applicant = try applicant.applicant()
      return try desk.change { () throws(FreedesktopError) in try register(applicant, at: desk) }
    } catch {
      return .refused([error.description])
    }
  }

  private func register(
    _ applicant: Applicant?, at desk: RegistrationService
  ) throws(FreedesktopError) -> Outcome {
    let applicant =
      if let applicant { applicant } else { Applicant.installed(try desk.registration.webBrowser()) }
    let plan = try desk.registration.plan(
      registering: applicant, for: scheme + web.schemes, directly: direct,
      setsDefault: setsDefault, forWeb: !web.isEmpty, on: Timestamp.now)
    guard plan.disagreements.isEmpty else {
      return .refused(
        plan.disagreements.map(\.description) + [
          "nothing was written; mend that list, or choose another scheme"
        ])
    }
    try plan.edits.apply()
    let proof = RegistrationVerification(of: plan, at: desk)
    guard proof.failures.isEmpty else {
      return .refused(proof.failures + [putBack(plan, desk.registration)])
    }
    var report = RegistrationReport(plan: plan, proof: proof, isForAllUsers: system)
    if let id = plan.application,
      let entry = try? ApplicationCatalog(directories: desk.directories).entry(id)
    {
      let services = SystemSnapshot.services(desk.directories, LocalFiles())
      report.busStart = ActivationCheck.obstacle(to: entry, of: id, services, desk.directories, desk.programs)
    }
    return .done(report)
  }

  /// Restores the files that were written, and returns a sentence about the result.
  private func putBack(_ plan: RegistrationPlan, _ registration: Registration) -> String {
    do throws(FreedesktopError) {
      do throws(FreedesktopError) {
        try plan.edits.reversed.apply()
        return "all files are as they were before"
      } catch {
        guard case .changedMeanwhile = error else { throw error }
        // Changes that other programs made meanwhile are preserved; only Usher's are removed.
        try registration.plan(unregistering: plan.application, from: plan.schemes).edits.apply()
        return "what was written is taken out again; what another program wrote meanwhile stays"
      }
    } catch {
      return
        "\(error); “usher unregister \(plan.application?.rawValue ?? "")\(system ? " --system" : "")” takes it back"
    }
  }
}
