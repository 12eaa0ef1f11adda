# SPDX-License-Identifier: Apache-2.0
"""Open with a receipt, from a connected program, compared with the two round trips that it needs."""
from benchdesk import Desk
from benchtable import Goal, Section

NAME = "connected"


def run(bench):
    """One program calls the broker and the echo alternately; both applications are recorders that do nothing."""
    desk = Desk(bench.binaries, bench.tools)
    desk.application_entry("quiet", "org.example.Quiet", "quiet")
    desk.application_entry("standard", "org.example.Running", "running")
    sections = []
    with desk:
        desk.run_application("echo", "org.example.Echo")
        for role, name, scheme, title, goal in (
            ("quiet", "org.example.Quiet", "quiet", "an application of org.usher.Application1", Goal(2, 1.5)),
            ("standard", "org.example.Running", "running", "an application of org.freedesktop.Application", None),
        ):
            desk.run_application(role, name)
            rounds = desk.call("rounds", bench.rounds(1000, 100), f"{scheme}:x", "delivered")
            opened, echoed = zip(*([nanoseconds / 1000 for nanoseconds in round] for round in rounds))
            times = {"Open to its receipt": opened, "two echoes": echoed}
            section = Section(NAME, f"a connected caller, {title}")
            section.times(times, "µs")
            section.ratio("Open to its receipt", "two echoes", times, goal)
            sections.append(section)
    return sections
