# SPDX-License-Identifier: Apache-2.0
"""Rounds in which all contenders run in turn, so that they are measured under the same conditions."""
import collections, subprocess, time


def race(contenders, rounds):
    """Returns the figures of each contender, one for each round. A contender is a function of a text that is unique to the turn.

    A first, uncounted round precedes them. Each round begins with another contender.
    """
    names, figures = list(contenders), {name: [] for name in contenders}
    order = collections.deque(names)
    for round in range(-1, rounds):
        for name in order:
            figure = contenders[name](f"{names.index(name)}-{round + 1}")
            if round >= 0:
                figures[name].append(figure)
        order.rotate(-1)
    return figures


def until(desk, what, command, url=None, detail=None):
    """Returns the milliseconds from the start of a command until a recorder wrote `what` for this URL.

    `None` if it did not within five seconds, so that the link is lost. The recorded detail must begin with `detail`.
    """
    recording = desk.recording
    process = subprocess.Popen(
        [desk.tools / "stamp", recording.path, *command], env=desk.environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    begin, reached = recording.wait("start"), recording.wait(what, url)
    _, said = process.communicate(timeout=60)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {process.returncode}: {said.strip()}")
    if reached is None:
        return None
    if detail and not reached[1].startswith(detail):
        raise RuntimeError(f"{' '.join(map(str, command))} started it in {reached[1]}, not in {detail}…")
    return (reached[0] - begin[0]) / 1e6


def until_end(desk, command):
    """Returns the milliseconds from the start of a command to its exit."""
    process = subprocess.Popen(
        [desk.tools / "stamp", desk.recording.path, *command], env=desk.environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Without a timeout, because Python would then poll.
    status = process.wait()
    ended = time.monotonic_ns()
    if status != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {status}")
    return (ended - desk.recording.wait("start")[0]) / 1e6
