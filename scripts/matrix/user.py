# SPDX-License-Identifier: Apache-2.0
"""The user of the matrix: a systemd user manager with its bus, and programs that run as this user."""
import os
import subprocess

NAME = "matrix"
HOME = "/home/" + NAME
BASE = {"HOME": HOME, "PATH": "/usr/bin:/bin:/usr/sbin", "LANG": "C.UTF-8", "USER": NAME, "LOGNAME": NAME, "SHELL": "/bin/sh",
        # Every program draws in software: the machine has no graphics card.
        "LIBGL_ALWAYS_SOFTWARE": "1", "GSK_RENDERER": "cairo", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none"}


class User:
    """Creates the user, and runs programs in its session."""

    name = NAME

    def __init__(self):
        if subprocess.run(["id", NAME], capture_output=True).returncode:
            subprocess.run(["useradd", "--create-home", "--shell", "/bin/sh", NAME], check=True)
        self.id = int(subprocess.run(["id", "-u", NAME], capture_output=True, text=True, check=True).stdout)
        self.runtime = "/run/user/%d" % self.id
        self.session = {}

    def start(self):
        """Starts the user manager with the bus. The files of an earlier session are removed."""
        for directory in (".config", ".local", ".cache", ".mozilla"):
            subprocess.run(["rm", "-rf", HOME + "/" + directory])
        self.session = {"XDG_RUNTIME_DIR": self.runtime, "DBUS_SESSION_BUS_ADDRESS": "unix:path=%s/bus" % self.runtime}
        subprocess.run(["systemctl", "start", "user@%d.service" % self.id], check=True)

    def stop(self):
        """Stops the manager, and every process of this user in the throw-away system."""
        subprocess.run(["systemctl", "stop", "user@%d.service" % self.id])
        subprocess.run(["pkill", "-KILL", "-u", NAME])

    def environment(self, extra=None):
        return {**BASE, **self.session, **(extra or {})}

    def command(self, words):
        return ["setpriv", "--reuid", NAME, "--regid", NAME, "--init-groups", *words]

    def spawn(self, words, extra=None, output=subprocess.DEVNULL, log=None):
        """Starts a program and returns it. Its messages are appended to the file `log`."""
        errors = open(log, "a") if log else subprocess.DEVNULL
        return subprocess.Popen(self.command(words), env=self.environment(extra), stdin=subprocess.DEVNULL, stdout=output,
                                stderr=errors, cwd=HOME, text=True, start_new_session=True)

    def run(self, words, extra=None, timeout=30):
        """Runs a program and returns its exit status and its output; `None` as the status if it does not exit in time."""
        try:
            done = subprocess.run(self.command(words), env=self.environment(extra), stdin=subprocess.DEVNULL,
                                  capture_output=True, cwd=HOME, timeout=timeout, errors="replace")
            return done.returncode, done.stdout.decode(errors="replace") if isinstance(done.stdout, bytes) else done.stdout
        except subprocess.TimeoutExpired:
            return None, ""

    def owns(self, path):
        os.makedirs(path, exist_ok=True)
        subprocess.run(["chown", "-R", NAME + ":", path], check=True)
        return path
