// SPDX-License-Identifier: Apache-2.0
import Scenes

/// Tasks that continue in the background.
extension UIApplication {
  /// Returns the identifier of a new task.
  ///
  /// A desktop does not suspend a program in the background, so that no task expires and the handler is never called.
  public func beginBackgroundTask(
    withName taskName: String? = nil, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    UIBackgroundTaskIdentifier.last += 1
    return UIBackgroundTaskIdentifier(rawValue: UIBackgroundTaskIdentifier.last)
  }

  /// Does nothing: the program continues with and without tasks.
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}

  /// The time that the program may run in the background, which is unlimited.
  public var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }
}

/// The identifier of a task that continues in the background.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  @MainActor fileprivate static var last = 0

  /// The identifier of no task.
  public static let invalid = Self(rawValue: 0)

  /// The number of the task.
  public let rawValue: Int
  /// Creates an identifier from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }
}
