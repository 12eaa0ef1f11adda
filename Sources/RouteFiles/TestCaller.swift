// SPDX-License-Identifier: Apache-2.0
internal import RouteTables

/// The state of the application or program that a route starts.
enum TargetState: String, Sendable {
  /// It is installed.
  case installed
  /// It is installed, and owns its name on the session bus.
  case running
}

/// The caller of a test in `tests.decide`, as its request describes it.
struct TestCaller: Sendable {
  /// The application's ID; `nil` if the caller is unknown.
  var application: String?
  /// The assurance of the ID, as in `source.assurance`.
  var assurance = "unknown"
  /// Indicates whether it is, or may be, in a sandbox.
  var isSandboxed = false
  /// The owner of the installed files, as in `source.installed`; `nil` means `user`.
  var installed: String?
  /// The machine from which the request comes; `nil` for a caller on this machine.
  var remote: String?
  /// The web origin of the request.
  var origin: String?
  /// The user activation: `clicked` or `allowed`; `nil` if there is none.
  var userActivation: String?
  /// The state of the application or program that a route names; `nil` if it is not installed.
  var target: TargetState?
  /// The IDs of the running applications.
  var running: [String] = []

  /// A Boolean value that indicates whether its sandbox or its unit confirms its name.
  var isNameVerified: Bool { ["unit", "sandbox"].contains(assurance) }

  /// The caller without its unverified claims, which the broker ignores where they would grant rights; `nil` if it has none.
  var withoutUnverifiedClaims: TestCaller? {
    guard isSandboxed, origin != nil || assurance == "claimed" else { return nil }
    var caller = self
    caller.origin = nil
    if assurance == "claimed" {
      (caller.application, caller.assurance, caller.installed) = (nil, "unknown", nil)
    }
    return caller
  }

  /// Returns the values that the broker would pass to a table whose routes have conditions on `names`.
  func context(for names: [String]) -> [String: String] {
    var context = [
      RouteCondition.Name.source: application ?? "", RouteCondition.Name.assurance: assurance,
      RouteCondition.Name.origin: origin.map { WrittenOrigin.stated($0) } ?? "",
      // A sandboxed caller's claim of a click is unverified.
      RouteCondition.Name.userActivation: userActivation == "clicked" && isSandboxed
        ? "" : userActivation ?? "",
      RouteCondition.Name.sandboxed: isSandboxed ? "yes" : "",
      RouteCondition.Name.remote: remote ?? "",
      RouteCondition.Name.installed: application == nil ? "" : installed ?? "user",
      RouteCondition.Name.running: RunningApplications.value(of: running),
    ]
    for name in names {
      if InstalledTarget(conditionName: name) != nil {
        if target != nil { context[name] = InstalledTarget.value }
      } else if let application = RouteCondition.target(ofName: name),
        target == .running || running.contains(application)
      {
        context[name] = "running"
      }
    }
    return context
  }
}

extension TestCaller: CustomStringConvertible {
  /// The caller in a sentence, such as `org.example.Chat (unit, clicked)`.
  var description: String {
    var details = application == nil ? [] : [assurance]
    if isSandboxed, assurance != "sandbox" { details.append("sandboxed") }
    if let installed { details.append("installed by the \(installed)") }
    if let remote { details.append("on the machine \(remote)") }
    if let origin { details.append("from \(origin)") }
    if let userActivation { details.append(userActivation) }
    if let target { details.append("target \(target.rawValue)") }
    if !running.isEmpty { details.append("while \(running.joined(separator: ", ")) runs") }
    return (application ?? "an unknown program")
      + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
  }
}
