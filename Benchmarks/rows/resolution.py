# SPDX-License-Identifier: Apache-2.0
"""The lookup of the application for a link with many desktop files: each tool from start to exit."""
from benchdesk import Desk
from benchtable import Section
from racing import race, until_end

NAME = "resolution"
SIZES = (50, 1_000, 10_000)


def run(bench):
    return [among(count, bench) for count in SIZES]


def among(count, bench):
    """That number of applications, each with its own scheme; the broker runs and has resolved a link before."""
    desk = Desk(bench.binaries, bench.tools)
    for number in range(count):
        desk.bare_entry(f"bench{number}", f"x-scheme-handler/bench{number}")
    url, scheme = f"bench{count // 2}:x", f"x-scheme-handler/bench{count // 2}"
    with desk:

        def tool(*command):
            return lambda turn: until_end(desk, command)

        times = race({
            "usher open --dry-run": tool("usher", "open", "--dry-run", url),
            "usher explain --skip-comparison": tool("usher", "explain", "--skip-comparison", url),
            "gio mime": tool("gio", "mime", scheme),
            "xdg-mime query default": tool("xdg-mime", "query", "default", scheme),
        }, bench.rounds(50, 5))
    section = Section(NAME, f"who opens a link, among {count:,} desktop files, process start to end")
    section.times(times)
    section.ratio("usher open --dry-run", "gio mime", times)
    section.ratio("usher open --dry-run", "xdg-mime query default", times)
    return section
