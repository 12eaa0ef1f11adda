import Freedesktop

/// The proof of a registration: what our own resolver and the desktop's real tools answer once all is written.
struct RegistrationProof {
  /// Why the registration does not hold; empty when it does.
  private(set) var failures: [String] = []
  /// What a person should know although it holds.
  private(set) var warnings: [String] = []
  /// What each one answered, in a line.
  private(set) var answers: [URLScheme: [String]] = [:]

  /// Asks about each scheme of `plan`.
  init(of plan: RegistrationPlan, by registration: Registration, _ programs: ProgramSearch) {
    failures = registration.disagreements(with: plan).map(\.description)
    guard let application = plan.application else { return }
    let expected = plan.isDirect ? application : .usherHandler
    let wanted = expected.desktopFileName
    warnings = registration.differences(on: plan.schemes, from: expected).map(\.description)
    for scheme in plan.schemes {
      let own = plan.isDirect ? wanted : "\(wanted), which opens it with \(application.desktopFileName)"
      let gio = Self.ask(.gio, scheme, programs)
      let xdgMime = Self.ask(.xdgMime, scheme, programs)
      if case .names(let found) = gio, found != wanted {
        failures.append("gio mime \(scheme.mimeType) answers \(found ?? "nothing") and not \(wanted)")
      }
      if case .names(let found) = xdgMime, found != wanted {
        warnings.append(
          "xdg-mime query default \(scheme.mimeType) answers \(found ?? "nothing") and not \(wanted); it reads the "
            + "lists differently from GIO, so xdg-open may too where no desktop is known to it")
      }
      answers[scheme] = [
        "usher: \(own)", "\(OtherOpener.gio.command.joined(separator: " ")): \(Self.text(gio))",
        "\(OtherOpener.xdgMime.command.joined(separator: " ")): \(Self.text(xdgMime))",
      ]
    }
  }

  private static func ask(
    _ opener: OtherOpener, _ scheme: URLScheme, _ programs: ProgramSearch
  ) -> OtherOpener.Answer {
    opener.ask(scheme.mimeType, programs).answer(by: .now + .seconds(10))
  }

  private static func text(_ answer: OtherOpener.Answer) -> String {
    switch answer {
    case .missing, .silent: "not asked: it is not installed, or did not answer"
    case .names(let found): found ?? "nothing"
    }
  }
}
