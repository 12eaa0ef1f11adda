# SPDX-License-Identifier: Apache-2.0
"""A web link to a plain program with 40 rules and the whole catalogue enabled, compared with a link without routes."""
import contextlib

from benchdesk import SOURCE, Desk
from benchtable import Goal, Section
from racing import race, until

NAME = "web"
RULES = 40


def rules():
    """Returns a user's file with rules as in docs/web-links.md, of which the twentieth opens the links of site20.example."""
    lines = ["format = 1", 'owner = "user"', ""]
    for number in range(1, RULES + 1):
        lines += [
            f"[route.rule{number}]",
            f'match = ["https://site{number}.example/{{path...?}}", "https://{{host...}}.team{number}.example/docs/{{id:uint}}"]',
            'open = "https"', ""]
    return "\n".join(lines)


def run(bench):
    """Both desktops have a private bus without a user manager, as in the row plain; the program is the handler of its desktop's scheme."""
    plain, web = Desk(bench.binaries, bench.tools), Desk(bench.binaries, bench.tools)
    plain.plain_program("plain")
    web.plain_program("https")
    web.write("home/config/usher/routes/rules.toml", rules())
    for file in sorted((SOURCE / "Routes/catalog").glob("*.toml")):
        web.write(f"home/share/usher/routes/web-catalog-{file.name}", file.read_text())

    def opener(desk, url, opened=None):
        def measure(turn):
            link, reached = (text.format(turn=turn) for text in (url, opened or url))
            return until(desk, "main", ["usher", "open", link], reached)
        return measure

    contenders = {
        "a link without routes": opener(plain, "plain:{turn}"),
        "a web link that a rule opens": opener(web, "https://site20.example/{turn}"),
        "a web link that no rule matches": opener(web, "https://other.example/{turn}"),
        "a web link that is cleaned": opener(
            web, "https://site20.example/{turn}?id=7&utm_source=mail", "https://site20.example/{turn}?id=7"),
    }
    with contextlib.ExitStack() as stack:
        for desk in (plain, web):
            stack.enter_context(desk)
        times = race(contenders, bench.rounds(100, 10))
    section = Section(NAME, f"a web link with {RULES} rules and the catalogue, process start to the program's main")
    section.times(times)
    for name in list(contenders)[1:]:
        section.ratio(name, "a link without routes", times, Goal(1.15))
    return [section]
