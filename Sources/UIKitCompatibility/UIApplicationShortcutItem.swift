// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Scenes

/// A quick action that the user chose: an action of the desktop entry, by its name, or a shortcut item of another program.
open class UIApplicationShortcutItem {
  /// The type; for an action of the desktop entry, its name.
  public let type: String
  /// The displayed title.
  public let localizedTitle: String
  /// The displayed subtitle.
  public let localizedSubtitle: String?
  /// The data of the action.
  public let userInfo: [String: Any]?
  /// The identifier of the content, by which a scene is chosen.
  public var targetContentIdentifier: Any?

  /// Creates an item.
  public init(
    type: String, localizedTitle: String, localizedSubtitle: String? = nil,
    icon: UIApplicationShortcutIcon? = nil,
    userInfo: [String: Any]? = nil
  ) {
    self.type = type
    self.localizedTitle = localizedTitle
    self.localizedSubtitle = localizedSubtitle
    self.userInfo = userInfo
  }

  convenience init(_ item: ShortcutItem) {
    var entries: [String: Any] = item.userInfo.mapValues(\.foundation)
    if let parameter = item.parameter { entries["parameter"] = parameter.foundation }
    self.init(
      type: item.type, localizedTitle: item.localizedTitle ?? item.type,
      localizedSubtitle: item.localizedSubtitle,
      userInfo: entries.isEmpty ? nil : entries)
    targetContentIdentifier = item.targetContentIdentifier
  }
}

/// The icon of a quick action, which the desktop entry names; an application does not set it.
public struct UIApplicationShortcutIcon: Sendable {
  /// Creates an icon of a name.
  public init(systemImageName: String) {}
  /// Creates an icon of a file's name.
  public init(templateImageName: String) {}
  /// Creates an icon of a type.
  public init(type: IconType) {}

  /// The type of an icon.
  public enum IconType: Int, Sendable {
    /// The activity or the object that the icon shows.
    case compose, play, pause, add, location, search, share, prohibit, contact, home, markLocation, favorite,
      love, cloud, invitation, confirmation, mail, message, date, time, capturePhoto, captureVideo, task,
      taskCompleted, alarm, bookmark, shuffle, audio, update
  }
}
