// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop

/// A change with which `usher doctor --fix` repairs a problem.
enum Repair: Hashable {
  /// Removes a choice from the portal's permission store.
  case portalChoice(PortalChoice)
  /// Lets the entry of an AppImage run the file to which it was moved.
  case appImage(ManagedEntry, AppImage)
  /// Adds a code for the URL to the Exec line of the user's entry at this path.
  case urlCode(String)
  /// Renames the user's entry at this path, so that it no longer is one.
  case setAside(ApplicationID, path: String)
  /// Removes the temporary entry of a machine that is not connected any more.
  case machineScheme(RemoteEntry)
  /// Makes Usher the helper with which Xfce opens web links.
  case xfceHelper

  /// The outcome of a repair.
  struct Outcome {
    /// The finding that the repair is for.
    let finding: Finding
    /// The reason why the problem remains; `nil` if it was repaired.
    let obstacle: String?

    /// The outcome as one line.
    var text: StyledText {
      let text: StyledText =
        obstacle.map { "\("not fixed", as: .bad) (\($0)): \(finding.message)" }
        ?? "\("fixed", as: .good): \(finding.message)"
      return text.inOneLine
    }

    /// The keys for JSON: `check` s, `message` s, `fixed` b; `error` s if it was not repaired.
    var entries: [String: Variant] {
      var entries: [String: Variant] = [
        "check": .string(finding.check), "message": .string(finding.message),
        "fixed": .boolean(obstacle == nil),
      ]
      entries["error"] = obstacle.map { .string($0) }
      return entries
    }
  }

  /// Carries out the repair, and returns the reason why it failed; `nil` if it succeeded.
  func carryOut() -> String? {
    switch self {
    case .portalChoice(let choice):
      do throws(BusError) { try PortalChoices.remove(choice) } catch { return error.message }
      return nil
    case .appImage(let entry, let image):
      return change { registration throws(FreedesktopError) in
        try registration.plan(moving: entry, to: image)
      }
    case .urlCode(let path):
      return change { registration throws(FreedesktopError) in
        try registration.plan(addingURLCodeAt: path)
      }
    case .setAside(let id, let path):
      return change { registration throws(FreedesktopError) in
        try registration.plan(settingAside: id, at: path)
      }
    case .machineScheme(let entry):
      return change { registration throws(FreedesktopError) in try registration.edits(removing: entry) }
    case .xfceHelper:
      let desk = RegistrationService()
      let openers = WebOpeners(directories: desk.directories, programs: desk.programs)
      return change { _ throws(FreedesktopError) in try openers.helperEdits() }
    }
  }

  /// Applies edits under the registration lock, and returns the reason why that failed; `nil` if it succeeded.
  private func change(_ plan: (Registration) throws(FreedesktopError) -> FileEdits) -> String? {
    let desk = RegistrationService()
    do throws(FreedesktopError) {
      try desk.change { () throws(FreedesktopError) in try plan(desk.registration).apply() }
      return nil
    } catch {
      return error.description
    }
  }
}
