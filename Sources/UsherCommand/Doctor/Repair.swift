import BusInterfaces
import DBus
import Freedesktop

/// A change with which `usher doctor --fix` repairs a problem.
enum Repair: Hashable {
  /// Removes a choice from the portal's permission store.
  case portalChoice(PortalChoice)

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
    }
  }
}
