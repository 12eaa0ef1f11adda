#!/usr/bin/python3
"""Opens links over D-Bus, waits until the application has handled them, and prints the receipt. ^C cancels the request; a second ^C, or a
broker that does not respond for ten seconds, ends the wait."""
import json
import os
import signal
import sys
import uuid

from gi.repository import Gio, GLib

NAME, PATH, INTERFACE = "org.usher.Broker1", "/org/usher/Broker1", "org.usher.Broker1"
NO_REPLY, CANCELLED = "org.freedesktop.DBus.Error.NoReply", "org.usher.Error.Cancelled"


class OpenRequest:
    """A call of Open, which is repeated under the same ID if the broker exits."""

    def __init__(self, bus, urls, finished, **options):
        self.bus, self.urls, self.finished, self.options = bus, urls, finished, options
        # By this ID the broker and the application recognize a repeated call.
        self.id = str(uuid.uuid4())
        self.options["request-id"] = GLib.Variant("s", self.id)
        self.calls_left, self.is_cancelled = 5, False
        bus.signal_subscribe(NAME, INTERFACE, None, PATH, None, Gio.DBusSignalFlags.NONE, self.on_signal)

    def send(self):
        self.calls_left -= 1
        call = Gio.DBusMessage.new_method_call(NAME, PATH, INTERFACE, "Open")
        call.set_body(GLib.Variant("(asa{sv})", (self.urls, self.options)))
        # `Gio.DBusConnection.call` would return only the name and the message of an error, without the receipt behind them. The
        # broker has a time limit of its own, the option "timeout".
        self.bus.send_message_with_reply(call, Gio.DBusSendMessageFlags.NONE, GLib.MAXINT, None, self.on_reply)
        if self.is_cancelled:
            self.send_cancel()  # The next broker does not know of the cancellation.

    def on_reply(self, bus, result):
        try:
            reply = bus.send_message_with_reply_finish(result)
        except GLib.Error as error:  # The connection to the bus is closed.
            return self.finished(None, error.message, {})
        body = reply.get_body().unpack() if reply.get_body() else ()
        if reply.get_message_type() != Gio.DBusMessageType.ERROR:
            return self.finished(None, None, body[0])
        name = reply.get_error_name()
        if name == NO_REPLY and self.calls_left:
            return self.send()  # The broker has exited; the bus starts it again.
        message, *receipt = body or ("",)
        self.finished(name, message, receipt[0] if receipt else {})

    def on_signal(self, bus, sender, path, interface, member, parameters):
        identifier, *values = parameters.unpack()
        if identifier == self.id and member == "Progress" and values[0] == "unknown":
            # If the broker exits from now on, the request may have arrived: a repeated call only asks for its outcome.
            self.options["reattach"] = GLib.Variant("b", True)
        elif identifier == self.id and member == "Handling":
            print(f"{values[0]}: {values[1].get('message', values[1])}", file=sys.stderr)

    def cancel(self):
        """Cancels the request; the pending call ends, with the error Cancelled unless it was handled before."""
        if self.is_cancelled:
            self.finished(CANCELLED, "the wait was ended, so that the outcome is unknown", {})
        else:
            self.is_cancelled = True
            print("the request is cancelled; press ^C again to exit without its outcome", file=sys.stderr)
            self.send_cancel()
        return GLib.SOURCE_CONTINUE

    def send_cancel(self):
        self.bus.call(NAME, PATH, INTERFACE, "Cancel", GLib.Variant("(s)", [self.id]), None, Gio.DBusCallFlags.NONE, 10_000, None,
                      self.on_cancel_reply)

    def on_cancel_reply(self, bus, result):
        try:
            bus.call_finish(result)
        except GLib.Error as error:
            if error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.TIMED_OUT) or error.matches(Gio.DBusError.quark(), Gio.DBusError.TIMEOUT):
                self.finished(CANCELLED, "the broker does not respond, so that the outcome is unknown", {})


def activation():
    """Returns the token with which this program was started: it allows one application to come to the front, and shows that the user clicked."""
    # The programs that this one starts must not use it again.
    tokens = [os.environ.pop(name, "") for name in ("XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID")]
    token, startup = tokens[0] or tokens[1], tokens[1] or tokens[0]
    options = {"activation-token": token, "startup-id": startup if startup != token else ""}
    return {key: GLib.Variant("s", value) for key, value in options.items() if value}


def main(urls):
    status, loop = 0, GLib.MainLoop()

    def finished(name, message, receipt):
        nonlocal status
        if message is not None:
            print(f"{name}: {message}", file=sys.stderr)
            # Errors are recognized by their names; the message is for the user.
            status = {"org.usher.Error.NoHandler": 4, "org.usher.Error.Denied": 7, CANCELLED: 9}.get(name, 1)
        # The outcome of each link is in the receipt, also behind an error.
        print(json.dumps(receipt, default=str))
        loop.quit()

    request = OpenRequest(
        Gio.bus_get_sync(Gio.BusType.SESSION), urls, finished,
        wait=GLib.Variant("s", "handled"), timeout=GLib.Variant("t", 60_000_000),
        annotation=GLib.Variant("a{sv}", {"page": GLib.Variant("x", 3)}), **activation())
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGINT, request.cancel)
    request.send()
    loop.run()
    return status


sys.exit(main(sys.argv[1:]))
