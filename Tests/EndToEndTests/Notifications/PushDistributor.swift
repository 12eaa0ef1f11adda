// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport

/// A mock UnifiedPush distributor with its push server, written for these tests in Python.
///
/// It speaks one version of the D-Bus interfaces, and accepts messages by HTTP POST on loopback. It answers a POST of version 2
/// when the connector has accepted the message, and repeats the call if the connector exits before.
struct PushDistributor: Sendable {
  /// The interface, or the way in which a registration ends.
  enum Behaviour: String {
    case version1 = "1"
    case version2 = "2"
    /// Version 2, and every registration ends before the distributor confirms it.
    case ends = "ENDS"
    /// Version 2, and every registration fails with this reason.
    case fails = "ACTION_REQUIRED"
  }

  static let name = "org.unifiedpush.Distributor.standin"
  private let program: RunningProgram
  private let server: RunningProgram

  /// Starts a distributor, and returns when it owns its name.
  static func start(
    _ behaviour: Behaviour = .version2, named name: String = Self.name, on desk: InstalledDesktop
  ) async throws -> PushDistributor {
    let program = try await RunningProgram.start(
      "/usr/bin/python3", ["-u", "-c", source, name, behaviour.rawValue],
      environment: desk.desktop.environment)
    let server = try await RunningProgram.start(
      "/usr/bin/python3", ["-u", "-c", serverSource], environment: desk.desktop.environment)
    _ = try await program.line { $0 == "ready" }
    return PushDistributor(program: program, server: server)
  }

  /// Ends the distributor, which otherwise runs until its last reference is released.
  func stop() { program.kill() }

  /// Waits for a line of the distributor that begins with `words`, and returns it.
  func line(_ words: String) async throws -> String { try await program.line { $0.hasPrefix(words) } }

  /// Gives every registration another endpoint.
  func replaceEndpoints() { program.write("replace\n") }

  /// Ends every registration.
  func endRegistrations() { program.write("end\n") }

  /// Passes the last message to the connector again, with its ID.
  func repeatMessage() async throws {
    program.write("repeat\n")
    _ = try await line("repeated")
  }

  /// Registers an application by the command, and returns the token as the server receives it.
  static func register(
    _ id: String = ServedApplication.id, on desk: InstalledDesktop, _ arguments: String...
  ) async throws -> PropertyList {
    try PropertyList(
      json: try await desk.run("usher", ["push", "register", id, "--json"] + arguments).orThrow().output)
  }

  /// Encrypts a message for a token, and sends it to the endpoint, as the server of an application does.
  func push(_ message: String, to token: PropertyList, changingByte index: Int? = nil) async throws {
    let order: PropertyList = .dictionary([
      "token": token, "message": .string(message), "changing-byte": .integer(Int64(index ?? -1)),
    ])
    server.write(order.json + "\n")
    let result = try await server.line()
    guard result == "201" else { throw TestSupportError("the message was not accepted: \(result)") }
  }

