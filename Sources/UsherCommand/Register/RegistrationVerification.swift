// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// The verification of a registration: the answers of Usher's resolver and of the desktop's tools after all files are written.
struct RegistrationVerification {
  /// The reasons why the registration is not effective; empty if it is.
  private(set) var failures: [String] = []
  /// The warnings about an effective registration.
  private(set) var warnings: [String] = []
  /// The answers of the tools for each scheme.
  private(set) var answers: [URLScheme: [Answer]] = [:]

  /// The answer of one tool.
  struct Answer {
    let tool: String
    /// The desktop file that the tool names, or `nothing`; `nil` if the tool could not be asked.
    let answer: String?
    /// The answer as text.
    let text: String
  }

  /// The current application of each scheme; absent if there is none.
  private(set) var applications: [URLScheme: ApplicationID] = [:]

  /// Verifies each scheme of `plan`, as the users of the registration see it.
  init(of plan: RegistrationPlan, at desk: RegistrationService) {
    let registration = desk.outcome
    for scheme in plan.schemes { applications[scheme] = registration.application(for: scheme) }
    guard plan.setsDefault else {
      // Another application may remain the default, so that every answer is valid.
      for scheme in plan.schemes {
        let own = registration.desktopFile(for: scheme) ?? "nothing"
        answers[scheme] = [
          Answer(tool: "usher", answer: own, text: own),
          Self.answer(of: .gio, Self.ask(.gio, scheme: scheme, service: desk)),
          Self.answer(of: .xdgMime, Self.ask(.xdgMime, scheme: scheme, service: desk)),
        ]
      }
      return
    }
    failures = registration.disagreements(with: plan).map(\.description)
    guard let application = plan.application else { return }
    let expected = plan.isDirect ? application : .usherHandler
    let wanted = expected.desktopFileName
    warnings = registration.differences(on: plan.schemes, from: expected).map(\.description)
    for scheme in plan.schemes {
      let own = plan.isDirect ? wanted : "\(wanted), which opens it with \(application.desktopFileName)"
      let gio = Self.ask(.gio, scheme: scheme, service: desk)
      let xdgMime = Self.ask(.xdgMime, scheme: scheme, service: desk)
      if case .names(let found) = gio, found != wanted {
        failures.append("gio mime \(scheme.mimeType) returns \(found ?? "nothing") instead of \(wanted)")
      }
      if case .names(let found) = xdgMime, found != wanted {
        warnings.append(
          "xdg-mime query default \(scheme.mimeType) returns \(found ?? "nothing") instead of \(wanted); xdg-mime reads the "
            + "lists differently from GIO, and xdg-open may do so, too, on desktops that it does not know")
      }
      answers[scheme] = [
        Answer(tool: "usher", answer: wanted, text: own), Self.answer(of: .gio, gio),
        Self.answer(of: .xdgMime, xdgMime),
      ]
    }
  }

  private static func ask(
    _ opener: OpenerQuery, scheme: URLScheme, service: RegistrationService
  ) -> OpenerQuery.Answer {
    opener.ask(scheme.mimeType, service.programs, in: service.environment).answer(by: .now + .seconds(10))
  }

  private static func answer(of opener: OpenerQuery, _ answer: OpenerQuery.Answer) -> Answer {
    let tool = opener.command.joined(separator: " ")
    func unchecked(_ reason: String) -> Answer {
      Answer(tool: tool, answer: nil, text: "not checked, because \(reason)")
    }
    switch answer {
    case .missing: return unchecked("it is not installed")
    case .timedOut: return unchecked("it did not reply in time")
    case .failed(let reason): return unchecked(reason)
    case .names(let found): return Answer(tool: tool, answer: found ?? "nothing", text: found ?? "nothing")
    }
  }
}
