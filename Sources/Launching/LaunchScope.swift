// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import DBus
import Glibc
import Systemd

/// A scope of the user's service manager that this process enters before it starts a program.
///
/// When the main process of a service exits, the service manager terminates all other processes in the service's
/// control group. Without a scope, a program that a command starts inside a service would be terminated with the
/// command.
struct LaunchScope {
  private static let timeout = Duration.seconds(5)

  private let bus: BlockingBusConnection?

  /// Creates a connection for scopes; `nil` if this process is not in a service.
  init?() {
    guard Self.isOfService(group: Self.ownGroup) else { return nil }
    bus = try? BlockingBusConnection(.user)
  }

  private static var ownGroup: String { ProcDirectory(of: getpid())?.text(of: "cgroup") ?? "" }

  /// Returns whether a process with this `/proc/PID/cgroup` is in a service other than the user's service manager.
  static func isOfService(group text: String) -> Bool {
    // Scalars, because a combining mark in the name of a group could hide the slash before it.
    text.unicodeScalars.split(separator: "\n").contains { line in
      let path = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).last
      let names = (path?.split(separator: "/") ?? []).map { Substring($0) }
      let inside = names.last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }
      return inside.map { $0.hasSuffix(".service") && !$0.hasPrefix("user@") } ?? false
    }
  }

  /// Enters a new scope that is named after `application`; returns `false` if this process remains in its service.
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

  /// Waits for the move, because the service manager replies before it moves the process.
  private func hasEntered(_ name: String) -> Bool {
    let end = ContinuousClock.now + Self.timeout
    while ContinuousClock.now < end {
      if Self.ownGroup.contains("/\(name)") { return true }
      usleep(1_000)
    }
    return false
  }
}
