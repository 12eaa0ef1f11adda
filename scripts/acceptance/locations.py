# SPDX-License-Identifier: Apache-2.0
"""A private system bus with GeoClue, which reads the sentences of a receiver (NMEA 0183), and an agent that allows the location."""
import datetime
import os
import socket
import subprocess
import threading

from processes import DEADLINE, Failure, end_process

GEOCLUE = "/usr/libexec/geoclue"
NAME = "org.freedesktop.GeoClue2"
CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>{address}</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{directory}</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""
AGENT = """
import dbus, dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib
DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()

class Agent(dbus.service.Object):
    @dbus.service.method("org.freedesktop.GeoClue2.Agent", "su", "bu")
    def AuthorizeApp(self, application, level): return True, level
    @dbus.service.method(dbus.PROPERTIES_IFACE, "ss", "v")
    def Get(self, interface, name): return dbus.UInt32(8)
    @dbus.service.method(dbus.PROPERTIES_IFACE, "s", "a{sv}")
    def GetAll(self, interface): return {"MaxAccuracyLevel": dbus.UInt32(8)}

agent = Agent(bus, "/org/freedesktop/GeoClue2/Agent")
def register(owner):
    if owner:
        manager = bus.get_object("org.freedesktop.GeoClue2", "/org/freedesktop/GeoClue2/Manager", introspect=False)
        dbus.Interface(manager, "org.freedesktop.GeoClue2.Manager").AddAgent(
            "geoclue-demo-agent", reply_handler=lambda: None, error_handler=print)
bus.watch_name_owner("org.freedesktop.GeoClue2", register)
print("ready", flush=True)
GLib.MainLoop().run()
"""


class Receiver:
    """A receiver of satellites, which a test moves."""

    def __init__(self, root):
        directory = root / "system"
        directory.mkdir()
        self.address = f"unix:path={directory}/bus"
        (directory / f"{NAME}.service").write_text(
            f"[D-BUS Service]\nName={NAME}\nExec={GEOCLUE} --nmea-socket={directory}/nmea --timeout=0\n")
        (directory / "bus.conf").write_text(CONFIGURATION.format(address=self.address, directory=directory))
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(directory / "nmea"))
        self.listener.listen()
        self.connected, self.clients = threading.Condition(), []
        threading.Thread(target=self.accept, daemon=True).start()
        # GeoClue exits without the schemas of the system.
        environment = dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=self.address, XDG_DATA_DIRS="/usr/local/share:/usr/share")
        self.programs = [
            self.start(environment, "dbus-daemon", f"--config-file={directory}/bus.conf", "--nofork", "--nopidfile", "--nosyslog",
                       "--print-address=1"),
            self.start(environment, "/usr/bin/python3", "-c", AGENT)]

    @staticmethod
    def start(environment, *command):
        """Starts a program, and returns when it has printed its first line."""
        program = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        if not program.stdout.readline():
            raise Failure(f"{command[0]} did not start")
        return program

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            with self.connected:
                self.clients.append(client)
                self.connected.notify_all()

    def measure(self, latitude, longitude):
        """Sends a measurement to GeoClue, which connects while it has a client."""
        time = datetime.datetime.now(datetime.timezone.utc).strftime("%H%M%S.00")
        place = f"{self.angle(latitude, 'NS', 2)},{self.angle(longitude, 'EW', 3)}"
        body = f"GPGGA,{time},{place},1,08,1.0,100.0,M,46.9,M,,"
        checksum = 0
        for character in body:
            checksum ^= ord(character)
        with self.connected:
            if not self.connected.wait_for(lambda: self.clients, DEADLINE):
                raise Failure(f"GeoClue did not connect to the receiver within {DEADLINE} s")
            self.clients[-1].sendall(f"${body}*{checksum:02X}\r\n".encode())

    @staticmethod
    def angle(degrees, letters, width):
        whole = int(abs(degrees))
        return f"{whole:0{width}d}{(abs(degrees) - whole) * 60:09.6f},{letters[degrees < 0]}"

    def end(self):
        for program in reversed(self.programs):
            end_process(program.pid)
            program.wait()
