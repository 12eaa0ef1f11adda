# SPDX-License-Identifier: Apache-2.0
"""Tests the files application1.* of the examples with small servers: their journals, and values that cannot be sent."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

from desk import EXAMPLES
from processes import DEADLINE, Failure, run

ID, PATH, BROKER, INTERFACE = "org.example.Checked", "/org/example/Checked", "org.usher.Broker1", "org.usher.Application1"
# By the directory of the example: the file of its program, and that of the server that replaces it.
SERVERS = {
    "gtk": ("jotter", "server.py"), "c-glib": ("notes.c", "server.c"), "go": ("notes.go", "server.go"),
    "rust": ("src/main.rs", "server.rs"),
}
LONGEST, LARGEST_LINE = 1 << 20, 200 << 10


class Session:
    """A private bus with a runtime directory, on which this process is the broker, and the server."""

    def __init__(self, command):
        from gi.repository import Gio, GLib
        self.gio, self.glib, self.command = Gio, GLib, command
        self.directory = tempfile.mkdtemp(prefix="usher-servers-")
        address = f"unix:path={self.directory}/bus"
        self.daemon = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={address}", "--print-address=1"], stdout=subprocess.PIPE)
        self.daemon.stdout.readline()
        self.environment = os.environ | {"DBUS_SESSION_BUS_ADDRESS": address, "XDG_RUNTIME_DIR": self.directory}
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        self.bus = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
        self.call_bus("RequestName", GLib.Variant("(su)", (BROKER, 4)))
        self.server = None

    def call_bus(self, method, parameters):
        return self.bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, parameters, None,
                                  self.gio.DBusCallFlags.NONE, -1, None).unpack()

    def start(self):
        """Starts the server, and returns when it owns its name."""
        self.errors = open(f"{self.directory}/errors", "a+")
        self.server = subprocess.Popen(self.command, env=self.environment, stderr=self.errors)
        end = time.monotonic() + DEADLINE
        while not self.call_bus("NameHasOwner", self.glib.Variant("(s)", [ID]))[0]:
            if self.server.poll() is not None or time.monotonic() > end:
                raise Failure(f"{self.command} did not acquire its name: {self.printed()}")
            time.sleep(0.01)

    def kill(self):
        self.server.kill()
        self.wait()

    def wait(self):
        """Waits until the server has exited, and its name is released."""
        self.server.wait(DEADLINE)
        end = time.monotonic() + DEADLINE
        while self.call_bus("NameHasOwner", self.glib.Variant("(s)", [ID]))[0] and time.monotonic() < end:
            time.sleep(0.01)

    def printed(self):
        return pathlib.Path(f"{self.directory}/errors").read_text()

    def deliver(self, key, name):
        """Returns the reply, or the name of the error."""
        envelope = {"request-id": self.glib.Variant("s", key), "urls": self.glib.Variant("as", [f"checked:{name}"])}
        try:
            return self.bus.call_sync(ID, PATH, INTERFACE, "Deliver", self.glib.Variant("(a{sv})", [envelope]), None,
                                      self.gio.DBusCallFlags.NO_AUTO_START, DEADLINE * 1000, None).unpack()[0]
        except self.glib.Error as error:
            return self.gio.DBusError.get_remote_error(error)

    def journal(self):
        return pathlib.Path(f"{self.directory}/usher/{ID}.answers")

    def end(self):
        if self.server:
            self.server.kill()
            self.server.wait()
        self.bus.close_sync(None)
        self.daemon.kill()
        self.daemon.wait()
        shutil.rmtree(self.directory)


def command(desk, directory):
    """Builds the server of an example, and returns its command."""
    program, server = SERVERS[directory]
    copy = pathlib.Path(shutil.copytree(EXAMPLES / directory, desk.programs / f"server-{directory}"))
    shutil.copy(pathlib.Path(__file__).parent / "servers" / server, copy / program)
    if directory == "gtk":
        return ["/usr/bin/python3", "-B", str(copy / program)]
    build = re.search(r"^    (\S.*)$", (copy / "README.md").read_text(), re.M)[1]
    run("sh", "-c", build, directory=copy)
    name = re.search(r"-o (\S+)", build)
    return [str(copy / (name[1] if name else "target/debug/rust-notes"))]


def test_values(session):
    """A property list is at most 64 KiB long and nested 16 deep; the rest is an error for the caller and the developer."""
    # The dictionary around the text has 33 bytes.
    for name in "size-65503", "deep-15":
        reply = session.deliver(name, name)
        if not isinstance(reply, dict) or not reply["handled"]:
            raise Failure(f"{name} gets {str(reply)[:300]} instead of the value")
    for name in "size-65504", "deep-16", "nan", "integer", "type", "key":
        reply = session.deliver(name, name)
        if not isinstance(reply, dict) or reply["handled"] or "cannot be sent: " not in reply.get("error", ""):
            raise Failure(f"{name} gets {str(reply)[:300]} instead of an error")
        if reply["error"] not in session.printed():
            raise Failure(f"the error for {name} is not printed")


def test_journal(session):
    """The journal of a running server stays short, and keeps the newest answers and each request that has none."""
    def crash():
        reply = session.deliver("crash", "crash")
        if reply != "org.freedesktop.DBus.Error.NoReply":
            raise Failure(f"a request whose handler crashes gets {reply}")
        session.wait()
        session.start()

    crash()
    replies, sizes = [], []
    for number in range(60):
        replies.append(session.deliver(f"large-{number}", "size-30000"))
        sizes.append(session.journal().stat().st_size)
    if max(sizes) > LONGEST + LARGEST_LINE:
        raise Failure(f"the journal has {max(sizes)} bytes")
    if not any(second < first for first, second in zip(sizes, sizes[1:])):
        raise Failure(f"the journal was never shortened: {sizes}")
    session.kill()
    session.start()
    for number in range(55, 60):
        if session.deliver(f"large-{number}", "size-30000") != replies[number]:
            raise Failure(f"answer {number} is lost")
    # It began before all of these, and has no answer.
    crash()
    reply = session.deliver("crash", "crash")
    if reply != "org.usher.Error.TargetFailed":
        raise Failure(f"a request that crashed twice gets {reply}")
    leftover = [file.name for file in session.journal().parent.iterdir() if file != session.journal()]
    if leftover:
        raise Failure(f"files are left over: {leftover}")


def failures(desk, directory):
    """Tests the server of an example, and returns what is wrong."""
    print(f"  {directory}, application1")
    wrong = []
    try:
        session = Session(command(desk, directory))
        try:
            session.start()
            for test in test_values, test_journal:
                test(session)
        finally:
            session.end()
    except Failure as failure:
        wrong.append(f"{directory}: {failure}")
    return wrong
