# SPDX-License-Identifier: Apache-2.0
"""Ten thousand desktop files, a thousand schemes and running targets, 100,000 routes, a million entries of history."""
import contextlib, sqlite3

from benchdesk import Desk
from benchtable import Goal, Line, Section
from racing import race, until_end

NAME = "scale"
FILES, SCHEMES, ROUTES, TARGETS, ENTRIES = "desktop files", "registered schemes", "routes", "running targets", "history entries"
FULL = {FILES: 10_000, SCHEMES: 1_000, ROUTES: 100_000, TARGETS: 1_000, ENTRIES: 1_000_000}
WARM = Goal(50)


def run(bench):
    counts = {what: bench.rounds(count, count // 10) for what, count in FULL.items()}
    return [answers(counts, bench), memory(counts, bench)]


def answers(counts, bench):
    """Measures the operations for which users wait, with all of this at once and a broker that has opened links before."""
    section = Section(NAME, ", ".join(f"{count:,} {what}" for what, count in counts.items()) + ": process start to end")
    with crowded(counts, bench) as desk:
        url = f"{scheme(counts[TARGETS] // 2)}://note/7"

        def usher(*arguments):
            return lambda turn: until_end(desk, ["usher", *arguments])

        times = race({
            "usher open": usher("open", url),
            "usher explain": usher("explain", url),
            "usher handlers": usher("handlers"),
            "usher history": usher("history"),
        }, bench.rounds(30, 3))
        total, own = desk.memory()
    section.times(times)
    for line in section.lines:
        line.goal, line.verdict = WARM, WARM.verdict(line.value)
    section.lines += [Line("usherd, RSS", "MiB", total), Line("usherd, anonymous memory", "MiB", own)]
    return section


def memory(counts, bench):
    """Measures how each of these increases the broker's private memory: with none, half and all of it."""
    section = Section(NAME, "usherd's anonymous memory, after one link")
    for what, count in counts.items():
        none, half, full = (held({what: part}, bench) for part in (0, count // 2, count))
        each = (full - none) * 1024 / count
        section.lines.append(Line(
            f"{count:,} {what}", "MiB", full, note=f"{none:.1f} without, {half:.1f} with half: {each:.3f} KiB each"))
    return section


def held(counts, bench):
    with crowded({what: counts.get(what, 0) for what in FULL}, bench) as desk:
        return desk.memory()[1]


@contextlib.contextmanager
def crowded(counts, bench):
    """Creates a desktop with the given numbers, whose broker has delivered a link to each running target."""
    desk = Desk(bench.binaries, bench.tools)
    desk.application_entry("quiet", "org.example.Quiet", "quiet")
    for number in range(max(counts[FILES], counts[SCHEMES], counts[TARGETS])):
        kind = f"x-scheme-handler/{scheme(number)}" if number < counts[SCHEMES] else f"text/x-scale{number}"
        if number < counts[TARGETS]:
            desk.application_entry("quiet", name(number), scheme(number))
        else:
            desk.bare_entry(name(number), kind)
    defaults = (f"x-scheme-handler/{scheme(number)}={name(number)}.desktop\n" for number in range(counts[SCHEMES]))
    desk.write("home/config/mimeapps.list", "[Default Applications]\n" + "".join(defaults))
    # One file for each application, as packages install them.
    for first in range(0, counts[ROUTES], 100):
        desk.write(f"share/usher/routes/{name(first // 100)}.toml", routes(first // 100))
    with desk:
        names = [name(number) for number in range(counts[TARGETS])]
        if names:
            desk.run_application("quiet", *names)
        desk.run_application("quiet", "org.example.Quiet")
        desk.call("once", "open", "quiet:x", "delivered")
        if counts[ENTRIES]:
            remember(desk, counts[ENTRIES])
        for number in range(counts[TARGETS]):
            desk.call("once", "open", f"{scheme(number)}://note/7", "delivered")
        desk.run("usher", "history")
        yield desk


def name(number):
    return f"org.example.Scale{number}"


def scheme(number):
    return f"scale{number}"


def routes(number):
    lines = [f'format = 1\nowner = "{name(number)}"\n']
    for route in range(100):
        path = "note" if route == 0 else f"kind{route}"
        lines.append(f'[route.r{route}]\nmatch = "{scheme(number)}://{path}/{{id:int}}?tab={{tab?}}"\nhandler = "show"\n')
    return "\n".join(lines)


def remember(desk, count):
    """Fills the history while no broker runs, and measures the next broker."""
    desk.run("usher", "history")
    desk.stop("org.usher.Broker1")
    with contextlib.closing(sqlite3.connect(desk.root / "home/state/usher/state.sqlite")) as file, file:
        file.executemany(
            "INSERT INTO history (time, request, urls, source, assurance, application, delivery, outcome, error, duration)"
            " VALUES (?, ?, ?, 'org.example.Shell', 'authenticated', ?, 'Application1', 'handled', NULL, 900)",
            ((number, f"{number:032x}", f'["{scheme(number % 1000)}://note/{number}"]', name(number % 1000))
             for number in range(count)))
    desk.call("once", "open", "quiet:x", "delivered")
