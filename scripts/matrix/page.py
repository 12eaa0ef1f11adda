#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the matrix of docs/compatibility.md from the results of run.py.

usage: page.py [--write] RESULTS
  --write   replace the matrix in the page
Exit status: 1 if a cell is worse than the best of the other openers and reasons.py has no reason.
"""
import collections
import json
import os
import re
import sys

from callers import CALLERS
from reasons import reason
from sessions import SESSIONS
from targets import TARGETS

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/compatibility.md")
BEGIN, END = "<!-- matrix -->", "<!-- end of the matrix -->"
LETTERS = {"L": "link", "W": "window", "I": "instance", "T": "token"}
TITLES = {target.name: target.title for target in TARGETS}
NAMES = {caller.name: caller.title for caller in CALLERS}


def letters(cell):
    """Returns what a cell achieved and what it failed, as letters; `None` if it did not run."""
    if "cannot" in cell:
        return None
    again = cell.get("arrived-again", "exact")
    facts = {"L": cell["arrived"] == "exact" and again == "exact"}
    if cell["arrived"] != "no":
        facts.update({"W": cell.get("window"), "I": cell.get("reused"), "T": cell.get("token") and cell.get("token-again", True)})
    return {letter: bool(value) for letter, value in facts.items() if value is not None}


def text(cell):
    """Returns a cell as text: a letter for each success, a dot for each failure."""
    facts = letters(cell)
    if facts is None:
        return ""
    if cell["arrived"] == "no":
        return "no" if cell["status"] in (0, None) else "exit %d" % cell["status"]
    return "".join(letter if facts[letter] else "·" for letter in LETTERS if letter in facts)


def source(cells):
    """Returns the sources in the history of a caller's links, and how reliably they are known."""
    found = collections.Counter()
    for cell in cells:
        if "assurance" in cell:
            found["%s (%s)" % (cell["source-application"], cell["assurance"]) if "source-application" in cell else "unknown"] += 1
            if "via" in cell:
                found["via " + cell["via"]] += 1
    return ", ".join(sorted(found))


def best(peers):
    """Returns the other opener that achieved the most, the link first; `None` if none ran."""
    ran = [cell for cell in peers if letters(cell) is not None]
    return max(ran, key=lambda cell: (letters(cell)["L"], sum(letters(cell).values())), default=None)


def worse(session, cells):
    """Yields each cell that lacks what the best of the other openers has: the cell, the opener, and the letters."""
    for cell in cells:
        facts = letters(cell)
        if not cell["usher"] or facts is None:
            continue
        peer = best([other for other in cells if not other["usher"] and other["target"] == cell["target"]])
        if peer is None:
            continue
        if cell["arrived"] == "no":
            facts = {letter: True for letter in LETTERS if letter != "L"}
        lacking = [letter for letter, value in letters(peer).items() if value and not facts.get(letter)]
        if lacking:
            yield cell, peer, lacking


def table(session):
    """Returns the lines of a session's table, its reasons, and the number of cells without a reason."""
    lines = ["### " + session["title"], ""]
    cells = session["cells"]
    if "cannot" in session:
        lines += ["This session could not run: %s." % session["cannot"].replace("|", "/"), ""]
    if not cells:
        return lines, 0
    names = [target.name for target in TARGETS if any(cell["target"] == target.name for cell in cells)]
    lines.append("| | " + " | ".join(TITLES[name] for name in names) + " | source |")
    lines.append("|---" * (len(names) + 2) + "|")
    notes = []
    for with_usher in (False, True):
        for caller in CALLERS:
            own = {cell["target"]: cell for cell in cells if cell["caller"] == caller.name and cell["usher"] == with_usher}
            if not own:
                continue
            title = caller.title + ("" if with_usher else ", without Usher")
            causes = {cell["cannot"] for cell in own.values() if "cannot" in cell}
            notes += ["- %s: not run, because it %s." % (title, cause) for cause in sorted(causes)]
            if not causes:
                row = [text(own[name]) if name in own else "" for name in names]
                lines.append("| %s | %s | %s |" % (title, " | ".join(row), source(own.values()) if with_usher else ""))
    grouped = collections.defaultdict(lambda: collections.defaultdict(list))
    for cell, peer, lacking in worse(session, cells):
        what = (NAMES[cell["caller"]], ", ".join(LETTERS[letter] for letter in lacking))
        grouped[reason(session["name"], cell, peer, lacking)][what].append(cell["target"])
    for why, callers in grouped.items():
        places = ["%s%s: %s" % (caller, "" if len(own) == len(names) else " (%s)" % ", ".join(TITLES[name] for name in own), what)
                  for (caller, what), own in callers.items()]
        notes.append("- **Worse**: %s. %s" % ("; ".join(places), why or "No reason is known."))
    unexplained = sum(len(own) for own in grouped[None].values()) if None in grouped else 0
    return lines + [""] + notes + [""], unexplained


def main(arguments):
    directory = arguments[-1]
    lines, unexplained = [], 0
    for kind in SESSIONS:
        path = os.path.join(directory, kind.name + ".json")
        if os.path.exists(path):
            with open(path) as file:
                more, count = table({**json.load(file), "name": kind.name})
            lines += more
            unexplained += count
    matrix = "\n".join(lines).rstrip()
    if "--write" in arguments:
        with open(PAGE) as file:
            page = file.read()
        page = re.sub(re.escape(BEGIN) + ".*" + re.escape(END), lambda _: "%s\n%s\n%s" % (BEGIN, matrix, END), page, flags=re.S)
        with open(PAGE, "w") as file:
            file.write(page)
    else:
        print(matrix)
    if unexplained:
        sys.exit("page.py: %d cells are worse than the other openers, without a reason" % unexplained)


if __name__ == "__main__":
    main(sys.argv[1:])
