import Freedesktop

/// The proof of a registration: what our own resolver and the desktop's real tools answer once all is written.
struct RegistrationProof {
  /// Why the registration does not hold; empty when it does.
  private(set) var failures: [String] = []
  /// What a person should know although it holds.
  private(set) var warnings: [String] = []

  /// Asks about each scheme of `plan`.
  init(of plan: RegistrationPlan, by registration: Registration, _ programs: ProgramSearch) {
    failures = registration.disagreements(with: plan).map(\.description)
    let wanted = ApplicationID.usherHandler.desktopFileName
    for scheme in plan.schemes {
      if case .names(let found) = DesktopTool.gio.ask(scheme, programs), found != wanted {
        failures.append("gio mime \(scheme.mimeType) answers \(Self.text(found)) and not \(wanted)")
      }
      if case .names(let found) = DesktopTool.xdgMime.ask(scheme, programs), found != wanted {
        warnings.append(
          "xdg-mime query default \(scheme.mimeType) answers \(Self.text(found)) and not \(wanted); it reads the "
            + "lists differently from GIO, so xdg-open may too where no desktop is known to it")
      }
    }
  }

  private static func text(_ found: String?) -> String { found ?? "nothing" }
}
