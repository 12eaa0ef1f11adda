# SPDX-License-Identifier: Apache-2.0
"""The sessions in which callers run, and how each shows its windows."""
import glob
import json
import os
import re
import subprocess
import time
import uuid

from targets import TARGETS
from user import HOME, NAME


class CannotRun(Exception):
    """A session or a caller that this machine cannot run, with the reason."""


def wait(condition, seconds, reason):
    """Waits until `condition` returns a true value, and returns it."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise CannotRun(reason)
        time.sleep(0.1)


class Session:
    """A session without a display; the others derive from it."""

    name, title, has_display = "none", "no display", False
    # Whether the desktop starts applications as systemd units, as GNOME and KDE do.
    starts_units = False

    def __init__(self, user):
        self.user = user
        self.log = "/tmp/matrix-%s.log" % self.name

    def start(self):
        """Starts the display and adds its variables to the session of the user."""

    def windows(self):
        """Returns the titles of the windows that the session shows."""
        return []

    def command(self, words, extra=None):
        """Returns the command line that runs `words` in this session, and its environment."""
        return words, extra or {}

    def authority(self, pattern):
        """Returns the variable for the file with which programs are admitted to an Xwayland, if there is one."""
        files = glob.glob(os.path.join(self.user.runtime, pattern))
        return {"XAUTHORITY": files[0]} if files else {}

    def publish(self, **variables):
        """Sets variables for the session, and for the programs that the bus and systemd start, as a desktop does when it starts."""
        self.user.session.update(variables)
        self.user.run(["dbus-update-activation-environment", "--systemd", *variables])


class X11(Session):
    name, title, has_display = "x11", "X11: Xvfb, openbox", True
    manager = ["openbox"]
    desktop = None

    def start(self):
        server = self.user.spawn(["Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"], output=subprocess.PIPE)
        number = server.stdout.readline().strip()
        if not number:
            raise CannotRun("Xvfb did not start")
        variables = {"DISPLAY": ":" + number, "XDG_SESSION_TYPE": "x11"}
        if self.desktop:
            variables["XDG_CURRENT_DESKTOP"] = self.desktop
        self.publish(**variables)
        self.user.spawn(self.manager, log=self.log)
        wait(lambda: "window id" in self.user.run(["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"])[1], 180,
             "the window manager did not start: " + tail(self.log))

    def windows(self):
        """Returns the titles in the list of clients that the window manager keeps."""
        listing = self.user.run(["wmctrl", "-l"])[1]
        return [line.split(None, 3)[3] for line in listing.splitlines() if len(line.split(None, 3)) == 4]


class Xfce(X11):
    name, title, desktop = "xfce", "Xfce: Xvfb, xfce4-session", "XFCE"
    manager = ["xfce4-session"]


class Sway(Session):
    name, title, has_display = "sway", "sway, headless, with Xwayland", True

    def start(self):
        config = HOME + "/sway.config"
        with open(config, "w") as file:
            file.write("xwayland enable\nfocus_on_window_activation focus\n"
                       "exec sh -c 'echo $WAYLAND_DISPLAY $SWAYSOCK $DISPLAY >%s/sway.ready'\n" % HOME)
        ready = HOME + "/sway.ready"
        if os.path.exists(ready):
            os.remove(ready)
        self.user.spawn(["sway", "-c", config], {"WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman"}, log=self.log)
        words = wait(lambda: os.path.exists(ready) and open(ready).read().split(), 60, "sway did not start: " + tail(self.log))
        variables = {"WAYLAND_DISPLAY": words[0], "SWAYSOCK": words[1], "XDG_SESSION_TYPE": "wayland", "XDG_CURRENT_DESKTOP": "sway"}
        if len(words) > 2:
            variables["DISPLAY"] = words[2]
        self.publish(**variables)

    def windows(self):
        status, text = self.user.run(["swaymsg", "-r", "-t", "get_tree"])
        return [] if status else [title for title in names(json.loads(text)) if title]


def names(node):
    """Returns the titles of the windows below a node of sway's tree."""
    own = [node.get("name")] if node.get("pid") else []
    return own + [title for child in node.get("nodes", []) + node.get("floating_nodes", []) for title in names(child)]


class SSH(X11):
    """A login through sshd with X forwarding, from the display of an X11 session."""

    name, title = "ssh", "ssh -X to localhost"

    def start(self):
        server = self.user.spawn(["Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"], output=subprocess.PIPE)
        self.outside = {"DISPLAY": ":" + server.stdout.readline().strip()}
        self.user.spawn(["openbox"], self.outside, log=self.log)
        os.makedirs("/run/sshd", exist_ok=True)
        # Without PAM, whose session module waits for a login service that the throw-away system has only in part.
        subprocess.run(["usermod", "-p", "*", NAME], check=True)
        keys = self.user.owns(HOME + "/.ssh")
        if not os.path.exists(keys + "/id_ed25519"):
            self.user.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", keys + "/id_ed25519"])
            subprocess.run("cp %s/id_ed25519.pub %s/authorized_keys; chmod 700 %s; chown -R %s: %s; ssh-keygen -A" % (keys, keys, keys, NAME, keys), shell=True, capture_output=True)
        self.port = str(20000 + os.getpid() % 20000)
        self.server = subprocess.Popen(["/usr/sbin/sshd", "-D", "-p", self.port, "-o", "ListenAddress=127.0.0.1", "-o", "X11Forwarding=yes",
                                        "-o", "UsePAM=no", "-E", self.log])
        wait(lambda: self.user.run(self.remote(["true"]), self.outside)[0] == 0, 60, "no login through sshd: " + tail(self.log))

    def remote(self, words):
        quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
        return ["ssh", "-X", "-p", self.port, "-o", "StrictHostKeyChecking=no", "-o", "LogLevel=ERROR", "-o", "ForwardX11Trusted=yes", "127.0.0.1", quoted]

    def command(self, words, extra=None):
        variables = {**{k: v for k, v in self.user.environment().items() if k.startswith(("GSK", "LIBGL", "NO_AT", "GTK", "XDG_RUNTIME_DIR", "DBUS"))}, **(extra or {})}
        # The login stays open as that of a shell does: the display is forwarded only until the command exits.
        stay = ["sh", "-c", '"$@"; status=$?; sleep 30; exit $status', "login"]
        return self.remote(["env", *["%s=%s" % pair for pair in variables.items()], *stay, *words]), self.outside

    def windows(self):
        listing = self.user.run(["wmctrl", "-l"], self.outside)[1]
        return [line.split(None, 3)[3] for line in listing.splitlines() if len(line.split(None, 3)) == 4]


