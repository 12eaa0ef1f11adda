// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Launching

@Suite struct `The environment of launched programs` {
  @Test(arguments: [
    "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "WATCHDOG_USEC", "WATCHDOG_PID",
    "INVOCATION_ID",
    "JOURNAL_STREAM", "MAINPID", "MANAGERPID", "SYSTEMD_EXEC_PID", "DBUS_STARTER_ADDRESS",
    "DBUS_STARTER_BUS_TYPE",
    "GIO_LAUNCHED_DESKTOP_FILE", "GIO_LAUNCHED_DESKTOP_FILE_PID", "DESKTOP_STARTUP_ID",
    "XDG_ACTIVATION_TOKEN",
    "USHER_ENVELOPE", "USHER_LAUNCH", "MEMORY_PRESSURE_WATCH",
  ])
  func `Variables for a single process are removed`(name: String) {
    #expect(LaunchEnvironment.clean([name: "x", "HOME": "/h"]) == ["HOME": "/h"])
  }

  @Test func `Everything else stays`() {
    let environment = [
      "HOME": "/h", "PATH": "/p", "DBUS_SESSION_BUS_ADDRESS": "unix:", "XDG_RUNTIME_DIR": "/r",
      "DISPLAY": ":0",
      "WAYLAND_DISPLAY": "w", "LISTENER": "x", "MY_USHER_X": "y", "": "z",
    ]
    #expect(LaunchEnvironment.clean(environment) == environment)
  }

  @Test(arguments: ["APPDIR", "SNAP"])
  func `Files of an AppImage or a snap are removed from all variables`(name: String) {
    let environment = [
      name: "/b", "APPIMAGE": "/h/b.AppImage", "ARGV0": "b", "OWD": "/h", "SNAP_NAME": "b", "HOME": "/h",
      "LD_LIBRARY_PATH": "/b/usr/lib:/b/lib:", "LD_PRELOAD": "/b/hook.so", "PYTHONHOME": "/b",
      "PATH": "/b/usr/bin:/bin:/bin2", "XDG_DATA_DIRS": "/usr/share:/b/usr/share", "GTK_PATH": "/bb:/c",
      "X": "a::b",
    ]
    #expect(
      LaunchEnvironment.clean(environment) == [
        "HOME": "/h", "PATH": "/bin:/bin2", "XDG_DATA_DIRS": "/usr/share", "GTK_PATH": "/bb:/c", "X": "a::b",
      ])
    // The variable names no directory of an application.
    for root in ["", "/", "b"] {
      let plain = ["HOME": "/h", "LD_LIBRARY_PATH": "/lib:/b", name: root]
      #expect(LaunchEnvironment.clean(plain) == plain)
    }
    // Scripts use the name, too.
    let script = ["APPDIR": "/h", "HOME": "/h", "PATH": "/h/bin:/bin"]
    #expect(LaunchEnvironment.clean(script) == script)
  }

  @Test func `Entries are split at the first equals sign`() {
    let entries = ["A=b=c", "B=", "C", "=D", "E=é", "F=\u{301}x"]
    #expect(
      LaunchEnvironment.variables(entries.map { Array($0.utf8) }) == [
        "A": "b=c", "B": "", "": "D", "E": "é", "F": "\u{301}x",
      ])
    #expect(LaunchEnvironment.current()["PATH"] != nil)
  }
}
