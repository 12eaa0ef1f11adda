# SPDX-License-Identifier: Apache-2.0
"""The sizes of the programs, as built and without symbols, and with the libraries that each loads."""
import pathlib, re, shutil, subprocess, tempfile

from benchtable import Line, Section
from rows.idle import PORTAL

NAME = "sizes"


def run(bench):
    section = Section(NAME, "programs without symbols, and the libraries that each loads")
    programs = [bench.binaries / name for name in ("usher", "usher-command", "usherd", "usher-listen")]
    programs += [shutil.which(name) for name in ("gio", "xdg-open", "dex", "systemd-run")] + [PORTAL]
    with tempfile.TemporaryDirectory() as directory:
        for program in (pathlib.Path(program) for program in programs if program):
            if program.exists():
                size, note = measure(program, pathlib.Path(directory) / "stripped")
                section.lines.append(Line(program.name, "MiB", size, note=note))
    return [section]


def measure(program, stripped):
    """Returns the size of a file in MiB, and a note."""
    if program.read_bytes()[:2] == b"#!":
        return mebibytes(program), "a script, without its interpreter"
    subprocess.run(["strip", "-o", stripped, program], check=True)
    # ldd fails for a static program, which loads no libraries.
    listed = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    libraries = sum(mebibytes(path) for path in re.findall(r"(/\S+) \(0x", listed))
    return mebibytes(stripped), f"and {libraries:.1f} MiB of libraries"


def mebibytes(path):
    return pathlib.Path(path).stat().st_size / (1 << 20)
