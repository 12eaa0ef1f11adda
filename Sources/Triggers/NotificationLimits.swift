// SPDX-License-Identifier: Apache-2.0
/// The limits of notifications, as `desktop/org.usher.Triggers1.xml` states them.
public enum NotificationLimits {
  /// The maximum number of pending notifications of one application, as in UIKit.
  public static let pendingOfApplication = 64
  /// The maximum number of pending notifications of all applications.
  public static let pending = 1_000
  /// The maximum number of delivered notifications of one application; the oldest ones are removed.
  public static let delivered = 64
  /// The maximum number of categories of one application.
  public static let categories = 64
  /// The maximum number of actions of one category.
  public static let actions = 16
  /// The maximum length of an identifier in bytes.
  public static let identifier = 256
  /// The maximum length of a text in bytes.
  public static let text = 4_096
  /// The maximum length of a request in bytes, as a property list.
  ///
  /// With the user's response it is the payload of an envelope, which is a property list of at most 64 KiB.
  public static let request = 57_344
  /// The shortest interval of a trigger that repeats, in seconds, as in UIKit.
  public static let repeatingInterval = 60.0
  /// The longest interval of a trigger in seconds: 100 years.
  public static let interval = 3_155_760_000.0
  /// The latest date of a trigger: the end of the year 9999, in milliseconds since 1970.
  public static let latestDate: Int64 = 253_402_300_799_999
  /// The maximum number of starts of one application in an hour for pushes in the background.
  public static let backgroundStarts = 20
  /// The maximum number of pushes for one application that wait for a start; the oldest ones are dropped.
  public static let waitingPushes = 64
  /// The time in which an application handles a push in the background, in seconds, as in UIKit.
  public static let backgroundTime = 30
  /// The maximum length of the endpoint of a registration in bytes (UnifiedPush).
  public static let endpoint = 1_000
  /// The time for which a notification that was missed is still shown, in milliseconds: 7 days.
  public static let missed: Int64 = 604_800_000
}
