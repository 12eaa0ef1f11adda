#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Opens a link with each caller, in each session, with each application, without and with Usher, and records what happened as JSON.

Runs as root in the throw-away system of scripts/compatibility.

usage: run.py USHER RESULTS [SESSION…] [--callers=NAME,…] [--targets=NAME,…]
  USHER     the directory with the installed files of Usher, as they lie below /
  RESULTS   the directory for a JSON file of each session
"""
import collections
import json
import os
import subprocess
import sys
import time

import callers
import targets
from sessions import SESSIONS, CannotRun
from user import HOME, NAME, User

# A link that arrives at all arrives in a second or two on an idle machine.
ARRIVAL = 20
WINDOW = 15


class Cell:
    """One caller that opens two links with one application: the first starts it, and the second finds it running."""

    def __init__(self, session, caller, target, *, with_usher):
        self.session, self.caller, self.target, self.with_usher = session, caller, target, with_usher

    def measure(self, number):
        """Returns the results as a dictionary for the page."""
        stop(self.target)
        before = collections.Counter(self.windows())
        first, process = self.open(number)
        result = {"arrived": self.arrived(first, number), "token": self.has_token(first, number), "status": process.poll()}
        if first is None:
            # A prompt, for example.
            result["windows"] = self.session.windows()
            return {**result, **self.source(number)}
        if self.session.has_display:
            result["window"] = self.wait_for_window(before)
        if self.target.single:
            second, _ = self.open(number + 1)
            result["arrived-again"] = self.arrived(second, number + 1)
            result["token-again"] = self.has_token(second, number + 1)
            result["reused"] = second is not None and self.is_reused(first, second)
        stop(self.target)
        return {**result, **self.source(number)}

    def open(self, number):
        start = targets.end()
        process = self.caller.open(self.session, self.target.link(number), "matrix-token-%d" % number)
        end = time.monotonic() + ARRIVAL
        while time.monotonic() < end:
            for event in targets.events(start):
                if event["target"] == self.target.name and event["links"]:
                    return event, process
            time.sleep(0.05)
        return None, process

    def arrived(self, event, number):
        if event is None:
            return "no"
        links = event["links"]
        return "exact" if links == [self.target.link(number)] else "as " + " ".join(links)

    def has_token(self, event, number):
        if event is None:
            return None
        if self.caller.inherits_token:
            return event["token"] == "matrix-token-%d" % number
        return bool(event["token"])

    def is_reused(self, first, second):
        if self.target.name != "transmission":
            return first["pid"] == second["pid"]
        time.sleep(3)
        return subprocess.run(["pgrep", "-c", "-u", NAME, "-x", "transmission-gt"], capture_output=True, text=True).stdout.strip() == "1"

    def windows(self):
        names = self.target.window.split("|")
        return [title for title in self.session.windows() if any(name in title for name in names)]

    def wait_for_window(self, before):
        end = time.monotonic() + WINDOW
        while time.monotonic() < end:
            if collections.Counter(self.windows()) - before:
                return True
            time.sleep(0.2)
        return False

    def source(self, number):
        """Returns the source of the newest link in the history, and how reliably it is known."""
        if not self.with_usher:
            return {}
        status, text = self.session.user.run(["usher", "history", "--json"])
        try:
            entries = json.loads(text)["entries"]
        except (ValueError, KeyError):
            return {}
        scheme = self.target.scheme + ":"
        mine = [entry for entry in entries if any(url.startswith(scheme) for url in entry.get("urls", []))]
        newest = max(mine, key=lambda entry: entry["time"], default={})
        return {key: newest[key] for key in ("source-application", "assurance", "via", "error") if key in newest}


def stop(target):
    """Ends the application in the throw-away system."""
    # By its command line, because a container has process IDs of its own.
    subprocess.run(["pkill", "-KILL", "-u", NAME, "-f", "/opt/matrix/(gtk|recorder.py) %s( |$)" % target.name])
    if target.name == "transmission":
        subprocess.run(["pkill", "-KILL", "-u", NAME, "-x", "transmission-gt"])
    open(targets.EVENTS, "w").close()
    time.sleep(0.3)


def associate(user, with_usher):
    """Makes each target the default of its scheme, as `usher register` or `xdg-mime default` does."""
    lines = ["[Default Applications]"]
    for target in targets.TARGETS:
        handlers = (["org.usher.Handler.desktop"] if with_usher else []) + [target.id + ".desktop"]
        lines.append("x-scheme-handler/%s=%s" % (target.scheme, ";".join(handlers) + ";"))
    user.owns(HOME + "/.config")
    targets.write(HOME + "/.config/mimeapps.list", "\n".join(lines) + "\n")
    user.owns(HOME + "/.config")
    for target in targets.TARGETS:
        # The portal asks a sandboxed application for a choice until it has been made some times.
        chosen = "org.usher.Handler" if with_usher else target.id
        user.run(["gdbus", "call", "--session", "--dest", "org.freedesktop.impl.portal.PermissionStore", "--object-path",
                  "/org/freedesktop/impl/portal/PermissionStore", "--method", "org.freedesktop.impl.portal.PermissionStore.SetPermission",
                  "desktop-used-apps", "true", "x-scheme-handler/" + target.scheme, "org.example.Boxed", "['%s', '3', '3']" % chosen])


def set_installed(user, usher, installed):
    """Copies the files of Usher into the system, or removes them."""
    if installed:
        subprocess.run(["cp", "-a", usher + "/.", "/"], check=True)
    else:
        for directory, _, files in os.walk(usher):
            for file in files:
                path = os.path.join("/", os.path.relpath(os.path.join(directory, file), usher))
                if os.path.lexists(path):
                    os.remove(path)
    subprocess.run(["update-desktop-database", "/usr/share/applications"])
    user.run(["systemctl", "--user", "daemon-reload"])
    user.run(["gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/", "--method", "org.freedesktop.DBus.ReloadConfig"])
    associate(user, installed)


def run_session(session, usher, chosen):
    """Returns the cells of a session, or the reason why it cannot run."""
    results = {"title": session.title, "cells": []}
    number = 0
    session.user.start()
    try:
        set_installed(session.user, usher, False)
        session.start()
        results["has-display"] = session.has_display
        for with_usher in (False, True):
            set_installed(session.user, usher, with_usher)
            for caller in chosen["callers"]:
                if not with_usher and not caller.peer:
                    continue
                reason = caller.cannot(session)
                try:
                    if reason is None:
                        caller.prepare(session)
                except CannotRun as error:
                    reason = str(error)
                for target in chosen["targets"]:
                    cell = {"caller": caller.name, "target": target.name, "usher": with_usher}
                    if reason:
                        cell["cannot"] = reason
                    else:
                        number += 2
                        cell.update(Cell(session, caller, target, with_usher=with_usher).measure(number))
                    results["cells"].append(cell)
                    print(session.name, json.dumps(cell), flush=True)
    except CannotRun as error:
        results["cannot"] = str(error)
        print(session.name, error, flush=True)
    finally:
        session.user.stop()
    return results


def main(arguments):
    options = dict(argument[2:].split("=") for argument in arguments if argument.startswith("--"))
    usher, directory, *names = [argument for argument in arguments if not argument.startswith("--")]
    known = [kind.name for kind in SESSIONS]
    unknown = set(names) - set(known)
    if unknown:
        sys.exit("run.py: no such session: %s; the sessions are %s" % (", ".join(sorted(unknown)), ", ".join(known)))

    def chosen(kind, all_of_them):
        wanted = options[kind].split(",") if kind in options else None
        return [one for one in all_of_them if wanted is None or one.name in wanted]

    choice = {"callers": chosen("callers", callers.CALLERS), "targets": chosen("targets", targets.TARGETS)}
    user = User()
    user.owns("/opt/matrix")
    targets.install()
    callers.install()
    for kind in SESSIONS:
        if names and kind.name not in names:
            continue
        try:
            results = run_session(kind(user), usher, choice)
        except Exception as error:  # a session that fails must not cost the others
            results = {"title": kind.title, "cells": [], "cannot": "%s: %s" % (type(error).__name__, error)}
            print(kind.name, results["cannot"], flush=True)
        with open(os.path.join(directory, kind.name + ".json"), "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main(sys.argv[1:])
