// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport

/// An application on the bus, written in Python, with the behaviour that a test of failures needs.
///
/// It reports each call before it does anything else.
struct BusApplication: Sendable {
  /// The behaviour for each call.
  enum Behaviour: String {
    /// Exits before it replies.
    case dies
    /// Exits before it replies to the first call, and at once whenever it is started afterwards.
    case diesForGood
    /// Exits before it replies to the first call of any of its processes, and replies to the next.
    case diesOnce
    /// Never replies.
    case silent
    /// Replies when the file that `takeName` creates exists.
    case answersLater
    /// Replies `notHandled`.
    case refuses
    /// Replies with an error in the envelope's reply.
    case fails
    /// Replies with an error of one character with half a million combining marks.
    case failsAtLength
    /// Replies with a D-Bus error of its own.
    case raises
    /// Replies with the error `ServiceUnknown` of the bus, as after a call of its own to a service that is not installed.
    case raisesServiceUnknown
    /// Replies with the error `NoReply` of the bus, as after a call of its own without a reply.
    case raisesNoReply
    /// Replies with the error `Disconnected`, as after a call of its own over a connection that was lost.
    case raisesDisconnected
    /// Replies with the error `NameHasNoOwner` of the bus, as after a call of its own to a program that does not run; it keeps its name.
    case raisesNameHasNoOwner
    /// Handles several calls at a time, and names each. Its first process answers none.
    ///
    /// Each process exits over a URL that ends in `crash`. A report has the number of unanswered calls.
    case handlesSeveral
    /// Exits without acquiring its name.
    case exitsAtOnce
    /// Runs, and acquires its name when the file that `takeName` creates exists.
    case hesitates
    /// Acquires its name like `hesitates`, and never replies.
    case hesitatesSilently
  }

  /// The interface of the application, and the program that starts it.
  enum Interface {
    /// `org.usher.Application1`; Usher starts the program.
    case application1
    /// `org.freedesktop.Application`; the bus starts the program.
    case standard
  }

  let id: String
  let scheme: String
  private let tap: ReportPipe
  private let desktop: ThrowAwayDesktop
  private let program: String

  /// Installs the application, and makes it the default of its scheme through Usher.
  static func install(
    _ behaviour: Behaviour, _ interface: Interface, on desk: InstalledDesktop
  ) async throws -> BusApplication {
    try await install(behaviour, interface, in: desk.desktop)
  }

  /// Installs the application on a desktop without a `InstalledDesktop`.
  static func install(
    _ behaviour: Behaviour, _ interface: Interface, in desktop: ThrowAwayDesktop
  ) async throws -> BusApplication {
    let scheme = "mimic"
    let id = "org.example.\(scheme.prefix(1).uppercased() + scheme.dropFirst())"
    let tap = try await ReportPipe(id, in: desktop)
    let go = "\(desktop.root)/\(id).go"
    try await Command.run("mkfifo", [go]).orThrow()
    let program = try desktop.installScript(
      "\(scheme)-app",
      source(id: id, behaviour, out: tap.path, go: go, once: "\(desktop.root)/\(id).died"))
    let application = BusApplication(id: id, scheme: scheme, tap: tap, desktop: desktop, program: program)
    switch interface {
    case .application1:
      try desktop.installDesktopEntry(
        id, exec: "\(program) %u", schemes: [scheme], lines: ["Implements=org.usher.Application1;"])
    case .standard:
      try desktop.installDesktopEntry(
        id, exec: "\(program) %u", schemes: [scheme], lines: ["DBusActivatable=true"])
      try desktop.installActivation(id, exec: program)
    }
    try desktop.setDefaults([scheme: ["org.usher.Handler", id]])
    return application
  }

  /// Returns the next report: `{"call": …, "urls": …, "request-id": …}`, or `{"started": true}`.
  func next() async throws -> PropertyList { try await tap.next() }

  /// Returns the next report of a call.
  func nextCall() async throws -> PropertyList {
    while true {
      let line = try await tap.next()
      if line["call"] != nil { return line }
    }
  }

  /// Lets an application that hesitates acquire its name, and one that answers later reply.
  func takeName(on desk: InstalledDesktop) async throws {
    try await desk.run("sh", ["-c", "echo go >'\(desktop.root)/\(id).go'"]).orThrow()
  }

  /// Returns the running processes of the application.
  func processes(on desk: InstalledDesktop) -> [Int32] { desk.processes(of: program) }

