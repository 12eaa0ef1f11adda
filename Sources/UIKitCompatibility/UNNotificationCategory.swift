// SPDX-License-Identifier: Apache-2.0
import Scenes

/// A category of notifications, which determines their actions.
public struct UNNotificationCategory: Hashable {
  let category: NotificationCategory

  /// The identifier that contents name.
  public var identifier: String { category.identifier }
  /// The actions, in the order in which they are shown.
  public var actions: [UNNotificationAction] { category.actions.map(UNNotificationAction.of) }

  /// Creates a category.
  ///
  /// - Parameter intentIdentifiers: Ignored, because a desktop has no intents.
  public init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    options: UNNotificationCategoryOptions = []
  ) {
    var category = NotificationCategory(identifier: identifier, actions: actions.map(\.action))
    category.hasCustomDismissAction = options.contains(.customDismissAction)
    self.category = category
  }

  init(_ category: NotificationCategory) { self.category = category }
}

/// The options of a category.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
  /// The application receives the removal of a notification by the user.
  public static let customDismissAction = Self(rawValue: 1 << 0)

  /// The bits of the options.
  public let rawValue: UInt
  /// Creates options from their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
}

/// An action of a notification, which is shown as a button.
public class UNNotificationAction {
  let action: NotificationCategory.Action

  /// The text that the application receives.
  public var identifier: String { action.identifier }
  /// The text of the button.
  public var title: String { action.title }

  fileprivate init(_ action: NotificationCategory.Action) { self.action = action }

  /// Creates an action.
  public convenience init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
    self.init(NotificationCategory.Action(identifier: identifier, title: title).with(options))
  }

  /// Returns an action in UIKit's class for it.
  static func of(_ action: NotificationCategory.Action) -> UNNotificationAction {
    action.hasTextInput ? UNTextInputNotificationAction(action) : UNNotificationAction(action)
  }
}

/// An action for which the user enters a text, if the notification server supports it.
public final class UNTextInputNotificationAction: UNNotificationAction {
  /// Creates an action.
  public convenience init(
    identifier: String, title: String, options: UNNotificationActionOptions = [],
    textInputButtonTitle: String, textInputPlaceholder: String
  ) {
    var action = NotificationCategory.Action(identifier: identifier, title: title).with(options)
    action.hasTextInput = true
    action.buttonTitle = textInputButtonTitle
    action.placeholder = textInputPlaceholder
    self.init(action)
  }
}

/// The options of an action.
public struct UNNotificationActionOptions: OptionSet, Sendable {
  /// The desktop shows the action also while the screen is locked; a desktop decides that itself.
  public static let authenticationRequired = Self(rawValue: 1 << 0)
  /// The action deletes something.
  public static let destructive = Self(rawValue: 1 << 1)
  /// The application comes to the front.
  public static let foreground = Self(rawValue: 1 << 2)

  /// The bits of the options.
  public let rawValue: UInt
  /// Creates options from their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
}

extension NotificationCategory.Action {
  fileprivate func with(_ options: UNNotificationActionOptions) -> Self {
    var action = self
    action.isForeground = options.contains(.foreground)
    action.isDestructive = options.contains(.destructive)
    return action
  }
}
