"""Running programs to their end, and ending those that stay."""
import contextlib
import os
import re
import select
import shutil
import signal
import subprocess

DEADLINE = 30


class Failure(Exception):
    pass


def run(*command, folder=None):
    try:
        result = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=10 * DEADLINE)
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[0]} did not end within {10 * DEADLINE} s") from None
    if result.returncode != 0:
        raise Failure(f"{command[0]} ended with {result.returncode}: {result.stdout}{result.stderr}")
    return result.stdout


def end_process(process):
    """Ends a process, and returns when it has gone."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return
    try:
        if not end_held(handle):
            raise Failure(f"process {process} does not end within {DEADLINE} s")
    finally:
        os.close(handle)


def end_held(handle):
    """Ends the process that a handle holds, whether it has gone by itself meanwhile or not; returns whether it has ended."""
    # Its number may be another's by now, its handle not.
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(handle, signal.SIGTERM)
    return bool(select.select([handle], [], [], DEADLINE)[0])


def end_application(name):
    """Ends whoever has a name on the bus, as a person does who closes its window."""
    call = ["gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/org/freedesktop/DBus", "--method",
            "org.freedesktop.DBus.GetConnectionUnixProcessID", name]
    process = re.search(r"uint32 (\d+)", subprocess.run(call, capture_output=True, text=True).stdout)
    if process:
        end_process(int(process[1]))


def missing(needs):
    """What is needed of the machine and not there."""
    for need in needs:
        if need.endswith(".pc"):
            found = subprocess.run(["pkg-config", "--exists", need[:-3]]).returncode == 0
        elif need.startswith("gir1.2-gtk-"):
            found = subprocess.run(["/usr/bin/python3", "-c", f"import gi; gi.require_version('Gtk', '{need[-3:]}')"], capture_output=True).returncode == 0
        elif need.startswith("/"):
            found = os.path.exists(need)
        elif need.startswith("usher "):
            found = f"USAGE: {need}" in subprocess.run([*need.split(), "--help"], capture_output=True, text=True).stdout
        else:
            found = shutil.which(need)
        if not found:
            yield need


def self_test():
    """A process that ends by itself while it is being ended is no failure, and one that stays is ended."""
    gone = subprocess.Popen(["true"])
    handle = os.pidfd_open(gone.pid)
    gone.wait()
    assert end_held(handle), "what has gone has not ended"
    os.close(handle)
    end_process(gone.pid)
    stays = subprocess.Popen(["sleep", "infinity"])
    end_process(stays.pid)
    assert stays.wait() == -signal.SIGTERM, stays.returncode
