# SPDX-License-Identifier: Apache-2.0
"""Runs programs under callgrind."""
import subprocess


def command(out, *options):
    """Returns the command prefix that profiles a program and writes the profile to `out`."""
    return ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *options]


def stripped(program, directory):
    """Returns a copy of the program without debugging information, because valgrind cannot read that of this Swift version."""
    subprocess.run(["strip", "-g", "-o", directory / program.name, program], check=True)
    return directory / program.name
