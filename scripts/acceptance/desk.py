# SPDX-License-Identifier: Apache-2.0
"""Installs examples, and reads their output."""
import contextlib
import json
import os
import pathlib
import re
import select
import shutil
import threading

from processes import DEADLINE, Failure, run

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "Examples"


class Tap:
    """The output lines of a program, read from a named pipe that is never closed."""

    def __init__(self, path):
        if not os.path.exists(path):
            os.mkfifo(path)
        self.descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self.rest = b""

    def line(self):
        """Returns the next line that is JSON."""
        while True:
            text, newline, rest = self.rest.partition(b"\n")
            if newline:
                self.rest = rest
                if text.startswith(b"{"):
                    return json.loads(text)
                continue
            if not select.select([self.descriptor], [], [], DEADLINE)[0]:
                raise Failure(f"nothing arrived within {DEADLINE} s")
            self.rest += os.read(self.descriptor, 65536)


    @contextlib.contextmanager
    def discarding(self):
        """Reads and drops the lines in the meantime, so that a program which prints much does not wait for a reader."""
        end, ended = os.pipe()

        def read():
            while end not in select.select([self.descriptor, end], [], [])[0]:
                os.read(self.descriptor, 1 << 20)
            while select.select([self.descriptor], [], [], 0)[0]:
                os.read(self.descriptor, 1 << 20)

        reader = threading.Thread(target=read)
        reader.start()
        try:
            yield
        finally:
            os.close(ended)
            reader.join()
            os.close(end)
            self.rest = b""


class Desk:
    def __init__(self, root):
        self.root = root
        self.share = root / "usr/share"
        self.programs = root / "usr/libexec/examples"
        self.programs.mkdir(parents=True)

    def install(self, example):
        """Builds the example, installs its files, and registers its scheme; returns its output."""
        tap = Tap(self.root / f"{example.program}.lines")
        program = self.program(example)
        wrapper = self.programs / f"{example.program}.sh"
        wrapper.write_text(f"#!/bin/sh\nexec {program} \"$@\" {example.output}<>'{self.root}/{example.program}.lines'\n")
        wrapper.chmod(0o755)
        for suffix, place in (("desktop", "applications"), ("service", "dbus-1/services")):
            template = EXAMPLES / example.directory / f"{example.id}.{suffix}.in"
            if template.exists() and example.directory != "Notes" or suffix == "desktop":
                file = self.share / place / f"{example.id}.{suffix}"
                file.write_text(template.read_text().replace("@exec@", str(wrapper)))
                if suffix == "desktop":
                    run("desktop-file-validate", file)
        # An application that opens no links has no scheme.
        if example.scheme:
            run("usher", "register", example.id, "--scheme", example.scheme)
        return tap

    def uninstall(self, example):
        if example.program != "chromium" and example.scheme:
            run("usher", "unregister", example.id)
        for file in f"applications/{example.id}.desktop", f"dbus-1/services/{example.id}.service":
            (self.share / file).unlink(missing_ok=True)

    def program(self, example):
        directory = EXAMPLES / example.directory
        if example.directory == "Notes":
            return f"'{self.root}/usr/bin/notes'"
        if example.directory == "electron":
            return f"env 'NODE_PATH={directory}/mock' node '{directory}/main.js'"
        if (directory / example.program).exists():
            return f"'{directory}/{example.program}'"
        # The build command in the README of the example.
        command = re.search(r"^    (\S.*)$", (directory / "README.md").read_text(), re.M)[1]
        if (directory / "Cargo.toml").exists():
            # Cargo writes beside its sources.
            directory = shutil.copytree(directory, self.programs / example.directory)
            run("sh", "-c", command, directory=directory)
            return f"'{directory}/target/debug/{example.program}'"
        run("sh", "-c", command.replace(f"-o {example.program}", f"-o '{self.programs}/{example.program}'"), directory=directory)
        return f"'{self.programs}/{example.program}'"
