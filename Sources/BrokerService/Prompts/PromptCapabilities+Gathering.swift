// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop

extension PromptCapabilities {
  /// Returns the prompt mechanisms on this bus and in this environment.
  static func gathered(on bus: BusConnection, environment: [String: String]) async -> PromptCapabilities {
    var found = PromptCapabilities()
    found.backends = backends(in: BaseDirectories(environment: environment))
    let owned = (try? await bus.call(BusDaemon.listNames, at: .bus)) ?? []
    let startable = (try? await bus.call(BusDaemon.listActivatableNames, at: .bus)) ?? []
    found.busNames = Set(owned + startable)
    if found.busNames.contains(NotificationQuestion.name.rawValue) {
      found.notifications = try? await bus.call(
        NotificationsInterface.getCapabilities, at: NotificationsInterface.server,
        timeout: BrokerLimits.notificationServer)
    }
    // A server that cannot be started lets each call wait for its timeout.
    if found.notifications != nil {
      found.notificationServer = try? await bus.call(
        NotificationsInterface.getServerInformation, at: NotificationsInterface.server,
        timeout: BrokerLimits.notificationServer
      ).0
    }
    found.zenity = ProgramSearch(path: environment["PATH"]).find("zenity")
    found.hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    found.desktops = environment["XDG_CURRENT_DESKTOP"]?.split(separator: ":").map(String.init) ?? []
    return found
  }

  /// Returns the portal backends; of two files with one name, the first in directory order is used.
  private static func backends(in directories: BaseDirectories) -> [PortalBackend] {
    var backends: [String: PortalBackend] = [:]
    for parent in [directories.dataHome] + directories.dataDirectories {
      let directory = "\(parent)/xdg-desktop-portal/portals"
      guard case .items(let items) = LocalFiles().list(directory) else { continue }
      for name in items.map(\.name) where name.hasSuffix(".portal") && backends[name] == nil {
        guard case .bytes(let bytes) = LocalFiles().read("\(directory)/\(name)") else { continue }
        backends[name] = PortalBackend(name: name, KeyFile(bytes: bytes))
      }
    }
    return backends.values.sorted { $0.name < $1.name }
  }
}
