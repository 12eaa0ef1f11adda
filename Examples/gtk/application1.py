"""Serves org.usher.Application1 in an application on GLib. Copy this file unchanged.

    application1.serve(connection, path, deliver)   # in do_dbus_register, before the application has its bus name

`deliver(request)` receives one request at a time, in order. `request` is a dictionary with the keys of the envelope. Its result is
the value for the caller: None, text, numbers, Booleans, bytes, lists and dictionaries. An exception is an error for the caller; raise
`NotHandled` if the request is not for this application. If the work takes longer, so that the window would freeze, return `LATER`,
and call one of `request.reply(value)`, `request.fail(sentence)`, `request.decline()` and `request.stopped()` later. These methods
and `request.progress` may be called from any thread. In the main loop, the answer is sent at once; the next request begins afterwards.
`request.on_cancel` is called if the caller cancels the request; the caller has its receipt then, with the outcome `unknown`.

While `deliver` runs, `present` of a window uses the activation token of the request, so that the window comes to the front. The
application stays alive until it has answered all requests, also without a window; `quit` ends it at once.
"""
import contextlib
import json
import math
import os
import sys
import traceback

from gi.repository import Gio, GLib

DESCRIPTION = """
<node>
  <interface name="org.usher.Application1">
    <method name="Deliver">
      <arg type="a{sv}" name="envelope" direction="in"/>
      <arg type="a{sv}" name="reply" direction="out"/>
    </method>
    <method name="Cancel">
      <arg type="s" name="request_id" direction="in"/>
    </method>
    <signal name="Progress">
      <arg type="s" name="request_id"/>
      <arg type="a{sv}" name="progress"/>
    </signal>
  </interface>
</node>
"""
BROKER, INTERFACE = "org.usher.Broker1", "org.usher.Application1"
CANCELLED = "org.usher.Error.Cancelled", "the request was cancelled"
FAILED = "org.usher.Error.TargetFailed"
LATER = object()


class NotHandled(Exception):
    """The request is not for this application."""


class Request(dict):
    """A request: the keys of its envelope, and its answer."""

    def __init__(self, server, entries):
        super().__init__(entries)
        self.server, self.calls = server, []
        self.id = entries["request-id"]
        # True if `deliver` was called for this request before and the application crashed then, so that a part of the effect may exist.
        # If the journal cannot be written, it is also true for a request that only waited when the application exited.
        self.is_redelivered = False
        # True after the caller has cancelled the request.
        self.is_cancelled, self._on_cancel, self._is_stopped = False, None, False

    @property
    def on_cancel(self):
        """The function that is called in the main loop, once, after the caller has cancelled the request, also if it was set later."""
        return self._on_cancel

    @on_cancel.setter
    def on_cancel(self, function):
        self._on_cancel = function
        self._stop_if_cancelled()

    def _stop_if_cancelled(self):
        if self.is_cancelled and self._on_cancel:
            GLib.idle_add(self.server.stop, self, priority=GLib.PRIORITY_DEFAULT)

    def reply(self, value=None):
        """Answers that the request is handled, with a value for the caller."""
        self._end(handled(value))

    def fail(self, sentence):
        """Answers that the application failed."""
        self._end(failure(sentence))

    def decline(self):
        """Answers that the request is not for this application."""
        self._end({"handled": False})

    def stopped(self):
        """Answers that the application has stopped to handle the request, because the caller cancelled it."""
        self._end(None)

    def progress(self, completed=None, total=None, message=None):
        """Reports how far the application is."""
        entries = [("completed", "t", completed), ("total", "t", total), ("message", "s", message)]
        progress = {key: GLib.Variant(kind, value) for key, kind, value in entries if value is not None}
        self.server.connection.emit_signal(
            BROKER, self.server.path, INTERFACE, "Progress", GLib.Variant("(sa{sv})", [self.id, progress]))

    def _end(self, answer):
        if GLib.MainContext.default().is_owner():
            self.server.end(self, answer)
        else:
            GLib.idle_add(self.server.end, self, answer, priority=GLib.PRIORITY_DEFAULT)


