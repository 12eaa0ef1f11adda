# SPDX-License-Identifier: Apache-2.0
"""A link to a plain program, from the start of the opener to the program's main function."""
import shutil

from benchdesk import Desk
from benchtable import Goal, Section
from racing import race, until

NAME = "plain"


def run(bench):
    """This bus has no user manager, so the broker starts the program itself, as the other openers do."""
    desk = Desk(bench.binaries, bench.tools)
    entry = desk.plain_program("plain")
    with desk:

        def opener(*command):
            return lambda turn: until(desk, "main", [*command, f"plain:{turn}"], f"plain:{turn}")

        contenders = {"usher open": opener("usher", "open"), "gio open": opener("gio", "open"),
                      "xdg-open": opener("xdg-open")}
        if shutil.which("dex"):
            # This tool starts desktop entries and does not resolve links, so it receives the entry.
            contenders["dex"] = lambda turn: until(desk, "main", ["dex", entry])
        times = race(contenders, bench.rounds(100, 10))
    section = Section(NAME, "a plain program, process start to its main")
    section.times(times)
    section.ratio("usher open", "gio open", times, Goal(1.0, 0.7))
    section.ratio("usher open", "xdg-open", times, Goal(0.25))
    if "dex" in times:
        section.ratio("usher open", "dex", times)
    return [section]
