# SPDX-License-Identifier: Apache-2.0
"""Tests the programs of Examples/callers with the real broker and one of the applications."""
import json
import os
import re
import signal
import subprocess

from desk import EXAMPLES
from processes import DEADLINE, Failure, owning_process, run, suspend


class Call:
    """A running caller."""

    def __init__(self, program, *urls, **variables):
        # A shell without job control starts its background commands, and so CI, with SIGINT ignored.
        self.process = subprocess.Popen(
            [program, *urls], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | variables,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def wait_for_progress(self):
        """Waits until the application reports that it handles the request."""
        line = self.process.stderr.readline()
        if "reading" not in line:
            raise Failure(f"the caller reports {line!r} instead of progress")

    def withdraw(self):
        """Sends ^C, and waits until the caller has cancelled the request."""
        self.process.send_signal(signal.SIGINT)
        while "cancelled" not in (line := self.process.stderr.readline()):
            if not line:
                raise Failure("the caller does not report that the request is cancelled")

    def expect(self, status, *texts):
        """Waits for the exit, and compares the status and the printed receipt, in either notation of a dictionary."""
        try:
            output, errors = self.process.communicate(timeout=DEADLINE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failure(f"the caller did not exit within {DEADLINE} s") from None
        output = output.replace('"', "'")
        if self.process.returncode != status or not all(text in output + errors for text in texts):
            raise Failure(f"expected status {status} and {texts}: {self.process.returncode}, {output}{errors}")
        return output


def programs(desk):
    """Returns the callers, of which the C program is built by the command in the README."""
    directory = EXAMPLES / "callers"
    command = re.search(r"^    (\S.*)$", (directory / "README.md").read_text(), re.M)[1]
    run("sh", "-c", command.replace("-o open-link", f"-o '{desk.programs}/open-link'"), directory=directory)
    return directory / "open-link.py", desk.programs / "open-link"


def test(caller, example, tap):
    """Tests one caller with an example that reports progress."""
    def arrived(name):
        line = tap.line()
        if line["urls"] != [example.link(name)]:
            raise Failure(f"{line['urls']} arrived instead of {name}")
        return line

    # The reply, the ID by which logs are joined, and the token of a click.
    token = f"token-of-{caller.name}"
    output = Call(caller, example.link("one"), XDG_ACTIVATION_TOKEN=token).expect(0, "'outcome': ", "handled", "'opened'")
    line = arrived("one")
    if line.get("activation-token") != token or line.get("user-activation") != "clicked":
        raise Failure(f"{line} arrived for the token {token}")
    if line.get("annotation") != {"page": 3} or line["caller-request-id"] not in output:
        raise Failure(f"{line} arrived for {output}")
    # Errors, with the receipt behind them.
    Call(caller, example.link("missing")).expect(1, "org.usher.Error.TargetFailed", example.words, "'deliveries'", "'request-id'")
    arrived("missing")
    Call(caller, "unregistered:7").expect(4, "org.usher.Error.NoHandler", "'deliveries'")
    # A withdrawal.
    call = Call(caller, example.link("slow"))
    call.wait_for_progress()
    call.process.send_signal(signal.SIGINT)
    call.expect(9, "org.usher.Error.Cancelled", "'outcome': ", "unknown")
    arrived("slow")
    # A withdrawal from a broker that does not respond, and a second ^C.
    for is_repeated in False, True:
        broker = owning_process("org.usher.Broker1")
        call = Call(caller, example.link("slow"))
        call.wait_for_progress()
        suspend(broker)
        try:
            call.withdraw()
            if is_repeated:
                call.process.send_signal(signal.SIGINT)
            call.expect(9, "org.usher.Error.Cancelled", "so that the outcome is unknown")
        finally:
            os.kill(broker, signal.SIGCONT)
        arrived("slow")
    # The broker exits: the next call has the same ID, and the application handles the link once.
    broker = owning_process("org.usher.Broker1")
    call = Call(caller, example.link("slow"))
    call.wait_for_progress()
    os.kill(broker, signal.SIGKILL)
    call.expect(0, "'outcome': ", "handled", "'opened'")
    arrived("slow")
    # The broker exits with a withdrawal that it has not read: the next one gets it, too.
    broker = owning_process("org.usher.Broker1")
    call = Call(caller, example.link("slow"))
    call.wait_for_progress()
    suspend(broker)
    call.process.send_signal(signal.SIGINT)
    os.kill(broker, signal.SIGKILL)
    call.expect(9, "org.usher.Error.Cancelled")
    arrived("slow")
    Call(caller, example.link("two")).expect(0, "handled")
    arrived("two")


def test_asyncio(caller, example, tap):
    """Tests the caller in asyncio, which prints no progress."""
    def expect(statuses, call):
        try:
            output, errors = call.process.communicate(timeout=DEADLINE)
        except subprocess.TimeoutExpired:
            call.process.kill()
            raise Failure(f"the caller did not exit within {DEADLINE} s") from None
        if call.process.returncode not in statuses:
            raise Failure(f"the caller exited with {call.process.returncode}, which is none of {statuses}: {output}{errors}")
        return output, errors

    def withdraw(what):
        """Withdraws a link in one of the ways; returns whether the application had not handled it before."""
        # A search for the broker may take longer than the application takes for the link.
        broker = owning_process("org.usher.Broker1")
        call = Call(caller, example.link("slow"))
        tap.line()
        if what != "withdrawn":
            suspend(broker)
        call.process.send_signal(signal.SIGINT)
        if what == "unread":
            os.kill(broker, signal.SIGKILL)
        try:
            _, errors = expect((130, 0), call)
        finally:
            if what == "stopped":
                os.kill(broker, signal.SIGCONT)
        if call.process.returncode == 0:
            return False
        if ("does not respond" in errors) != (what == "stopped"):
            raise Failure(f"the caller reports “{errors}” after a withdrawal ({what})")
        return True

    output, _ = expect((0,), Call(caller, example.link("one"), example.link("missing")))
    if sorted(tap.line()["urls"] + tap.line()["urls"]) != sorted(map(example.link, ("one", "missing"))) or example.words not in output:
        raise Failure(f"the receipts are {output}")
    # A withdrawal; one that a broker has not read when it exits; and one from a broker that does not respond.
    for what in "withdrawn", "unread", "stopped":
        # A slow machine can be too late with ^C.
        if not any(withdraw(what) for _ in range(10)):
            raise Failure(f"the application handles each link before the withdrawal ({what})")
        # The application has stopped to handle the request, or the next one would wait for it and time out.
        run("usher", "open", example.link("two"), "--wait", "handled")
        tap.line()
        if what == "stopped":
            continue  # The application has handled the request in the meantime.
        last = json.loads(run("usher", "history", "--json", "--limit", "3"))
        entry = next(entry for entry in last["entries"] if example.link("slow") in entry["urls"])
        if entry.get("error") != "org.usher.Error.Cancelled":
            raise Failure(f"the withdrawn request is {entry} in the history ({what})")


def failures(desk, example):
    """Tests all callers, and returns what is wrong."""
    tap = desk.install(example)
    wrong = []
    for caller in programs(desk):
        print(f"  callers/{caller.name}")
        try:
            test(caller, example, tap)
        except Failure as failure:
            wrong.append(f"callers/{caller.name}: {failure}")
    asynchronous = EXAMPLES / "callers/open-link-asyncio.py"
    print(f"  callers/{asynchronous.name}")
    try:
        test_asyncio(asynchronous, example, tap)
    except Failure as failure:
        wrong.append(f"callers/{asynchronous.name}: {failure}")
    desk.uninstall(example)
    return wrong