class Server:
    """The queue of the requests to one application."""

    def __init__(self, connection, path, deliver):
        self.connection, self.path, self.deliver = connection, path, deliver
        self.current, self.waiting, self.journal = None, [], None
        self.is_handling = False

    def on_call(self, connection, sender, path, interface, method, parameters, invocation):
        if sender != owner(connection, BROKER):
            invocation.return_dbus_error("org.freedesktop.DBus.Error.AccessDenied", "only Usher may call this")
        elif method == "Deliver":
            self.take(unpack(parameters.get_child_value(0)), invocation)
        else:
            self.cancel(parameters.unpack()[0])
            invocation.return_value(None)

    def take(self, entries, invocation):
        fault = invalid(entries)
        if fault:
            return invocation.return_dbus_error("org.usher.Error.InvalidRequest", fault)
        # Only the instance that owns the bus name receives requests, so that it alone opens the journal.
        self.journal = self.journal or Journal(self.path[1:].replace("/", "."))
        self.journal.open()
        answer = self.journal.answer(entries["request-id"])
        if answer:
            return send(invocation, answer)
        # A request that is waiting or running is not handled again: all its calls get its answer.
        for request in [self.current, *self.waiting]:
            if request and request.id == entries["request-id"]:
                return request.calls.append(invocation)
        if not self.journal.is_read and (entries.get("redelivered") or entries.get("repeated")):
            sentence = "the outcome is unknown: the file with the earlier answers cannot be read"
            return invocation.return_dbus_error(FAILED, sentence)
        request = Request(self, entries)
        request.calls.append(invocation)
        self.waiting.append(request)
        hold()
        self.handle_next()

    def cancel(self, name):
        for request in self.waiting:
            if request.id == name:
                self.waiting.remove(request)
                # A repetition of the request gets this answer, too.
                self.journal.end(name, None)
                # Before the reply to `Cancel`, from which Usher concludes that the request was not handled.
                for call in request.calls:
                    call.return_dbus_error(*CANCELLED)
                return release()
        # The reply to `Cancel` is sent before the handler stops: if the answer of the handler preceded it, Usher would conclude that the
        # request had no effect.
        if self.current and self.current.id == name and not self.current.is_cancelled:
            self.current.is_cancelled = True
            self.current._stop_if_cancelled()

    def stop(self, request):
        """Asks the handler of a cancelled request to stop."""
        if self.current is not request or request._is_stopped or not request.on_cancel:
            return
        request._is_stopped = True
        try:
            request.on_cancel()
        except Exception:
            traceback.print_exc()  # The request keeps running.

    def handle_next(self):
        # `deliver` may answer its request, or run a main loop.
        if self.is_handling:
            return
        self.is_handling = True
        try:
            while self.waiting and not self.current:
                self.handle(self.waiting.pop(0))
        finally:
            self.is_handling = False

    def handle(self, request):
        self.current = request
        times = self.journal.begin(request.id)
        # Usher knows only that the application had the request when it exited; the journal knows whether it had begun.
        request.is_redelivered = times > 1 or not self.journal.file and bool(request.get("redelivered"))
        try:
            result = self.answer(request)
        except NotHandled:
            result = {"handled": False}
        except Exception as error:
            # The caller receives the message; the traceback is for the developer of `deliver`.
            traceback.print_exc()
            result = failure(str(error) or type(error).__name__)
        if result is not LATER:
            self.end(request, result)

    def answer(self, request):
        # `activate` (start, or bring to the front) is a request without a link. An application can support further reasons.
        if request.setdefault("reason", "url") not in ("url", "activate"):
            raise NotHandled
        request.setdefault("urls", [])
        with activation(request):
            value = self.deliver(request)
        return value if value is LATER else handled(value)

    def end(self, request, answer):
        if self.current is not request:
            return  # It is answered already.
        self.current = None
        answer = self.journal.end(request.id, answer)
        for call in request.calls:
            send(call, answer)
        if not self.is_handling:
            # The next request begins when the function that answered this one has returned.
            GLib.idle_add(self.handle_next, priority=GLib.PRIORITY_DEFAULT)
        release()


