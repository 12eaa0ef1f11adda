// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport

/// A private system bus with the real GeoClue, which reads a receiver's sentences (NMEA 0183), and an agent that answers for the user.
///
/// The bus starts `/usr/libexec/geoclue`, and again after it was killed. The receiver and the agent are a program of the tests.
struct LocationRig: Sendable {
  let desk: InstalledDesktop
  let daemon: TriggerDaemon
  /// The address of the system bus.
  let address: String
  private let bus: SystemBus
  private let user: RunningProgram?

  /// Runs `body` on a desktop whose `usher-triggers` is started with the system bus of the rig.
  ///
  /// - Parameters:
  ///   - hasGeoClue: Whether GeoClue is installed.
  ///   - hasAgent: Whether an agent runs.
  static func with(
    hasGeoClue: Bool = true, hasAgent: Bool = true, _ body: @Sendable (LocationRig) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with(needsPermit: false) { desk in
      let rig = try await start(on: desk, hasGeoClue: hasGeoClue, hasAgent: hasAgent)
      try await body(rig)
      try await rig.daemon.kill()
    }
  }

  private static func start(
    on desk: InstalledDesktop, hasGeoClue: Bool, hasAgent: Bool
  ) async throws -> LocationRig {
    let directory = SystemBus.directory(of: desk)
    let receiver = "\(directory)/nmea"
    if hasGeoClue {
      try desk.desktop.write(
        """
        [D-BUS Service]
        Name=org.freedesktop.GeoClue2
        Exec=/usr/libexec/geoclue --nmea-socket=\(receiver) --timeout=0
        """, to: "\(directory)/services/org.freedesktop.GeoClue2.service")
    }
    let bus = try await SystemBus.start(on: desk)
    let address = bus.address
    try await bus.announce()
    var user: RunningProgram?
    if hasGeoClue {
      user = try await RunningProgram.start(
        "/usr/bin/python3", ["-u", "-c", source, receiver, hasAgent ? "agent" : "alone"],
        environment: desk.desktop.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": address]) { $1 })
      _ = try await user?.line { $0 == "ready" }
    }
    return LocationRig(
      desk: desk, daemon: try await TriggerDaemon(on: desk), address: address, bus: bus, user: user)
  }

  /// Starts another bus at the address, after the first one was killed.
  func restartBus() async throws -> SystemBus { try await bus.restart() }

  // MARK: The user

  /// Measures a location, and returns when the receiver has sent it to GeoClue.
  ///
  /// - Parameters:
  ///   - age: The age of the measurement in seconds.
  ///   - dilution: The dilution of precision; GeoClue computes an accuracy of 0 m from 1, and of 300 m from 20.
  ///   - isRequired: A Boolean value that is `false` if the measurement may be lost, because GeoClue may have no client.
  func measure(
    _ latitude: Double, _ longitude: Double, age: Int = 0, dilution: Double = 1, isRequired: Bool = true
  ) async throws {
    user?.write("\(isRequired ? "fix" : "try") \(latitude) \(longitude) \(age) \(dilution)\n")
    _ = try await user?.line { $0 == "sent" }
  }

  /// Turns the location off or on, as in the privacy settings of a desktop.
  func turn(_ on: Bool) async throws {
    user?.write(on ? "on\n" : "off\n")
    _ = try await user?.line { $0 == "turned" }
  }

  /// Registers the agent that the rig was started without.
  func startAgent() async throws {
    user?.write("agent\n")
    _ = try await user?.line { $0 == "registered" }
  }

  /// Kills GeoClue, and waits for its exit.
  func killGeoClue() async throws {
    let system = try await BusConnection.open(.address(address))
    if let pid = try await system.credentials(of: "org.freedesktop.GeoClue2").processID {
      try await desk.end(pid, SIGKILL)
    }
    await system.close()
  }

  // MARK: The system bus

  /// Returns the match rules of the connections of `usher-triggers` on the system bus; `nil` if it has no connection.
  func matchRules() async throws -> [String]? {
    try await bus.matchRules(of: daemon.processID())
  }

  /// Returns whether GeoClue has an active client.
  func isInUse() async throws -> Bool {
    let system = try await BusConnection.open(.address(address))
    let inUse = try await system.get(
      BusProperty<Bool>("InUse", of: "org.freedesktop.GeoClue2.Manager"),
      at: RemoteObject("org.freedesktop.GeoClue2", "/org/freedesktop/GeoClue2/Manager"))
    await system.close()
    return inUse
  }

  // MARK: The daemon

  /// The monitored locations, as `usher region list --json` prints it.
  func list() async throws -> PropertyList {
    let result = try await desk.usher("region", "list", "--json")
    return try PropertyList(json: result.output.isEmpty ? "{}" : result.output)
  }

  /// Waits until the service has this status.
  func waitUntil(service: String) async throws {
    try await withDeadline(Command.defaultDeadline, "the location service: \(service)") {
      while try await list()["service"]?.string != service { try await Task.sleep(for: .milliseconds(20)) }
    }
  }

  /// Waits until a region has this state.
  func waitUntil(_ state: String, of identifier: String = "home") async throws {
    try await withDeadline(Command.defaultDeadline, "\(identifier) \(state)") {
      while true {
        let regions = try await list()["regions"]?.array ?? []
        let region = regions.first { $0["identifier"]?.string == identifier }
        if region?["state"]?.string == state { return }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// Waits until the region of a pending notification has this state.
  func waitUntil(
    _ state: String, ofNotification identifier: String, of application: String = ServedApplication.id
  ) async throws {
    try await withDeadline(Command.defaultDeadline, "\(identifier) \(state)") {
      while try await daemon.regionStates(of: application)[identifier] != state {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// Waits until `usher-triggers` has neither a client of GeoClue nor a connection to the system bus.
  func waitUntilUnused() async throws {
    try await withDeadline(Command.defaultDeadline, "no connection to the system bus") {
      while try await matchRules() != nil { try await Task.sleep(for: .milliseconds(20)) }
    }
    guard try await !isInUse(), try await list()["service"] == "off" else {
      throw TestSupportError("the location is still in use")
    }
  }

  private static let source = """
    import dbus, dbus.service, datetime, os, socket, sys, threading
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib
    path, mode = sys.argv[1:]
    interface = "org.freedesktop.GeoClue2.Agent"
    DBusGMainLoop(set_as_default=True)
    bus = dbus.SystemBus()
    state = {"level": 8}

    class Agent(dbus.service.Object):
      @dbus.service.method(interface, "su", "bu")
      def AuthorizeApp(self, application, level):
        print("asked", application, level)
        return True, level
      @dbus.service.method(dbus.PROPERTIES_IFACE, "ss", "v")
      def Get(self, interface, name): return dbus.UInt32(state["level"])
      @dbus.service.method(dbus.PROPERTIES_IFACE, "s", "a{sv}")
      def GetAll(self, interface): return {"MaxAccuracyLevel": dbus.UInt32(state["level"])}
      @dbus.service.signal(dbus.PROPERTIES_IFACE, "sa{sv}as")
      def PropertiesChanged(self, interface, changed, invalidated): pass

    agent = Agent(bus, "/org/freedesktop/GeoClue2/Agent")
    wanted = {"agent": mode == "agent"}

    def register(then):
      manager = bus.get_object("org.freedesktop.GeoClue2", "/org/freedesktop/GeoClue2/Manager", introspect=False)
      dbus.Interface(manager, "org.freedesktop.GeoClue2.Manager").AddAgent(
        "geoclue-demo-agent", reply_handler=lambda: then and print(then), error_handler=lambda error: print("failed", error))

    # A desktop registers its agent with each GeoClue.
    def owner_changed(owner):
      if owner and wanted["agent"]: register(None)
    bus.watch_name_owner("org.freedesktop.GeoClue2", owner_changed)

    receiver = socket.socket(socket.AF_UNIX)
    receiver.bind(path)
    receiver.listen(8)
    connected, last = threading.Condition(), {"sentence": None}
    clients = []
    def accept():
      while True:
        client, _ = receiver.accept()
        with connected:
          clients.append(client)
          connected.notify_all()
    threading.Thread(target=accept, daemon=True).start()

    def sentence(latitude, longitude, age, dilution):
      def angle(value, letters, width):
        degrees = int(abs(value))
        return f"{degrees:0{width}d}{(abs(value) - degrees) * 60:09.6f},{letters[value < 0]}"
      time = (datetime.datetime.utcnow() - datetime.timedelta(seconds=age)).strftime("%H%M%S.00")
      body = f"GPGGA,{time},{angle(latitude, 'NS', 2)},{angle(longitude, 'EW', 3)},1,08,{dilution},100.0,M,46.9,M,,"
      sum = 0
      for character in body: sum ^= ord(character)
      return f"${body}*{sum:02X}\\r\\n".encode()

    def send(data):
      # GeoClue connects when it has a client; a connection whose GeoClue has exited fails.
      while True:
        with connected:
          while not clients: connected.wait()
          client = clients[-1]
        try:
          client.send(data)
          return print("sent")
        except OSError:
          with connected: clients.remove(client)

    # Without a client of GeoClue there is no connection, and the measurement is lost.
    def try_to_send(data):
      with connected: client = clients[-1] if clients else None
      try:
        if client: client.send(data)
      except OSError:
        with connected: clients.remove(client)
      print("sent")

    def control():
      for line in sys.stdin:
        words = line.split()
        if words[0] in ("fix", "try"):
          (send if words[0] == "fix" else try_to_send)(sentence(float(words[1]), float(words[2]), int(words[3]), words[4]))
        elif words[0] in ("on", "off"):
          def turn(level):
            state["level"] = level
            agent.PropertiesChanged(interface, {"MaxAccuracyLevel": dbus.UInt32(level)}, [])
            print("turned")
          GLib.idle_add(turn, 8 if words[0] == "on" else 0)
        elif words[0] == "agent":
          def begin():
            wanted["agent"] = True
            register("registered")
          GLib.idle_add(begin)
    threading.Thread(target=control, daemon=True).start()
    print("ready")
    GLib.MainLoop().run()
    """
}
