import ArgumentParser
import BusInterfaces
import DBus
import Freedesktop

/// The command `usher unregister`, which removes Usher's registration of a scheme.
struct UnregisterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unregister",
    abstract: "Takes a registration back; what was there before is there again.",
    usage: "usher unregister [<id>] [--scheme <scheme> ...] [<options>]",
    discussion: HelpText.discussion(
      """
      Only what Usher wrote and what is still there goes: where another program has taken the scheme meanwhile, its \
      choice stays. What a registration left that was cut off half-way goes as well.
      """,
      exit: [
        0: "it is taken back, or there was nothing to take back", 1: "a file cannot be read or written",
        64: "the command was called in a wrong way",
      ],
      examples: [
        "One scheme": "usher unregister --scheme notes",
        "All of an application's": "usher unregister org.example.Notes",
        "Web links": "usher unregister --web",
        "What was registered for all users": "usher unregister --system org.example.Notes",
      ]))

  @Argument(
    help: ArgumentHelp("The application; whichever was registered last when left out.", valueName: "id"))
  var application: ApplicationID?

  @Option(help: ArgumentHelp("A scheme; all of the application's when left out.", valueName: "scheme"))
  var scheme: [URLScheme] = []

  @OptionGroup var web: WebArguments

  @Flag(help: "What was registered for all users with --system: needs root.")
  var system = false

  func validate() throws {
    guard application != nil || !scheme.isEmpty || !web.isEmpty else {
      throw ValidationError("say which links: --scheme notes, --web, or an application's ID")
    }
  }

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let desk = RegistrationService(isForAllUsers: system)
    if let obstacle = desk.missingPermission() { return try Failure.report([obstacle], json: json) }
    let outcome: Outcome
    do throws(FreedesktopError) {
      outcome = try desk.change { () throws(FreedesktopError) in try unregister(at: desk) }
    } catch {
      return try Failure.report([error.description], json: json)
    }
    guard !json else { return Console.emit(JSONText.line(outcome.entries)) }
    for (scheme, next) in outcome.schemes {
      Console.say("\(scheme): links are opened by \(next?.rawValue ?? "nobody") now")
    }
    for warning in outcome.warnings { Console.warn(warning) }
  }

  /// The outcome of the command.
  private struct Outcome {
    var application: ApplicationID?
    /// The removed schemes, each with its current application.
    var schemes: [(URLScheme, ApplicationID?)] = []
    var warnings: [String] = []

    /// The keys for JSON.
    ///
    /// `application` s if one was registered, `schemes` aa{sv} (`scheme` s, `application` s if one opens it now),
    /// `warnings` as.
    var entries: [String: Variant] {
      let schemes = schemes.map { scheme, next -> Variant in
        var entries: [String: Variant] = ["scheme": .string(scheme.rawValue)]
        entries["application"] = next.map { .string($0.rawValue) }
        return .dictionary(entries)
      }
      var entries: [String: Variant] = [
        "schemes": .array(of: "a{sv}", schemes), "warnings": .strings(warnings),
      ]
      entries["application"] = application.map { .string($0.rawValue) }
      return entries
    }
  }

  private func unregister(at desk: RegistrationService) throws(FreedesktopError) -> Outcome {
    let registration = desk.registration
    var schemes = scheme + web.schemes
    if schemes.isEmpty, let application { schemes = registration.schemes(registeredFor: application) }
    let plan = try registration.plan(unregistering: application, from: schemes)
    try plan.edits.apply()
    var outcome = Outcome(application: plan.application)
    for scheme in plan.schemes { outcome.schemes.append((scheme, desk.outcome.application(for: scheme))) }
    for scheme in schemes where !plan.schemes.contains(scheme) {
      let whose = application.map { " for \($0)" } ?? ""
      outcome.warnings.append(
        "\(scheme): was not registered with Usher\(whose)\(system ? " for all users" : "")")
    }
    if schemes.isEmpty, let application { outcome.warnings.append("\(application) has no scheme from Usher") }
    return outcome
  }
}
