# SPDX-License-Identifier: Apache-2.0
"""The applications that links are opened with, and what they record about each link."""
import json
import os

DATA = "/opt/matrix"
EVENTS = DATA + "/events"

# Writes what a program received. Each event is one write, so that two processes never mix their lines.
RECORDER = '''#!/usr/bin/python3
import json, os, sys
def record(name, links, token=None):
    line = {"target": name, "pid": os.getpid(), "links": links, "token": token or os.environ.get("XDG_ACTIVATION_TOKEN") or os.environ.get("DESKTOP_STARTUP_ID")}
    with open("%s", "a") as file:
        file.write(json.dumps(line) + "\\n")
if __name__ == "__main__":
    record(sys.argv[1], sys.argv[2:])
    # A terminal closes its window with its program.
    if os.isatty(0):
        print(*sys.argv[1:], flush=True)
        while True:
            sys.stdin.readline() or sys.exit()
''' % EVENTS

# A GTK 4 application with a single instance. It has no window without a display, where it runs as a service.
GTK = '''#!/usr/bin/python3
import os, sys
sys.path.insert(0, "%s")
from recorder import record
import gi
gi.require_version("Gio", "2.0")
from gi.repository import Gio
has_display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
if has_display:
    gi.require_version("Gtk", "4.0")
    from gi.repository import Gtk
Base = Gtk.Application if has_display else Gio.Application
name = sys.argv.pop(1)
class Target(Base):
    def __init__(self):
        super().__init__(application_id="org.example." + name.capitalize(), flags=Gio.ApplicationFlags.HANDLES_OPEN)
        self.token = None
    def do_before_emit(self, data):
        Base.do_before_emit(self, data)
        data = data.unpack()
        self.token = data.get("activation-token") or data.get("desktop-startup-id")
    def do_activate(self):
        if not has_display:
            self.hold()
            return
        window = self.get_active_window() or Gtk.ApplicationWindow(application=self, title="matrix-" + name)
        window.present()
    def do_open(self, files, count, hint):
        record(name, [file.get_uri() for file in files], self.token)
        self.activate()
application = Target()
if sys.argv[1:] == ["--gapplication-service"] and not has_display:
    application.hold()
sys.exit(application.run(sys.argv))
''' % DATA


class Target:
    """An application: its scheme, its entry, and whether one instance is expected to receive all links."""

    def __init__(self, name, title, command, *, lines=(), window=None, single=False, terminal=False, activatable=False):
        self.name, self.title, self.command, self.lines = name, title, command, list(lines)
        self.window = "matrix-" + name if window is None else window
        self.single, self.terminal, self.activatable = single, terminal, activatable
        self.id = "org.example." + name.capitalize()
        self.scheme = "magnet" if name == "transmission" else "matrix-" + name

    def link(self, number):
        """Returns a link whose escapes and case an opener may change."""
        if self.scheme == "magnet":
            return "magnet:?xt=urn:btih:%040x&dn=a%%20b%%41" % (0xABC000 + number)
        return "%s://Host/a%%20b%%41/%%C3%%A9?n=%d#Z" % (self.scheme, number)

    def install(self):
        """Writes the desktop entry, and the activation file if the bus starts the application."""
        lines = ["[Desktop Entry]", "Type=Application", "Name=" + self.title, "Exec=" + self.command,
                 "MimeType=x-scheme-handler/%s;" % self.scheme] + self.lines
        write("/usr/share/applications/%s.desktop" % self.id, "\n".join(lines) + "\n")
        if self.activatable:
            write("/usr/share/dbus-1/services/%s.service" % self.id,
                  "[D-BUS Service]\nName=%s\nExec=%s --gapplication-service\n" % (self.id, self.command.replace(" %U", "")))


TARGETS = [
    Target("gtk", "GTK 4, single instance", DATA + "/gtk gtk %U", lines=["StartupNotify=true"], single=True),
    Target("bus", "GTK 4, D-Bus activatable", DATA + "/gtk bus %U",
           lines=["StartupNotify=true", "DBusActivatable=true"], single=True, activatable=True),
    Target("xterm", "X11 program (xterm)", "xterm -T matrix-xterm -e %s/recorder.py xterm %%u" % DATA),
    Target("xfce", "Xfce program (xfce4-terminal)",
           "xfce4-terminal --disable-server --title=matrix-xfce -x %s/recorder.py xfce %%u" % DATA),
    Target("terminal", "terminal program (Terminal=true)", DATA + "/recorder.py terminal %u", lines=["Terminal=true"],
           window="", terminal=True),
    Target("transmission", "Transmission", DATA + "/transmission %U", lines=["StartupNotify=true"],
           window="Transmission|Torrent", single=True),
]


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)


def install():
    """Installs the programs and entries of all targets."""
    write(DATA + "/recorder.py", RECORDER, 0o755)
    write(DATA + "/gtk", GTK, 0o755)
    # The real program, after its arguments are recorded. A second instance passes its link on and exits.
    write(DATA + "/transmission", '#!/bin/sh\n%s/recorder.py transmission "$@" </dev/null\nexec transmission-gtk "$@"\n' % DATA, 0o755)
    write(EVENTS, "", 0o666)
    for target in TARGETS:
        target.install()


def events(start):
    """Returns the events that were recorded after the byte `start`."""
    with open(EVENTS) as file:
        file.seek(start)
        return [json.loads(line) for line in file if line.endswith("\n")]


def end():
    """Returns the size of the record."""
    return os.path.getsize(EVENTS)
