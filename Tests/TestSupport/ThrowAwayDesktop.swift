// SPDX-License-Identifier: Apache-2.0
/// A user's desktop for one test, with a HOME, all XDG directories, and a `bin` first in `PATH`.
///
/// Its environment contains no variable of the tester's own session.
///
/// ```swift
/// try await ThrowAwayDesktop.withBus(currentDesktop: "GNOME") { desktop, bus in
///   try desktop.installDesktopEntry("org.example.Notes", …)
///   try await Command.run("gio", ["open", "notes://note/7"], environment: desktop.environment)
/// }
/// ```
public final class ThrowAwayDesktop: Sendable {
  private let directory: TemporaryDirectory

  /// The environment for every process of this desktop.
  public let environment: [String: String]

  /// The root directory of the desktop.
  public var root: String { directory.path }
  /// `HOME`.
  public var home: String { "\(root)/home" }
  /// The first directory in `PATH`.
  public var bin: String { "\(root)/bin" }
  /// `XDG_DATA_HOME`.
  public var dataHome: String { "\(home)/.local/share" }
  /// `XDG_CONFIG_HOME`.
  public var configHome: String { "\(home)/.config" }
  /// `XDG_STATE_HOME`.
  public var stateHome: String { "\(home)/.local/state" }
  /// `XDG_CACHE_HOME`.
  public var cacheHome: String { "\(home)/.cache" }
  /// `XDG_RUNTIME_DIR`.
  public var runtimeDirectory: String { "\(root)/run" }
  /// The only directory in `XDG_DATA_DIRS`, for the files of all users.
  ///
  /// Initially empty.
  public var systemData: String { "\(root)/share" }
  /// The only directory in `XDG_CONFIG_DIRS`.
  ///
  /// Initially empty.
  public var systemConfig: String { "\(root)/etc" }
  /// The address of this desktop's session bus, once it is started.
  public var busAddress: String { "unix:path=\(runtimeDirectory)/bus" }

  /// Creates the directories.
  ///
  /// `currentDesktop` is the value of `XDG_CURRENT_DESKTOP`, unset if `nil`. Without `hasBus`, `DBUS_SESSION_BUS_ADDRESS`
  /// is unset. `extra` overrides other variables.
  public init(
    currentDesktop: String? = nil, hasBus: Bool = true, extra: [String: String] = [:]
  ) throws(TestSupportError) {
    directory = try TemporaryDirectory()
    let root = directory.path
    environment = [
      "HOME": "\(root)/home",
      "PATH": "\(root)/bin:\(Command.defaultPath)",
      "LANG": "C.UTF-8",
      "USER": "tester",
      "XDG_DATA_HOME": "\(root)/home/.local/share",
      "XDG_CONFIG_HOME": "\(root)/home/.config",
      "XDG_STATE_HOME": "\(root)/home/.local/state",
      "XDG_CACHE_HOME": "\(root)/home/.cache",
      "XDG_RUNTIME_DIR": "\(root)/run",
      "XDG_DATA_DIRS": "\(root)/share",
      "XDG_CONFIG_DIRS": "\(root)/etc",
      // xdg-open rejects scheme handlers without a display; no program connects to this one.
      "DISPLAY": ":99",
      // `usher explain` waits for the desktop's tools, however long they take.
      "USHER_TEST_COMPARISON": "240",
      // A daemon for notifications must not exit before a slow test calls it.
      "USHER_TEST_IDLE": "60",
      // Prevents the start of a settings daemon and of gvfs.
      "GSETTINGS_BACKEND": "memory",
      "GIO_USE_VFS": "local",
    ]
    .merging(Command.inherited) { $1 }
    .merging(currentDesktop.map { ["XDG_CURRENT_DESKTOP": $0] } ?? [:]) { $1 }
    .merging(hasBus ? ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(root)/run/bus"] : [:]) { $1 }
    .merging(extra) { $1 }
    for path in [
      "home/.local/share/applications", "home/.local/state", "home/.config", "home/.cache",
      "share/applications",
      "etc", "run", "bin",
    ] {
      try directory.makeDirectory(path)
    }
  }

  deinit { endProcesses() }

  /// Runs `body` with a desktop whose session bus runs; afterwards terminates the bus and all processes of the desktop.
  ///
  /// `room` is that of `PrivateBus.start`.
  public static func withBus<Value>(
    currentDesktop: String? = nil, extra: [String: String] = [:], room: Int? = nil,
    _ body: (ThrowAwayDesktop, PrivateBus) async throws -> Value
  ) async throws -> Value {
    try await Semaphore.buses.withPermit {
      let desktop = try ThrowAwayDesktop(currentDesktop: currentDesktop, extra: extra)
      let bus = try await PrivateBus.start(in: desktop, room: room)
      let outcome: Result<Value, any Error>
      do {
        outcome = .success(try await body(desktop, bus))
      } catch {
        outcome = .failure(error)
      }
      await bus.stop()
      desktop.endProcesses()
      return try outcome.get()
    }
  }

  /// Writes a file below `root`, and creates its parent directories.
  ///
  /// Returns its absolute path.
  @discardableResult
  public func write(_ text: String, to path: String, permissions: Int = 0o644) throws(TestSupportError)
    -> String
  {
    let below = path.hasPrefix("\(root)/") ? String(path.dropFirst(root.count + 1)) : path
    return try directory.write(text, to: below, permissions: permissions)
  }
}
