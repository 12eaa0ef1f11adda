// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Logging
import Systemd

/// A permission of applications, which the broker asks the user for and stores as a grant.
@BrokerActor
final class ApplicationPermission {
  /// The permission of an application.
  enum Status: Hashable, Sendable {
    /// The user's answer, if there is one.
    case answered(PermissionStatus)
    /// The administrator has disabled grants, so that no answer has an effect; the sentence names the file.
    case locked(reason: String)

    /// The answer that counts: what is locked is denied.
    var answer: PermissionStatus { if case .answered(let answer) = self { answer } else { .denied } }
  }

  /// The time after which the broker stops to wait for the user's answer, with some seconds for the call.
  private static let answerTimeout = Duration.seconds(630)

  private let permission: Permission
  private let bus: BusConnection

  init(_ permission: Permission, on bus: BusConnection) {
    self.permission = permission
    self.bus = bus
  }

  /// Returns the permission of an application.
  ///
  /// - Parameter asks: Whether the broker asks the user if there is no answer yet.
  func status(of application: String, asks: Bool) async throws(BusError) -> Status {
    do throws(BusError) {
      return try await request(application, asks: asks)
    } catch  where error.busFailure == .noReply {
      // The broker exited before it answered; the bus starts the next one.
      return try await request(application, asks: asks)
    }
  }

  private func request(_ application: String, asks: Bool) async throws(BusError) -> Status {
    do throws(BusError) {
      let text = try await bus.call(
        BrokerInterface.requestPermission, at: BrokerInterface.broker, application, permission.rawValue,
        ["ask": .boolean(asks)], timeout: asks ? Self.answerTimeout : BusConnection.defaultTimeout)
      return .answered(PermissionStatus(rawValue: text) ?? .notDetermined)
    } catch  where error.brokerError == .denied {
      return .locked(reason: error.message)
    }
  }

  /// Requires that an application has the permission.
  ///
  /// - Parameter isOfUser: Whether the call is the user's, which needs no permission; the user's refusal applies to it, too.
  /// - Throws: `Denied`, with the command that allows it.
  func require(_ application: String, isOfUser: Bool) async throws(BusError) {
    let command = "usher grants allow --permission \(permission.rawValue) \(ShellWord.quoted(application))"
    switch try await status(of: application, asks: false) {
    case .answered(.allowed): break
    case .answered(.denied):
      throw BusError(
        .denied, "\(permission.refusal(of: application)), run: \(command)")
    case .answered(.notDetermined) where isOfUser: break
    case .locked where isOfUser: break
    case .answered(.notDetermined):
      throw BusError(
        .denied,
        "\(permission.absence(of: application)) first, or run: \(command)"
      )
    case .locked(let reason): throw BusError(.denied, reason)
    }
  }

  /// Returns whether each need of this permission is still met; the broker is asked until it answers.
  func permits(_ needs: [PermissionWatch.Need], log: Logger) async -> [PermissionWatch.Need: Bool] {
    var permissions: [PermissionWatch.Need: Bool] = [:]
    for need in needs where permissions[need] == nil {
      precondition(need.permission == permission, "each permission answers its own needs")
      let isPermitted = await permits(need.application, isOfUser: need.isOfUser, wasChecked: false)
      permissions[need] = isPermitted
      guard !isPermitted else { continue }
      log.notice("\(need.application) has no permission (\(permission.rawValue)), so it is not started")
    }
    return permissions
  }

  /// Returns whether an application still has the permission for something that is stored.
  ///
  /// - Parameters:
  ///   - isOfUser: As for `require`.
  ///   - wasChecked: A Boolean value that is `true` if the permission was checked immediately before. It then counts if the broker does not
  ///     answer; otherwise the broker is asked until it does.
  func permits(_ application: String, isOfUser: Bool, wasChecked: Bool) async -> Bool {
    guard wasChecked else { return await refusal(of: application, isOfUser: isOfUser) == nil }
    do throws(BusError) {
      try await require(application, isOfUser: isOfUser)
      return true
    } catch {
      return error.brokerError != .denied
    }
  }

  /// Returns the reason why an application lacks the permission for something that is stored; `nil` if it has the permission.
  ///
  /// The broker is asked until it answers. The reason names the command that allows it.
  ///
  /// - Parameter isOfUser: As for `require`.
  func refusal(of application: String, isOfUser: Bool) async -> String? {
    while true {
      do throws(BusError) {
        try await require(application, isOfUser: isOfUser)
        return nil
      } catch {
        guard error.brokerError == nil, error.name != .accessDenied else { return error.message }
        guard (try? await bus.loop.sleep(for: .seconds(5))) != nil else { return error.message }
      }
    }
  }
}

extension PermissionStatus {
  /// The text in `NotificationSettings`, `LocationAuthorization` and `BluetoothAuthorization` of `org.usher.Triggers1`.
  var authorization: String { self == .allowed ? "authorized" : rawValue }
}

extension Permission {
  /// The beginning of the error that the user has refused the permission.
  fileprivate func refusal(of application: String) -> String {
    switch self {
    case .notifications: "the user does not allow notifications of \(application); to allow them"
    case .location: "the user does not allow \(application) to use the location; to allow it"
    case .bluetooth: "the user does not allow \(application) to use Bluetooth devices; to allow it"
    }
  }

  /// The beginning of the error that the user was not asked for the permission.
  fileprivate func absence(of application: String) -> String {
    switch self {
    case .notifications:
      "the user was not asked about notifications of \(application); call RequestAuthorization"
    case .location:
      "the user was not asked whether \(application) may use the location; call RequestLocationAuthorization"
    case .bluetooth:
      "the user was not asked whether \(application) may use Bluetooth devices; call RequestBluetoothAuthorization"
    }
  }
}
