// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// A caller with GLib's usual call, which reads the message of an error only from a body of exactly `(s)`.
@Suite struct `A caller that uses GLib` {
  /// Prints for each set of options the name of the error and the message that GLib found, or the type of the body.
  private static let source = """
    import sys
    from gi.repository import Gio, GLib
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    broker = ("org.usher.Broker1", "/org/usher/Broker1", "org.usher.Broker1", "Open")
    def error(options):
        body = GLib.Variant("(asa{sv})", (["nobody:home"], options))
        try:
            bus.call_sync(*broker, body, None, Gio.DBusCallFlags.NONE, -1, None)
            return "opened"
        except GLib.Error as error:
            name = Gio.DBusError.get_remote_error(error)
            Gio.DBusError.strip_remote_error(error)
            return f"{name}: {error.message}"
    plain = {"request-id": GLib.Variant("s", "one"), "plain-errors": GLib.Variant("b", True)}
    print(error(plain))
    # The same request without the option has the receipt, which GLib does not read.
    print(error({"request-id": GLib.Variant("s", "one")}))
    print(error({"plain-errors": GLib.Variant("s", "yes")}))
    """

  @Test func `gets the message of an error with plain-errors`() async throws {
    let gi = try await Command.run("/usr/bin/python3", ["-c", "from gi.repository import Gio"])
    guard gi.succeeded else { try Test.cancel("python3-gi is not installed") }
    try await InstalledDesktop.with { desk in
      let program = try desk.desktop.installScript("caller", "#!/usr/bin/python3\n" + Self.source + "\n")
      let result = try await desk.run(program, []).orThrow()
      #expect(result.lines.count == 3, "\(result)")
      let (plain, complete) = (result.lines[0], result.lines[1])
      #expect(plain.hasPrefix("org.usher.Error.NoHandler: ") && plain.contains("nobody"), "\(result)")
      #expect(!plain.contains("Error return with body"), "\(result)")
      #expect(complete.hasPrefix("org.usher.Error.NoHandler: "), "\(result)")
      #expect(complete.contains("(sa{sv})"), "\(result)")
      #expect(result.lines[2].contains("InvalidRequest: plain-errors: this is of type s"), "\(result)")
    }
  }
}
