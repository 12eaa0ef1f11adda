# SPDX-License-Identifier: Apache-2.0
"""The programs that open links."""
import http.server
import json
import subprocess
import threading
import urllib.parse

from targets import DATA, TARGETS, write
from user import HOME

GTK = '''#!/usr/bin/python3
import sys
import gi
gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk
Gtk.init()
loop = GLib.MainLoop()
def opened(parent, result):
    try:
        Gtk.show_uri_full_finish(None, result)
    except Exception as error:
        print(error, file=sys.stderr)
    loop.quit()
window = Gtk.Window(title="matrix-caller")
window.present()
def open_link():
    Gtk.show_uri_full(window, sys.argv[1], 0, None, opened)
GLib.timeout_add(300, open_link)
GLib.timeout_add(20000, loop.quit)
loop.run()
'''

QT = '''#!/usr/bin/python3
import sys
from PyQt5.QtCore import QTimer, QUrl
from PyQt5.QtGui import QDesktopServices
from PyQt5.QtWidgets import QApplication
application = QApplication(sys.argv[:1])
QDesktopServices.openUrl(QUrl.fromEncoded(sys.argv[1].encode()))
QTimer.singleShot(1000, application.quit)
application.exec_()
'''

# A program in a sandbox like Flatpak's: it sees only the portal, through a proxy that has the identity of the sandbox.
SANDBOX = '''#!/bin/bash
box=(bwrap --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --ro-bind /usr /usr --ro-bind /etc /etc --ro-bind /opt /opt
  --bind /run /run --bind /tmp /tmp --bind "$HOME" "$HOME" --proc /proc --dev /dev --ro-bind %(data)s/flatpak-info /.flatpak-info)
socket=$(mktemp -u)
coproc proxy { exec "${box[@]}" xdg-dbus-proxy --fd=1 "$DBUS_SESSION_BUS_ADDRESS" "$socket" --filter --talk='org.freedesktop.portal.*'; }
read -r -N 1 -u "${proxy[0]}"
DBUS_SESSION_BUS_ADDRESS=unix:path=$socket "${box[@]}" %(data)s/portal "$1"
status=$?
kill "$proxy_PID"
exit $status
''' % {"data": DATA}

PORTAL = '''#!/usr/bin/python3
import sys
from gi.repository import Gio, GLib
bus = Gio.bus_get_sync(Gio.BusType.SESSION)
loop = GLib.MainLoop()
answer = []
def responded(bus, sender, path, interface, signal, values):
    answer.append(values.unpack()[0])
    loop.quit()
bus.signal_subscribe("org.freedesktop.portal.Desktop", "org.freedesktop.portal.Request", "Response", None, None, 0, responded)
bus.call_sync("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.OpenURI", "OpenURI",
              GLib.Variant("(ssa{sv})", ("", sys.argv[1], {})), None, 0, 25000, None)
GLib.timeout_add(20000, loop.quit)
loop.run()
sys.exit(answer[0] if answer else 9)
'''


class Caller:
    """A program that is started for each link."""

    # Whether the caller passes on the token in its environment; otherwise it makes one.
    inherits_token = True

    def __init__(self, name, title, words, *, needs_display=False, peer=False, application=False):
        self.name, self.title, self.words = name, title, words
        self.needs_display, self.peer, self.application = needs_display, peer, application
        self.inherits_token = not application

    def cannot(self, session):
        """Returns why this caller cannot run in a session; `None` if it can."""
        if self.needs_display and not session.has_display:
            return "needs a display"
        return None

    def prepare(self, session):
        """Starts what the caller needs before the first link."""

    def open(self, session, link, token):
        """Opens a link. Returns the process."""
        words = [word.replace("LINK", link) for word in self.words]
        if self.application and session.starts_units:
            words = ["systemd-run", "--user", "--scope", "--quiet", "--slice=app", "--unit=app-org.example.Caller-%d.scope" % abs(hash(link)), *words]
        words, extra = session.command(words, {"XDG_ACTIVATION_TOKEN": token, "DESKTOP_STARTUP_ID": token} if self.inherits_token else {})
        return session.user.spawn(words, extra, log=session.log)


