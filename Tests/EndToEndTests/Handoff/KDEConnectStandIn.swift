// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A stand-in for `kdeconnectd`: a program with the desktop entry, the unit, the bus name and the objects of the daemon of KDE Connect.
///
/// It opens as `SharePlugin::receivePacket` of KDE Connect does: a URL, and a file that the sender asks to open, by
/// `QDesktopServices::openUrl`, which starts `xdg-open` and does not wait for it. Then, or for a file before, it emits
/// `shareReceived`. A file without that request is only stored. No telephone and no network takes part.
struct KDEConnectStandIn: Sendable {
  static let id = "org.kde.kdeconnect.daemon"
  private let session: Session

  /// Installs the stand-in, and starts it in the unit of the autostart entry.
  static func start(in session: Session) async throws -> KDEConnectStandIn {
    let desktop = session.desktop
    try desktop.write(program, to: "kdeconnectd")
    let script = try desktop.installScript(
      "kdeconnectd", "#!/bin/sh\nexec /usr/bin/python3 -u '\(desktop.root)/kdeconnectd'\n")
    try desktop.installDesktopEntry(id, exec: script, lines: ["NoDisplay=true"])
    _ = try await session.must(
      """
      systemd-run --user --quiet --collect -E PATH --service-type=dbus -p BusName=org.kde.kdeconnect -p ExitType=cgroup \
      --unit='app-org.kde.kdeconnect.daemon@autostart.service' \(script)
      """)
    return KDEConnectStandIn(session: session)
  }

  /// Receives a URL from the telephone.
  func receive(url: String) async throws { try await call("url", url) }

  /// Receives a file, which the telephone may ask to open.
  func receive(file path: String, opens: Bool) async throws { try await call(opens ? "open" : "file", path) }

  private func call(_ kind: String, _ text: String) async throws {
    _ = try await session.must(
      "busctl --user call org.kde.kdeconnect /test org.example.StandIn Receive ss \(kind) '\(text)'")
  }

  private static let program = """
    import dbus, dbus.service, subprocess
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib
    DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    device = "/modules/kdeconnect/devices/0123456789abcdef"

    class Device(dbus.service.Object):
      @dbus.service.method(dbus.PROPERTIES_IFACE, "ss", "v")
      def Get(self, interface, name): return "Ann’s telephone"

    class Share(dbus.service.Object):
      @dbus.service.signal("org.kde.kdeconnect.device.share", "s")
      def shareReceived(self, url): pass

    class Test(dbus.service.Object):
      @dbus.service.method("org.example.StandIn", "ss", "")
      def Receive(self, kind, text):
        url = text if kind == "url" else "file://" + text
        if kind != "url": share.shareReceived(url)
        if kind != "file":
          subprocess.Popen(["xdg-open", url.replace(" ", "%20")], start_new_session=True)
        if kind == "url": share.shareReceived(url)

    objects = Device(bus, device), Test(bus, "/test")
    share = Share(bus, device + "/share")
    name = dbus.service.BusName("org.kde.kdeconnect", bus)
    GLib.MainLoop().run()
    """
}
