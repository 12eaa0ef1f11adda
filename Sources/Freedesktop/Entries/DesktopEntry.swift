/// The desktop entry of an application: a typed view of its key file.
///
/// Desktop Entry Specification 1.5, "Recognized desktop entry keys". A key that is absent, or whose value
/// cannot be read, has its default.
public struct DesktopEntry: Hashable, Sendable {
  /// The name of the group that makes a key file a desktop entry.
  public static let group = "Desktop Entry"

  /// The file as it was read.
  public let file: KeyFile
  /// Where the file is; `nil` for one that was not read from a place.
  public let path: String?
  /// The application's ID; `nil` for a file outside of any applications folder.
  public let id: ApplicationID?

  /// The view of `file`, whatever is in it.
  public init(file: KeyFile, id: ApplicationID? = nil, path: String? = nil) {
    self.file = file
    self.id = id
    self.path = path
  }

  /// `Type`, as it stands there.
  public var type: String? { string("Type") }
  /// Whether this is an application, and not a link, a folder or something yet unknown.
  public var isApplication: Bool { file.firstGroup == Self.group && type == "Application" }

  /// `Name` in a language, else the one without a language.
  public func name(in locale: MessageLocale = MessageLocale("C")) -> String? { localised("Name", in: locale) }
  /// `Icon`: a name in the icon theme, or an absolute path.
  public func icon(in locale: MessageLocale = MessageLocale("C")) -> String? { localised("Icon", in: locale) }
  /// `Exec` with its string escapes undone, ready for `ExecLine`; `nil` where there is none.
  public var exec: String? { string("Exec").flatMap { $0.isEmpty ? nil : $0 } }
  /// `TryExec`: a program without which the entry is to be ignored.
  public var tryExec: String? { string("TryExec").flatMap { $0.isEmpty ? nil : $0 } }
  /// `Path`: the directory to run the program in.
  ///
  /// A relative one leads to wherever the asking process happens to be, so it counts as none.
  public var workingDirectory: String? { string("Path").flatMap { $0.hasPrefix("/") ? $0 : nil } }
  /// `Terminal`: whether the program needs one.
  public var needsTerminal: Bool { boolean("Terminal") }
  /// `StartupNotify`: `nil` where the entry does not say.
  public var startupNotify: Bool? { file.value(of: "StartupNotify", in: Self.group).map(KeyFile.boolean) }
  /// `Hidden`: whether the entry counts as deleted.
  public var isHidden: Bool { boolean("Hidden") }
  /// `NoDisplay`: whether menus leave it out; it still opens URLs.
  public var isLeftOutOfMenus: Bool { boolean("NoDisplay") }
  /// `DBusActivatable`: whether the application is to be called over the bus.
  ///
  /// It counts only together with a valid `id.busName`.
  public var isDBusActivatable: Bool { boolean("DBusActivatable") }
  /// `Implements`: the names of the interfaces that the application has.
  public var implements: [String] { list("Implements") }
  /// `MimeType`, in its order.
  public var mimeTypes: [String] { list("MimeType") }
  /// The URL schemes among `mimeTypes`, as they are spelt there.
  public var schemes: [String] {
    mimeTypes.filter { $0.hasPrefix(URLScheme.mimePrefix) }.map {
      String($0.dropFirst(URLScheme.mimePrefix.count))
    }
  }

  /// `Actions`: those that are listed and have a group, in the order of the list.
  public func actions(in locale: MessageLocale = MessageLocale("C")) -> [Action] {
    list("Actions").compactMap { id in
      let group = "Desktop Action \(id)"
      guard let name = localised("Name", in: locale, group: group) else { return nil }
      return Action(
        id: id, name: name, icon: localised("Icon", in: locale, group: group),
        exec: file.string(of: "Exec", in: group))
    }
  }

  /// An additional thing the application can be asked to do.
  public struct Action: Hashable, Sendable {
    /// How `Actions` and `ActivateAction` call it.
    public let id: String
    /// What people read.
    public let name: String
    /// A name in the icon theme, or an absolute path.
    public let icon: String?
    /// Its own Exec line, with string escapes undone.
    public let exec: String?
  }

  /// The text of any key, as `X-Flatpak`, in the main group.
  public subscript(key: String) -> String? { string(key) }

  private func string(_ key: String) -> String? { file.string(of: key, in: Self.group) }
  private func list(_ key: String) -> [String] { file.list(of: key, in: Self.group) ?? [] }
  private func boolean(_ key: String) -> Bool {
    file.value(of: key, in: Self.group).map(KeyFile.boolean) ?? false
  }

  private func localised(_ key: String, in locale: MessageLocale, group: String = group) -> String? {
    for candidate in locale.candidates {
      if let text = file.string(of: "\(key)[\(candidate)]", in: group) { return text }
    }
    return file.string(of: key, in: group)
  }
}
