// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A program in place of the broker that fails in one way.
private let badBroker = """
  #!/usr/bin/python3 -IS
  import sys
  sys.path[:] = [p for p in sys.path] + ["/usr/lib/python3/dist-packages"]
  import os, gi
  gi.require_version("Gio", "2.0")
  from gi.repository import Gio, GLib
  xml = '''<node><interface name="org.usher.Broker1"><method name="Open"><arg type="as" direction="in"/>
  <arg type="a{sv}" direction="in"/><arg type="a{sv}" direction="out"/></method></interface></node>'''
  def call(bus, sender, path, interface, method, parameters, invocation):
    BEHAVIOUR
  bus = Gio.bus_get_sync(Gio.BusType.SESSION)
  bus.register_object("/org/usher/Broker1", Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0], call, None, None)
  Gio.bus_own_name_on_connection(bus, "org.usher.Broker1", 0, None, None)
  GLib.MainLoop().run()

  """

@Suite struct `usher open without a broker` {
  private func install(_ behaviour: String, in desktop: ThrowAwayDesktop) throws {
    let script = try desktop.installScript(
      "bad-broker", badBroker.replacingOccurrences(of: "BEHAVIOUR", with: behaviour))
    try desktop.installActivation("org.usher.Broker1", exec: script)
  }

  @Test func `Not installed: plain programs are started here, the rest needs the broker`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, _ in
      let player = try desktop.installPlayer()
      #expect(try await desktop.usher("open", "play:1").succeeded)
      #expect(try await player.nextStart().arguments == ["play:1"])
      try desktop.installDesktopEntry(
        "org.example.Notes", exec: "/bin/true", lines: ["Implements=org.usher.Application1;"])
      let (receipt, result) = try await desktop.usherJSON("open", "--app", "org.example.Notes", "x:1")
      #expect(result.status == 69 && receipt["error"] == "org.usher.Error.NeedsBus")
      #expect(receipt["message"]?.contains("not installed on this session bus") == true)
    }
  }

  @Test func `It cannot be started: asked twice, then decided here`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, _ in
      let player = try desktop.installPlayer()
      let broker = try Recorder("broken-broker", in: desktop, .exits(1))
      try desktop.installActivation("org.usher.Broker1", exec: broker.path)
      #expect(try await desktop.usher("open", "play:1").succeeded)
      #expect(try await player.nextStart().arguments == ["play:1"])
      for _ in 0..<2 { _ = try await broker.nextStart() }
    }
  }

  @Test
  func
    `If the broker exits at each attempt, the outcome is unknown, and the command does not open the link itself`()
    async throws
  {
    try await ThrowAwayDesktop.withBus { desktop, _ in
      _ = try desktop.installPlayer()
      try install("os._exit(1)", in: desktop)
      let (receipt, result) = try await desktop.usherJSON("open", "--timeout", "2", "play:1")
      #expect(result.status == 5)
      // On a busy machine the timeout may expire before the last broker has exited.
      let errors = ["NoReply", "Timeout"].map { "org.freedesktop.DBus.Error.\($0)" }
      #expect(receipt["outcome"] == "unknown" && errors.contains(receipt["error"] ?? ""), "\(receipt)")
      #expect(receipt["message"]?.contains("it is unknown whether the link was opened") == true)
      // No broker is known to have the link, so that the desktop's opener must not treat it as opened.
      #expect(try await desktop.usher("open", "--timeout", "2", "--from-desktop", "play:1").status == 5)
    }
  }

  @Test func `It never answers: unknown, after the time that was given and a little more`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, _ in
      try install("pass", in: desktop)
      let (receipt, result) = try await desktop.usherJSON("open", "--timeout", "0.01", "play:1")
      #expect(result.status == 5 && receipt["outcome"] == "unknown", "\(result)")
    }
  }

  @Test func `A named error of the broker determines the exit status, and its receipt is printed`()
    async throws
  {
    try await ThrowAwayDesktop.withBus { desktop, _ in
      try install(
        "invocation.return_dbus_error(\"org.usher.Error.TooMany\", \"1000 are waiting\")", in: desktop)
      let (receipt, result) = try await desktop.usherJSON("open", "play:1")
      #expect(result.status == 8)
      #expect(receipt["error"] == "org.usher.Error.TooMany" && receipt["message"] == "1000 are waiting")
      let plain = try await desktop.usher("open", "play:1")
      #expect(
        plain.errorOutput
          == "usher: 1000 are waiting\n  try: usher monitor  # show the requests in progress\n",
        "\(plain)")
    }
  }

  @Test func `A value of the target is printed unchanged`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, _ in
      try install(
        """
        invocation.return_value(GLib.Variant("(a{sv})", ({"request-id": GLib.Variant("s", "r1"),
            "outcome": GLib.Variant("s", "handled"), "new": GLib.Variant("i", 3),
            "deliveries": GLib.Variant("aa{sv}", [{"application": GLib.Variant("s", "n"),
              "outcome": GLib.Variant("s", "handled"), "delivery": GLib.Variant("s", "running"),
              "value": GLib.Variant("a{sv}", {"page": GLib.Variant("x", 7)})}])},)))
        """, in: desktop)
      let plain = try await desktop.usher("open", "--wait", "handled", "play:1")
      #expect(plain.succeeded && plain.output == "{\"page\":7}\n", "\(plain)")
      let json = try await desktop.usher("open", "--json", "--wait", "handled", "play:1")
      #expect(
        json.output == """
          {"deliveries":[{"application":"n","delivery":"running","outcome":"handled","value":{"page":7}}],\
          "new":3,"outcome":"handled","request-id":"r1"}\n
          """)
    }
  }

  @Test func `A bus that is not one is no bus`() async throws {
    let desktop = try ThrowAwayDesktop(
      hasBus: false, extra: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"])
    let player = try desktop.installPlayer()
    #expect(try await desktop.usher("open", "play:1").succeeded)
    #expect(try await player.nextStart().arguments == ["play:1"])
  }
}
