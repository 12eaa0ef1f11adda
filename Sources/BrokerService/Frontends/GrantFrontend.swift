// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import DBus
import BusInterfaces
import Freedesktop
import RouteTables
import State

/// The methods `Grants`, `Allow` and `Revoke` of `org.usher.Broker1`, for callers outside a sandbox.
@BrokerActor
final class GrantFrontend {
  private let grants: GrantRepository
  private let policy: PolicyService

  init(_ grants: GrantRepository, policy: PolicyService) {
    self.grants = grants
    self.policy = policy
  }

  func list(
    _ options: [String: Variant], for caller: ChargedCaller
  ) async throws(BusError) -> [[String: Variant]] {
    let wanted = try scope(options, await policy.current().catalog)
    return try await result(for: caller) { () async throws(StateError) in
      try await grants.all(for: caller).filter { $0.scope.isSelected(by: wanted) }.map(\.entries)
    }
  }

  /// Returns the result of an operation on the grants for a call.
  ///
  /// - Throws: `TooMany` if too many calls wait for the file, `Failed` if it cannot be read or written.
  private func result<Value>(
    for caller: ChargedCaller, of operation: @BrokerActor () async throws(StateError) -> Value
  ) async throws(BusError) -> Value {
    switch grants.shortage(for: caller) {
    case .full?:
      throw BusError(.tooMany, "too many calls of all callers are waiting for the grants; try again later")
    case .part(let held)?:
      throw BusError(
        .tooMany, "\(held) calls of this caller are waiting for the grants; wait until some are answered")
    case nil: break
    }
    do throws(StateError) {
      return try await operation()
    } catch {
      throw BusError(.failed, error.description)
    }
  }

  func allow(
    _ entries: [String: Variant], for caller: ChargedCaller
  ) async throws(BusError) -> [String: Variant] {
    let rules = await policy.current()
    if let file = rules.broker.grantsLockedBy {
      throw BusError(
        .accessDenied,
        "grants are disabled by \(file); the broker neither stores nor uses answers")
    }
    let catalog = rules.catalog
    let answer = try answer(entries, catalog)
    let scope = try await answerable(entries, by: answer, rules)
    guard scope.source != nil || entries["assurance"] == nil else {
      throw BusError(.invalidRequest, "assurance needs source-application")
    }
    let now = BootClock.microsecondsSince1970
    let grant = GrantEntry(
      scope: scope, assurance: try assurance(entries, scope).rawValue,
      answer: answer.text,
      time: now, expires: try lifetime(entries, scope).map { now + $0 })
    if let grant = Grant(grant), !rules.broker.mayAsk(about: grant.scope, grant.assurance) {
      guard let route = scope.route else {
        throw BusError(
          .invalidRequest,
          "the broker never asks about links with this scope, because it always rejects such \(scope.scheme ?? ""): links"
        )
      }
      let known =
        grant.scope.source.map {
          "; the grant is for \($0) with the assurance \(grant.assurance.rawValue) or higher"
        } ?? ""
      throw BusError(
        .invalidRequest,
        "the route “\(route)” never asks about links with this scope; check its schemes, hosts and conditions\(known)"
      )
    }
    try await result(for: caller) { () async throws(StateError) in
      try await grants.allow(grant, for: caller)
    }
    var kept = grant.entries
    if let grant = Grant(grant) {
      let denials = rules.broker.finalDenials(of: grant.scope, grant.assurance)
      if !denials.routes.isEmpty { kept["denied-by"] = .strings(denials.routes) }
      if denials.denyAll { kept["all-denied"] = .boolean(true) }
    }
    return kept
  }

  /// Returns the scope of a new grant, which must match a question that a route or the broker's own policy can ask.
  private func answerable(
    _ entries: [String: Variant], by answer: Answer, _ rules: PolicySnapshot
  ) async throws(BusError) -> GrantEntry.Scope {
    let scope = try scope(entries, rules.catalog)
    guard scope.permission == nil else {
      try requirePermissionScope(scope, of: entries, answeredBy: answer)
      return scope
    }
    let isSandboxed = try entries["sandboxed"].map { value throws(BusError) in
      guard let boolean = value.boolean else {
        throw BusError(.invalidRequest, "sandboxed must be true or false")
      }
      return boolean
    }
    guard let name = scope.route else {
      return try policyScope(scope, sandboxed: isSandboxed, answeredBy: answer)
    }
    return try await routeScope(
      scope, ofRoute: name, in: try word("layer", entries), sandboxed: isSandboxed, answeredBy: answer, rules)
  }

