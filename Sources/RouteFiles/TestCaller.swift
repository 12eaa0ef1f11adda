internal import RouteTables

/// The caller of a test in `tests.decide`: what its request says of itself.
struct TestCaller: Sendable {
  /// The application's ID; `nil` where nothing names the caller.
  var application: String?
  /// How sure that is, as in `source.assurance`.
  var assurance = "unknown"
  /// Whether it is in a sandbox, or may be.
  var isSandboxed = false
  /// Who can change what is installed of it, as in `source.installed`; `user` where that is absent.
  var installed: String?
  /// The web origin that the request came from.
  var origin: String?
  /// What a person did: `clicked` or `allowed`.
  var person: String?
  /// Whether the application that a route names runs.
  var isTargetRunning = false

  /// The caller without its unverified claims, which the broker ignores where they would give rights, or `nil` if it has none.
  var withoutUnverifiedClaims: TestCaller? {
    guard isSandboxed, origin != nil || assurance == "claimed" else { return nil }
    var caller = self
    caller.origin = nil
    if assurance == "claimed" {
      (caller.application, caller.assurance, caller.installed) = (nil, "unknown", nil)
    }
    return caller
  }

  /// What the broker would tell a table whose routes ask for `names`.
  func context(for names: [String]) -> [String: String] {
    var context = [
      RouteCondition.Name.source: application ?? "", RouteCondition.Name.assurance: assurance,
      RouteCondition.Name.origin: origin ?? "",
      // What a sandboxed caller says of a click is its own word.
      RouteCondition.Name.person: person == "clicked" && isSandboxed ? "" : person ?? "",
      RouteCondition.Name.sandboxed: isSandboxed ? "yes" : "",
      RouteCondition.Name.installed: application == nil ? "" : installed ?? "user",
    ]
    guard isTargetRunning else { return context }
    for name in names where RouteCondition.target(ofName: name) != nil { context[name] = "running" }
    return context
  }
}

extension TestCaller: CustomStringConvertible {
  /// The caller as a sentence names it: `org.example.Chat (unit, clicked)`.
  var description: String {
    var details = application == nil ? [] : [assurance]
    if isSandboxed, assurance != "sandbox" { details.append("sandboxed") }
    if let installed { details.append("installed by the \(installed)") }
    if let origin { details.append("from \(origin)") }
    if let person { details.append(person) }
    if isTargetRunning { details.append("target running") }
    return (application ?? "an unknown program")
      + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
  }
}
