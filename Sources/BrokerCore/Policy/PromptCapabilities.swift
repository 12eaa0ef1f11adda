public import Freedesktop

/// One way to put a question to a person.
public enum PromptBackend: Hashable, Sendable {
  /// The chooser of the desktop portal's backend that has this bus name.
  case chooser(backend: String)
  /// A notification with buttons.
  case notification
  /// The program zenity, by its path.
  case zenity(String)
}

/// What there is on a desktop to ask a person by.
public struct PromptCapabilities: Hashable, Sendable {
  /// The portal's backends that are installed, as their files name them.
  public var backends: [PortalBackend] = []
  /// The names on the session bus that somebody owns or that can be started.
  public var busNames: Set<String> = []
  /// What the notification server can do; `nil` where there is none.
  public var notifications: [String]?
  /// The program zenity.
  public var zenity: String?
  /// Whether there is a display for it.
  public var hasDisplay = false
  /// `XDG_CURRENT_DESKTOP`, its names in order.
  public var desktops: [String] = []

  /// A desktop that has nothing.
  public init() {}

  /// The ways to ask, the best one first; empty where only whoever asks for the link can ask.
  ///
  /// - Parameter hasCandidates: whether there are applications to show in a chooser.
  public func ways(hasCandidates: Bool) -> [PromptBackend] {
    var ways: [PromptBackend] = []
    if hasCandidates, let backend = chooser { ways.append(.chooser(backend: backend.busName)) }
    if notifications?.contains("actions") == true { ways.append(.notification) }
    if hasDisplay, let zenity { ways.append(.zenity(zenity)) }
    return ways
  }

  /// The backend that the portal itself would take: one for this desktop, else any, by name.
  private var chooser: PortalBackend? {
    let usable = backends.filter { $0.hasChooser && busNames.contains($0.busName) }
      .sorted { $0.name < $1.name }
    for desktop in desktops {
      if let own = usable.first(where: { $0.desktops.contains { $0.lowercased() == desktop.lowercased() } }) {
        return own
      }
    }
    return usable.first
  }
}

/// A backend of the desktop portal, as its `.portal` file describes it (portals.conf(5)).
public struct PortalBackend: Hashable, Sendable {
  /// The name of its file.
  public let name: String
  /// Its name on the session bus.
  public let busName: String
  /// The desktops it is made for.
  public let desktops: [String]
  /// Whether it lets people choose applications.
  public let hasChooser: Bool

  /// The interface of the chooser.
  public static let chooser = "org.freedesktop.impl.portal.AppChooser"

  /// Reads a file; `nil` for one that names no bus name.
  public init?(name: String, _ file: KeyFile) {
    guard let busName = file.string(of: "DBusName", in: "portal") else { return nil }
    self.name = name
    self.busName = busName
    desktops = file.list(of: "UseIn", in: "portal") ?? []
    hasChooser = file.list(of: "Interfaces", in: "portal")?.contains(Self.chooser) == true
  }
}
