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

  @Test func `Entries are split at the first equals sign`() {
    #expect(
      LaunchEnvironment.variables(["A=b=c", "B=", "C", "=D", "E=é"]) == [
        "A": "b=c", "B": "", "": "D", "E": "é",
      ])
    #expect(LaunchEnvironment.current()["PATH"] != nil)
  }
}
