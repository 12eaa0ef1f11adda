// SPDX-License-Identifier: Apache-2.0
import OpenSocket

/// The session of a caller, in which the programs for its request are started.
///
/// It has two parts, each of which replaces the corresponding part of the environment as a whole: the display with its
/// desktop, and the locale. A caller without a display, such as a timer, leaves the display of the environment in place.
public struct CallerSession: Hashable, Sendable {
  /// The variables to set.
  public let variables: [String: String]

  /// The session of a caller that is unknown or not trusted: programs keep their environment.
  public static let unknown = CallerSession([:])

  /// Selects the variables of the session from `values`; all others are ignored.
  public init(_ values: [String: String]) {
    var known = SessionVariables.values { values[$0] }
    if !SessionVariables.displays.contains(where: { known[$0] != nil }) {
      for name in SessionVariables.desktop { known[name] = nil }
    }
    variables = known
  }

  /// A Boolean value that indicates whether the caller has a display.
  public var hasDisplay: Bool { Self.hasDisplay(variables) }

  /// The variables that must be removed, because they belong to another display or locale.
  public var removed: [String] {
    var names: [String] = []
    if hasDisplay { names += SessionVariables.displays + SessionVariables.desktop }
    if SessionVariables.locale.contains(where: { variables[$0] != nil }) { names += SessionVariables.locale }
    return names.filter { variables[$0] == nil }
  }

  /// Returns `environment` with the variables of this session.
  public func applied(to environment: [String: String]) -> [String: String] {
    var environment = environment
    for name in removed { environment[name] = nil }
    return environment.merging(variables) { $1 }
  }

  /// Returns whether the caller has another display than `environment`, or `environment` has none.
  ///
  /// A display counts as the same if the X server or the Wayland socket is, because a program may have been started
  /// without the variable of the other.
  public func hasOtherDisplay(than environment: [String: String]) -> Bool {
    hasDisplay
      && !SessionVariables.displays.contains { name in
        guard let own = variables[name], let other = environment[name] else { return false }
        return Self.screenless(own) == Self.screenless(other)
      }
  }

  /// Returns whether programs of both sessions start on one display; a session without a display has that of `environment`.
  public func sharesDisplay(with other: CallerSession, beside environment: [String: String]) -> Bool {
    if !hasOtherDisplay(than: environment), !other.hasOtherDisplay(than: environment) { return true }
    return hasDisplay && other.hasDisplay && !hasOtherDisplay(than: other.variables)
  }

  /// Returns the desktop of this session as a value of `XDG_CURRENT_DESKTOP`, empty for none; `nil` if it is that of `environment`.
  ///
  /// A program on the display of `environment` is on its desktop, even if it was started without the variable.
  public func desktop(otherThan environment: [String: String]) -> String? {
    guard hasDisplay else { return nil }
    let own = variables[SessionVariables.currentDesktop]
    guard own != nil || hasOtherDisplay(than: environment) else { return nil }
    return (own ?? "") == (environment[SessionVariables.currentDesktop] ?? "") ? nil : own ?? ""
  }

  /// Returns whether an environment names a display.
  public static func hasDisplay(_ environment: [String: String]) -> Bool {
    SessionVariables.displays.contains { environment[$0]?.isEmpty == false }
  }

  /// Returns a display of X without its first screen: `:0` for `:0.0` (X(7), "DISPLAY NAMES").
  private static func screenless(_ display: String) -> String {
    display.contains(":") && display.hasSuffix(".0") ? String(display.dropLast(2)) : display
  }
}
