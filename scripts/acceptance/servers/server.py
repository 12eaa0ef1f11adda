# SPDX-License-Identifier: Apache-2.0
"""A server with application1.py, whose replies are what the URL asks for."""
import math
import os
import signal

import application1
from application1 import Gio, GLib

ID, PATH = "org.example.Checked", "/org/example/Checked"
count = 0


def set_on_cancel(request):
    request.on_cancel = request.stopped
    return GLib.SOURCE_REMOVE


def deliver(request):
    global count
    count += 1
    name, _, number = request["urls"][0].partition(":")[2].partition("-")
    if name == "crash" or name == "crashed" and not request.is_redelivered:
        os.kill(os.getpid(), signal.SIGKILL)
    if name in ("stop", "late"):
        request.progress(0, 1, "waiting")
        if name == "late":
            GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, set_on_cancel, request)
        else:
            set_on_cancel(request)
        return application1.LATER
    values = {"nan": math.nan, "integer": 2**63, "type": {1}, "key": {"$data": 1}, "deep": 1}
    values |= dict.fromkeys(("crashed", "redelivered"), request.is_redelivered)
    value = values.get(name, f"{os.getpid()}.{count}.")
    if name == "deep":
        for _ in range(int(number)):
            value = [value]
    if name == "size":
        value = (value + "x" * int(number))[:int(number)]
    return {"text": value}


bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
application1.serve(bus, PATH, deliver)
Gio.bus_own_name_on_connection(bus, ID, Gio.BusNameOwnerFlags.NONE, None, None)
GLib.MainLoop().run()
