// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Systemd

/// The user's permission for the notifications of an application, which the broker asks for and stores as a grant.
@BrokerActor
final class NotificationPermission {
  /// The permission of an application.
  enum Status: Hashable, Sendable {
    /// The user's answer, if there is one.
    case answered(PermissionStatus)
    /// The administrator has disabled grants, so that no answer has an effect; the sentence names the file.
    case locked(reason: String)
  }

  private static let permission = "notifications"
  /// The time after which the broker stops to wait for the user's answer, with some seconds for the call.
  private static let answerTimeout = Duration.seconds(630)

  private let bus: BusConnection

  init(on bus: BusConnection) { self.bus = bus }

  /// Returns the permission of an application.
  ///
  /// - Parameter asks: Whether the broker asks the user if there is no answer yet.
  func status(of application: String, asks: Bool) async throws(BusError) -> Status {
    do throws(BusError) {
      return try await request(application, asks: asks)
    } catch  where asks && error.name == .noReply {
      // The broker exited while it asked; the bus starts the next one.
      return try await request(application, asks: true)
    }
  }

  private func request(_ application: String, asks: Bool) async throws(BusError) -> Status {
    do throws(BusError) {
      let text = try await bus.call(
        BrokerInterface.requestPermission, at: BrokerInterface.broker, application, Self.permission,
        ["ask": .boolean(asks)], timeout: asks ? Self.answerTimeout : .seconds(25))
      return .answered(PermissionStatus(rawValue: text) ?? .notDetermined)
    } catch  where error.brokerError == .denied {
      return .locked(reason: error.message)
    }
  }

  /// Requires that an application may show notifications.
  ///
  /// - Parameter isOfUser: Whether the call is the user's, which needs no permission; the user's refusal applies to it, too.
  /// - Throws: `Denied`, with the command that allows them.
  func require(_ application: String, isOfUser: Bool) async throws(BusError) {
    let command = "usher grants allow --permission \(Self.permission) \(application)"
    switch try await status(of: application, asks: false) {
    case .answered(.allowed): break
    case .answered(.denied):
      throw BusError(
        .denied, "the user does not allow notifications of \(application); to allow them, run: \(command)")
    case .answered(.notDetermined) where isOfUser: break
    case .locked where isOfUser: break
    case .answered(.notDetermined):
      throw BusError(
        .denied,
        "the user was not asked about notifications of \(application); call RequestAuthorization first, or run: \(command)"
      )
    case .locked(let reason): throw BusError(.denied, reason)
    }
  }

  /// Returns whether a stored notification may be shown now.
  ///
  /// - Parameters:
  ///   - isOfUser: As for `require`.
  ///   - wasChecked: A Boolean value that is `true` if the permission was checked when the notification was stored. It is then shown if the
  ///     broker does not answer; otherwise the broker is asked until it does.
  func permits(_ application: String, isOfUser: Bool, wasChecked: Bool) async -> Bool {
    while true {
      do throws(BusError) {
        try await require(application, isOfUser: isOfUser)
        return true
      } catch {
        guard error.brokerError == nil, error.name != .accessDenied else {
          return wasChecked && error.brokerError != .denied
        }
        if wasChecked { return true }
        guard (try? await bus.loop.sleep(for: .seconds(5))) != nil else { return false }
      }
    }
  }
}
