# SPDX-License-Identifier: Apache-2.0
"""Tests each property of each example, and prints a table. scripts/examples runs this after it has created a desktop and a bus."""
import pathlib
import sys

import callers
import downloads
import regions
import reminders
import servers
from desk import Desk
from processes import Failure, missing, self_test
from promises import ALL, APPLICATION1, PROPERTIES, table
from trials import BrowserTrial, Trial


def attempt(desk, example):
    """Returns the result of each property, and the failures."""
    found, wrong = {}, []
    try:
        is_browser = example.program == "chromium"
        trial = BrowserTrial(example, desk) if is_browser else Trial(example, desk.install(example))
        for name in PROPERTIES:
            try:
                found[name] = getattr(trial, name.replace(" ", "_"))()
                if found[name] != example.promises[name]:
                    wrong.append(f"{name}: {found[name] or 'full support'}; expected {example.promises[name] or 'full support'}")
            except Failure as failure:
                found[name] = "!"
                wrong.append(f"{name}: {failure}")
                if name in ("cold", "warm"):
                    break
        entry = desk.share / f"applications/{example.id}.desktop"
        if "DBusActivatable=true" in entry.read_text():
            trial.started_again(desk.programs / f"{example.program}.sh")
        elif example.promises is APPLICATION1:
            trial.launched(entry)
        trial.end()
        if example.promises is APPLICATION1:
            trial.contract()
        desk.uninstall(example)
    except Failure as failure:
        wrong.append(str(failure))
    return found, [f"{example.directory}: {line}" for line in wrong]


def main(root, *arguments):
    options = {word for word in arguments if word.startswith("--")}
    chosen = set(arguments) - options
    known = {example.directory for example in ALL} | {"callers", "reminders", "podcasts", "regions"}
    if unknown := sorted(chosen - known):
        sys.exit(f"examples: no example {', '.join(unknown)}; the examples are {', '.join(sorted(known))}")
    desk, rows, wrong = Desk(pathlib.Path(root)), [], []
    for example in ALL:
        if chosen and example.directory not in chosen:
            continue
        lacking = list(missing(example.needs))
        if lacking:
            print(f"  {example.directory}: missing: {', '.join(lacking)}")
            if "--all" in options and not example.is_optional:
                wrong += [f"{example.directory}: {need} is missing; run: scripts/bootstrap examples" for need in lacking]
            continue
        print(f"  {example.directory}")
        found, failures = attempt(desk, example)
        rows.append((example, found))
        wrong += failures
        if example.directory in servers.SERVERS:
            wrong += servers.failures(desk, example.directory)
    example = next(example for example in ALL if example.directory == "c-glib")
    if (not chosen or "callers" in chosen) and not list(missing(example.needs)):
        wrong += callers.failures(desk, example)
    for directory, module in ("reminders", reminders), ("podcasts", downloads), ("regions", regions):
        if chosen and directory not in chosen:
            continue
        lacking = list(missing(module.NEEDS))
        if not lacking:
            wrong += module.failures(desk)
        elif "--all" in options:
            wrong += [f"{directory}: {need} is missing; run: scripts/bootstrap examples" for need in lacking]
    print("\n" + table(rows))
    print("\n".join(f"examples: {line}" for line in wrong), end="\n" if wrong else "", file=sys.stderr)
    sys.exit(bool(wrong))


if sys.argv[1:] == ["--self-test"]:
    self_test()
    sys.exit()
main(*sys.argv[1:])
