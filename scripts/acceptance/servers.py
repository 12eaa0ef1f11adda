# SPDX-License-Identifier: Apache-2.0
"""Tests the files application1.* of the examples with small servers, and the journal of the example on sd-bus."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

from desk import EXAMPLES
from processes import DEADLINE, Failure, run

ID, BROKER, INTERFACE = "org.example.Checked", "org.usher.Broker1", "org.usher.Application1"
# By the directory of the example: the file of its program, and that of the server that replaces it, if it has a file to test.
SERVERS = {
    "gtk": ("jotter", "server.py"), "c-glib": ("notes.c", "server.c"), "go": ("notes.go", "server.go"),
    "rust": ("src/main.rs", "server.rs"), "c-sd-bus": ("notes.c", None),
}
# Tests of single examples: values of many types, and a function that is called after a withdrawal.
TYPED, WITH_CALLBACK = ("go",), ("gtk", "c-glib")
LONGEST, LARGEST_LINE = 1 << 20, 200 << 10


class Session:
    """A private bus with a runtime directory, on which this process is the broker, and the server."""

    def __init__(self, command, name=ID):
        from gi.repository import Gio, GLib
        self.gio, self.glib, self.command = Gio, GLib, command
        self.name, self.path = name, "/" + name.replace(".", "/")
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
        self.output = open(f"{self.directory}/output", "a+")
        self.server = subprocess.Popen(self.command, env=self.environment, stdout=self.output, stderr=self.errors)
        end = time.monotonic() + DEADLINE
        while not self.call_bus("NameHasOwner", self.glib.Variant("(s)", [self.name]))[0]:
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
        while self.call_bus("NameHasOwner", self.glib.Variant("(s)", [self.name]))[0] and time.monotonic() < end:
            time.sleep(0.01)

    def printed(self):
        return pathlib.Path(f"{self.directory}/errors").read_text()

    def envelope(self, key, name, **entries):
        entries = {key: self.glib.Variant("b", value) for key, value in entries.items()}
        return entries | {"request-id": self.glib.Variant("s", key), "urls": self.glib.Variant("as", [f"checked:{name}"])}

    def handled(self):
        """Returns how many requests the server has printed."""
        return pathlib.Path(f"{self.directory}/output").read_text().count("\n")

    def deliver(self, key, name, **entries):
        """Returns the reply, or the name of the error."""
        envelope = self.envelope(key, name, **entries)
        try:
            return self.bus.call_sync(self.name, self.path, INTERFACE, "Deliver", self.glib.Variant("(a{sv})", [envelope]), None,
                                      self.gio.DBusCallFlags.NO_AUTO_START, DEADLINE * 1000, None).unpack()[0]
        except self.glib.Error as error:
            return self.gio.DBusError.get_remote_error(error)

    def withdraw(self, key, name, signal_afterwards=None):
        """Withdraws a request that is handled; returns "Cancel" and the name of the error of `Deliver` in the order in which they arrive."""
        events, reports = [], []
        subscription = self.bus.signal_subscribe(
            None, INTERFACE, "Progress", self.path, None, self.gio.DBusSignalFlags.NONE, lambda *signal: reports.append(signal[5].unpack()[0]))

        def call(method, parameters):
            def finish(bus, result):
                try:
                    reply = bus.call_finish(result).unpack()
                    events.append(reply[0] if reply else method)
                except self.glib.Error as error:
                    events.append(self.gio.DBusError.get_remote_error(error))

            self.bus.call(self.name, self.path, INTERFACE, method, parameters, None, self.gio.DBusCallFlags.NO_AUTO_START, DEADLINE * 1000, None, finish)

        def wait(condition):
            expired = []
            timer = self.glib.timeout_add_seconds(DEADLINE, lambda: expired.append(True))
            while not condition():
                if expired:
                    raise Failure(f"the withdrawal of {key} is incomplete after {DEADLINE} s: {events}, {reports}")
                self.glib.MainContext.default().iteration(True)
            self.glib.source_remove(timer)

        call("Deliver", self.glib.Variant("(a{sv})", [self.envelope(key, name)]))
        wait(lambda: key in reports or events)
        call("Cancel", self.glib.Variant("(s)", [key]))
        wait(lambda: events)
        if signal_afterwards:
            self.server.send_signal(signal_afterwards)
        wait(lambda: len(events) == 2)
        self.bus.signal_unsubscribe(subscription)
        return events

    def journal(self):
        return pathlib.Path(f"{self.directory}/usher/{self.name}.answers")

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
    if server:
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


def test_kinds(session):
    """Values of all types that have a property list arrive as that."""
    reply = session.deliver("kinds", "kinds")
    kinds = [1, 2, ["three"], [4], {"number": 5}, {"key": "six"}, [True], 0.5]
    if not isinstance(reply, dict) or reply.get("value") != {"text": kinds}:
        raise Failure(f"values of all types arrive as {reply}")
    reply = session.deliver("kinds-wrong", "type")
    if '"text": a struct {}' not in reply["error"]:
        raise Failure(f"the error does not name the key and the type: {reply}")


def test_withdrawal(session):
    """A handler that stops answers after the reply to `Cancel`: before it, Usher would conclude that the request had no effect."""
    expect_withdrawal(session.withdraw("stop", "stop"))


def test_late_function(session):
    """The function of a request that was withdrawn before the handler has set it is called."""
    expect_withdrawal(session.withdraw("late", "late", signal.SIGUSR1))


def expect_withdrawal(events):
    if events != ["Cancel", "org.usher.Error.Cancelled"]:
        raise Failure(f"the replies to a withdrawal are {events}")


def test_redelivery(session):
    """A handler learns that it runs for the second time, and for other requests that it does not."""
    value = session.deliver("first-run", "redelivered", redelivered=True)
    if not isinstance(value, dict) or value.get("value") != {"text": False}:
        raise Failure(f"a request that only waited when the application exited gets {value}")
    session.deliver("second-run", "crashed")
    session.wait()
    session.start()
    value = session.deliver("second-run", "crashed", redelivered=True)
    if not isinstance(value, dict) or value.get("value") != {"text": True}:
        raise Failure(f"the second run of a handler gets {value}")


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


def test_bounded_journal(session):
    """The journal of the example on sd-bus stays short, and keeps the newest answers."""
    sizes = []
    for number in range(2500):
        session.deliver(f"many-{number}", "one")
        sizes.append(session.journal().read_bytes().count(b"\n"))
    if max(sizes) > 2100:
        raise Failure(f"the journal has {max(sizes)} lines")
    session.kill()
    session.start()
    before = session.handled()
    for number in range(1510, 2500):
        reply = session.deliver(f"many-{number}", "one")
        if not isinstance(reply, dict) or not reply["handled"]:
            raise Failure(f"repeated request {number} gets {reply}")
    if session.handled() != before:
        raise Failure("repeated requests are handled again")


def failures(desk, directory):
    """Tests the server of an example, and returns what is wrong."""
    print(f"  {directory}, application1")
    wrong = []
    try:
        is_program = SERVERS[directory][1] is None
        session = Session(command(desk, directory), "org.example.BusNotes" if is_program else ID)
        try:
            session.start()
            tests = [test_values, test_withdrawal, test_redelivery, test_journal]
            tests += [test_kinds] * (directory in TYPED) + [test_late_function] * (directory in WITH_CALLBACK)
            for test in [test_bounded_journal] if is_program else tests:
                test(session)
        finally:
            session.end()
    except Failure as failure:
        wrong.append(f"{directory}: {failure}")
    return wrong
