"""Rounds in which every contender takes its turn, so that all see the same machine."""
import collections, subprocess, time


def race(contenders, rounds):
    """Each contender's figures, one a round. A contender is a function of a text that no other turn has.

    All run once before, uncounted; who is first moves on with each round.
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
    """Milliseconds from the start of a command until a recorder wrote `what` of this URL.

    `None` if it never did within five seconds: the link was lost. `detail` is what the recorder's last word must begin with.
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
    """Milliseconds from the start of a command to its end."""
    process = subprocess.Popen(
        [desk.tools / "stamp", desk.recording.path, *command], env=desk.environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Without a time-out, with which Python would look now and then.
    status = process.wait()
    ended = time.monotonic_ns()
    if status != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {status}")
    return (ended - desk.recording.wait("start")[0]) / 1e6
