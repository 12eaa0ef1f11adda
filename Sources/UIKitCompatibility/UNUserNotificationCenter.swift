// SPDX-License-Identifier: Apache-2.0
import Scenes

/// The center whose delegate receives notifications, and the user's responses to them.
@MainActor public final class UNUserNotificationCenter {
  private static let center = UNUserNotificationCenter()

  /// Returns the center of the application.
  public static func current() -> UNUserNotificationCenter { center }

  /// The delegate, which must be set before the launch is complete.
  public weak var delegate: (any UNUserNotificationCenterDelegate)?

  /// Reports that the application may show notifications.
  ///
  /// A desktop asks the user for no authorization; the user turns off the notifications of an application in its settings.
  public func requestAuthorization(
    options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    Task.detached { completionHandler(true, nil) }
  }

  /// Returns `true`: the application may show notifications.
  ///
  /// A desktop asks the user for no authorization; the user turns off the notifications of an application in its settings.
  @discardableResult
  public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { true }

  /// Delivers a notification on which the user has not acted; throws ``NotImplemented`` if the delegate does not receive it.
  ///
  /// UIKit asks only an application in the foreground how to present it.
  func present(_ content: NotificationContent, in application: UIApplication) async throws {
    guard let delegate, application.applicationState != .background else { throw NotImplemented() }
    let notification = UNNotification(content)
    do {
      _ = try await Completion<UNNotificationPresentationOptions>.waitOnMain(orReleased: []) { handler in
        try delegate.userNotificationCenter(
          self, willPresent: notification, withCompletionHandler: { handler($0) })
      }
    } catch is NotImplemented {
      _ = try await delegate.userNotificationCenter(self, willPresent: notification)
    }
  }

  /// Delivers a response to the delegate; throws ``NotImplemented`` without one.
  func receive(_ response: NotificationResponse) async throws {
    guard let delegate else { throw NotImplemented() }
    let received = UNNotificationResponse(response)
    do {
      try await Completion<Void>.waitOnMain(orReleased: ()) { handler in
        try delegate.userNotificationCenter(
          self, didReceive: received, withCompletionHandler: { handler(()) })
      }
    } catch is NotImplemented {
      try await delegate.userNotificationCenter(self, didReceive: received)
    }
  }
}

/// The delegate that receives notifications, and the user's responses to them.
@MainActor public protocol UNUserNotificationCenterDelegate: AnyObject {
  /// Receives a response, and calls the handler when it is processed.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) throws
  /// Receives a response.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async throws
  /// Receives a notification in the foreground, and passes to the handler how to present it.
  ///
  /// The options are ignored, because the sender of the notification shows it.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) throws
  /// Receives a notification in the foreground, and returns how to present it.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async throws -> UNNotificationPresentationOptions
}

extension UNUserNotificationCenterDelegate {
  /// Throws an error that selects the other form.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) throws { throw NotImplemented() }

  /// Throws an error that makes the request not handled.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async throws { throw NotImplemented() }

  /// Throws an error that selects the other form.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) throws { throw NotImplemented() }

  /// Throws an error that makes the request not handled.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async throws -> UNNotificationPresentationOptions { throw NotImplemented() }
}

/// The kinds of notifications for which an application requests authorization.
public struct UNAuthorizationOptions: OptionSet, Sendable {
  /// A number on the icon.
  public static let badge = Self(rawValue: 1 << 0)
  /// A sound.
  public static let sound = Self(rawValue: 1 << 1)
  /// A text.
  public static let alert = Self(rawValue: 1 << 2)
  /// Notifications that interrupt nothing.
  public static let provisional = Self(rawValue: 1 << 6)

  /// The bits of the options.
  public let rawValue: UInt
  /// Creates options from their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
}

/// The ways to present a notification of an application in the foreground.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  /// The number on the icon.
  public static let badge = Self(rawValue: 1 << 0)
  /// The sound.
  public static let sound = Self(rawValue: 1 << 1)
  /// The text.
  public static let alert = Self(rawValue: 1 << 2)
  /// An entry in the list of notifications.
  public static let list = Self(rawValue: 1 << 3)
  /// The text, for a short time.
  public static let banner = Self(rawValue: 1 << 4)

  /// The bits of the options.
  public let rawValue: UInt
  /// Creates options from their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
}
