# SPDX-License-Identifier: Apache-2.0
"""The figures of route tables, which scripts/bench-routes measures in a separate program."""
import json, pathlib, subprocess, tempfile

from benchdesk import SOURCE
from benchtable import Line, Section

NAME = "routes"


def run(bench):
    with tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory) / "routes.json"
        command = [SOURCE / "scripts/bench-routes", *(["--quick"] if bench.is_quick else []),
                   "--rounds", str(bench.rounds(301, 31)), "--json", file]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"bench-routes ended with {done.returncode}: {done.stderr.strip()[-2000:]}")
        sections = json.loads(file.read_text())
    return [Section(f"{NAME} {section['row']}", section["title"], [Line(**line) for line in section["lines"]])
            for section in sections]
