# SPDX-License-Identifier: Apache-2.0
"""A link to a plain program that the user manager starts, from the start of the opener to the program's main function."""
import json, os, pathlib, subprocess, sys, types

# Inside the namespaces of the user manager, this file is run as a program.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from benchdesk import SOURCE, Desk
from benchtable import Goal, NotHere, Section
from racing import race, until
from recording import Recording

NAME = "systemd"


def run(bench):
    """A private user manager in its own namespaces, with the directories of the desktop; the race runs inside."""
    desk = Desk(bench.binaries, bench.tools)
    desk.plain_program("plain")
    with desk:
        output, reason, status = in_user_manager(
            desk, [sys.executable, __file__, desk.recording.path, bench.tools, str(bench.rounds(50, 5))])
    if status == 77:
        raise NotHere(reason.strip().removeprefix("with-user-manager: "))
    if status != 0:
        raise RuntimeError(f"in the user manager: {reason.strip()}")
    times = json.loads(output)
    section = Section(NAME, "a plain program through systemd, process start to its main")
    section.times(times)
    section.ratio("usher open", "systemd-run --user", times, Goal(1.1))
    return [section]


def in_user_manager(desk, command):
    """Runs a command inside. On SIGTERM the script removes its cgroups; on SIGKILL it cannot."""
    script = subprocess.Popen([SOURCE / "scripts/with-user-manager", *command], env=desk.environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        return *script.communicate(timeout=600), script.returncode
    except BaseException:
        script.terminate()
        script.communicate()
        raise


def inside(pipe, tools, rounds):
    """Runs the race on the desktop of this environment; prints the times as JSON."""
    desk = types.SimpleNamespace(recording=Recording(pipe), tools=tools, environment=os.environ)

    def by_usher(turn):
        return until(desk, "main", ["usher", "open", f"plain:{turn}"], f"plain:{turn}", detail="app-")

    def by_systemd_run(turn):
        command = [tools / "program", desk.recording.path, f"plain:{turn}"]
        return until(desk, "main", ["systemd-run", "--user", "--quiet", *command], f"plain:{turn}", detail="run-")

    print(json.dumps(race({"usher open": by_usher, "systemd-run --user": by_systemd_run}, rounds)))


if __name__ == "__main__":
    inside(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3]))
