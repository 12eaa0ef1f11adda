// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop
import Glibc

/// The status of the daemon for notifications, of the notification server, and of push distributors.
struct NotificationStatus {
  /// A registration of an application for pushes.
  struct Registration {
    let application: String
    let distributor: String
  }

  /// The notification server of the desktop.
  enum Server {
    /// No server runs, and the bus can start none.
    case missing
    /// The bus starts it for the first notification.
    case activatable
    /// The name and version of the running server, and its capabilities.
    case running(String, capabilities: Set<String>)
    /// It runs, and does not describe itself, for this reason.
    case failing(String)
  }

  /// The path of the stored notifications.
  let store: String
  /// A Boolean value that is `true` if notifications were stored, even if none is stored now.
  var isUsed = false
  /// The reason why the stored notifications cannot be read; `nil` if they can.
  var obstacle: String?
  /// A Boolean value that is `true` if other users may read them.
  var isOpenToOthers = false
  /// A Boolean value that is `true` if the daemon runs, or if the bus can start it.
  var isActivatable = true
  /// A Boolean value that is `true` if the user has turned the daemon off by masking its unit.
  var isMasked = false
  /// The reason why the daemon gave no answer; `nil` if it did, or was not asked.
  var failure: String?
  var server = Server.missing
  /// The names of the push distributors that run or that the bus can start.
  var distributors: [String] = []
  var registrations: [Registration] = []
  /// The locations that applications monitor, and the status of the location service.
  var locations = MonitoredService()
  /// The Bluetooth devices that applications monitor, and the status of the Bluetooth service.
  var bluetooth = MonitoredService()
  /// The services that applications offer to Bluetooth devices, and the status of the Bluetooth service.
  var peripherals = MonitoredService()
  /// The applications whose notifications the user has refused.
  var refused: [String] = []

  /// Reads the state of the file, and asks the bus unless there is an obstacle to that.
  ///
  /// The daemon is asked, and so started, only if notifications were stored.
  static func gathered(_ directories: BaseDirectories, _ bus: BusStatus) -> NotificationStatus {
    var status = NotificationStatus(store: directories.stateHome + "/usher/triggers.sqlite")
    status.lookAtFile()
    guard bus.obstacle == nil, let connection = try? BlockingBusConnection(.user) else { return status }
    do throws(BusError) {
      try status.ask(connection, bus)
    } catch {
      status.failure = error.message
    }
    return status
  }

  private mutating func lookAtFile() {
    var facts = stat()
    guard lstat(store, &facts) == 0 else {
      isUsed = errno != ENOENT
      if isUsed { obstacle = String(cString: strerror(errno)) }
      return
    }
    isUsed = true
    if facts.st_mode & S_IFMT != S_IFREG {
      obstacle = "it is not a file"
    } else if facts.st_uid != getuid() {
      obstacle = "it belongs to another user"
    } else if access(store, R_OK | W_OK) != 0 {
      obstacle = String(cString: strerror(errno))
    }
    isOpenToOthers = facts.st_mode & 0o077 != 0
  }

  private mutating func ask(_ connection: BlockingBusConnection, _ bus: BusStatus) throws(BusError) {
    let running = try connection.call(BusDaemon.listNames, at: .bus, timeout: .seconds(10))
    let activatable = try connection.call(BusDaemon.listActivatableNames, at: .bus, timeout: .seconds(10))
    isActivatable = (running + activatable).contains(TriggersInterface.busName.rawValue)
    distributors = Set(running + activatable).filter { $0.hasPrefix(TriggersInterface.distributorPrefix) }
      .sorted()
    let name = NotificationsInterface.server.name.rawValue
    if running.contains(name) {
      // The daemon and its file can be checked without the server.
      do throws(BusError) { server = try Self.server(on: connection) } catch {
        server = .failing(error.message)
      }
    } else if activatable.contains(name) {
      server = .activatable
    }
    if bus.hasUserManager {
      isMasked = BrokerProcess.unitFileState(of: Self.unit, on: connection)?.hasPrefix("masked") ?? false
    }
    guard isUsed else { return }
    let grants = try? connection.call(
      BrokerInterface.grants, at: BrokerInterface.broker, ["permission": "notifications"], autoStart: false)
    refused = (grants ?? []).filter { $0["answer"]?.string == "no" }
      .compactMap { $0["source-application"]?.string }.sorted()
    guard isActivatable, !isMasked, obstacle == nil else { return }
    registrations = try connection.call(
      TriggersInterface.remoteNotificationRegistrations, at: TriggersInterface.triggers, timeout: .seconds(15)
    ).compactMap { entry in
      guard let application = entry["application"]?.string, let distributor = entry["distributor"]?.string
      else { return nil }
      return Registration(application: application, distributor: distributor)
    }
    locations = MonitoredService(
      try connection.call(
        TriggersInterface.monitoredLocations, at: TriggersInterface.triggers, timeout: .seconds(15)),
      "regions", others: ["significant-changes", "notifications"])
    bluetooth = MonitoredService(
      try connection.call(
        TriggersInterface.bluetoothCentrals, at: TriggersInterface.triggers, timeout: .seconds(15)),
      "centrals")
    peripherals = MonitoredService(
      try connection.call(
        TriggersInterface.bluetoothPeripherals, at: TriggersInterface.triggers, timeout: .seconds(15)),
      "peripherals")
  }

  private static func server(on connection: BlockingBusConnection) throws(BusError) -> Server {
    let server = NotificationsInterface.server
    let (name, _, version, _) = try connection.call(
      NotificationsInterface.getServerInformation, at: server, timeout: .seconds(10), autoStart: false)
    let capabilities = try connection.call(
      NotificationsInterface.getCapabilities, at: server, timeout: .seconds(10), autoStart: false)
    return .running("\(name) \(version)", capabilities: Set(capabilities))
  }

  /// The unit of the daemon.
  static let unit = "usher-triggers.service"
}
