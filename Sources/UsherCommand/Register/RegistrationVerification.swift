import Freedesktop

/// The proof of a registration: what our own resolver and the desktop's real tools answer once all is written.
struct RegistrationVerification {
  /// Why the registration does not hold; empty when it does.
  private(set) var failures: [String] = []
  /// What a person should know although it holds.
  private(set) var warnings: [String] = []
  /// What each one answered.
  private(set) var answers: [URLScheme: [Answer]] = [:]

  /// What a tool answered.
  struct Answer {
    let tool: String
    /// The desktop file that it names, or `nothing`; `nil` when it could not be asked.
    let answer: String?
    /// The same in words.
    let text: String
  }

  /// Who opens each scheme now; absent where nothing does.
  private(set) var applications: [URLScheme: ApplicationID] = [:]

  /// Asks about each scheme of `plan`, as the users get it whom it is for.
  init(of plan: RegistrationPlan, at desk: RegistrationService) {
    let registration = desk.outcome
    for scheme in plan.schemes { applications[scheme] = registration.application(for: scheme) }
    guard plan.setsDefault else {
      // Another application may be the default, and stays it: no answer is wrong.
      for scheme in plan.schemes {
        let own = registration.desktopFile(for: scheme) ?? "nothing"
        answers[scheme] = [
          Answer(tool: "usher", answer: own, text: own),
          Self.answer(of: .gio, Self.ask(.gio, scheme, desk)),
          Self.answer(of: .xdgMime, Self.ask(.xdgMime, scheme, desk)),
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
      let gio = Self.ask(.gio, scheme, desk)
      let xdgMime = Self.ask(.xdgMime, scheme, desk)
      if case .names(let found) = gio, found != wanted {
        failures.append("gio mime \(scheme.mimeType) answers \(found ?? "nothing") and not \(wanted)")
      }
      if case .names(let found) = xdgMime, found != wanted {
        warnings.append(
          "xdg-mime query default \(scheme.mimeType) answers \(found ?? "nothing") and not \(wanted); it reads the "
            + "lists differently from GIO, so xdg-open may too where no desktop is known to it")
      }
      answers[scheme] = [
        Answer(tool: "usher", answer: wanted, text: own), Self.answer(of: .gio, gio),
        Self.answer(of: .xdgMime, xdgMime),
      ]
    }
  }

  private static func ask(
    _ opener: OpenerQuery, _ scheme: URLScheme, _ desk: RegistrationService
  ) -> OpenerQuery.Answer {
    opener.ask(scheme.mimeType, desk.programs, in: desk.environment).answer(by: .now + .seconds(10))
  }

  private static func answer(of opener: OpenerQuery, _ answer: OpenerQuery.Answer) -> Answer {
    let tool = opener.command.joined(separator: " ")
    guard case .names(let found) = answer else {
      return Answer(tool: tool, answer: nil, text: "not asked: it is not installed, or did not answer")
    }
    return Answer(tool: tool, answer: found ?? "nothing", text: found ?? "nothing")
  }
}
