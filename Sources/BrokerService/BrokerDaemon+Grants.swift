import BrokerCore
import DBus
import BusInterfaces
import Freedesktop
import State

/// `Grants`, `Allow` and `Revoke` of `org.usher.Broker1`.
extension BrokerDaemon {
  func grants(
    _ options: [String: Variant], for sender: BusName
  ) async throws(BusError) -> [[String: Variant]] {
    try await refuseSandboxed(sender, what: "see or change what people allowed")
    let catalog = await rules().catalog
    let wanted = try scope(options, catalog)
    do throws(StateError) {
      return try await grants.all().filter { $0.scope.has(wanted) }.map(\.entries)
    } catch {
      throw BusError(.failed, error.description)
    }
  }

  func allow(
    _ entries: [String: Variant], for sender: BusName
  ) async throws(BusError) -> [String: Variant] {
    try await refuseSandboxed(sender, what: "see or change what people allowed")
    let catalog = await rules().catalog
    let scope = try scope(entries, catalog)
    guard scope != GrantEntry.Scope() else {
      throw BusError(
        .invalidRequest, "for what? Name a source-application, an origin, a scheme, a host or a route")
    }
    let now = SessionClock.microsecondsSince1970
    let grant = GrantEntry(
      scope: scope, assurance: try assurance(entries, scope).rawValue,
      answer: try answer(entries, catalog).text,
      time: now, expires: try lifetime(entries).map { now + $0 })
    do throws(StateError) {
      try await grants.keep([grant])
    } catch {
      throw BusError(.failed, error.description)
    }
    return grant.entries
  }

  func revoke(
    _ options: [String: Variant], for sender: BusName
  ) async throws(BusError) -> UInt32 {
    try await refuseSandboxed(sender, what: "see or change what people allowed")
    let catalog = await rules().catalog
    let scope = try scope(options, catalog)
    guard scope != GrantEntry.Scope() || options["all"]?.boolean == true else {
      throw BusError(.invalidRequest, "which? Name a part of the grants, or set “all”")
    }
    do throws(StateError) {
      return UInt32(clamping: try await grants.revoke(scope))
    } catch {
      throw BusError(.failed, error.description)
    }
  }

  private func word(_ key: String, _ entries: [String: Variant]) throws(BusError) -> String? {
    guard let value = entries[key] else { return nil }
    guard let text = value.string, !text.isEmpty, text.utf8.count <= 4_096,
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw BusError(.invalidRequest, "\(key): 1 to 4096 bytes of text without control characters") }
    return text
  }

  private func scope(
    _ entries: [String: Variant], _ catalog: ApplicationCatalog
  ) throws(BusError) -> GrantEntry.Scope {
    var scope = GrantEntry.Scope(
      host: try word("host", entries)?.lowercased(), route: try word("route", entries))
    if let text = try word("source-application", entries) {
      guard let id = catalog.id(spelled: text) else {
        throw BusError(.invalidRequest, "source-application: “\(text)” is no desktop-file ID")
      }
      scope.source = id.rawValue
    }
    if let text = try word("origin", entries) {
      guard let origin = WebOrigin(text), origin != .opaque else {
        throw BusError(.invalidRequest, "origin: “\(text)” is none of the web, as https://example.org")
      }
      scope.origin = origin.text
    }
    if let text = try word("scheme", entries) {
      guard let scheme = URLScheme(text) else {
        throw BusError(.invalidRequest, "scheme: “\(text)” is no scheme, as notes")
      }
      scope.scheme = scheme.rawValue
    }
    return scope
  }

  private func assurance(
    _ entries: [String: Variant], _ scope: GrantEntry.Scope
  ) throws(BusError) -> BrokerCore.Assurance {
    guard scope.source != nil else { return .unknown }
    guard let text = try word("assurance", entries) else { return .executable }
    guard let assurance = BrokerCore.Assurance(rawValue: text) else {
      let known = BrokerCore.Assurance.allCases.map(\.rawValue).joined(separator: ", ")
      throw BusError(.invalidRequest, "assurance: \(known)")
    }
    return assurance
  }

  private func answer(
    _ entries: [String: Variant], _ catalog: ApplicationCatalog
  ) throws(BusError) -> Answer {
    guard let text = try word("answer", entries) else { return .yes }
    guard let answer = Answer(text, catalog) else {
      throw BusError(.invalidRequest, "answer: yes, no, or the desktop-file ID of an application")
    }
    return answer
  }

  private func lifetime(_ entries: [String: Variant]) throws(BusError) -> Int64? {
    guard let value = entries["lifetime"] else { return GrantKeeper.lifetime }
    guard let lifetime = value.integer, (0...Self.longestLifetime).contains(lifetime) else {
      throw BusError(.invalidRequest, "lifetime: 0 to \(Self.longestLifetime) microseconds")
    }
    return lifetime == 0 ? nil : lifetime
  }

  /// A hundred years, in microseconds.
  private static let longestLifetime: Int64 = 36_525 * 86_400_000_000
}

extension GrantEntry {
  /// The `a{sv}` of `Grants`.
  var entries: [String: Variant] {
    var entries: [String: Variant] = [
      "answer": .string(answer), "time": .uint64(UInt64(clamping: time)),
    ]
    entries["source-application"] = scope.source.map { .string($0) }
    entries["assurance"] = scope.source.map { _ in .string(assurance) }
    entries["origin"] = scope.origin.map { .string($0) }
    entries["scheme"] = scope.scheme.map { .string($0) }
    entries["host"] = scope.host.map { .string($0) }
    entries["route"] = scope.route.map { .string($0) }
    entries["expires"] = expires.map { .uint64(UInt64(clamping: $0)) }
    return entries
  }
}

extension GrantEntry.Scope {
  /// Whether every part that `other` names is the same here.
  func has(_ other: Self) -> Bool {
    func has(_ part: KeyPath<Self, String?>) -> Bool {
      other[keyPath: part] == nil || self[keyPath: part] == other[keyPath: part]
    }
    return has(\.source) && has(\.origin) && has(\.scheme) && has(\.host) && has(\.route)
  }
}
