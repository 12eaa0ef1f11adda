# SPDX-License-Identifier: Apache-2.0
"""The first request of a session: the bus starts the broker, which delivers the request."""
from benchdesk import Desk
from benchtable import Goal, Section
from racing import race

NAME = "cold-start"


def run(bench):
    """Compares with a minimal service: the echo, also started by the bus."""
    desk = Desk(bench.binaries, bench.tools)
    desk.application_entry("quiet", "org.example.Quiet", "quiet")
    desk.application_entry("echo", "org.example.Echo")
    with desk:
        desk.run_application("quiet", "org.example.Quiet")

        def starting(which, name):
            def turn(_):
                ((nanoseconds,),) = desk.call("once", which, "quiet:x", "delivered")
                desk.stop(name)
                return nanoseconds / 1e6
            return turn

        times = race({"usherd": starting("open", "org.usher.Broker1"), "a bare echo": starting("echo", "org.example.Echo")},
                     bench.rounds(50, 5))
    section = Section(NAME, "a service that the bus starts, from the call to its first receipt")
    section.times(times)
    section.ratio("usherd", "a bare echo", times, Goal(2.5))
    return [section]
