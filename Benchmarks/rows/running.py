# SPDX-License-Identifier: Apache-2.0
"""A link to a running application, from the start of the opener to the application's handler."""
from benchdesk import Desk
from benchtable import Goal, Section
from racing import race, until

NAME = "running"


def run(bench):
    """Uses the same application for both, so that only the openers differ."""
    desk, name = Desk(bench.binaries, bench.tools), "org.example.Running"
    desk.application_entry("standard", name, "running")
    with desk:
        desk.run_application("standard", name)

        def opener(*command):
            return lambda turn: until(desk, "handler", [*command, f"running:{turn}"], f"running:{turn}")

        times = race({"usher open": opener("usher", "open"), "gio open": opener("gio", "open")}, bench.rounds(100, 10))
    section = Section(NAME, "a running D-Bus application, process start to its handler")
    section.times(times)
    section.ratio("usher open", "gio open", times, Goal(0.6, 0.4))
    return [section]
