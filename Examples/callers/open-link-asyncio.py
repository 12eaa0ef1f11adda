#!/usr/bin/python3
"""Opens each link by a request of its own, all at a time, in an asyncio program. Prints the receipts. ^C cancels the requests; a second ^C, or a
broker that does not respond for ten seconds, ends the wait."""
import asyncio
import json
import sys
import threading
import uuid

from gi.repository import Gio, GLib

NAME, PATH = "org.usher.Broker1", "/org/usher/Broker1"
NO_REPLY = "org.freedesktop.DBus.Error.NoReply"


class Caller:
    """The connection to the broker. GLib's loop runs in a thread, so that replies and signals arrive in their order."""

    def __init__(self):
        self.bus, self.sent = Gio.bus_get_sync(Gio.BusType.SESSION), set()
        self.bus.signal_subscribe(NAME, NAME, "Progress", PATH, None, Gio.DBusSignalFlags.NONE, self.on_progress)
        threading.Thread(target=GLib.MainLoop().run, daemon=True).start()

    def on_progress(self, bus, sender, path, interface, member, parameters):
        identifier, outcome, *_ = parameters.unpack()
        if outcome == "unknown":
            self.sent.add(identifier)

    async def open(self, urls, **options):
        """Opens links, and returns the receipt, with the error under the key "error-message". If the task is cancelled, so is the request."""
        identifier, cancelled = str(uuid.uuid4()), asyncio.Event()
        options["request-id"] = GLib.Variant("s", identifier)
        request = asyncio.ensure_future(self.repeat(urls, options, identifier, cancelled))
        try:
            return await asyncio.shield(request)
        except asyncio.CancelledError:
            cancelled.set()
            self.cancel(identifier)
            # Open ends within five seconds after Cancel, unless the broker does not respond.
            if not (await asyncio.wait([request], timeout=10))[0]:
                print("the broker does not respond, so that the outcome is unknown", file=sys.stderr)
            raise

    async def repeat(self, urls, options, identifier, cancelled):
        for _ in range(5):
            if identifier in self.sent:
                options["reattach"] = GLib.Variant("b", True)
            call = self.call("Open", GLib.Variant("(asa{sv})", (urls, options)))
            if cancelled.is_set():
                self.cancel(identifier)  # The next broker does not know of the cancellation.
            reply = await call
            # The broker has exited; the bus starts it again for the next call.
            if reply.get_error_name() != NO_REPLY:
                break
        body = reply.get_body().unpack() if reply.get_body() else ("",)
        if reply.get_message_type() != Gio.DBusMessageType.ERROR:
            return body[0]
        # The outcome of each link is in the receipt behind the message.
        return {**(body[1] if len(body) > 1 else {}), "error-message": body[0]}

    def cancel(self, identifier):
        self.bus.call(NAME, PATH, NAME, "Cancel", GLib.Variant("(s)", [identifier]), None, Gio.DBusCallFlags.NONE, -1, None, None)

    def call(self, member, arguments):
        """Sends a call at once, and returns the future of its reply."""
        loop = asyncio.get_running_loop()
        future = loop.create_future()

        def finish(bus, result):
            reply, error = None, None
            try:
                reply = bus.send_message_with_reply_finish(result)
            except GLib.Error as failure:  # The connection to the bus is closed.
                error = failure
            loop.call_soon_threadsafe(settle, reply, error)

        def settle(reply, error):
            if not future.cancelled():
                future.set_exception(error) if error else future.set_result(reply)

        message = Gio.DBusMessage.new_method_call(NAME, PATH, NAME, member)
        message.set_body(arguments)
        self.bus.send_message_with_reply(message, Gio.DBusSendMessageFlags.NONE, GLib.MAXINT, None, finish)
        return future


async def main(urls):
    caller = Caller()
    wait = GLib.Variant("s", "handled")
    for receipt in await asyncio.gather(*(caller.open([url], wait=wait) for url in urls)):
        print(json.dumps(receipt, default=str))


try:
    asyncio.run(main(sys.argv[1:]))
except KeyboardInterrupt:
    sys.exit(130)