class Journal:
    """The requests that the application began and answered, in a file, so that a crash does not repeat them.

    A file of more than `LONGEST` bytes is replaced by one with all requests that have no answer, and the newest answers up to `KEPT`
    bytes. Without a file, requests are remembered only while the application runs.
    """
    CAPACITY, LONGEST, KEPT = 1000, 1 << 20, 512 << 10

    def __init__(self, name):
        directory = os.environ.get("XDG_RUNTIME_DIR", "/nonexistent")
        directory += f"/app/{os.environ['FLATPAK_ID']}" if "FLATPAK_ID" in os.environ else "/usher"
        self.path = f"{directory}/{name}.answers"
        self.file, self.size = None, 0
        self.states = {}  # By request ID: how often it began, or its answer. The newest is the last.
        # False as long as there is a file that cannot be read: it may have the answer of a repeated request.
        self.is_read = False
        with contextlib.suppress(OSError):
            os.makedirs(directory, 0o700, exist_ok=True)
        self.open()

    def open(self):
        """Reads and replaces the file, unless this was done before. A file that cannot be read is not replaced."""
        if self.is_read:
            return
        lines = []
        try:
            with open(self.path, encoding="ascii", errors="replace", opener=private) as file:
                lines = file.readlines()
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError:
            return
        self.is_read = True
        # Answers that were given while the file could not be read are the newest ones.
        newest, self.states = self.states, {}
        self.read(lines)
        for key, state in newest.items():
            self.keep(key, state)
        self.rewrite()

    def read(self, lines):
        for line in lines:
            try:
                key, state = json.loads(line)
                self.keep(key, state)
            except (TypeError, ValueError):
                pass  # The application crashed while it wrote this line.

    def keep(self, key, state):
        self.states.pop(key, None)
        self.states[key] = state
        if len(self.states) > self.CAPACITY:
            oldest = next((key for key, state in self.states.items() if not isinstance(state, int)), None)
            self.states.pop(oldest, None)

    def write(self, key, state):
        self.keep(key, state)
        line = self.line(key, state)
        try:
            if self.file and self.file.write(line) == len(line):
                self.size += len(line)
            else:
                self.file = None  # It may end with a part of the line.
        except OSError:
            self.file = None
        if not self.file or self.size > self.LONGEST:
            self.rewrite()

    def rewrite(self):
        """Replaces the file. Whenever the application crashes, the file is complete."""
        if not self.is_read:
            return
        lines, size = [], 0
        for key, state in reversed(self.states.items()):
            line = self.line(key, state)
            size += len(line)
            if size <= self.KEPT or isinstance(state, int):
                lines.append(line)
        text = b"".join(reversed(lines))
        try:
            file = open(f"{self.path}.new", "wb", buffering=0, opener=private)
            if file.write(text) != len(text):
                raise OSError("the disk is full")
            os.fsync(file.fileno())
            os.replace(f"{self.path}.new", self.path)
            self.file, self.size = file, len(text)
        except OSError:
            self.size = self.KEPT  # Until it is tried again, the old file has the requests.

    @staticmethod
    def line(key, state):
        return (json.dumps([key, state]) + "\n").encode()

    def answer(self, key):
        """Returns the answer of a request; None if it has to be handled."""
        state = self.states.get(key)
        if isinstance(state, int):
            return "crashed" if state >= 2 else None
        return state

    def begin(self, key):
        """Records that a request begins, and returns how often it has begun."""
        times = self.states.get(key, 0) + 1
        self.write(key, times)
        return times

    def end(self, key, answer):
        """Records and returns an answer; None is the answer of a request that was cancelled."""
        if answer and self.states[key] > 1:
            answer["redelivered"] = True
        self.write(key, answer or "withdrawn")
        return answer or "withdrawn"


def serve(connection, path, deliver):
    """Serves the interface at an object path; `deliver` is called with each `Request`."""
    server = Server(connection, path, deliver)
    interface = Gio.DBusNodeInfo.new_for_xml(DESCRIPTION).interfaces[0]
    connection.register_object(path, interface, server.on_call, None, None)
    application = Gio.Application.get_default()
    if application:
        application.connect("startup", on_startup)


def on_startup(application):
    # An application that has no window yet would exit before it receives the request for which it was started.
    application.hold()
    GLib.timeout_add_seconds(10, release)


def hold():
    """Keeps the application alive until `release`."""
    application = Gio.Application.get_default()
    if application:
        application.hold()


def release():
    application = Gio.Application.get_default()
    if application:
        application.release()
    return GLib.SOURCE_REMOVE


@contextlib.contextmanager
def activation(request):
    """Gives the toolkit the activation token of a request, as for a call of org.freedesktop.Application."""
    application, token = Gio.Application.get_default(), request.get("activation-token")
    if not application or not token:
        yield
        return
    startup = request.get("startup-id", token)
    data = {"activation-token": GLib.Variant("s", token), "desktop-startup-id": GLib.Variant("s", startup)}
    # GTK implements these two virtual methods of GApplication. The class of the application has to be named.
    kind, data = type(application), GLib.Variant("a{sv}", data)
    kind.do_before_emit(application, data)
    try:
        yield
    finally:
        kind.do_after_emit(application, data)


def send(invocation, answer):
    if answer == "withdrawn":
        return invocation.return_dbus_error(*CANCELLED)
    if answer == "crashed":
        sentence = "the application has crashed twice while it handled this request"
        return invocation.return_dbus_error(FAILED, sentence)
    reply = {key: variant(decode(value)) for key, value in answer.items()}
    invocation.return_value(GLib.Variant("(a{sv})", [reply]))


