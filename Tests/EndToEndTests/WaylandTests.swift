// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A real compositor, sway without a screen, with windows of GTK 4.
///
/// `scripts/bootstrap examples` installs sway, wtype and GTK 4; without them the test is skipped.
@Suite struct `On a Wayland compositor` {
  @Test func `a program opens where its caller is, and the caller's token brings a running one to the front`()
    async throws
  {
    guard try await Self.isInstalled() else { try Test.cancel("sway, wtype or GTK 4 is not installed") }
    try await InstalledDesktop.with { desk in
      let target = try desk.desktop.installScript("target", Self.target)
      try desk.desktop.installDesktopEntry(
        "org.example.Target", exec: "\(target) %U", schemes: ["target"],
        lines: ["DBusActivatable=true", "StartupNotify=true"])
      try desk.desktop.setDefaults(["target": ["org.usher.Handler", "org.example.Target"]])
      // The broker is on another display.
      let broker = try await desk.startBroker(adding: ["DISPLAY": ":1"])
      let compositor = try await Compositor.start(on: desk)
      try await desk.run("usher", ["open", "target:1"], adding: compositor.session).orThrow()
      try await compositor.waitForFocus(on: "target")
      // The other window has the focus, and opens a link on a key press with a token of the compositor.
      let pressed = "\(desk.desktop.root)/pressed"
      let caller = try desk.desktop.installScript("caller", Self.caller)
      let program = try await RunningProgram.start(
        caller, [pressed], environment: desk.desktop.environment.merging(compositor.session) { $1 })
      try await compositor.waitForFocus(on: "caller")
      // A program misses the first keys of a new keyboard, so the key is pressed until it has one.
      let keys = try await RunningProgram.start(
        "sh", ["-c", "until [ -e '\(pressed)' ]; do wtype -s 200 -k Return; done"],
        environment: desk.desktop.environment.merging(compositor.session) { $1 })
      try await compositor.waitForFocus(on: "target")
      _ = try await keys.waitUntilExit().orThrow()
      program.terminate()
      _ = try await broker.stop()
    }
  }

  private static func isInstalled() async throws -> Bool {
    try await Command.run(
      "sh",
      [
        "-c",
        "command -v sway swaymsg wtype && /usr/bin/python3 -c 'import gi; gi.require_version(\"Gtk\", \"4.0\")'",
      ]
    ).succeeded
  }

  private static let target = """
    #!/usr/bin/python3
    import gi, sys
    gi.require_version("Gtk", "4.0")
    from gi.repository import Gio, Gtk
    class Target(Gtk.Application):
        def __init__(self):
            super().__init__(application_id="org.example.Target", flags=Gio.ApplicationFlags.HANDLES_OPEN)
        def do_activate(self):
            (self.get_active_window() or Gtk.ApplicationWindow(application=self, title="target")).present()
        def do_open(self, files, count, hint):
            self.activate()
    sys.exit(Target().run(sys.argv))

    """

  private static let caller = """
    #!/usr/bin/python3
    import gi, os, sys
    gi.require_version("Gtk", "4.0")
    from gi.repository import Gdk, Gio, GLib, Gtk
    def pressed(*rest):
        if not os.path.exists(sys.argv[1]):
            open(sys.argv[1], "w")
            info = Gio.AppInfo.create_from_commandline("usher", None, Gio.AppInfoCreateFlags.SUPPORTS_STARTUP_NOTIFICATION)
            token = Gdk.Display.get_default().get_app_launch_context().get_startup_notify_id(info, [])
            GLib.spawn_async(["usher", "open", "target:2"], envp=[f"{k}={v}" for k, v in os.environ.items()] +
                             [f"XDG_ACTIVATION_TOKEN={token}"], flags=GLib.SpawnFlags.SEARCH_PATH)
        return False
    def activate(application):
        window = Gtk.ApplicationWindow(application=application, title="caller")
        keys = Gtk.EventControllerKey()
        keys.connect("key-pressed", pressed)
        window.add_controller(keys)
        window.present()
    application = Gtk.Application(application_id="org.example.Caller")
    application.connect("activate", activate)
    application.run([])

    """
}
