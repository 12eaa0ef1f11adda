// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop

/// An invocation that removes registrations: `usher unregister` or `usher web disable`.
struct UnregistrationInvocation {
  /// The application as the user has named it; `nil` for the one that was registered last for each scheme.
  var name: String?
  /// The schemes; if they are empty, all of the application.
  var schemes: [URLScheme]
  /// Removes a registration for all users.
  var isForAllUsers = false
  /// Also restores the helper of Xfce that Usher has replaced.
  var restoresHelper = false

  /// The reason for which nothing was changed.
  struct Obstacle: Error {
    let reason: String
  }

  /// The outcome of the invocation.
  struct Outcome {
    var application: ApplicationID?
    /// The removed schemes, each with its current application.
    var schemes: [(URLScheme, ApplicationID?)] = []
    /// Indicates whether Xfce's previous helper for web links was restored.
    var hasRestoredHelper = false
    var warnings: [String] = []
    /// The command that was probably meant, if nothing was registered.
    var nextSteps: [SuggestedCommand] = []

    /// A line for each removed scheme.
    var lines: [String] {
      schemes.map { scheme, next in
        next.map { "\(scheme): links are now opened by \($0)" }
          ?? "\(scheme): no application opens these links now"
      }
    }

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

  /// Removes what Usher wrote for the registrations.
  func carryOut() throws(Obstacle) -> Outcome {
    let desk = RegistrationService(isForAllUsers: isForAllUsers)
    if let obstacle = desk.missingPermission() { throw Obstacle(reason: obstacle) }
    do throws(FreedesktopError) {
      return try desk.change { () throws(FreedesktopError) in try unregister(at: desk) }
    } catch {
      throw Obstacle(reason: error.description)
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

  /// Returns the registered scheme that the user has written in place of an application.
  private static func scheme(
    _ text: String?, registeredIn registration: Registration
  ) -> URLScheme? {
    guard let scheme = text.flatMap({ URLScheme($0) }) else { return nil }
    return registration.registeredSchemes.contains { $0.scheme == scheme } ? scheme : nil
  }

  private func unregister(at desk: RegistrationService) throws(FreedesktopError) -> Outcome {
    let registration = desk.registration
    let application = name.flatMap { Self.application($0, in: registration) }
    var schemes = schemes
    if schemes.isEmpty, let application { schemes = registration.schemes(registeredFor: application) }
    let plan = try registration.plan(unregistering: application, from: schemes)
    var edits = plan.edits
    var outcome = Outcome(application: plan.application)
    if restoresHelper {
      let openers = WebOpeners(directories: desk.directories, programs: desk.programs)
      let helper = try openers.helperRemovalEdits()
      outcome.hasRestoredHelper = !helper.edits.isEmpty
      edits = edits.adding(helper)
    }
    // A failure must leave everything as it was.
    try edits.apply()
    for scheme in plan.schemes { outcome.schemes.append((scheme, desk.outcome.application(for: scheme))) }
    for scheme in schemes where !plan.schemes.contains(scheme) {
      let whose = application.map { " for \($0)" } ?? ""
      outcome.warnings.append(
        "\(scheme): was not registered with Usher\(whose)\(isForAllUsers ? " for all users" : "")")
    }
    for path in plan.kept {
      outcome.warnings.append(
        "\(path) was edited by hand and is kept; to delete it, run: \(Shell.command("rm", path))")
    }
    if schemes.isEmpty, let application {
      outcome.warnings.append("\(application) is not registered for any scheme with Usher")
      if let scheme = Self.scheme(name, registeredIn: registration) {
        outcome.nextSteps = [SuggestedCommand.unregister(scheme, isForAllUsers: isForAllUsers)]
      }
    }
    return outcome
  }
}
