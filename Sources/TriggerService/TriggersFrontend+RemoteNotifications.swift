// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import State
import Triggers

/// The calls about notifications from the servers of applications.
extension TriggersFrontend {
  /// The methods of the object for remote notifications, and their signal.
  var remoteNotificationMembers: [BusMember] {
    typealias Interface = TriggersInterface
    return [
      method(Interface.registerForRemoteNotifications) { access, options async throws(BusError) in
        try await register(options, of: access)
      },
      method(Interface.unregisterForRemoteNotifications) { access async throws(BusError) in
        try await registrations.unregister(access.application.rawValue, isOfUser: access.isOfUser)
      },
      list(Interface.remoteNotificationRegistrations) { visibility in registrations(for: visibility) },
      .signal(Interface.remoteNotificationTokenChanged),
    ]
  }

  /// Registers an application for remote notifications, and returns its token.
  private func register(_ options: [String: Variant], of access: CallerAccess.Access) async throws(BusError)
    -> [String: Variant]
  {
    try await requireInstalled(access.application)
    let entry = await identification.entry(of: access.application)
    let choices = PushRegistrations.Options(
      vapid: try Self.text("vapid", in: options) {
        $0.utf8.count == 87 && $0.utf8.allSatisfy(Self.isBase64URL)
      },
      distributor: try Self.text("distributor", in: options) { BusName($0) != nil })
    return try await registrations.register(
      access.application.rawValue, description: entry?.name() ?? access.application.rawValue, choices,
      isOfUser: access.isOfUser
    ).entries
  }

  /// Returns the registrations that the caller may see.
  private func registrations(for visibility: CallerAccess.Visibility) -> [[String: Variant]] {
    registrations.all.filter { visibility.includes($0.application) }.map {
      registration in
      [
        "application": .string(registration.application), "distributor": .string(registration.distributor),
        "date": .int64(registration.date),
      ]
    }
  }

  private static func text(
    _ key: String, in options: [String: Variant], isValid: (String) -> Bool
  ) throws(BusError) -> String? {
    guard let value = options[key] else { return nil }
    guard let text = value.string else {
      throw BusError(MessageError(.wrongType(found: "another value", expected: "a string (s)"), at: key))
    }
    guard isValid(text) else {
      let allowed =
        key == "vapid" ? "87 characters of base64url, a public key of P-256" : "the bus name of a distributor"
      throw BusError(MessageError(.wrongValue(allowed: allowed), at: key))
    }
    return text
  }

  private static func isBase64URL(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || "-_".utf8.contains(byte)
  }
}
