# SPDX-License-Identifier: Apache-2.0
"""Tests the program of Examples/regions with GeoClue and a receiver of the test."""
import json
import os
import pathlib

from locations import GEOCLUE, Receiver
from processes import Failure, end_application, run
from promises import APPLICATION1, Example
from reminders import until

DIARY = Example("", "regions", "org.example.RegionDiary", "", APPLICATION1, "region-diary", output=2)
NEEDS = ("jq", GEOCLUE, "usher listen", "usher region")
HOME, AWAY = (48.137, 11.575), (48.2, 11.575)


def event(tap):
    """Returns the next event of the location that arrives."""
    while True:
        request = tap.line()
        if request["reason"] == "location":
            return request["event"]


def state():
    regions = json.loads(run("usher", "region", "list", DIARY.id, "--json"))["regions"]
    return regions[0]["state"]


def test_diary(tap, receiver):
    diary = pathlib.Path(os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share") / "region-diary"
    run("usher", "region", "add", DIARY.id, "home", "--at", f"{HOME[0]},{HOME[1]}", "--radius", "1000")
    receiver.measure(*AWAY)
    until(lambda: state() == "outside", "the first measurement is decided")
    for place, expected in (HOME, "enter-region"), (AWAY, "exit-region"):
        # The event starts the program.
        end_application(DIARY.id)
        receiver.measure(*place)
        if (found := event(tap)) != expected:
            raise Failure(f"{found} arrived instead of {expected}")
        # The reply to this request follows the one to the event.
        run("usher", "open", "--reason", "activate", "--app", DIARY.id, "--wait", "handled")
    lines = [line.split("  ")[-1] for line in diary.read_text().splitlines()]
    if lines != ["arrived at home", "left home"]:
        raise Failure(f"{diary} has the lines {lines}")
    run("usher", "region", "remove", DIARY.id, "--all")


def failures(desk):
    """Tests the program, and returns what is wrong."""
    print(f"  regions/{DIARY.program}")
    receiver = Receiver(desk.root)
    try:
        # The daemon that the bus starts next finds the system bus in its environment.
        end_application("org.usher.Triggers1")
        run("dbus-update-activation-environment", f"DBUS_SYSTEM_BUS_ADDRESS={receiver.address}")
        test_diary(desk.install(DIARY), receiver)
        end_application(DIARY.id)
        desk.uninstall(DIARY)
    except Failure as failure:
        return [f"regions: {failure}"]
    finally:
        receiver.end()
    return []
