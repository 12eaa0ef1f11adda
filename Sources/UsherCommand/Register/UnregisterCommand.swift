// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Freedesktop

/// The command `usher unregister`, which removes Usher's registration of a scheme.
struct UnregisterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unregister",
    abstract: "Revert a registration and restore the previous default.",
    usage: "usher unregister [<id>] [--scheme <scheme> ...] [<options>]",
    discussion: HelpText.discussion(
      """
      Removes only what Usher wrote. If another program has changed the default meanwhile, its choice is kept. Also removes the \
      leftovers of an interrupted registration.
      """,
      exit: [
        0: "success, or there was nothing to revert", 1: "a file cannot be read or written",
        64: "the arguments are wrong",
      ],
      examples: [
        "Unregister one scheme": "usher unregister --scheme notes",
        "Unregister all schemes of an application": "usher unregister org.example.Notes",
        "Unregister web links": "usher unregister --web",
        "Unregister for all users": "usher unregister --system org.example.Notes",
      ]))

  @Argument(
    help: ArgumentHelp(
      "Unregister this application (default: the application that was registered last for the scheme).",
      valueName: "id"),
    completion: Completions.applications)
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Unregister this scheme (default: all schemes of the application).", valueName: "scheme"))
  var scheme: [URLScheme] = []

  @OptionGroup var web: WebArguments

  @Flag(help: "Unregister for all users what was registered with --system; needs root.")
  var system = false

  func validate() throws {
    guard name.map({ UserEnvironment.application($0) != nil }) ?? true else {
      throw ValidationError("“\(name ?? "")” is not a desktop-file ID")
    }
    guard name != nil || !scheme.isEmpty || !web.isEmpty else {
      throw ValidationError("nothing is selected; add --scheme notes, --web, or an application's ID")
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
      Console.say(
        next.map { "\(scheme): links are now opened by \($0)" }
          ?? "\(scheme): no application opens these links now")
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
      let schemes = schemes.map { scheme, next -> [String: Variant] in
        var entries: [String: Variant] = ["scheme": .string(scheme.rawValue)]
        entries["application"] = next.map { .string($0.rawValue) }
        return entries
      }
      var entries: [String: Variant] = [
        "schemes": .dictionaries(schemes), "warnings": .strings(warnings),
      ]
      entries["application"] = application.map { .string($0.rawValue) }
      return entries
    }
  }

  /// Returns the application that a text names: the one that is installed, unless only another reading is registered.
  ///
  /// The ID of an application that was removed may end in `.desktop`, too.
  private static func application(_ text: String, in registration: Registration) -> ApplicationID? {
    let installed = UserEnvironment.application(text)
    if let installed, !registration.schemes(registeredFor: installed).isEmpty { return installed }
    return ApplicationID.readings(of: text).first { !registration.schemes(registeredFor: $0).isEmpty }
      ?? installed
  }

  private func unregister(at desk: RegistrationService) throws(FreedesktopError) -> Outcome {
    let registration = desk.registration
    let application = name.flatMap { Self.application($0, in: registration) }
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
    if schemes.isEmpty, let application {
      outcome.warnings.append("\(application) is not registered for any scheme with Usher")
    }
    return outcome
  }
}
