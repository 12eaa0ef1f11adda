// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus

/// The user's permission for the notifications of an application, which the broker asks for and stores as a grant.
@BrokerActor
final class NotificationPermission {
  /// The user's answer.
  enum Status: String {
    /// The user was not asked.
    case notDetermined = "not-determined"
    /// The user allows notifications.
    case allowed
    /// The user, or the administrator, does not allow notifications.
    case denied
  }

  private static let requestPermission = BusMethod<
    Arguments<String, String, [String: Variant]>, Arguments<String>
  >(
    "RequestPermission", of: BrokerInterface.name, takes: ["application", "permission", "options"],
    returns: ["status"])

  private let bus: BusConnection

  init(on bus: BusConnection) { self.bus = bus }

  /// Returns the user's answer for an application.
  ///
  /// - Parameter asks: Whether the broker asks the user if there is no answer yet.
  func status(of application: String, asks: Bool) async throws(BusError) -> Status {
    do throws(BusError) {
      // The prompt has its own time limit, which may be longer than that of a call.
      let status = try await bus.call(
        Self.requestPermission, at: BrokerInterface.broker, application, "notifications",
        ["ask": .boolean(asks)], timeout: asks ? .seconds(600) : .seconds(25))
      return Status(rawValue: status) ?? .notDetermined
    } catch  where error.name == .unknownMethod {
      // A broker without permissions restricts nothing.
      return .allowed
    }
  }

  /// Returns the error for an application whose notifications the user does not allow.
  static func denial(of application: String, isAsked: Bool) -> BusError {
    let command = "usher grants allow --permission notifications \(application)"
    return BusError(
      .denied,
      isAsked
        ? "the user does not allow notifications of \(application); to allow them, run: \(command)"
        : "the user was not asked about notifications of \(application); call RequestAuthorization first, or run: \(command)"
    )
  }
}
