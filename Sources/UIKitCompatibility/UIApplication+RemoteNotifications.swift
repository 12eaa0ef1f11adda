// SPDX-License-Identifier: Apache-2.0
import Scenes

/// The registration for remote notifications, which this module does not make.
///
/// The user registers the application with `usher push register`, or a program of it calls `org.usher.Triggers1` on D-Bus. The application then
/// receives remote notifications like those of a push service.
extension UIApplication {
  /// Calls `application(_:didFailToRegisterForRemoteNotificationsWithError:)`, because this module does not register.
  public func registerForRemoteNotifications() {
    let delegate = delegate
    Task { delegate?.application(self, didFailToRegisterForRemoteNotificationsWithError: NotRegistered()) }
  }

  /// A Boolean value that is always `false`.
  public var isRegisteredForRemoteNotifications: Bool { false }

  /// Does nothing: the application is not registered.
  public func unregisterForRemoteNotifications() {}
}

/// The error of a registration for remote notifications.
private struct NotRegistered: LocalizedError {
  let errorDescription: String? =
    "UIKitCompatibility does not register for remote notifications: run usher push register with the ID of the application"
}
