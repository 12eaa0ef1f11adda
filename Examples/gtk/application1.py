"""Answers Usher: serves org.usher.Application1 in an application on GLib. Copy it as it is."""
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
  </interface>
</node>
"""


def serve(connection, path, deliver):
    """Calls `deliver` with each request; what it returns is the answer, what it raises the error."""
    answers = {}

    def on_call(connection, sender, path, interface, method, parameters, invocation):
        if sender != owner(connection, "org.usher.Broker1"):
            invocation.return_dbus_error("org.freedesktop.DBus.Error.AccessDenied", "only Usher may call this")
        elif method == "Deliver":
            request = parameters.unpack()[0]
            name = request["request-id"]
            # The same ID again is the same request, which a broker that crashed asks about: it is not opened twice.
            if name not in answers:
                answers[name] = answer(deliver, request)
            invocation.return_value(GLib.Variant("(a{sv})", [answers[name]]))
        else:
            # Cancel: nothing waits here.
            invocation.return_value(None)

    interface = Gio.DBusNodeInfo.new_for_xml(DESCRIPTION).interfaces[0]
    connection.register_object(path, interface, on_call, None, None)


def answer(deliver, request):
    # To be started, or to come to the front, is a request without a link; there are others, which an application may learn.
    if request.setdefault("reason", "url") not in ("url", "activate"):
        return {"handled": GLib.Variant("b", False)}
    request.setdefault("urls", [])
    try:
        value = deliver(request)
    except Exception as error:
        # Who asked gets the sentence; where it came from is for who wrote `deliver`.
        traceback.print_exc()
        return {"handled": GLib.Variant("b", False), "error": GLib.Variant("s", str(error))}
    reply = {"handled": GLib.Variant("b", True)}
    if value is not None:
        reply["value"] = variant(value)
    return reply


def variant(value):
    """A value of Python as one of the bus: dictionaries, lists, text, numbers, truth."""
    if isinstance(value, dict):
        return GLib.Variant("a{sv}", {key: variant(element) for key, element in value.items()})
    if isinstance(value, (list, tuple)):
        return GLib.Variant("av", [variant(element) for element in value])
    for kind, signature in ((bool, "b"), (int, "x"), (float, "d")):
        if isinstance(value, kind):
            return GLib.Variant(signature, value)
    return GLib.Variant("s", str(value))


def owner(connection, name):
    """The connection that has a name on the bus; None where none has."""
    try:
        return connection.call_sync(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
            GLib.Variant("(s)", [name]), None, Gio.DBusCallFlags.NONE, -1, None).unpack()[0]
    except GLib.Error:
        return None