  /// Returns the complete scope of a grant for a question of the broker's own policy.
  ///
  /// - Parameter isSandboxed: The caller's statement about the sandbox; `nil` if it made none.
  private func policyScope(
    _ scope: GrantEntry.Scope, sandboxed isSandboxed: Bool?, answeredBy answer: Answer
  ) throws(BusError) -> GrantEntry.Scope {
    if case .application(let id) = answer {
      throw BusError(
        .invalidRequest,
        "without a route, the question is only whether the link may be opened, so the answer cannot choose \(id); leave --app out"
      )
    }
    let asked = [scope.source, scope.container, scope.remote, scope.origin].count { $0 != nil }
    guard asked == 1, scope.scheme != nil, scope.host == nil else {
      throw BusError(
        .invalidRequest,
        "no prompt has this scope; give source-application and scheme (for a sandboxed application), container and scheme (for a container), remote and scheme (for another machine), origin and scheme (for a web page), a route that asks, or source-application and permission"
      )
    }
    var scope = scope
    scope.isSandboxed = scope.origin == nil
    guard isSandboxed ?? scope.isSandboxed == scope.isSandboxed else {
      throw BusError(
        .invalidRequest,
        "sandboxed needs a route; without one, questions concern only sandboxed applications and origins")
    }
    return scope
  }

  /// Returns the complete scope of a grant for the question of one route.
  ///
  /// - Parameters:
  ///   - layer: The layer of the route; `nil` if only one route of the name asks.
  ///   - isSandboxed: The caller's statement about the sandbox; `nil` if it made none.
  private func routeScope(
    _ scope: GrantEntry.Scope, ofRoute name: String, in layer: String?, sandboxed isSandboxed: Bool?,
    answeredBy answer: Answer, _ rules: PolicySnapshot
  ) async throws(BusError) -> GrantEntry.Scope {
    let routes = await policy.askingRoutes(named: name, in: rules).filter {
      layer == nil || $0.route.rank.layer == layer
    }
    guard let found = routes.first else {
      throw BusError(.invalidRequest, "no route “\(name)” asks\(layer.map { " in the layer \($0)" } ?? "")")
    }
    guard routes.count == 1 else {
      let names = routes.map { "\($0.route.name) (\($0.route.rank.layer))" }.joined(separator: ", ")
      throw BusError(
        .invalidRequest, "several routes of that name ask: \(names); give OWNER/ID and the layer")
    }
    let kept = found.remembered.filter { $0 != .route }.map(\.rawValue)
    let given = [
      ("source", scope.source ?? scope.container ?? (kept.contains("source") ? scope.remote : nil)),
      ("scheme", scope.scheme), ("host", scope.host),
      ("origin", scope.origin),
    ]
    .filter { $0.1 != nil }.map(\.0)
    guard !found.remembered.isEmpty else {
      throw BusError(
        .invalidRequest, "the route “\(found.route.name)” has no `remember`, so its answers are not stored")
    }
    guard Set(given) == Set(kept) else {
      let parts = kept.isEmpty ? "nothing else" : "exactly \(kept.joined(separator: " and "))"
      throw BusError(
        .invalidRequest,
        "the route “\(found.route.name)” stores answers by its `remember`; give \(parts) in addition to the route"
      )
    }
    guard scope.container ?? scope.remote == nil || scope.source == nil && isSandboxed != false else {
      throw BusError(
        .invalidRequest,
        "container and remote cannot be combined with source-application or with sandboxed=false, because programs there are always treated as sandboxed; leave the other option out"
      )
    }
    if let objection = found.objection(to: answer) { throw BusError(.invalidRequest, objection) }
    var scope = scope
    scope.route = found.route.name
    scope.layer = found.route.rank.layer
    scope.isSandboxed = isSandboxed ?? (scope.container ?? scope.remote != nil)
    return scope
  }

  /// Requires that a grant is about one permission of one application, and nothing more.
  private func requirePermissionScope(
    _ scope: GrantEntry.Scope, of entries: [String: Variant], answeredBy answer: Answer
  ) throws(BusError) {
    var allowed = GrantEntry.Scope(source: scope.source, permission: scope.permission)
    allowed.isSandboxed = scope.isSandboxed
    let hasMore = ["layer", "sandboxed", "assurance"].contains { entries[$0] != nil }
    guard scope.source != nil, scope == allowed, !hasMore else {
      throw BusError(
        .invalidRequest,
        "a grant with permission needs source-application, and no other key of the scope"
      )
    }
    guard answer == .yes || answer == .no else {
      throw BusError(.invalidRequest, "a permission is allowed or refused; leave --app out")
    }
  }

  func revoke(_ options: [String: Variant], for caller: ChargedCaller) async throws(BusError) -> UInt32 {
    let scope = try scope(options, await policy.current().catalog)
    guard scope != GrantEntry.Scope() || options["all"]?.boolean == true else {
      throw BusError(
        .invalidRequest,
        "no grant is selected; add source-application, container, remote, origin, scheme, host, route or permission, or set all to true"
      )
    }
    return try await result(for: caller) { () async throws(StateError) in
      UInt32(clamping: try await grants.revoke(scope, for: caller))
    }
  }