class Browser(Caller):
    """A browser that opens the link of a page."""

    inherits_token = False
    site = None

    def __init__(self, name, title, words):
        Caller.__init__(self, name, title, words, needs_display=True, application=True)

    def prepare(self, session):
        if Browser.site is None:
            Browser.site = Site()
        profile = session.user.owns(HOME + "/profile-" + self.name)
        schemes = sorted({target.scheme for target in TARGETS})
        if self.name == "firefox":
            preferences = {"security.external_protocol_requires_permission": False, "browser.shell.checkDefaultBrowser": False,
                           "browser.aboutwelcome.enabled": False, "datareporting.policy.dataSubmissionEnabled": False,
                           "network.protocol-handler.warn-external-default": False, "toolkit.telemetry.reportingpolicy.firstRun": False}
            preferences.update({"network.protocol-handler.external." + scheme: True for scheme in schemes})
            write(profile + "/user.js", "".join("user_pref(%s, %s);\n" % (json.dumps(k), json.dumps(v)) for k, v in preferences.items()))
            write(profile + "/handlers.json", json.dumps({"defaultHandlersVersion": {}, "mimeTypes": {}, "schemes": {
                scheme: {"action": 4, "ask": False} for scheme in schemes}}))
        else:
            write("/etc/chromium/policies/managed/matrix.json", json.dumps({"AutoLaunchProtocolsFromOrigins": [
                {"protocol": scheme, "allowed_origins": [Browser.site.origin]} for scheme in schemes]}))
        session.user.owns(profile)
        words, extra = session.command([*self.words, Browser.site.origin + "/"])
        session.user.spawn(words, extra, log=session.log)
        Browser.site.wait(90)

    def open(self, session, link, token):
        if self.name == "chromium":
            # Without a click, Chromium lets the pages of one process open a single link.
            subprocess.run(["pkill", "-u", session.user.name, "-f", "profile-chromium"])
            session.user.run(["rm", "-f", HOME + "/profile-chromium/SingletonLock"])
        words, extra = session.command([*self.words, Browser.site.origin + "/?" + urllib.parse.quote(link, safe="")])
        return session.user.spawn(words, extra, log=session.log)


class Site:
    """A web site on loopback whose page opens the link in its query."""

    def __init__(self):
        self.shown = threading.Event()
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                link = urllib.parse.unquote(urllib.parse.urlsplit(self.path).query)
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                script = "<script>location.href = %s</script>" % json.dumps(link) if link else "<script>fetch('/shown')</script>"
                self.wfile.write(("<!doctype html><title>matrix-page</title>" + script).encode())
                if self.path == "/shown":
                    site.shown.set()

            def log_message(self, *rest):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = "http://127.0.0.1:%d" % server.server_port
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def wait(self, seconds):
        """Waits until a browser has shown the first page."""
        from sessions import CannotRun
        if not self.shown.wait(seconds):
            raise CannotRun("the browser showed no page within %d s" % seconds)
        self.shown.clear()


CALLERS = [
    Caller("usher", "`usher open`", ["usher", "open", "LINK"]),
    Caller("xdg-open", "`xdg-open`", ["xdg-open", "LINK"], peer=True),
    Caller("gio", "`gio open`", ["gio", "open", "LINK"], peer=True),
    Caller("kde-open", "`kde-open5`", ["kde-open5", "LINK"], peer=True, needs_display=True),
    Caller("gtk", "GTK 4", [DATA + "/gtk-caller", "LINK"], needs_display=True, application=True),
    Caller("qt", "Qt 5", [DATA + "/qt-caller", "LINK"], needs_display=True, application=True),
    Caller("emacs", "Emacs", ["emacs", "-Q", "--batch", "--eval", '(browse-url-xdg-open "LINK")']),
    Caller("sandbox", "sandbox, by the portal", [DATA + "/sandbox", "LINK"]),
    Browser("chromium", "Chromium", ["chromium", "--no-sandbox", "--no-first-run", "--disable-gpu", "--password-store=basic",
                                     "--user-data-dir=%s/profile-chromium" % HOME]),
    Browser("firefox", "Firefox", ["firefox-esr", "--profile", HOME + "/profile-firefox"]),
]


def install():
    """Installs the programs of the callers."""
    for name, text in (("gtk-caller", GTK), ("qt-caller", QT), ("sandbox", SANDBOX), ("portal", PORTAL)):
        write(DATA + "/" + name, text, 0o755)
    write(DATA + "/flatpak-info", "[Application]\nname=org.example.Boxed\nruntime=runtime/org.example.Platform/x86_64/1\n\n[Instance]\ninstance-id=1\n")
    write("/usr/share/applications/org.example.Caller.desktop", "[Desktop Entry]\nType=Application\nName=Caller\nExec=%s/gtk-caller\n" % DATA)
    write("/usr/share/applications/org.example.Boxed.desktop", "[Desktop Entry]\nType=Application\nName=Boxed\nExec=true\n")
