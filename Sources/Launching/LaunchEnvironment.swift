// SPDX-License-Identifier: Apache-2.0
import Systemd

/// The environment of a program if no service manager provides one.
public enum LaunchEnvironment {
  /// Returns the environment of this process without the variables that apply only to it.
  public static func own() -> [String: String] { clean(current()) }

  /// Returns `environment` without the variables that a service manager, a bus or an opener sets for a single process.
  ///
  /// Tokens and launch variables belong to one launch: an inherited one would activate the wrong window or name the
  /// wrong envelope. The libraries of an AppImage or a snap that opens a URL would be loaded into another program.
  public static func clean(_ environment: [String: String]) -> [String: String] {
    withoutBundles(environment).filter { name, _ in
      !ours.contains(name) && !name.hasPrefix("LISTEN_") && !name.hasPrefix("WATCHDOG_")
        && !name.hasPrefix("DBUS_STARTER_") && !name.hasPrefix("GIO_LAUNCHED_DESKTOP_FILE")
        && !name.hasPrefix("USHER_")
    }
  }

  /// Returns `environment` without the variables of an AppImage or a snap, and without its paths in the other variables.
  private static func withoutBundles(_ environment: [String: String]) -> [String: String] {
    // Other programs use the name APPDIR, too; the runtime of an AppImage sets both.
    let names = environment["APPIMAGE"] == nil ? ["SNAP"] : ["APPDIR", "SNAP"]
    let roots = names.compactMap { environment[$0] }.filter { $0.hasPrefix("/") && $0 != "/" }
    guard !roots.isEmpty else { return environment }
    return environment.filter { name, _ in !ofBundles.contains(name) && !name.hasPrefix("SNAP_") }
      .compactMapValues { value in
        let paths = value.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let others = paths.filter { path in
          !roots.contains { path.elementsEqual($0.utf8) || path.starts(with: ($0 + "/").utf8) }
        }
        guard others.count < paths.count else { return value }
        return others.allSatisfy(\.isEmpty)
          ? nil : others.map { String(Substring($0)) }.joined(separator: ":")
      }
  }

  private static let ofBundles: Set<String> = ["APPDIR", "APPIMAGE", "ARGV0", "OWD", "SNAP"]
  private static let ours: Set<String> = [
    "NOTIFY_SOCKET", "INVOCATION_ID", "JOURNAL_STREAM", "MAINPID", "MANAGERPID", "SYSTEMD_EXEC_PID",
    "MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE", "DESKTOP_STARTUP_ID", "XDG_ACTIVATION_TOKEN",
  ]

  /// Returns the environment of the process.
  public static func current() -> [String: String] { variables(ProcessEnvironment.entries) }

  /// Parses `NAME=VALUE` entries.
  static func variables(_ entries: [[UInt8]]) -> [String: String] {
    var variables: [String: String] = [:]
    for entry in entries {
      let parts = entry.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      variables[String(decoding: parts[0], as: UTF8.self)] = String(decoding: parts[1], as: UTF8.self)
    }
    return variables
  }
}