  private func word(_ key: String, _ entries: [String: Variant]) throws(BusError) -> String? {
    guard let value = entries[key] else { return nil }
    guard let text = value.string, !text.isEmpty, text.utf8.count <= 4_096,
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw BusError(.invalidRequest, "\(key) must have 1 to 4096 bytes without control characters") }
    return text
  }

  private func scope(
    _ entries: [String: Variant], _ catalog: ApplicationCatalog
  ) throws(BusError) -> GrantEntry.Scope {
    var scope = GrantEntry.Scope(
      host: try word("host", entries)?.lowercased(), route: try word("route", entries))
    if let text = try word("source-application", entries) {
      guard let id = catalog.id(spelled: text) else {
        throw BusError(.invalidRequest, "source-application: “\(text)” is not a desktop-file ID")
      }
      scope.source = id.rawValue
    }
    if let name = try word("permission", entries) {
      guard let permission = Permission(rawValue: name) else { throw Permission.unknown }
      scope.permission = permission.rawValue
    }
    if let text = try word("container", entries) {
      guard let container = ContainerScope(spelled: text) else {
        throw BusError(
          .invalidRequest,
          "container: “\(text)” is neither a container's full ID of 64 digits nor its scope, such as libpod-ID.scope"
        )
      }
      scope.container = container.unit
    }
    if let text = try word("remote", entries) {
      guard let machine = RemoteMachine(text) else {
        throw BusError(
          .invalidRequest, "remote: “\(text)” is not the name of a machine: \(RemoteMachine.rule)")
      }
      guard scope.container == nil else {
        throw BusError(.invalidRequest, "container and remote cannot be combined; leave one of them out")
      }
      scope.remote = machine.name
    }
    if let text = try word("origin", entries) {
      guard let origin = WebOrigin(text), origin != .opaque else {
        throw BusError(.invalidRequest, "origin: “\(text)” is not a web origin such as https://example.org")
      }
      scope.origin = origin.text
    }
    if let text = try word("scheme", entries) {
      guard let scheme = URLScheme(text) else {
        throw BusError(.invalidRequest, "scheme: “\(text)” is not a scheme such as notes")
      }
      scope.scheme = scheme.rawValue
    }
    return scope
  }

  private func assurance(
    _ entries: [String: Variant], _ scope: GrantEntry.Scope
  ) throws(BusError) -> BrokerCore.Assurance {
    guard scope.source != nil, scope.permission == nil else { return .unknown }
    guard let text = try word("assurance", entries) else { return .executable }
    guard let assurance = BrokerCore.Assurance(rawValue: text), assurance != .unknown else {
      let known = BrokerCore.Assurance.allCases.filter { $0 != .unknown }.map(\.rawValue).joined(
        separator: ", ")
      throw BusError(.invalidRequest, "assurance must be one of \(known)")
    }
    return assurance
  }

  private func answer(
    _ entries: [String: Variant], _ catalog: ApplicationCatalog
  ) throws(BusError) -> Answer {
    guard let text = try word("answer", entries) else { return .yes }
    guard let answer = Answer(text, catalog) else {
      throw BusError(.invalidRequest, "answer must be yes, no, or the desktop-file ID of an application")
    }
    return answer
  }

  private func lifetime(
    _ entries: [String: Variant], _ scope: GrantEntry.Scope
  ) throws(BusError) -> Int64? {
    guard let value = entries["lifetime"] else {
      return scope.permission == nil ? GrantRepository.lifetime : nil
    }
    guard let lifetime = value.integer, (0...Self.longestLifetime).contains(lifetime) else {
      throw BusError(.invalidRequest, "lifetime must be from 0 to \(Self.longestLifetime) microseconds")
    }
    return lifetime == 0 ? nil : lifetime
  }

  /// A hundred years in microseconds.
  private static let longestLifetime: Int64 = 36_525 * 86_400_000_000
}

extension GrantEntry {
  /// The `a{sv}` dictionary of `Grants`.
  var entries: [String: Variant] {
    var entries: [String: Variant] = [
      "answer": .string(answer), "time": .uint64(UInt64(clamping: time)),
    ]
    entries["source-application"] = scope.source.map { .string($0) }
    entries["permission"] = scope.permission.map { .string($0) }
    if scope.source != nil, scope.permission == nil { entries["assurance"] = .string(assurance) }
    entries["container"] = scope.container.map { .string($0) }
    entries["remote"] = scope.remote.map { .string($0) }
    entries["origin"] = scope.origin.map { .string($0) }
    entries["scheme"] = scope.scheme.map { .string($0) }
    entries["host"] = scope.host.map { .string($0) }
    entries["route"] = scope.route.map { .string($0) }
    entries["layer"] = scope.layer.map { .string($0) }
    if scope.isSandboxed { entries["sandboxed"] = .boolean(true) }
    entries["expires"] = expires.map { .uint64(UInt64(clamping: $0)) }
    return entries
  }
}

extension GrantEntry.Scope {
  /// Returns whether every part that is set in `selection` has the same value here.
  ///
  /// A route may be selected by its ID alone.
  func isSelected(by selection: Self) -> Bool {
    func has(_ part: KeyPath<Self, String?>) -> Bool {
      selection[keyPath: part] == nil || self[keyPath: part] == selection[keyPath: part]
    }
    let hasRoute = has(\.route) || selection.route.map { route?.hasSuffix("/\($0)") == true } == true
    return has(\.source) && has(\.container) && has(\.remote) && has(\.origin) && has(\.scheme) && has(\.host)
      && has(\.permission) && hasRoute
  }
}
