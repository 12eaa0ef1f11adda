// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop

/// The report of a registration, as text and as JSON.
struct RegistrationReport {
  let plan: RegistrationPlan
  let proof: RegistrationVerification
  /// A Boolean value that is `true` if the registration is for all users.
  let isForAllUsers: Bool
  /// The obstacle that prevents the bus from starting the application, although its entry requests it.
  var busStart: ActivationCheck?
  /// The choices of the desktop portal for the registered schemes.
  var portal = PortalReport()

  private var application: String { plan.application?.rawValue ?? "" }

  /// The warnings after a successful registration.
  var warnings: [String] { entryWarnings + proof.warnings + portal.warnings }

  /// The warnings about the entry of the application.
  var entryWarnings: [String] {
    let obstacle = busStart.map { start in (start.file.map { "\($0): " } ?? "") + start.message }
    let lost = plan.lostEdits.map { path in
      plan.original.map {
        "\(path) was edited by hand and has been replaced by a fresh copy; edit \($0) instead"
      }
        ?? "\(path) was edited by hand and has been replaced; to keep changes, put a copy of it with another name into another "
        + "directory, edit that, and register it"
    }
    return (plan.warnings.map(\.sentence) + limits.map(\.sentence) + [lost, obstacle].compactMap(\.self))
      .map { "\(application): \($0)" }
  }

  /// The limits of `xdg-open` that apply if Usher is not involved.
  private var limits: [XDGOpenLimit] {
    guard plan.isDirect, let exec = plan.exec, let line = try? ExecLine(exec) else { return [] }
    return XDGOpenLimit.of(exec, line)
  }

  /// The commands that restore the former application of each scheme.
  var nextSteps: [SuggestedCommand] {
    guard plan.setsDefault else { return [] }
    return plan.schemes.filter { !URLScheme.web.contains($0) }.compactMap { scheme in
      former(of: scheme).map { former in
        SuggestedCommand(
          command: Shell.command("usher", "unregister", application, "--scheme", scheme.rawValue)
            + (isForAllUsers ? " --system" : ""),
          purpose: "restore \(former) as the default")
      }
    }
  }

  /// The current and the former application of each scheme, with the answer of each tool.
  var lines: [String] {
    plan.schemes.flatMap { scheme in
      [sentence(about: scheme)] + (proof.answers[scheme] ?? []).map { "  \($0.tool): \($0.text)" }
    } + portal.lines + (isForAllUsers ? [Self.usersComeFirst] : [])
  }

  private static let usersComeFirst =
    "a user's own mimeapps.list takes precedence; run “usher handlers” as that user to see the result"

  private func sentence(about scheme: URLScheme) -> String {
    guard plan.setsDefault else {
      let opener = proof.applications[scheme]?.rawValue
      let now =
        opener.map { $0 == application ? "it opens them" : "\($0) opens them" } ?? "no application opens them"
      return "\(scheme): \(application) can now open links, and \(now); --default makes it the default"
    }
    let before = former(of: scheme).map { ", previously by \($0), which is now the second choice" } ?? ""
    return "\(scheme): links are now opened by \(application)\(before)"
  }

  /// The keys for JSON.
  ///
  /// `application` s, `direct` b, `system` b, `default` b, `schemes` aa{sv} (`scheme` s, `previous` s if there was one,
  /// `answers` a{sv}: the answer of each tool that was asked), `portal-reset` aa{sv}: the removed choices of the portal,
  /// `warnings` as.
  var entries: [String: Variant] {
    let schemes = plan.schemes.map { scheme -> [String: Variant] in
      let answers = (proof.answers[scheme] ?? []).compactMap { answer in
        answer.answer.map { (answer.tool, Variant.string($0)) }
      }
      var entries: [String: Variant] = [
        "scheme": .string(scheme.rawValue),
        "answers": .dictionary(Dictionary(answers) { first, _ in first }),
      ]
      entries["previous"] = former(of: scheme).map { .string($0) }
      return entries
    }
    return [
      "application": .string(application), "direct": .boolean(plan.isDirect),
      "system": .boolean(isForAllUsers), "default": .boolean(plan.setsDefault),
      "schemes": .dictionaries(schemes), "warnings": .strings(warnings),
      "portal-reset": .dictionaries(portal.removed.map(\.entries)),
    ]
  }

  private func former(of scheme: URLScheme) -> String? {
    plan.formers[scheme].map(\.rawValue).flatMap { $0 == application ? nil : $0 }
  }
}
