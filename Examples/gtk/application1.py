"""Serves org.usher.Application1 in an application on GLib. Copy this file unchanged."""
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
    """Calls `deliver` with each request. Its result becomes the reply; an exception becomes the error."""
    answers = {}

    def on_call(connection, sender, path, interface, method, parameters, invocation):
        if sender != owner(connection, "org.usher.Broker1"):
            invocation.return_dbus_error("org.freedesktop.DBus.Error.AccessDenied", "only Usher may call this")
        elif method == "Deliver":
            request = parameters.unpack()[0]
            name = request["request-id"]
            # A repeated ID is the same request, sent again after a crash of the broker; it must not be opened twice.
            if name not in answers:
                answers[name] = answer(deliver, request)
            invocation.return_value(GLib.Variant("(a{sv})", [answers[name]]))
        else:
            # Cancel: requests are handled at once, so none can be cancelled.
            invocation.return_value(None)

    interface = Gio.DBusNodeInfo.new_for_xml(DESCRIPTION).interfaces[0]
    connection.register_object(path, interface, on_call, None, None)


def answer(deliver, request):
    # `activate` (start, or bring to the front) is a request without a link. An application can support further reasons.
    if request.setdefault("reason", "url") not in ("url", "activate"):
        return {"handled": GLib.Variant("b", False)}
    request.setdefault("urls", [])
    try:
        value = deliver(request)
    except Exception as error:
        # The caller receives the message; the traceback is for the developer of `deliver`.
        traceback.print_exc()
        return {"handled": GLib.Variant("b", False), "error": GLib.Variant("s", str(error))}
    reply = {"handled": GLib.Variant("b", True)}
    if value is not None:
        reply["value"] = variant(value)
    return reply


def variant(value):
    """Converts a Python value to a D-Bus value: dictionaries, lists, text, numbers, Booleans."""
    if isinstance(value, dict):
        return GLib.Variant("a{sv}", {key: variant(element) for key, element in value.items()})
    if isinstance(value, (list, tuple)):
        return GLib.Variant("av", [variant(element) for element in value])
    for kind, signature in ((bool, "b"), (int, "x"), (float, "d")):
        if isinstance(value, kind):
            return GLib.Variant(signature, value)
    return GLib.Variant("s", str(value))


def owner(connection, name):
    """Returns the connection that owns a bus name; None if there is none."""
    try:
        return connection.call_sync(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
            GLib.Variant("(s)", [name]), None, Gio.DBusCallFlags.NONE, -1, None).unpack()[0]
    except GLib.Error:
        return None
