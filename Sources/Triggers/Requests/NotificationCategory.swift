// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import DBus

/// A category of notifications, which determines their actions.
public struct NotificationCategory: Hashable, Sendable {
  /// An action of a category, which is shown as a button.
  public struct Action: Hashable, Sendable {
    /// `identifier` s: the text that the application receives.
    public var identifier: String
    /// `title` s: the text of the button.
    public var title: String
    /// `foreground` b: whether the application comes to the front.
    public var isForeground = false
    /// `destructive` b: a hint that the action deletes something.
    public var isDestructive = false
    /// `text-input` b: whether the user may enter a text.
    public var hasTextInput = false
    /// `placeholder` s: the text that an empty text field shows.
    public var placeholder: String?
    /// `button-title` s: the text of the button that sends the text.
    public var buttonTitle: String?

    /// Creates an action.
    public init(
      identifier: String, title: String, isForeground: Bool = false, isDestructive: Bool = false,
      hasTextInput: Bool = false
    ) {
      self.identifier = identifier
      self.title = title
      self.isForeground = isForeground
      self.isDestructive = isDestructive
      self.hasTextInput = hasTextInput
    }
  }

  /// The action of the notification itself.
  public static let defaultAction = "default"
  /// The action of removing the notification.
  public static let dismissAction = "dismiss"

  /// `identifier` s: the identifier that contents name.
  public var identifier: String
  /// `actions` aa{sv}: the actions, in the order in which they are shown.
  public var actions: [Action]
  /// `custom-dismiss-action` b: whether the application receives the removal of a notification by the user.
  public var hasCustomDismissAction = false

  /// Creates a category.
  public init(identifier: String, actions: [Action] = []) {
    self.identifier = identifier
    self.actions = actions
  }

  /// Reads a category.
  /// - Throws: ``MessageError`` with the key.
  public init(_ value: PropertyList, at path: String = "") throws(MessageError) {
    let fields = try PropertyListFields(value, at: path)
    identifier = try fields.requiredIdentifier()
    hasCustomDismissAction = try fields.flag("custom-dismiss-action")
    actions = try Action.list(in: fields)
  }

  /// The category as a property list.
  public var propertyList: PropertyList {
    var entries: [String: PropertyList] = ["identifier": .string(identifier)]
    if !actions.isEmpty { entries["actions"] = .array(actions.map(\.propertyList)) }
    entries.set("custom-dismiss-action", hasCustomDismissAction)
    return .dictionary(entries)
  }

  /// The `a{sv}` on the bus.
  public var entries: [String: Variant] { propertyList.variant.entries ?? [:] }
}

extension NotificationCategory.Action {
  /// Reads the entry `actions`; an empty array if it is absent.
  static func list(in fields: PropertyListFields) throws(MessageError) -> [Self] {
    let list = try fields.list("actions")
    guard list.count <= NotificationLimits.actions else {
      throw fields.error("actions", "at most \(NotificationLimits.actions) actions")
    }
    var actions: [Self] = []
    for fields in list {
      let action = try Self(fields)
      guard !actions.contains(where: { $0.identifier == action.identifier }) else {
        throw fields.error("identifier", "different for each action of a category")
      }
      actions.append(action)
    }
    return actions
  }

  init(_ fields: PropertyListFields) throws(MessageError) {
    identifier = try fields.requiredIdentifier()
    let reserved = [NotificationCategory.defaultAction, NotificationCategory.dismissAction]
    guard !reserved.contains(identifier) else {
      throw fields.error("identifier", "another text than “default” and “dismiss”")
    }
    guard let title = try fields.shownText("title") else { throw fields.missing("title") }
    self.title = title
    isForeground = try fields.flag("foreground")
    isDestructive = try fields.flag("destructive")
    hasTextInput = try fields.flag("text-input")
    placeholder = try fields.shownText("placeholder")
    buttonTitle = try fields.shownText("button-title")
  }

  var propertyList: PropertyList {
    var entries: [String: PropertyList] = ["identifier": .string(identifier), "title": .string(title)]
    entries.set("foreground", isForeground)
    entries.set("destructive", isDestructive)
    entries.set("text-input", hasTextInput)
    entries.set("placeholder", placeholder)
    entries.set("button-title", buttonTitle)
    return .dictionary(entries)
  }
}
