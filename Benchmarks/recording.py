# SPDX-License-Identifier: Apache-2.0
"""Builds the programs of recorders/, and reads the pipe to which they write."""
import os, pathlib, select, subprocess, time

SOURCES = pathlib.Path(__file__).resolve().parent / "recorders"


def build(directory):
    """Compiles the recorders into a directory."""
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libsystemd"], capture_output=True, text=True)
    if flags.returncode != 0:
        raise RuntimeError("pkg-config knows no libsystemd; run scripts/bootstrap bench")
    for source in SOURCES.glob("*.c"):
        done = subprocess.run(
            ["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", directory / source.stem, source, *flags.stdout.split()],
            capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{source.name} does not compile:\n{done.stderr}")


class Recording:
    """A named pipe from which the lines of recorders are read."""

    def __init__(self, path):
        self.path = path
        if not path.exists():
            os.mkfifo(path)
        # Also open for writing, so that there is no end of file when the last recorder closes the pipe.
        self.file = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self.input = b""

    def close(self):
        os.close(self.file)

    def wait(self, what, about=None, seconds=5):
        """Waits for a record, and returns its time in nanoseconds and its detail; `None` after the timeout."""
        deadline = time.monotonic() + seconds
        while True:
            while b"\n" in self.input:
                line, self.input = self.input.split(b"\n", 1)
                said, when, named, detail = line.decode().split(" ", 3)
                if said == what and about in (None, named):
                    return int(when), detail
            if not select.select([self.file], [], [], max(0, deadline - time.monotonic()))[0]:
                return None
            self.input += os.read(self.file, 1 << 16)
