// SPDX-License-Identifier: Apache-2.0
import OpenSocket
import Testing

@testable import Launching

@Suite struct `The session of a caller` {
  private let seat = [
    "DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0", "XAUTHORITY": "/run/x", "XDG_SESSION_TYPE": "wayland",
    "XDG_CURRENT_DESKTOP": "GNOME", "LANG": "de_DE.UTF-8", "LC_TIME": "en_DK.UTF-8", "HOME": "/h",
  ]

  @Test(arguments: [
    "PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "DBUS_SESSION_BUS_ADDRESS", "APPDIR", "APPIMAGE", "SNAP", "HOME",
    "XDG_RUNTIME_DIR", "XDG_DATA_DIRS", "GTK_MODULES", "QT_PLUGIN_PATH", "BROWSER", "WAYLAND_SOCKET",
    "LOCPATH",
    "GDK_BACKEND", "display",
  ])
  func `contains no other variables`(name: String) {
    #expect(CallerSession([name: "/x", "DISPLAY": ":1"]).variables == ["DISPLAY": ":1"])
    #expect(SessionVariables.values { $0 == name ? "/x" : nil }.isEmpty)
  }

  @Test(arguments: [
    ("DISPLAY", ""), ("DISPLAY", ":1\n"), ("DISPLAY", ":1\u{7F}"), ("LANGUAGE", "../../tmp/x"),
    ("LANG", "/tmp/x"),
    ("LC_ALL", String(repeating: "a", count: 1_025)),
  ])
  func `contains no unusable value`(name: String, value: String) {
    #expect(CallerSession([name: value]) == .unknown)
  }

  @Test func `replaces the display and its desktop as a whole, and the locale`() {
    let ssh = CallerSession(["DISPLAY": "localhost:10.0", "LANG": "en_US.UTF-8"])
    #expect(
      ssh.applied(to: seat) == ["DISPLAY": "localhost:10.0", "LANG": "en_US.UTF-8", "HOME": "/h"])
    #expect(Set(ssh.removed).isSuperset(of: ["WAYLAND_DISPLAY", "XAUTHORITY", "LC_TIME"]))
    #expect(!ssh.removed.contains("DISPLAY") && !ssh.removed.contains("HOME"))
  }

  @Test func `without a display leaves that of the environment, with its desktop`() {
    let timer = CallerSession(["XDG_SESSION_TYPE": "tty", "XDG_SESSION_ID": "7", "LANG": "C.UTF-8"])
    #expect(timer.variables == ["LANG": "C.UTF-8"] && !timer.hasDisplay)
    #expect(timer.applied(to: seat)["WAYLAND_DISPLAY"] == "wayland-0")
    #expect(CallerSession.unknown.applied(to: seat) == seat && CallerSession.unknown.removed.isEmpty)
  }

  @Test(arguments: [
    (["DISPLAY": ":1"], true), (["DISPLAY": ":0.0"], false), (["WAYLAND_DISPLAY": "wayland-0"], false),
    (["WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":1"], true), (["LANG": "C.UTF-8"], false), ([:], false),
  ])
  func `is on another display if neither the X server nor the Wayland socket is the same`(
    variables: [String: String], isOther: Bool
  ) {
    #expect(CallerSession(variables).hasOtherDisplay(than: seat) == isOther)
    #expect(CallerSession(variables).hasOtherDisplay(than: [:]) == CallerSession(variables).hasDisplay)
  }

  @Test(arguments: [
    ([:], [:], true, true), ([:], ["DISPLAY": ":0.0"], true, false),
    ([:], ["DISPLAY": ":1"], false, false), (["DISPLAY": ":1"], ["DISPLAY": ":1.0"], true, true),
    (["DISPLAY": ":1"], ["DISPLAY": ":2"], false, false),
    // Only the environment shows that both are one display.
    (["WAYLAND_DISPLAY": "wayland-0"], ["DISPLAY": ":0"], true, false),
  ])
  func `has one display with another if its programs start there`(
    one: [String: String], other: [String: String], isShared: Bool, isSharedWithoutSeat: Bool
  ) {
    let sessions = (CallerSession(one), CallerSession(other))
    #expect(sessions.0.sharesDisplay(with: sessions.1, beside: seat) == isShared)
    #expect(sessions.1.sharesDisplay(with: sessions.0, beside: seat) == isShared)
    // A session without a display has none beside an environment without one.
    #expect(sessions.0.sharesDisplay(with: sessions.1, beside: [:]) == isSharedWithoutSeat)
    #expect(sessions.1.sharesDisplay(with: sessions.0, beside: [:]) == isSharedWithoutSeat)
  }
}
