// SPDX-License-Identifier: Apache-2.0
import BrokerService
import Glibc
import Systemd
import Triggers

/// The wall clock and the time zones of the machine.
@BrokerActor
final class TriggerClock {
  /// The sources of the clock, which tests replace.
  struct Dependencies: Sendable {
    /// Returns the current time.
    var now: @Sendable () -> WallTime = { WallTime(milliseconds: milliseconds(of: CLOCK_REALTIME)) }
    /// Returns the milliseconds since boot, suspension included.
    var elapsed: @Sendable () -> Int64 = { milliseconds(of: CLOCK_BOOTTIME) }
    /// The path of the system's zone.
    var localtime = "/etc/localtime"
    /// The directory of the time zone database.
    var zones = "/usr/share/zoneinfo"
  }

  private let dependencies: Dependencies
  private var zones: [String: TimeZoneRules] = [:]
  private var systemZone: TimeZoneRules?
  /// The difference of the two clocks, which changes only when the wall clock is set.
  private var difference: Int64

  init(_ dependencies: Dependencies = Dependencies()) {
    self.dependencies = dependencies
    difference = dependencies.now().milliseconds - dependencies.elapsed()
  }

  /// Returns monitors that call a function after the system's zone, or a file that each update of the time zone database replaces, has
  /// changed.
  ///
  /// Debian's package of the database replaces the files of the zones before that file.
  func zoneMonitors(on loop: EventLoop, _ changed: @escaping () -> Void) -> [FileNameMonitor] {
    [dependencies.localtime, "\(dependencies.zones)/tzdata.zi"].compactMap {
      FileNameMonitor(on: loop, path: $0, changed)
    }
  }

  /// The current time.
  var now: WallTime { dependencies.now() }

  /// The milliseconds since boot, suspension included.
  var elapsed: Int64 { dependencies.elapsed() }

  /// Returns by how many milliseconds the clock was set since the last query; 0 for the small corrections of a time server.
  func change() -> Int64 {
    let current = dependencies.now().milliseconds - dependencies.elapsed()
    defer { difference = current }
    let change = current - difference
    return abs(change) < 1_000 ? 0 : change
  }

  /// Forgets all zones, after their files were replaced.
  func forgetZones() { (systemZone, zones) = (nil, [:]) }

  /// Returns the rules of a named zone, or of the system's zone for `nil` and for an unknown name.
  func zone(_ name: String?) -> TimeZoneRules {
    guard let name else {
      if let systemZone { return systemZone }
      let zone = read(dependencies.localtime) ?? .utc
      systemZone = zone
      return zone
    }
    return namedZone(name) ?? zone(nil)
  }

  /// Returns the rules of a named zone; `nil` if the time zone database does not have it.
  func namedZone(_ name: String) -> TimeZoneRules? {
    if let zone = zones[name] { return zone }
    let isName = name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && !part.hasPrefix(".")
        && part.utf8.allSatisfy {
          $0.isASCIIAlphanumeric || "+-_.".utf8.contains($0)
        }
    }
    guard isName, let zone = read("\(dependencies.zones)/\(name)") else { return nil }
    zones[name] = zone
    return zone
  }

  /// Reads a file of the time zone database, the largest of which have a few KiB.
  private func read(_ path: String) -> TimeZoneRules? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var count = 0
    while count < bytes.count {
      let size = bytes.withUnsafeMutableBytes {
        Glibc.read(file, $0.baseAddress.map { $0 + count }, $0.count - count)
      }
      guard size > 0 else { break }
      count += size
    }
    return TimeZoneRules(Array(bytes[..<count]))
  }
}

private func milliseconds(of clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
}
