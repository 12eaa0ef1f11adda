// SPDX-License-Identifier: Apache-2.0
/// The desktop entry of an application: a typed view of its key file.
///
/// Desktop Entry Specification 1.5, "Recognized desktop entry keys". A key that is absent, or whose value cannot be
/// parsed, has its default.
public struct DesktopEntry: Hashable, Sendable {
  /// The name of the group that makes a key file a desktop entry.
  public static let group = "Desktop Entry"

  /// The file as it was read.
  public let file: KeyFile
  /// The file's path; `nil` if the entry was not read from a file.
  public let path: String?
  /// The application's ID; `nil` for a file outside the applications directories.
  public let id: ApplicationID?

  /// Creates the view of `file` without judging its content.
  public init(file: KeyFile, id: ApplicationID? = nil, path: String? = nil) {
    self.file = file
    self.id = id
    self.path = path
  }

  /// The value of `Type`.
  public var type: String? { string("Type") }
  /// Indicates whether this is the entry of an application rather than of a link, a directory or an unknown type.
  public var isApplication: Bool { file.firstGroup == Self.group && type == "Application" }

  /// Returns `Name` in a language, or the untranslated one; `nil` if there is none.
  public func name(in locale: MessageLocale = MessageLocale("C")) -> String? { localised("Name", in: locale) }
  /// Returns `Icon`: a name in the icon theme, or an absolute path; `nil` if there is none.
  public func icon(in locale: MessageLocale = MessageLocale("C")) -> String? { localised("Icon", in: locale) }
  /// `Exec` with its string escapes undone, ready for `ExecLine`; `nil` if it is missing or empty.
  public var exec: String? { string("Exec").flatMap { $0.isEmpty ? nil : $0 } }
  /// `TryExec`: a program without which the entry is ignored; `nil` if it is missing or empty.
  public var tryExec: String? { string("TryExec").flatMap { $0.isEmpty ? nil : $0 } }
  /// `Path`: the directory in which to run the program; `nil` if it is missing or relative.
  ///
  /// A relative path is ignored because it would depend on the working directory of the process that reads it.
  public var workingDirectory: String? { string("Path").flatMap { $0.hasPrefix("/") ? $0 : nil } }
  /// `Terminal`: indicates whether the program needs a terminal.
  public var needsTerminal: Bool { boolean("Terminal") }
  /// `StartupNotify`; `nil` if the entry does not have the key.
  public var startupNotify: Bool? { file.value(of: "StartupNotify", in: Self.group).map(KeyFile.boolean) }
  /// `Hidden`: indicates whether the entry counts as deleted.
  public var isHidden: Bool { boolean("Hidden") }
  /// `NoDisplay`: indicates whether menus omit the entry; it still opens URLs.
  public var isLeftOutOfMenus: Bool { boolean("NoDisplay") }
  /// `DBusActivatable`: indicates whether the application is called over the bus.
  ///
  /// It has an effect only together with a valid `id.busName`.
  public var isDBusActivatable: Bool { boolean("DBusActivatable") }
  /// `Implements`: the names of the interfaces that the application implements.
  public var implements: [String] { list("Implements") }
  /// `X-Usher-UserActivityTypes`: the types of user activities that the application continues, as `NSUserActivityTypes` of UIKit.
  public var userActivityTypes: [String] { list("X-Usher-UserActivityTypes") }
  /// `Categories`, in the order of the entry.
  public var categories: [String] { list("Categories") }
  /// `MimeType`, in the order of the entry.
  public var mimeTypes: [String] { list("MimeType") }
  /// The URL schemes among `mimeTypes`, as the entry has them.
  public var schemes: [String] {
    mimeTypes.filter { $0.hasPrefix(URLScheme.mimePrefix) }.map {
      String($0.dropFirst(URLScheme.mimePrefix.count))
    }
  }

  /// Returns the actions that `Actions` lists and that have a group with a name, in the order of the list.
  public func actions(in locale: MessageLocale = MessageLocale("C")) -> [Action] {
    let localised = ["Name", "Icon"].flatMap { key in locale.candidates.map { "\(key)[\($0)]" } }
    let values = file.values(of: Set(localised + ["Name", "Icon", "Exec"]))
    return list("Actions").compactMap { id in
      Self.action(id, in: locale) { values[Self.group(ofAction: id)]?[$0] }
    }
  }

  /// Returns the action with this ID; `nil` if there is none.
  public func action(_ id: String) -> Action? {
    guard list("Actions").contains(id) else { return nil }
    return Self.action(id) { file.value(of: $0, in: Self.group(ofAction: id)) }
  }

  private static func group(ofAction id: String) -> String { "Desktop Action \(id)" }

  private static func action(
    _ id: String, in locale: MessageLocale = MessageLocale("C"), _ value: (String) -> String?
  ) -> Action? {
    guard let name = localised("Name", in: locale, value) else { return nil }
    return Action(
      id: id, name: name, icon: localised("Icon", in: locale, value), exec: value("Exec").map(KeyFile.string))
  }

  /// An additional action of the application.
  public struct Action: Hashable, Sendable {
    /// The identifier in `Actions` and `ActivateAction`.
    public let id: String
    /// The name that users see.
    public let name: String
    /// A name in the icon theme, or an absolute path.
    public let icon: String?
    /// The action's own Exec line, with string escapes undone.
    public let exec: String?
  }

  /// The text of any key of the main group, such as `X-Flatpak`; `nil` if it is missing.
  public subscript(key: String) -> String? { string(key) }

  private func string(_ key: String) -> String? { file.string(of: key, in: Self.group) }
  func list(_ key: String) -> [String] { file.list(of: key, in: Self.group) ?? [] }
  private func boolean(_ key: String) -> Bool {
    file.value(of: key, in: Self.group).map(KeyFile.boolean) ?? false
  }

  private func localised(_ key: String, in locale: MessageLocale) -> String? {
    Self.localised(key, in: locale) { file.value(of: $0, in: Self.group) }
  }

  /// Returns the text of the key that suits the locale best, from the raw values of the keys of a group.
  private static func localised(
    _ key: String, in locale: MessageLocale, _ value: (String) -> String?
  ) -> String? {
    for candidate in locale.candidates {
      if let raw = value("\(key)[\(candidate)]") { return KeyFile.string(raw) }
    }
    return value(key).map(KeyFile.string)
  }
}
