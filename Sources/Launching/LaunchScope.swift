import BrokerCore
import DBus
import Glibc
import Systemd

/// A scope of the user manager's that this process enters before it starts a program.
///
/// When the main process of a service ends, its manager ends all that is left in the service's control group. A program that a command
/// starts inside one, as an opener may be, would end with the command.
struct LaunchScope {
  private static let timeout = Duration.seconds(5)

  private let bus: BlockingBusConnection?

  /// `nil` where nobody ends what this process leaves behind.
  init?() {
    guard Self.isOfService(group: Self.ownGroup) else { return nil }
    bus = try? BlockingBusConnection(.user)
  }

  private static var ownGroup: String { ProcDirectory(of: getpid())?.text(of: "cgroup") ?? "" }

  /// Whether a process whose `/proc/PID/cgroup` says `text` is in a service; the user manager itself is none.
  static func isOfService(group text: String) -> Bool {
    text.split(separator: "\n").contains { line in
      let path = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
      let inside = path.split(separator: "/").last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }
      return inside.map { $0.hasSuffix(".service") && !$0.hasPrefix("user@") } ?? false
    }
  }

  /// Enters a new scope, which is named after `application`; `false` where this process stays in its service.
  func enter(for application: String, title: String) -> Bool {
    guard let bus else { return false }
    let name = UnitName.scope(for: application, random: .random(in: 1...UInt64.max))
    let properties: [(String, Variant)] = [
      ("Description", .string(title)), ("Slice", "app.slice"), ("CollectMode", "inactive-or-failed"),
      ("PIDs", .array(of: "u", [.uint32(UInt32(getpid()))])),
    ]
    do throws(BusError) {
      _ = try bus.call(
        SystemdManagerInterface.startTransientUnit, at: SystemdManagerInterface.manager, name, "fail",
        properties.map { BusStruct($0.0, $0.1) }, [], timeout: Self.timeout, autoStart: false)
    } catch {
      return false
    }
    return hasEntered(name)
  }

  /// The manager answers before it has moved the process.
  private func hasEntered(_ name: String) -> Bool {
    let end = ContinuousClock.now + Self.timeout
    while ContinuousClock.now < end {
      if Self.ownGroup.contains("/\(name)") { return true }
      usleep(1_000)
    }
    return false
  }
}
