// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Systemd

/// A probe for the prompt mechanisms of a session.
@BrokerActor
struct PromptCapabilityProbe {
  /// The mechanisms that are found in the file system.
  private struct InstalledMechanisms: Sendable {
    var backends: [PortalBackend] = []
    var zenity: String?
  }

  let bus: BusConnection
  /// The thread on which files of the user are read.
  let files: FileThread
  let fileReader: any FileReading
  /// The time after which mechanisms whose files do not respond count as missing.
  let timeout: Duration

  /// Returns the prompt mechanisms on the bus and in this environment.
  func capabilities(in environment: [String: String]) async -> PromptCapabilities {
    var found = PromptCapabilities()
    let installed = await installedMechanisms(in: environment)
    found.backends = installed.backends
    found.zenity = installed.zenity
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
    found.hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    found.desktops = environment["XDG_CURRENT_DESKTOP"]?.split(separator: ":").map(String.init) ?? []
    return found
  }

  /// Returns the mechanisms that are found in the file system; none if it does not respond in time.
  private func installedMechanisms(in environment: [String: String]) async -> InstalledMechanisms {
    await BrokerActor.result(within: timeout, otherwise: InstalledMechanisms()) { [files, fileReader] in
      await files.run {
        InstalledMechanisms(
          backends: Self.backends(in: BaseDirectories(environment: environment), readBy: fileReader),
          zenity: ProgramSearch(path: environment["PATH"], files: fileReader).find("zenity"))
      }
    }
  }

  /// Returns the portal backends; of two files with one name, the first in directory order is used.
  private nonisolated static func backends(
    in directories: BaseDirectories, readBy files: any FileReading
  ) -> [PortalBackend] {
    var backends: [String: PortalBackend] = [:]
    for parent in [directories.dataHome] + directories.dataDirectories {
      let directory = "\(parent)/xdg-desktop-portal/portals"
      guard case .items(let items) = files.list(directory) else { continue }
      for name in items.map(\.name) where name.hasSuffix(".portal") && backends[name] == nil {
        guard case .bytes(let bytes) = files.read("\(directory)/\(name)") else { continue }
        backends[name] = PortalBackend(name: name, KeyFile(bytes: bytes))
      }
    }
    return backends.values.sorted { $0.name < $1.name }
  }
}