  private static let source = """
    import dbus, dbus.service, http.server, queue, sys, threading
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib
    name, behaviour = sys.argv[1:]
    version = "1" if behaviour == "1" else "2"
    DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    clients, state = {}, {"messages": 0, "endpoints": 0, "last": None}

    def connector(token, member, signature, *arguments, then=None, failed=None):
      bus.call_async(clients[token]["service"], "/org/unifiedpush/Connector", "org.unifiedpush.Connector" + version,
                     member, signature, arguments, then, failed, timeout=60)

    # A call whose connector exits before it replies is repeated.
    def insist(token, member, signature, *arguments):
      def failed(error):
        name = error.get_dbus_name()
        if name.endswith(("NoReply", "Disconnected")) or ".Spawn." in name: insist(token, member, signature, *arguments)
      connector(token, member, signature, *arguments, then=lambda *reply: None, failed=failed)

    def report_endpoint(token):
      state["endpoints"] += 1
      clients[token]["path"] = f"/{state['endpoints']}"
      endpoint = f"http://127.0.0.1:{server.server_address[1]}/{state['endpoints']}"
      if version == "1":
        connector(token, "NewEndpoint", "ss", token, endpoint)
      else:
        insist(token, "NewEndpoint", "a{sv}", {"token": token, "endpoint": endpoint})

    def register(service, token, description, vapid=""):
      clients.setdefault(token, {"service": service, "path": None})
      print("registered", service, token, description, vapid)
      if clients[token]["path"] is None: GLib.idle_add(report_endpoint, token)

    def unregister(token):
      clients.pop(token, None)
      print("unregistered", token)

    class Distributor1(dbus.service.Object):
      @dbus.service.method("org.unifiedpush.Distributor1", "sss", "ss")
      def Register(self, service, token, description):
        register(service, token, description)
        return "REGISTRATION_SUCCEEDED", ""
      @dbus.service.method("org.unifiedpush.Distributor1", "s", "")
      def Unregister(self, token): unregister(token)

    class Distributor2(dbus.service.Object):
      @dbus.service.method("org.unifiedpush.Distributor2", "a{sv}", "a{sv}")
      def Register(self, arguments):
        if behaviour == "ENDS":
          bus.call_blocking(arguments["service"], "/org/unifiedpush/Connector", "org.unifiedpush.Connector2", "Unregistered",
                            "a{sv}", ({"token": arguments["token"]},))
          return {"success": "REGISTRATION_SUCCEEDED"}
        if behaviour != "2": return {"success": "REGISTRATION_FAILED", "reason": behaviour}
        register(arguments["service"], arguments["token"], arguments["description"], arguments.get("vapid", ""))
        return {"success": "REGISTRATION_SUCCEEDED"}
      @dbus.service.method("org.unifiedpush.Distributor2", "a{sv}", "a{sv}")
      def Unregister(self, arguments):
        unregister(arguments["token"])
        return dbus.Dictionary({}, signature="sv")

    def deliver(token, message, id, done, word="accepted"):
      state["last"] = (token, message, id)
      def accepted(*reply):
        print(word, id)
        done(201)
      def failed(error):
        print("failed", error.get_dbus_name())
        # The connector has exited, or could not be started: the server repeats the message, because it gets no reply until then.
        name = error.get_dbus_name()
        if name.endswith(("NoReply", "Disconnected")) or ".Spawn." in name: deliver(token, message, id, done, word)
        else: done(500)
      if version == "1":
        connector(token, "Message", "says", token, dbus.ByteArray(message), id)
        accepted()
      else:
        connector(token, "Message", "a{sv}", {"token": token, "message": dbus.ByteArray(message), "id": id}, then=accepted, failed=failed)

    class Handler(http.server.BaseHTTPRequestHandler):
      def log_message(self, *arguments): pass
      def do_POST(self):
        message = self.rfile.read(int(self.headers["Content-Length"]))
        outcome = queue.Queue()
        def start():
          state["messages"] += 1
          tokens = [token for token in clients if clients[token]["path"] == self.path]
          if tokens: deliver(tokens[0], message, f"message-{state['messages']}", outcome.put)
          else: outcome.put(404)
        GLib.idle_add(start)
        self.send_response(outcome.get())
        self.end_headers()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def control(channel, condition):
      command = sys.stdin.readline().strip()
      for token in list(clients):
        if command == "replace": report_endpoint(token)
        if command == "end":
          if version == "1": connector(token, "Unregistered", "s", token)
          else: insist(token, "Unregistered", "a{sv}", {"token": token})
      if command == "repeat": deliver(*state["last"], lambda status: None, "repeated")
      return command != ""
    GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, control)

    owned = dbus.service.BusName(name, bus)
    exported = (Distributor1 if version == "1" else Distributor2)(bus, "/org/unifiedpush/Distributor")
    print("ready")
    GLib.MainLoop().run()
    """

  /// The server of an application: python3-cryptography encrypts, as RFC 8291 describes.
  private static let serverSource = """
    import base64, json, os, sys, urllib.request
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF
    decode = lambda text: base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    derive = lambda salt, key, info, length: HKDF(hashes.SHA256(), length, salt, info).derive(key)

    def encrypt(text, keys, changed):
      public, secret = decode(keys["p256dh"]), decode(keys["auth"])
      own = ec.generate_private_key(ec.SECP256R1())
      point = own.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
      peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public)
      input = derive(secret, own.exchange(ec.ECDH(), peer), b"WebPush: info\\0" + public + point, 32)
      salt = os.urandom(16)
      key = derive(salt, input, b"Content-Encoding: aes128gcm\\0", 16)
      nonce = derive(salt, input, b"Content-Encoding: nonce\\0", 12)
      sealed = AESGCM(key).encrypt(nonce, text.encode() + b"\\2", None)
      message = bytearray(salt + (4096).to_bytes(4, "big") + bytes([65]) + point + sealed)
      if changed >= 0: message[changed] ^= 1
      return bytes(message)

    # Each line is a message, and is answered by the status of its POST.
    for line in sys.stdin:
      order = json.loads(line)
      token = order["token"]
      body = encrypt(order["message"], token["keys"], order["changing-byte"])
      try:
        request = urllib.request.Request(token["endpoint"], body, {"Content-Encoding": "aes128gcm", "TTL": "60"})
        print(urllib.request.urlopen(request).status)
      except Exception as error: print(repr(error))
    """
}
