// SPDX-License-Identifier: Apache-2.0
import struct BrokerCore.RemoteMachine
import BusInterfaces
import DBus
import Freedesktop

/// An invocation of `usher handlers`, parsed by ArgumentParser or as a `PlainCall`.
struct HandlersInvocation: Equatable {
  /// Prints one JSON object for programs.
  var json = false

  /// Lists every scheme with its application.
  func carryOut() {
    guard !json else { return Console.emit(JSONText.line(["handlers": .dictionaries(Self.entries())])) }
    let desk = RegistrationService()
    let handlers = desk.registration.handlers()
    let (choices, portal) = Self.portal(at: desk)
    var changes = Timestamp.Changes()
    let schemes = handlers.map(\.scheme.rawValue).asColumn
    let applications = handlers.map { $0.application?.rawValue ?? "none" }.asColumn
    Console.print(
      handlers.enumerated().map { index, handler in
        let own = handler.remarks(&changes, desk.directories)
        let remarks = (own + (portal[handler.scheme] ?? []).map(\.remark)).map { "  " + $0 }.joined()
        let emphasis: StyledText.Emphasis? = handler.application == nil ? .bad : nil
        return "\(schemes[index], as: .heading)  \(applications[index], as: emphasis)\(remarks)"
      })
    if case .unavailable(let reason) = choices {
      Console.warn("the choices that the desktop portal has stored are unknown: \(reason)")
    }
    if handlers.isEmpty { Console.warn("no application is registered for any scheme") }
  }

  /// Returns the keys for JSON of each scheme.
  static func entries() -> [[String: Variant]] {
    let desk = RegistrationService()
    let portal = portal(at: desk).overrides
    var changes = Timestamp.Changes()
    return desk.registration.handlers().map { $0.entries(&changes, portal: portal[$0.scheme] ?? []) }
  }

  /// Returns the choices that the portal has stored, and those by which it opens another application, by scheme.
  private static func portal(
    at desk: RegistrationService
  ) -> (choices: PortalChoices, overrides: [URLScheme: [PortalOverride]]) {
    let choices = PortalChoices.read(desk.directories)
    return (choices, Dictionary(grouping: PortalOverride.among(choices, at: desk), by: \.scheme))
  }
}

extension SchemeHandler {
  /// Returns the date of the registration, otherwise of the last change to the list that decides.
  private func since(_ changes: inout Timestamp.Changes) -> String? {
    moment ?? origin.flatMap { changes.moment(of: $0.path) }
  }

  /// Returns the remarks about a scheme other than its application.
  fileprivate func remarks(_ changes: inout Timestamp.Changes, _ directories: BaseDirectories) -> [String] {
    var remarks =
      machine.map { ["\(RemoteMachine.place(ofMachineNamed: $0)) while it is connected"] } ?? []
    let own = [directories.configHome, directories.dataHome].map { $0 + "/" }
    // The user's own files are the common case, which needs no remark.
    if let origin, !own.contains(where: origin.path.hasPrefix) { remarks.append("by \(origin)") }
    if let since = since(&changes) { remarks.append("since \(since.prefix(10))") }
    if isThroughUsher { remarks.append("through Usher") }
    if application == nil { remarks.append("its default application cannot be used") }
    if !alternatives.isEmpty {
      remarks.append("also: " + alternatives.map(\.rawValue).joined(separator: ", "))
    }
    if !replaced.isEmpty {
      remarks.append("previously registered for: " + replaced.map(\.rawValue).joined(separator: ", "))
    }
    if !unusable.isEmpty { remarks.append("missing: " + unusable.map(\.name).joined(separator: ", ")) }
    return remarks
  }

  /// Returns the keys for JSON.
  ///
  /// `scheme` s, `application` s if there is one, `remote` s: the machine that has registered the scheme, if there is one, `through-usher` b, `since` s if known, `alternatives` as,
  /// `replaced` as: registered applications that another one replaced; `unusable` as: defaults that can no longer be used;
  /// `file` s and `line` x of the list that decides; `portal` aa{sv}: the choices by which the portal opens another application.
  fileprivate func entries(
    _ changes: inout Timestamp.Changes, portal: [PortalOverride]
  ) -> [String: Variant] {
    var entries: [String: Variant] = [
      "scheme": .string(scheme.rawValue), "through-usher": .boolean(isThroughUsher),
      "alternatives": .array(of: "s", alternatives.map { .string($0.rawValue) }),
      "unusable": .array(of: "s", unusable.map { .string($0.name) }),
      "replaced": .array(of: "s", replaced.map { .string($0.rawValue) }),
      "portal": .dictionaries(portal.map(\.choice.entries)),
    ]
    entries["remote"] = machine.map { .string($0) }
    entries["application"] = application.map { .string($0.rawValue) }
    entries["file"] = origin.map { .string($0.path) }
    entries["line"] = origin.map { .int64(Int64($0.line)) }
    entries["since"] = since(&changes).map { .string($0) }
    return entries
  }
}
