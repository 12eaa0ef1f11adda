# SPDX-License-Identifier: Apache-2.0
"""Runs programs until they exit, and ends running ones."""
import contextlib
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import time

DEADLINE = 30


class Failure(Exception):
    pass


def run(*command, directory=None):
    try:
        result = subprocess.run(list(map(str, command)), cwd=directory, capture_output=True, text=True, timeout=10 * DEADLINE)
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[0]} did not end within {10 * DEADLINE} s") from None
    if result.returncode != 0:
        raise Failure(f"{command[0]} ended with {result.returncode}: {result.stdout}{result.stderr}")
    return result.stdout


def end_process(process):
    """Ends a process, and returns when it has exited."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return
    try:
        if not end_held(handle):
            raise Failure(f"process {process} did not exit within {DEADLINE} s")
    finally:
        os.close(handle)


def end_held(handle):
    """Ends the process of a pidfd, which may already have exited; returns whether it has exited."""
    # The process ID may have been reused, but the pidfd refers to the same process.
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(handle, signal.SIGTERM)
    return bool(select.select([handle], [], [], DEADLINE)[0])


def suspend(process):
    """Stops a process, and returns when all its threads have stopped, which takes a moment on a busy machine."""
    os.kill(process, signal.SIGSTOP)
    states = pathlib.Path(f"/proc/{process}/task")
    while any((task / "stat").read_text().rpartition(")")[2].split()[0] != "T" for task in states.iterdir()):
        time.sleep(0.005)


def owning_process(name):
    """Returns the process that owns a bus name; None if there is none."""
    call = ["gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/org/freedesktop/DBus", "--method",
            "org.freedesktop.DBus.GetConnectionUnixProcessID", name]
    process = re.search(r"uint32 (\d+)", subprocess.run(call, capture_output=True, text=True).stdout)
    return int(process[1]) if process else None


def end_application(name):
    """Ends the process that owns a bus name, as closing its window would."""
    process = owning_process(name)
    if process:
        end_process(process)


def missing(needs):
    """Yields the needed programs and libraries that are not installed."""
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
    """Tests that a process that exits by itself is not a failure, and that a running one is ended."""
    gone = subprocess.Popen(["true"])
    handle = os.pidfd_open(gone.pid)
    gone.wait()
    assert end_held(handle), "an exited process counts as running"
    os.close(handle)
    end_process(gone.pid)
    stays = subprocess.Popen(["sleep", "infinity"])
    end_process(stays.pid)
    assert stays.wait() == -signal.SIGTERM, stays.returncode
