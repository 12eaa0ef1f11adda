// SPDX-License-Identifier: Apache-2.0
import Scenes

/// The registration for remote notifications, which a desktop does not have.
extension UIApplication {
  /// Calls `application(_:didFailToRegisterForRemoteNotificationsWithError:)`, because a desktop has no push service.
  public func registerForRemoteNotifications() {
    let delegate = delegate
    Task { delegate?.application(self, didFailToRegisterForRemoteNotificationsWithError: NoPushService()) }
  }

  /// A Boolean value that is always `false`.
  public var isRegisteredForRemoteNotifications: Bool { false }

  /// Does nothing: the application is not registered.
  public func unregisterForRemoteNotifications() {}
}

/// The error of a registration for remote notifications.
private struct NoPushService: LocalizedError {
  let errorDescription: String? = "this desktop has no service that pushes remote notifications"
}
