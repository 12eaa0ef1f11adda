# SPDX-License-Identifier: Apache-2.0
"""Requests a second and their latency with 1, 8 and 64 callers, compared with a bare echo."""
import statistics

from benchdesk import Desk
from benchtable import Goal, Line, Section

NAME = "load"
CALLERS = (1, 8, 64)


def run(bench):
    """Each caller is a connection that sends the next request as soon as it has its receipt."""
    desk = Desk(bench.binaries, bench.tools)
    desk.application_entry("quiet", "org.example.Quiet", "quiet")
    runs = {(which, callers): [] for callers in CALLERS for which in ("open", "echo")}
    parts = {callers: ([], []) for callers in CALLERS}
    count = bench.rounds(3000, 500)
    with desk:
        desk.run_application("echo", "org.example.Echo")
        desk.run_application("quiet", "org.example.Quiet")
        desk.call("once", "open", "quiet:x", "delivered")
        processes = (desk.owner(), desk.bus.pid)
        for _ in range(bench.rounds(10, 2)):
            for (which, callers), figures in runs.items():
                before = [desk.cpu_time(process) for process in processes]
                figures.append(measured(desk.call("load", which, callers, count, "quiet:x", "delivered")))
                if which == "open":
                    for process, begin, values in zip(processes, before, parts[callers]):
                        values.append((desk.cpu_time(process) - begin) * 1e6 / count)
    section = Section(NAME, "requests a second to one application of org.usher.Application1")
    for (which, callers), figures in runs.items():
        what = f"{'Open' if which == 'open' else 'one echo'}, {callers} caller{'s' if callers > 1 else ''}"
        goals = (Goal(6000, is_minimum=True) if (which, callers) == ("open", 8) else None, None, None)
        for (name, unit), values, goal in zip((("", "/s"), (", p50", "µs"), (", p99", "µs")), zip(*figures), goals):
            section.lines.append(Line.of(what + name, unit, values, goal))
        if which == "open":
            for name, values in zip(("usherd", "dbus-daemon"), parts[callers]):
                section.lines.append(Line.of(f"{what}, CPU time of {name} each", "µs", values))
    return [section]


def measured(lines):
    """Returns, from the output of the caller, the requests a second, and the median and the 99th percentile in microseconds."""
    (elapsed,), *times = lines
    times = [nanoseconds / 1000 for (nanoseconds,) in times]
    return len(times) / (elapsed / 1e9), statistics.median(times), statistics.quantiles(times, n=100)[98]