def handled(value):
    if value is None:
        return {"handled": True}
    try:
        variant(value)  # Before `size`, which needs a value of limited depth.
        if size(value) > 64 << 10:
            raise ValueError("more than 64 KiB")
        return {"handled": True, "value": encode(value)}
    except (TypeError, ValueError, RecursionError) as error:
        sentence = f"the answer of the application cannot be sent: {error}"
        print(sentence, file=sys.stderr)  # The caller receives it, too; only the developer of `deliver` can correct it.
        return failure(sentence)


def failure(sentence):
    text = str(sentence).encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
    return {"handled": False, "error": text or "the application failed"}


def variant(value, depth=16):
    """Converts a Python value to a D-Bus value of a property list; TypeError or ValueError if there is none."""
    if depth == 0 and isinstance(value, (dict, list, tuple)):
        raise ValueError("nested more than 16 deep")
    if isinstance(value, dict):
        if not all(isinstance(key, str) and key != "$data" for key in value):
            raise TypeError("the keys of a dictionary must be text other than $data")
        return GLib.Variant("a{sv}", {text(key): variant(element, depth - 1) for key, element in value.items()})
    if isinstance(value, (list, tuple)):
        return GLib.Variant("av", [variant(element, depth - 1) for element in value])
    if isinstance(value, (bytes, bytearray)):
        return GLib.Variant("ay", bytes(value))
    if isinstance(value, str):
        return GLib.Variant("s", text(value))
    if isinstance(value, bool):
        return GLib.Variant("b", value)
    if isinstance(value, int) and -2**63 <= value < 2**63:
        return GLib.Variant("x", value)
    if isinstance(value, float) and math.isfinite(value):
        return GLib.Variant("d", value)
    raise TypeError(f"{value!r} is no property list")


def size(value, start=0):
    """Returns the position behind a property list that begins as a variant at `start` in a D-Bus message, by default its size."""
    def align(number, boundary):
        return -(-number // boundary) * boundary

    if isinstance(value, dict):
        end = align(align(start + 7, 4) + 4, 8)
        for key, element in sorted(value.items()):
            end = size(element, align(end, 8) + 4 + len(key.encode()) + 1)
    elif isinstance(value, (list, tuple)):
        end = align(start + 4, 4) + 4
        for element in value:
            end = size(element, end)
    elif isinstance(value, (bytes, bytearray)):
        end = align(start + 4, 4) + 4 + len(value)
    elif isinstance(value, str):
        end = align(start + 3, 4) + 4 + len(value.encode()) + 1
    else:
        end = align(start + 3, 4) + 4 if isinstance(value, bool) else align(start + 3, 8) + 8
    return end


def text(value):
    if "\0" in value:
        raise ValueError("text contains U+0000")
    value.encode()  # UnicodeEncodeError, which is a ValueError, for half of a surrogate pair.
    return value


def unpack(value):
    """Converts a D-Bus value to a Python value; unlike `GLib.Variant.unpack`, data become bytes."""
    kind = value.get_type_string()
    if kind == "v":
        return unpack(value.get_variant())
    if kind == "ay":
        return value.get_data_as_bytes().get_data() or b""
    if kind.startswith("a{"):
        entries = [value.get_child_value(index) for index in range(value.n_children())]
        return {unpack(entry.get_child_value(0)): unpack(entry.get_child_value(1)) for entry in entries}
    if kind.startswith("a"):
        return [unpack(value.get_child_value(index)) for index in range(value.n_children())]
    return value.unpack()


def encode(value):
    """Converts a value for JSON, where data are {"$data": …}."""
    if isinstance(value, dict):
        return {key: encode(element) for key, element in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(element) for element in value]
    return {"$data": bytes(value).hex()} if isinstance(value, (bytes, bytearray)) else value


def decode(value):
    """Converts a value from JSON."""
    if isinstance(value, dict):
        if "$data" in value:
            return bytes.fromhex(value["$data"])
        return {key: decode(element) for key, element in value.items()}
    return [decode(element) for element in value] if isinstance(value, list) else value


def invalid(entries):
    """Returns the error of an envelope; None if it is valid."""
    name, urls = entries.get("request-id"), entries.get("urls", [])
    if not isinstance(name, str) or not name:
        return "request-id: the key is missing"
    if not isinstance(urls, list) or not all(isinstance(url, str) for url in urls):
        return "urls: this must be an array of strings"
    return None if urls or entries.get("reason", "url") != "url" else "urls: the key is missing"


def private(path, flags):
    return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def owner(connection, name):
    """Returns the connection that owns a bus name; None if there is none."""
    try:
        return connection.call_sync(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
            GLib.Variant("(s)", [name]), None, Gio.DBusCallFlags.NONE, -1, None).unpack()[0]
    except GLib.Error:
        return None
