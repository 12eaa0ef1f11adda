// SPDX-License-Identifier: Apache-2.0
public import Freedesktop

/// A mechanism that can prompt the user.
public enum PromptBackend: Hashable, Sendable {
  /// The application chooser of the portal backend with this bus name.
  case chooser(backend: String)
  /// The dialog for permissions of the portal backend with this bus name.
  case accessDialog(backend: String)
  /// A notification with buttons.
  case notification
  /// The program zenity at this path.
  case zenity(String)
}

/// The mechanisms of a desktop that can prompt the user.
public struct PromptCapabilities: Hashable, Sendable {
  /// The installed portal backends, from their `.portal` files.
  public var backends: [PortalBackend] = []
  /// The names on the session bus that are owned or activatable.
  public var busNames: Set<String> = []
  /// The capabilities of the notification server; `nil` if there is none.
  public var notifications: [String]?
  /// The name of the notification server, by its own account; `nil` if it is unknown.
  public var notificationServer: String?
  /// The path of the program zenity.
  public var zenity: String?
  /// A Boolean value that indicates whether there is a display for zenity.
  public var hasDisplay = false
  /// A Boolean value that indicates whether the caller has another display than the services on the bus.
  public var isOnOtherDisplay = false
  /// The names in `XDG_CURRENT_DESKTOP`, in order.
  public var desktops: [String] = []

  /// Creates the capabilities of a desktop without any mechanism.
  public init() {}

  /// The notification servers that let every program on the bus choose an action in place of the user, by the names that they report.
  ///
  /// mako does so by `fr.emersion.Mako.InvokeAction`, SwayNotificationCenter by `org.erikreider.swaync.cc.LatestInvokeAction`.
  private static let controllableServers = ["mako", "SwayNotificationCenter"]

  /// The mechanisms with which a program that talks to the notification server cannot answer in place of the user.
  public var withoutControllableServer: PromptCapabilities {
    guard let notificationServer, Self.controllableServers.contains(notificationServer) else { return self }
    var others = self
    others.notifications = nil
    return others
  }

  /// Returns the usable mechanisms for a question about a link, the best one first; empty if only the caller can prompt the user.
  ///
  /// A chooser shows applications, and neither the link nor what is known of a caller without an application. So it is
  /// not used to ask whether such a caller may open a link.
  ///
  /// - Parameters:
  ///   - hasCandidates: Whether there are applications for a chooser.
  ///   - needsText: Whether the user must see the text of the question to answer it.
  ///   - choices: The number of applications to choose from.
  public func ways(hasCandidates: Bool, needsText: Bool = false, choices: Int = 0) -> [PromptBackend] {
    let backend = hasCandidates && !needsText ? backend(with: PortalBackend.chooser) : nil
    let ways = ways(beginningWith: backend.map { .chooser(backend: $0.busName) })
    guard choices > Self.maximumChoicesOfNotification, ways.contains(.notification) else { return ways }
    return ways.filter { $0 != .notification } + [.notification]
  }

  /// The maximum number of applications for which a notification is used where there is another prompt.
  ///
  /// With the negative answer these are the three buttons that GNOME Shell shows; other servers draw more beyond the screen.
  private static let maximumChoicesOfNotification = 2

  /// The usable mechanisms for a question about a permission, the best one first.
  public var waysForPermissions: [PromptBackend] {
    ways(
      beginningWith: backend(with: PortalBackend.accessDialog).map { .accessDialog(backend: $0.busName) })
  }

  private func ways(beginningWith portal: PromptBackend?) -> [PromptBackend] {
    var ways = portal.map { [$0] } ?? []
    if notifications?.contains("actions") == true { ways.append(.notification) }
    guard hasDisplay, let zenity else { return ways }
    // Only a window of our own appears on the display of the caller.
    return isOnOtherDisplay ? [.zenity(zenity)] + ways : ways + [.zenity(zenity)]
  }

  /// The backend that the portal itself would use for an interface: one for this desktop, otherwise the first one by name.
  private func backend(with interface: String) -> PortalBackend? {
    let usable = backends.filter { $0.interfaces.contains(interface) && busNames.contains($0.busName) }
      .sorted { $0.name < $1.name }
    for desktop in desktops {
      if let own = usable.first(where: { $0.desktops.contains { $0.lowercased() == desktop.lowercased() } }) {
        return own
      }
    }
    return usable.first
  }
}

/// A backend of the desktop portal, from its `.portal` file (portals.conf(5)).
public struct PortalBackend: Hashable, Sendable {
  /// The name of the file.
  public let name: String
  /// The name on the session bus.
  public let busName: String
  /// The desktops that the backend is made for.
  public let desktops: [String]
  /// The D-Bus interfaces that the backend implements.
  public let interfaces: [String]

  /// The D-Bus interface of the application chooser.
  public static let chooser = "org.freedesktop.impl.portal.AppChooser"
  /// The D-Bus interface of the dialog for permissions.
  public static let accessDialog = "org.freedesktop.impl.portal.Access"

  /// Parses a `.portal` file; `nil` if it contains no bus name.
  public init?(name: String, _ file: KeyFile) {
    guard let busName = file.string(of: "DBusName", in: "portal") else { return nil }
    self.name = name
    self.busName = busName
    desktops = file.list(of: "UseIn", in: "portal") ?? []
    interfaces = file.list(of: "Interfaces", in: "portal") ?? []
  }
}
