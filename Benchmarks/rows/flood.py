# SPDX-License-Identifier: Apache-2.0
"""A thousand requests a second to one application that never replies: the effect on another application, and the memory.

The callers of the flood wait for `accepted`; those that receive TooMany do not try again.
"""
import collections, json, os, pathlib, re, select, socket, statistics, struct, subprocess, sys, time

# This file is also the program that sends the flood.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import gi
gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

from benchdesk import Desk
from benchtable import Goal, Line, Section

NAME = "flood"
RATE = 1_000
SLOW = """#!/usr/bin/python3
import gi
gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib
INTERFACE = Gio.DBusNodeInfo.new_for_xml(
    "<node><interface name='org.usher.Application1'><method name='Deliver'><arg type='a{sv}' direction='in'/>"
    "<arg type='a{sv}' direction='out'/></method><method name='Cancel'><arg type='s' direction='in'/></method>"
    "</interface></node>").interfaces[0]
bus = Gio.bus_get_sync(Gio.BusType.SESSION)
# Never replies.
bus.register_object("/org/example/Slow", INTERFACE, lambda *_: None, None, None)
Gio.bus_own_name_on_connection(bus, "org.example.Slow", Gio.BusNameOwnerFlags.NONE, None, None)
GLib.MainLoop().run()
"""


def connect():
    return Gio.DBusConnection.new_for_address_sync(
        os.environ["FLOOD_BUS"],
        Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)


def arguments(url, wait):
    return GLib.Variant("(asa{sv})", ([url], {"wait": GLib.Variant("s", wait)}))


def latencies(bus, duration):
    """Measures Open of a running application twenty times a second, in milliseconds."""
    found, end = [], time.monotonic() + duration
    while time.monotonic() < end:
        begin = time.perf_counter()
        bus.call_sync("org.usher.Broker1", "/org/usher/Broker1", "org.usher.Broker1", "Open",
                      arguments("gtk-notes:x", "delivered"), None, Gio.DBusCallFlags.NONE, 60_000, None)
        found.append((time.perf_counter() - begin) * 1000)
        time.sleep(0.05)
    return found


class Wire:
    """A connection that costs little, so that the broker and not the sender slows other programs."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.environ["FLOOD_BUS"].removeprefix("unix:path="))
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        self.socket.recv(200)
        self.socket.sendall(b"BEGIN\r\n" + self.call("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "Hello"))
        self.input = b""

    @staticmethod
    def call(name, path, interface, member, body=None):
        message = Gio.DBusMessage.new_method_call(name, path, interface, member)
        if body:
            message.set_body(body)
        message.set_serial(1)
        return bytes(message.to_blob(Gio.DBusCapabilityFlags.NONE))

    def replies(self):
        """Counts the received replies by error name; other replies as `accepted`."""
        self.input += self.socket.recv(1 << 20)
        while len(self.input) >= 16:
            body, _, fields = struct.unpack_from("<III", self.input, 4)
            size = 16 + (fields + 7) // 8 * 8 + body
            if len(self.input) < size:
                return
            kind, header, self.input = self.input[1], self.input[:size - body], self.input[size:]
            if kind == 2:
                yield "accepted"
            elif kind == 3:
                yield re.search(rb"[\w.]*Error\.(\w+)", header)[1].decode()


def send(seconds):
    """Sends the flood in a separate process at a fixed rate, independent of the replies. Prints the replies."""
    wire, replies, sent, begin = Wire(), collections.Counter(), 0, time.monotonic()
    template = wire.call("org.usher.Broker1", "/org/usher/Broker1", "org.usher.Broker1", "Open",
                         arguments("slow:000000", "accepted"))
    replies["accepted"] -= 1  # the reply to Hello
    end = begin + seconds + 30
    while (now := time.monotonic()) < end and (now < begin + seconds or replies.total() < sent):
        due = min(int((now - begin) * RATE), seconds * RATE)
        messages = []
        while sent < due:
            sent += 1
            message = template.replace(b"slow:000000", b"slow:%06d" % sent)
            messages.append(message[:8] + struct.pack("<I", sent + 1) + message[12:])
        wire.socket.sendall(b"".join(messages))
        if select.select([wire.socket], [], [], 0.002)[0]:
            replies.update(wire.replies())
    print(json.dumps([sent, replies]))


def run(bench):
    desk, seconds = Desk(bench.binaries), bench.rounds(60, 5)
    desk.gtk_notes()
    slow = desk.write("slow", SLOW, 0o755)
    desk.entry("org.example.Slow", f"[Desktop Entry]\nType=Application\nName=Slow\nExec={slow}\n"
               "MimeType=x-scheme-handler/slow;\nImplements=org.usher.Application1;\n")
    with desk:
        os.environ["FLOOD_BUS"] = desk.address
        bus = connect()
        for url in ("gtk-notes:x", "slow:0"):
            bus.call_sync("org.usher.Broker1", "/org/usher/Broker1", "org.usher.Broker1", "Open",
                          arguments(url, "accepted"), None, Gio.DBusCallFlags.NONE, 60_000, None)
        idle, busy = latencies(bus, seconds), []
        memory = [desk.memory()[1]]
        flood = subprocess.Popen([sys.executable, __file__, str(seconds)], stdout=subprocess.PIPE, text=True)
        while flood.poll() is None:
            busy += latencies(bus, 1)
            memory.append(desk.memory()[1])
        sent, replies = json.loads(flood.stdout.read())
        bus.close_sync()
    section = Section(NAME, f"{RATE:,} requests a second to one application that is never done, {seconds} s")
    section.lines += [Line.of("another application, idle", "ms", idle), Line.of("another application, meanwhile", "ms", busy)]
    p99 = [statistics.quantiles(values, n=100)[98] for values in (idle, busy)]
    section.lines += [
        Line("the same, p99 meanwhile : idle", "x", p99[1] / p99[0], goal=Goal(2)),
        Line("requests of the flood", "", sent, note=", ".join(f"{name} {count}" for name, count in replies.items())),
        Line("usherd's anonymous memory before", "MiB", memory[0]),
        Line("the same at the most", "MiB", max(memory))]
    return [section]


if __name__ == "__main__":
    send(int(sys.argv[1]))
