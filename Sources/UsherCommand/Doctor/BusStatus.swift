import BusInterfaces
import DBus
import Freedesktop

/// How the broker can be reached.
struct BusStatus {
  /// Why there is no bus; `nil` when there is one.
  var obstacle: String?
  /// Whether an activation file is known to the bus, or somebody owns the name already.
  var isActivatable = false
  /// Why the broker gave no answer; `nil` when it did.
  var failure: String?
  /// The version that it says.
  var version: String?
  /// Why it cannot write requests down; `nil` when it can.
  var storage: String?
  /// Why it cannot write the history; `nil` when it can.
  var history: String?

  /// Asks the broker, which the bus starts for it where it is not running; and the bus where that fails.
  static func gathered() -> BusStatus {
    var facts = BusStatus()
    do throws(BrokerConnection.Failure) {
      let status = try BrokerConnection().ask { bus throws(BusError) in
        try bus.call(BrokerInterface.status, at: BrokerInterface.broker, timeout: .seconds(15))
      }
      facts.isActivatable = true
      if case .string(let version)? = status["version"] { facts.version = version }
      facts.storage = status["storage"]?.string
      facts.history = status["history"]?.string
    } catch {
      switch error {
      case .unreachable(let reason): facts.failure = reason
      case .answered(let error): facts.failure = error.message
      }
      facts.askBus()
    }
    return facts
  }

  /// Only after the broker was called has the bus looked whether there are new activation files.
  private mutating func askBus() {
    do throws(BusError) {
      let bus = try BlockingBusConnection(.user)
      let activatable = try bus.call(BusDaemon.listActivatableNames, at: .bus, timeout: .seconds(10))
      let owner = try bus.owner(of: BrokerInterface.busName)
      isActivatable = activatable.contains(BrokerInterface.busName.rawValue) || owner != nil
    } catch {
      obstacle = error.message
    }
  }
}

/// A file that lets the bus start a program.
struct ActivationFile {
  let path: String
  let file: KeyFile

  /// The program that it starts.
  var program: String? {
    file.string(of: "Exec", in: Self.group).flatMap { try? ExecLine($0) }?.program
  }

  /// The number of the line that says so.
  var line: Int? { file.line(of: "Exec", in: Self.group) }

  /// The name that it is for.
  var name: String? { file.string(of: "Name", in: Self.group) }

  /// The number of the line that says so.
  var nameLine: Int? { file.line(of: "Name", in: Self.group) }

  private static let group = "D-BUS Service"
}