class Container(X11):
    """A rootless container with the bus and the display of the user, for which the user has allowed the links.

    bubblewrap makes the namespaces, and systemd the scope that Podman would make. A container without such a grant is asked about each link.
    """

    name, title = "container", "rootless container in X11 (namespaces of bubblewrap, scope as Podman names it)"

    def command(self, words, extra=None):
        number = uuid.uuid4().hex + uuid.uuid4().hex
        if os.path.exists("/usr/bin/usher"):
            for target in TARGETS:
                self.user.run(["usher", "grants", "allow", "--container", number, "--scheme", target.scheme])
        return ["systemd-run", "--user", "--scope", "--quiet", "--unit=libpod-%s.scope" % number, "bwrap", "--unshare-user", "--unshare-pid", "--unshare-uts",
                "--bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--bind", "/tmp", "/tmp", *words], extra or {}


class KWin(Session):
    name, title, has_display, starts_units = "kwin", "KWin, virtual, with Xwayland", True, True

    def start(self):
        subprocess.run(["setcap", "-r", "/usr/bin/kwin_wayland"], capture_output=True)
        self.user.spawn(["kwin_wayland", "--virtual", "--xwayland", "--socket", "wayland-kwin", "--no-lockscreen"], {"KWIN_COMPOSE": "Q"}, log=self.log)
        wait(lambda: os.path.exists(self.user.runtime + "/wayland-kwin"), 60, "KWin did not start: " + tail(self.log))
        variables = {"WAYLAND_DISPLAY": "wayland-kwin", "XDG_SESSION_TYPE": "wayland", "XDG_CURRENT_DESKTOP": "KDE", "KDE_FULL_SESSION": "true",
                     "KDE_SESSION_VERSION": "5"}
        display = wait(lambda: xwayland(), 60, "Xwayland did not start in KWin")
        self.publish(DISPLAY=display, **self.authority("xauth_*"), **variables)

    def windows(self):
        """Returns the titles that KWin's own search for windows finds."""
        text = self.user.run(["gdbus", "call", "--session", "--dest", "org.kde.KWin", "--object-path", "/WindowsRunner", "--method",
                              "org.kde.krunner1.Match", "a"])[1]
        text += self.user.run(["gdbus", "call", "--session", "--dest", "org.kde.KWin", "--object-path", "/WindowsRunner", "--method",
                               "org.kde.krunner1.Match", "r"])[1]
        return re.findall(r"\('[^']*', '([^']*)'", text)


class GNOME(Session):
    name, title, has_display, starts_units = "gnome", "GNOME Shell, headless, with Xwayland", True, True

    def start(self):
        self.user.session["XDG_CURRENT_DESKTOP"] = "GNOME"
        self.user.spawn(["gnome-shell", "--headless", "--virtual-monitor", "1280x800", "--wayland-display", "wayland-gnome", "--unsafe-mode"], log=self.log)
        wait(lambda: os.path.exists(self.user.runtime + "/wayland-gnome") and self.user.run(
            ["gdbus", "wait", "--session", "--timeout", "5", "org.gnome.Shell"])[0] == 0, 90, "GNOME Shell did not start: " + tail(self.log))
        display = wait(lambda: xwayland(), 60, "Xwayland did not start in GNOME Shell")
        self.publish(WAYLAND_DISPLAY="wayland-gnome", XDG_SESSION_TYPE="wayland", XDG_CURRENT_DESKTOP="GNOME", DISPLAY=display,
                     **self.authority(".mutter-Xwaylandauth.*"))

    def windows(self):
        text = self.user.run(["gdbus", "call", "--session", "--dest", "org.gnome.Shell", "--object-path", "/org/gnome/Shell/Introspect",
                              "--method", "org.gnome.Shell.Introspect.GetWindows"])[1]
        return re.findall(r"'title': <'([^']*)'", text)


def xwayland():
    """Returns the display of an Xwayland of this user; `None` if there is none."""
    sockets = sorted(os.listdir("/tmp/.X11-unix")) if os.path.isdir("/tmp/.X11-unix") else []
    return ":" + sockets[-1][1:] if sockets else None


def tail(path):
    """Returns the last lines of a log."""
    try:
        with open(path, errors="replace") as file:
            return " / ".join(file.read().strip().splitlines()[-3:])
    except OSError:
        return "no output"


SESSIONS = [X11, Sway, Session, SSH, Container, Xfce, KWin, GNOME]
