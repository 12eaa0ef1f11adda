// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

/// A process that sends and exits, and whose ID another program has reused when the broker inspects it.
@Suite struct `A reused process ID` {
  @Test func `does not identify the caller as the program that now has it`() async throws {
    try await Session.with { session in
      let target = try await Target.install(.plain, on: session.desktop)
      try session.desktop.setUsherAsDefault(of: [.plain])
      // The route allows the link, because the user would be prompted about a caller that cannot be inspected.
      try session.desktop.writeRoutes("rules.toml", "[route.free]\nmatch = \"play:{x...}\"\nallow = true\n")
      let trusted = "\(session.desktop.bin)/trusted"
      try await Command.run("cp", ["/usr/bin/sleep", trusted]).orThrow()
      try session.desktop.installDesktopEntry("org.example.Trusted", exec: "\(trusted) %u")
      let attack = try session.desktop.installScript("attack", Self.attack(trusted))
      // The broker runs, and is then stopped while the process ID is reused.
      _ = try await session.must(
        "busctl --user call \(InstalledDesktop.broker.joined(separator: " ")) Status")
      let (status, lines) = try await session.run("/usr/bin/python3 \(attack)")
      if status == 77 { try Test.cancel("\(lines.joined(separator: " "))") }
      #expect(status == 0, "\(lines)")
      let arrival = try await target.next()
      #expect(arrival.urls == ["play:1"])
      #expect(arrival.source == nil && arrival.assurance == "unknown", "\(arrival)")
    }
  }

  private static func attack(_ trusted: String) -> String {
    """
    import dbus, os, signal, subprocess, sys, time
    bus = dbus.SessionBus()
    broker = bus.get_object("org.freedesktop.DBus", "/org/freedesktop/DBus").GetConnectionUnixProcessID(
      "org.usher.Broker1", dbus_interface="org.freedesktop.DBus")
    os.kill(broker, signal.SIGSTOP)
    try:
      caller = os.fork()
      if caller == 0:
        own = dbus.SessionBus(private=True)
        message = dbus.lowlevel.MethodCallMessage(
          "org.usher.Broker1", "/org/usher/Broker1", "org.usher.Broker1", "Open")
        message.append(["play:1"], {}, signature="asa{sv}")
        own.send_message(message)
        own.flush()
        # By the answer to this the bus has the message.
        own.get_object("org.freedesktop.DBus", "/").GetId(dbus_interface="org.freedesktop.DBus")
        os._exit(0)
      os.waitpid(caller, 0)
      for attempt in range(100):
        try:
          with open("/proc/sys/kernel/ns_last_pid", "w") as last:
            last.write(str(caller - 1))
        except OSError as error:
          print("the number of the next process cannot be chosen here:", error)
          sys.exit(77)
        program = subprocess.Popen(["\(trusted)", "1000"])
        if program.pid == caller: break
        program.kill()
        program.wait()
      else:
        print("the number does not come round")
        sys.exit(77)
    finally:
      os.kill(broker, signal.SIGCONT)
    # The program lives until the broker has looked: it answers in order.
    bus.get_object("org.usher.Broker1", "/org/usher/Broker1").Status(dbus_interface="org.usher.Broker1")
    assert program.poll() is None

    """
  }
}
