// SPDX-License-Identifier: Apache-2.0
public import Triggers

extension NotificationTrigger {
  /// Returns the trigger of a region that the computer enters or leaves, corresponding to `UNLocationNotificationTrigger`.
  ///
  /// The notification is due for the changes that the region names; the position of the computer at the beginning is no change. The
  /// user must allow both notifications and the location: call ``LocationManager/requestAlwaysAuthorization()`` before.
  ///
  /// ```swift
  /// .crossing(CircularRegion(identifier: "shop", center: shop, radius: 200, notifyOnExit: false))
  /// ```
  /// - Parameter repeats: Whether the notification is due at each such change.
  public static func crossing(_ region: CircularRegion, repeats: Bool = false) -> Self {
    .region(region, repeats: repeats)
  }
}
