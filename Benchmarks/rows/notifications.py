# SPDX-License-Identifier: Apache-2.0
"""From the due time to the server, from the user's tap to the application, and the cost of waiting."""
import subprocess, time

from benchdesk import Desk
from benchtable import Goal, Line, Section
from racing import race
from rows.idle import switches

NAME = "notifications"
TRIGGERS, APPLICATION = "org.usher.Triggers1", "org.example.Tapped"


def run(bench):
    """The notification server is a stand-in that shows nothing; the application records its calls."""
    desk = Desk(bench.binaries, bench.tools)
    desk.application_entry("direct", APPLICATION, "tapped")
    for name in ("org.example.One", "org.example.Two"):
        desk.bare_entry(name, "x-scheme-handler/unused")
    with desk:
        subprocess.Popen([desk.tools / "notifications", desk.recording.path], env=desk.environment)
        awaited(desk, "ready", "org.freedesktop.Notifications")
        # It must not exit between the measurements.
        add(desk, "org.example.One", "kept", "later")
        due = Section(NAME, "from the due time to the call of the notification server")
        measure_due(bench, desk, due, "the application does not run")
        desk.run_application("direct", APPLICATION)
        measure_due(bench, desk, due, "the application runs, and is asked first")
        return [due, measure_taps(bench, desk), measure_waiting(bench, desk)]


def add(desk, application, title, trigger=None):
    """Adds a notification: for a time in milliseconds since 1970, for tomorrow (`later`), or for now."""
    triggers = {None: "", "later": ", 'trigger': <{'kind': <'interval'>, 'interval': <86400.0>}>"}
    date = triggers.get(trigger, f", 'trigger': <{{'kind': <'date'>, 'date': <int64 {trigger}>}}>")
    desk.run("gdbus", "call", "--session", "--dest", TRIGGERS, "--object-path", "/org/usher/Triggers1", "--method",
             f"{TRIGGERS}.AddNotification", application,
             f"{{'identifier': <'{title}'>, 'content': <{{'title': <'{title}'>}}>{date}}}")


def awaited(desk, what, about=None):
    """Waits for a record, and returns its time in nanoseconds."""
    record = desk.recording.wait(what, about, seconds=30)
    if record is None:
        raise RuntimeError(f"there is no record “{what}” of {about}")
    return record[0]


def measure_due(bench, desk, section, what):
    delays = []
    for round in range(bench.rounds(50, 10)):
        title = f"due-{len(section.lines)}-{round}"
        # Nanoseconds by which the clock of the triggers is ahead of that of the records.
        ahead = time.time_ns() - time.monotonic_ns()
        date = time.time_ns() // 1_000_000 + 400
        add(desk, APPLICATION, title, date)
        delays.append((awaited(desk, "shown", title) - (date * 1_000_000 - ahead)) / 1e6)
    section.lines.append(Line.of(f"shown, {what}", "ms", delays, Goal(50)))


def measure_taps(bench, desk):
    section = Section(NAME, "from the click to the handler of the running application")

    def tapped(turn):
        add(desk, APPLICATION, turn)
        # The application is asked how it is shown.
        awaited(desk, "handler")
        awaited(desk, "shown", turn)
        desk.run("busctl", "--user", "call", "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
                 "org.example.Tap", "Tap")
        begin = awaited(desk, "tap", turn)
        return (awaited(desk, "handler") - begin) / 1e6

    def opened(start, *command):
        def measure(turn):
            url = f"tapped:{turn}"
            process = subprocess.Popen([*command, url, *(["accepted"] if start == "caller" else [])], env=desk.environment,
                                       stdout=subprocess.DEVNULL)
            begin = awaited(desk, "start")
            time_reached = (awaited(desk, "handler", url) - begin) / 1e6
            process.wait(timeout=60)
            return time_reached
        return measure

    contenders = {
        "tap on a notification": tapped,
        "usher open": opened("command", desk.tools / "stamp", desk.recording.path, "usher", "open"),
        "Open of a connected caller": opened("caller", desk.tools / "caller", "link", desk.recording.path),
    }
    times = race(contenders, bench.rounds(100, 15))
    section.times(times)
    section.ratio("tap on a notification", "usher open", times, Goal(1.2))
    section.ratio("tap on a notification", "Open of a connected caller", times)
    return section


def measure_waiting(bench, desk):
    seconds = bench.rounds(120, 10)
    section = Section(NAME, f"usher-triggers with 100 triggers, over {seconds} s")
    for number in range(49):
        add(desk, "org.example.One", f"{number}", "later")
    for number in range(50):
        add(desk, "org.example.Two", f"{number}", "later")
    pid = desk.owner(TRIGGERS)
    # Waits for the work after the last call.
    time.sleep(20)
    before = switches(pid)
    time.sleep(seconds)
    woken = sum(count - before.get(thread, 0) for thread, count in switches(pid).items())
    resident, anonymous = desk.memory(TRIGGERS)
    section.lines += [
        Line("RSS", "MiB", resident), Line("anonymous memory", "MiB", anonymous),
        Line("wake-ups a minute", "", woken * 60 / seconds, goal=Goal(0)),
    ]
    for application in ("org.example.One", "org.example.Two", APPLICATION):
        desk.run("usher", "notify", "cancel", application, "--all")
    begin = time.monotonic()
    while desk.ask_bus("NameHasOwner", TRIGGERS) == "true" and time.monotonic() < begin + 60:
        time.sleep(0.1)
    remaining = 1 if desk.ask_bus("NameHasOwner", TRIGGERS) == "true" else 0
    section.lines += [
        Line("processes without triggers", "", remaining, goal=Goal(0)),
        Line("exit after the last one", "s", time.monotonic() - begin),
    ]
    return section
