// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop

/// The status of the bus and of the broker on it.
struct BusStatus {
  /// The reason why there is no bus; `nil` if there is one.
  var obstacle: String?
  /// A Boolean value that is `true` if the bus knows an activation file of the broker, or the name has an owner.
  var isActivatable = false
  /// The reason why the broker gave no answer; `nil` if it did.
  var failure: String?
  /// The version that the broker reports.
  var version: String?
  /// The reason why the broker cannot store requests; `nil` if it can.
  var storage: String?
  /// The reason why the broker cannot store the history; `nil` if it can.
  var history: String?
  /// The process of the broker, and the unit that it runs in.
  var process = BrokerProcess()
  /// The session variables of programs whose caller sends none; `nil` if the broker does not report them.
  var session: [String: String]?
  /// A Boolean value that is `true` if a systemd user manager is on the bus.
  var hasUserManager = false

  /// Asks the broker, which the bus starts if necessary, and on failure asks the bus.
  static func gathered() -> BusStatus {
    var facts = BusStatus()
    do throws(BrokerConnection.Failure) {
      let connection = try BrokerConnection()
      facts.hasUserManager = (try? connection.bus.owner(of: "org.freedesktop.systemd1")) != nil
      let status = try connection.ask { bus throws(BusError) in
        try bus.call(BrokerInterface.status, at: BrokerInterface.broker, timeout: .seconds(15))
      }
      facts.process = BrokerProcess(on: connection.bus)
      facts.isActivatable = true
      if case .string(let version)? = status["version"] { facts.version = version }
      facts.storage = status["storage"]?.string
      facts.history = status["history"]?.string
      facts.session = status["session"]?.entries?.compactMapValues(\.string)
    } catch {
      switch error {
      case .unreachable(let reason): facts.failure = reason
      case .answered(let error): facts.failure = error.message
      }
      facts.askBus()
    }
    return facts
  }

  /// Asks the bus, after the call to the broker, because that call makes the bus reload its activation files.
  private mutating func askBus() {
    do throws(BusError) {
      let bus = try BlockingBusConnection(.user)
      let activatable = try bus.call(BusDaemon.listActivatableNames, at: .bus, timeout: .seconds(10))
      let owner = try bus.owner(of: BrokerInterface.busName)
      process = BrokerProcess(on: bus)
      process.askManager(on: bus)
      isActivatable = activatable.contains(BrokerInterface.busName.rawValue) || owner != nil
    } catch {
      obstacle = error.message
    }
  }
}

/// An activation file, which lets the bus start a program.
struct ActivationFile {
  let path: String
  let file: KeyFile

  /// The program that the file starts.
  var program: String? {
    file.string(of: "Exec", in: Self.group).flatMap { try? ExecLine($0) }?.program
  }

  /// The line number of the program.
  var line: Int? { file.line(of: "Exec", in: Self.group) }

  /// The unit by which a bus of systemd starts the program; `nil` if the bus starts it itself.
  var unit: String? { file.string(of: "SystemdService", in: Self.group) }

  /// The bus name that the file activates.
  var name: String? { file.string(of: "Name", in: Self.group) }

  /// The line number of the name.
  var nameLine: Int? { file.line(of: "Name", in: Self.group) }

  private static let group = "D-BUS Service"
}