  private static func source(
    id: String, _ behaviour: Behaviour, out: String, go: String, once: String
  ) -> String {
    let path = "/" + id.replacing(".", with: "/")
    return """
      #!/usr/bin/python3
      import json, os, sys
      from gi.repository import Gio, GLib
      behaviour = "\(behaviour.rawValue)"
      out = os.open("\(out)", os.O_RDWR)
      def tell(**line):
          os.write(out, json.dumps(line, default=str).encode() + b"\\n")
      tell(started=True, pid=os.getpid(), argv=sys.argv[1:])
      if behaviour == "exitsAtOnce" or behaviour == "diesForGood" and os.path.exists("\(once)"):
          sys.exit(3)
      if behaviour in ("hesitates", "hesitatesSilently"):
          open("\(go)").read()
      def called(bus, sender, path, interface, method, parameters, invocation):
          first, *rest = parameters.unpack()
          if method == "Deliver":
              told = {"reason": first["reason"]} if "reason" in first else {}
              told.update({"redelivered": True} if first.get("redelivered") else {})
              told.update({"beside": len(open_calls)} if behaviour == "handlesSeveral" else {})
              tell(call=method, urls=first.get("urls", []), **{"request-id": first["request-id"]}, **told)
          elif method == "Open":
              tell(call=method, urls=first)
          else:
              tell(called=method, argument=str(first))
              return invocation.return_value(None)
          if behaviour == "handlesSeveral":
              return handle_beside_others(first, invocation)
          if behaviour in ("dies", "diesForGood") or behaviour == "diesOnce" and not os.path.exists("\(once)"):
              open("\(once)", "w").close()
              os._exit(1)
          if behaviour in ("silent", "hesitatesSilently"):
              return kept.append(invocation)
          if behaviour == "answersLater":
              open("\(go)").read()
          if behaviour.startswith("raises"):
              inner = behaviour.removeprefix("raises")
              name = f"org.freedesktop.DBus.Error.{inner}" if inner else "org.example.Broken"
              return invocation.return_dbus_error(name, "the disk is on fire")
          if method == "Open":
              return invocation.return_value(None)
          reply = {"handled": GLib.Variant("b", behaviour in ("diesOnce", "hesitates"))}
          if behaviour == "fails":
              reply["error"] = GLib.Variant("s", "the disk is on fire")
          if behaviour == "failsAtLength":
              reply["error"] = GLib.Variant("s", "e" + "\\u0301" * 500_000)
          invocation.return_value(GLib.Variant("(a{sv})", (reply,)))
      kept, open_calls, is_first = [], [], not os.path.exists("\(once)")
      def handle_beside_others(envelope, invocation):
          open_calls.append(invocation)
          arguments = GLib.Variant("(sa{sv})", (envelope["request-id"], {}))
          bus.emit_signal("org.usher.Broker1", "\(path)", "org.usher.Application1", "Progress", arguments)
          def proceed(bus, result):
              if envelope["urls"][0].endswith("crash"):
                  open("\(once)", "w").close()
                  os._exit(1)
              if not is_first:
                  open_calls.remove(invocation)
                  invocation.return_value(GLib.Variant("(a{sv})", ({"handled": GLib.Variant("b", True)},)))
          # What the broker sent before this reply has arrived then.
          bus.call("org.usher.Broker1", "/", "org.freedesktop.DBus.Peer", "Ping", None, None, 0, -1, None, proceed)
      node = Gio.DBusNodeInfo.new_for_xml('''<node>
      <interface name="org.usher.Application1">
      <method name="Deliver"><arg type="a{sv}" direction="in"/><arg type="a{sv}" direction="out"/></method>
      <method name="Cancel"><arg type="s" direction="in"/></method></interface>
      <interface name="org.freedesktop.Application">
      <method name="Open"><arg type="as" direction="in"/><arg type="a{sv}" direction="in"/></method></interface>
      </node>''')
      standard = "DBUS_STARTER_ADDRESS" in os.environ
      bus = Gio.bus_get_sync(Gio.BusType.SESSION)
      for interface in node.interfaces if behaviour == "raisesNameHasNoOwner" else [node.interfaces[standard]]:
          bus.register_object("\(path)", interface, called, None, None)
      Gio.bus_own_name_on_connection(bus, "\(id)", 0, None, None)
      GLib.MainLoop().run()

      """
  }
}
