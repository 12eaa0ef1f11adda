# SPDX-License-Identifier: Apache-2.0
"""The cost of a service without requests."""
import pathlib, subprocess, time

from benchdesk import Desk
from benchtable import Goal, Line, Section

NAME = "idle"
PORTAL, PORTAL_NAME = pathlib.Path("/usr/libexec/xdg-desktop-portal"), "org.freedesktop.portal.Desktop"


def run(bench):
    """The broker has delivered one link, so its files are open; then all services are idle for the same time."""
    desk, seconds = Desk(bench.binaries, bench.tools), bench.rounds(120, 10)
    desk.application_entry("quiet", "org.example.Quiet", "quiet")
    section = Section(NAME, f"a service without requests, over {seconds} s")
    with desk:
        desk.run_application("quiet", "org.example.Quiet")
        desk.call("once", "open", "quiet:x", "delivered")
        services = {"usherd": "org.usher.Broker1"}
        if PORTAL.exists():
            subprocess.Popen([PORTAL], env=desk.environment, stderr=subprocess.DEVNULL)
            desk.run("gdbus", "wait", "--session", "--timeout", "30", PORTAL_NAME)
            services["xdg-desktop-portal"] = PORTAL_NAME
        pids = {service: desk.owner(name) for service, name in services.items()}
        # Waits for work after the start and after a request: the broker removes expired data 15 s later.
        time.sleep(20)
        before = {service: switches(pid) for service, pid in pids.items()}
        time.sleep(seconds)
        for service, pid in pids.items():
            woken = sum(count - before[service].get(thread, 0) for thread, count in switches(pid).items())
            goals = (Goal(14, 10), Goal(4, 2), Goal(0)) if service == "usherd" else (None, None, None)
            figures = zip(("RSS", "anonymous memory", "wake-ups a minute"), ("MiB", "MiB", ""),
                          (*desk.memory(services[service]), woken * 60 / seconds), goals)
            section.lines += [Line(f"{service}, {name}", unit, value, goal=goal) for name, unit, value, goal in figures]
    sections = [section]
    if "xdg-desktop-portal" not in services:
        sections.append(Section(NAME, "xdg-desktop-portal", absent="not here: there is no /usr/libexec/xdg-desktop-portal"))
    return sections


def switches(pid):
    """Returns the voluntary context switches of all threads, which is the number of wakeups."""
    found = {}
    for status in pathlib.Path(f"/proc/{pid}/task").glob("*/status"):
        for line in status.read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches:"):
                found[status.parent.name] = int(line.split()[1])
    return found
