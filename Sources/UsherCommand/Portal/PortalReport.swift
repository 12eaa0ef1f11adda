// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop

/// The choices of the desktop portal that precede the default of a new registration, and whether they were removed.
struct PortalReport {
  /// The choices that were removed.
  private(set) var removed: [PortalOverride] = []
  /// The warnings about choices that remain.
  private(set) var warnings: [String] = []

  init() {}

  /// Reads the choices for the registered schemes, after the files are written, and removes them if `resets` is set.
  init(for plan: RegistrationPlan, at desk: RegistrationService, resets: Bool) {
    guard plan.setsDefault else { return }
    let choices = PortalChoices.read(desk.directories)
    if case .unavailable(let reason) = choices {
      warnings.append(
        "the portal's permission store, which precedes mimeapps.list for sandboxed applications, cannot be read: \(reason)"
      )
    }
    for found in PortalOverride.among(choices, at: desk)
    where plan.schemes.contains(found.scheme) {
      guard resets else {
        warnings.append(
          "\(found.scheme): \(found.sentence); to remove that choice, add --reset-portal, or run: usher doctor --fix"
        )
        continue
      }
      do throws(BusError) {
        try PortalChoices.remove(found.choice)
        removed.append(found)
      } catch {
        warnings.append("\(found.scheme): the portal's choice cannot be removed: \(error.message)")
      }
    }
  }

  /// The lines about the removed choices.
  var lines: [String] {
    removed.map {
      "\($0.scheme): the portal's choice \($0.choice.application) for \($0.choice.callers) was removed"
    }
  }
}
