# SPDX-License-Identifier: Apache-2.0
"""Tests the programs of Examples/reminders with dunst as the notification server."""
import json
import subprocess
import time

from processes import DEADLINE, Failure, end_application, run
from promises import APPLICATION1, Example

TEA = Example("", "reminders", "org.example.TeaTimer", "tea-timer", APPLICATION1, "tea-timer", output=2)
MEETINGS = Example("", "reminders", "org.example.Meetings", "meetings", APPLICATION1, "meetings", output=2)
NEEDS = ("jq", "dunst", "Xvfb", "usher listen")


def until(is_true, what):
    """Waits for a state of another program that it does not report."""
    end = time.monotonic() + DEADLINE
    while not is_true():
        if time.monotonic() > end:
            raise Failure(f"{what}: not within {DEADLINE} s")
        time.sleep(0.05)


def opened(url):
    """Opens a link, and returns the value of the reply."""
    receipt = json.loads(run("usher", "open", "--wait", "handled", "--json", url))
    return receipt["deliveries"][0].get("value")


def click(example, tap):
    """Clicks the notification that is shown, which starts the application; returns the request that arrives."""
    until(lambda: run("dunstctl", "count", "displayed").strip() == "1", "the notification is shown")
    end_application(example.id)
    run("dunstctl", "action", "0")
    while True:
        # If the program was still running when the notification was due, it was asked first how it is shown.
        request = tap.line()
        if request.get("reason") == "local-notification" and "action-identifier" in request["payload"]:
            break
    if request["payload"]["action-identifier"] != "default":
        raise Failure(f"{request} arrived for a click")
    return request


def test_tea_timer(tap):
    opened("tea-timer:1s")
    request = click(TEA, tap)
    if request["payload"]["alert"]["title"] != "The tea is ready":
        raise Failure(f"{request} arrived for the tea")
    wrong = subprocess.run(["usher", "open", "--wait", "handled", "tea-timer:soon"], capture_output=True, text=True)
    if wrong.returncode == 0 or "tea-timer:3m" not in wrong.stderr:
        raise Failure(f"tea-timer:soon ended with {wrong.returncode}: {wrong.stderr}")


def test_meetings(tap):
    if opened("meetings:Stand-up?weekday=monday&at=09:30") != ["Stand-up"]:
        raise Failure("the link did not return the identifier of the reminder")
    pending = json.loads(run("usher", "notify", "list", MEETINGS.id, "--json"))
    if not any(entry["identifier"] == "Stand-up" for entry in pending["pending"]):
        raise Failure(f"{pending} is pending instead of Stand-up")
    # As if it were Monday.
    run("usher", "notify", MEETINGS.id, "--title", "Stand-up", "--user-info", '{"meeting": "Stand-up"}')
    if click(MEETINGS, tap)["payload"]["user-info"] != {"meeting": "Stand-up"}:
        raise Failure("the click did not bring the meeting")


def failures(desk):
    """Tests both programs, and returns what is wrong."""
    wrong = []
    server = subprocess.Popen(["dunst", "-conf", "/dev/null"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        run("gdbus", "wait", "--session", "--timeout", str(DEADLINE), "org.freedesktop.Notifications")
        for example, test in (TEA, test_tea_timer), (MEETINGS, test_meetings):
            print(f"  reminders/{example.program}")
            try:
                test(desk.install(example))
                end_application(example.id)
                desk.uninstall(example)
            except Failure as failure:
                wrong.append(f"reminders/{example.program}: {failure}")
    finally:
        server.kill()
        server.wait()
    return wrong
