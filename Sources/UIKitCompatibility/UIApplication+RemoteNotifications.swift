// SPDX-License-Identifier: Apache-2.0
import Scenes

/// The registration for notifications of the application's server, by the user's push distributor (UnifiedPush).
extension UIApplication {
  /// Registers the application.
  ///
  /// The delegate receives either the token, in `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`, or an error,
  /// in `application(_:didFailToRegisterForRemoteNotificationsWithError:)`. The token is the JSON of a `PushSubscription` (W3C
  /// Push API) in UTF-8: the endpoint and the keys that the application's server needs. Call the method at each start.
  public func registerForRemoteNotifications() { backing?.registerForRemoteNotifications() }

  /// Registers the application with the public key of its server (VAPID, RFC 8292), which a push distributor may require.
  ///
  /// UIKit has no such method, because Apple's service identifies servers in another way.
  ///
  /// - Parameter key: The key in 87 characters of base64url.
  public func registerForRemoteNotifications(vapid key: String) {
    backing?.registerForRemoteNotifications(vapid: key)
  }

  /// A Boolean value that is `true` if the delegate has received a token since the launch, and the registration has not ended.
  public var isRegisteredForRemoteNotifications: Bool {
    backing?.isRegisteredForRemoteNotifications ?? false
  }

  /// Ends the registration.
  public func unregisterForRemoteNotifications() { backing?.unregisterForRemoteNotifications() }
}
