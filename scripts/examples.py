"""What scripts/examples does once there are a desktop and a bus: each example with each property, and the table of them."""
import dataclasses
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = SOURCE / "Examples"
DEADLINE = 30
ASKER, ANNOTATION = "org.example.Asker", {"from": "asker", "page": 3, "tags": ["a", "b"]}

PROPERTIES = ("cold", "warm", "source", "annotation", "several", "reply", "error")
# What a property can come to. `None` is all that there is; anything else stands in the table as a dash and under it.
APPLICATION1 = dict.fromkeys(PROPERTIES)
STANDARD = APPLICATION1 | {
    "reply": "the standard call has no answer: its callers are told `delivered`",
    "error": "the standard call has no answer: its callers are told `delivered`",
}
PLAIN = APPLICATION1 | {
    "warm": "each link starts it anew",
    "reply": "it ends with 0, which is `handled`, without a value",
}
FORWARDING = APPLICATION1 | {
    "reply": "that the second start ended with 0 is `handled`, without a value",
    "error": "what becomes of the link in the first instance, nobody is told",
}
NOT_PASSED_ON = dict.fromkeys(("source", "annotation"), "KDBusService does not pass it on")


class Failure(Exception):
    pass


@dataclasses.dataclass
class Example:
    """A folder of Examples/, and what it promises."""
    title: str
    folder: str
    id: str
    scheme: str
    promises: dict
    program: str = ""
    needs: tuple = ()
    build: str = ""
    url: str = "{scheme}:{name}"
    missing: str = "{scheme}:missing"
    output: int = 1

    def link(self, name):
        return (self.missing if name == "missing" else self.url).format(scheme=self.scheme, name=name)


ALL = [
    Example("Swift, `Scenes`", "Notes", "org.example.Notes", "notes", APPLICATION1, "notes",
            url="{scheme}://search?q={name}", missing="{scheme}://note/7?tab=%zz"),
    Example("shell, `usher listen`", "shell", "org.example.ShellNotes", "shell-notes", APPLICATION1, "shell-notes",
            needs=("jq", "usher listen"), output=2),
    Example("Node, `usher listen`", "node", "org.example.NodeNotes", "node-notes", APPLICATION1, "node-notes",
            needs=("node", "usher listen")),
    Example("C, sd-bus", "c-sd-bus", "org.example.BusNotes", "bus-notes", APPLICATION1, "bus-notes",
            needs=("cc", "libsystemd.pc", "jansson.pc")),
    Example("Python, GTK", "gtk", "org.example.Jotter", "jotter", APPLICATION1, "jotter",
            needs=("gir1.2-gtk-4.0", "Xvfb")),
    Example("Python, GApplication", "gtk-notes", "org.example.GtkNotes", "gtk-notes", STANDARD, "gtk-notes"),
    Example("C, GApplication", "c-glib", "org.example.GLibNotes", "glib-notes", STANDARD, "glib-notes",
            needs=("cc", "gio-2.0.pc", "json-glib-1.0.pc")),
    Example("Qt, KDBusService", "qt", "org.example.QtNotes", "qt-notes", STANDARD | NOT_PASSED_ON, "qt-notes",
            needs=("g++", "Qt5DBus.pc", "/usr/include/KF5/KDBusAddons")),
    Example("Electron", "electron", "org.example.ElectronNotes", "electron-notes", FORWARDING, "electron-notes",
            needs=("node",)),
    Example("Python, plain", "python", "org.example.PythonNotes", "python-notes", PLAIN, "python-notes"),
    Example("Swift, plain", "swift", "org.example.SwiftNotes", "swift-notes", PLAIN, "swift-notes",
            needs=("swiftc",)),
]


class Tap:
    """The lines that a program prints, through a pipe that never ends."""

    def __init__(self, path):
        os.mkfifo(path)
        self.descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self.rest = b""

    def line(self):
        """The next line that is JSON."""
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


class Desk:
    def __init__(self, root):
        self.root = root
        self.share = root / "usr/share"
        self.programs = root / "usr/libexec"
        self.programs.mkdir()

    def install(self, example):
        """Builds the example, installs its files, and registers its scheme; returns the tap of what it prints."""
        tap = Tap(self.root / f"{example.program}.lines")
        program = self.program(example)
        wrapper = self.programs / f"{example.program}.sh"
        wrapper.write_text(f"#!/bin/sh\nexec {program} \"$@\" {example.output}<>'{self.root}/{example.program}.lines'\n")
        wrapper.chmod(0o755)
        for suffix, place in (("desktop", "applications"), ("service", "dbus-1/services")):
            template = EXAMPLES / example.folder / f"{example.id}.{suffix}.in"
            if template.exists() and example.folder != "Notes" or suffix == "desktop":
                file = self.share / place / f"{example.id}.{suffix}"
                file.write_text(template.read_text().replace("@exec@", str(wrapper)))
                if suffix == "desktop":
                    run("desktop-file-validate", file)
        run("usher", "register", example.id, "--scheme", example.scheme)
        return tap

    def program(self, example):
        folder = EXAMPLES / example.folder
        if example.folder == "Notes":
            return f"'{self.root}/usr/bin/notes'"
        if example.folder == "electron":
            return f"env 'NODE_PATH={folder}/stand-in' node '{folder}/main.js'"
        if (folder / example.program).exists():
            return f"'{folder}/{example.program}'"
        # The command that the README tells its readers.
        command = re.search(r"^    (\S.*)$", (folder / "README.md").read_text(), re.M)[1]
        run("sh", "-c", command.replace(f"-o {example.program}", f"-o '{self.programs}/{example.program}'"), folder=folder)
        return f"'{self.programs}/{example.program}'"


def run(*command, folder=None):
    result = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True)
    if result.returncode != 0:
        raise Failure(f"{command[0]} ended with {result.returncode}: {result.stdout}{result.stderr}")
    return result.stdout


class Trial:
    """One example while it is tried."""

    def __init__(self, example, tap):
        self.example, self.tap, self.processes = example, tap, []

    def open(self, *names, timeout=None, wait="handled"):
        """Opens links; returns what arrived, and the delivery as the caller was told of it."""
        urls = list(map(self.example.link, names))
        command = ["usher", "open", *urls, "--wait", wait, "--json", "--source-application", ASKER,
                   "--annotation", json.dumps(ANNOTATION)] + (["--timeout", str(timeout)] if timeout else [])
        caller = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            arrived = self.arrival(urls)
        finally:
            output, errors = caller.communicate()
        try:
            receipt = json.loads(output)
        except ValueError as error:
            raise Failure(f"usher open ended with {caller.returncode}: {output}{errors}") from error
        delivery = (receipt.get("deliveries") or [{}])[0] | {"status": caller.returncode}
        self.processes.append(arrived["pid"])
        return arrived, delivery

    def arrival(self, urls):
        line = self.tap.line()
        if "uri" in line:
            # gtk-notes tells of each link by itself.
            line["urls"] = [line["uri"]] + [self.tap.line()["uri"] for _ in urls[1:]]
        for key, value in line.pop("platform", {}).items():
            line[key] = value
        line = {key.removeprefix("org.usher."): value for key, value in line.items()}
        if "source" in line:
            line["source-application"] = line.pop("source")
        if line["urls"] != urls:
            raise Failure(f"{urls} was opened, and {line['urls']} arrived")
        return line

    def cold(self):
        # What stays where it was started for a link is not waited for: its end would be its answer.
        stays = self.example.promises["warm"] is None
        arrived, delivery = self.open("one", wait="delivered" if stays else "handled")
        expect(delivery, delivery="launch", status=0, application=self.example.id)
        self.first = arrived

    def warm(self):
        arrived, delivery = self.open("two")
        self.second = arrived, delivery
        # What was asked for, `handled`, or honestly not that.
        expect(delivery, status=5 if delivery["outcome"] == "delivered" else 0)
        if arrived["pid"] == self.processes[0]:
            return None
        expect(delivery, delivery="launch")
        return PLAIN["warm"]

    def source(self):
        arrived, _ = self.second
        name, assurance = arrived.get("source-application"), arrived.get("assurance")
        if name is None:
            return NOT_PASSED_ON["source"]
        # Where the terminal itself is known to systemd, a claim does not count.
        if name != ASKER and assurance not in ("unit", "sandbox"):
            raise Failure(f"it was told {name} ({assurance})")
        return None

    def annotation(self):
        arrived, _ = self.second
        if "annotation" not in arrived:
            return NOT_PASSED_ON["annotation"]
        if arrived["annotation"] != ANNOTATION:
            raise Failure(f"it was told {arrived['annotation']}")
        return None

    def several(self):
        # That they came in one call, in order, is looked at for every arrival.
        self.open("three", "four", "five")

    def reply(self):
        _, delivery = self.second
        if "value" in delivery:
            expect(delivery, outcome="handled")
            return None
        if delivery["outcome"] == "delivered":
            return STANDARD["reply"]
        expect(delivery, outcome="handled", delivery="launch")
        return PLAIN["reply"] if self.example.promises["warm"] else FORWARDING["reply"]

    def error(self):
        _, delivery = self.open("missing")
        if delivery["status"] == 6:
            expect(delivery, outcome="failed")
            return None
        if delivery["outcome"] == "delivered":
            return STANDARD["error"]
        expect(delivery, outcome="handled")
        return FORWARDING["error"]


def expect(delivery, /, **values):
    for key, value in values.items():
        if delivery.get(key) != value:
            raise Failure(f"{key} is {delivery.get(key)!r}, expected {value!r}, in {json.dumps(delivery)}")


def missing(example):
    """What of the machine the example needs and has not got."""
    for need in example.needs:
        if need.endswith(".pc"):
            found = subprocess.run(["pkg-config", "--exists", need[:-3]]).returncode == 0
        elif need.startswith("gir1.2-gtk-"):
            found = subprocess.run(["/usr/bin/python3", "-c", f"import gi; gi.require_version('Gtk', '{need[-3:]}')"], capture_output=True).returncode == 0
        elif need.startswith("/"):
            found = os.path.exists(need)
        elif need.startswith("usher "):
            found = f"USAGE: {need}" in subprocess.run([*need.split(), "--help"], capture_output=True, text=True).stdout
        else:
            found = shutil.which(need)
        if not found:
            yield need


def attempt(desk, example):
    """What each property came to, and what went wrong."""
    found, wrong = {}, []
    try:
        trial = Trial(example, desk.install(example))
        for name in PROPERTIES:
            try:
                found[name] = getattr(trial, name)()
                if found[name] != example.promises[name]:
                    wrong.append(f"{name}: {found[name] or 'all of it'}; expected {example.promises[name] or 'all of it'}")
            except Failure as failure:
                found[name] = "!"
                wrong.append(f"{name}: {failure}")
                if name in ("cold", "warm"):
                    break
    except Failure as failure:
        wrong.append(str(failure))
    return found, [f"{example.folder}: {line}" for line in wrong]


def table(rows):
    """The rows in Markdown, and under them what the dashes mean."""
    reasons, lines = [], ["| example | " + " | ".join(PROPERTIES) + " |", "|---" * (len(PROPERTIES) + 1) + "|"]
    for example, promises in rows:
        cells = []
        for name in PROPERTIES:
            reason = promises.get(name, "!")
            if reason not in (None, "!", *reasons):
                reasons.append(reason)
            cells.append("✓" if reason is None else "!" if reason == "!" else f"– ({reasons.index(reason) + 1})")
        lines.append(f"| [{example.title}](../Examples/{example.folder}) | " + " | ".join(cells) + " |")
    return "\n".join(lines + [""] + [f"{number}. {reason}" for number, reason in enumerate(reasons, 1)]) + "\n"


def main(root, *arguments):
    if root == "--table":
        return print(table([(example, example.promises) for example in ALL]), end="")
    options = {word for word in arguments if word.startswith("--")}
    chosen = set(arguments) - options
    desk, rows, wrong = Desk(pathlib.Path(root)), [], []
    for example in ALL:
        if chosen and example.folder not in chosen:
            continue
        lacking = list(missing(example))
        if lacking:
            print(f"  {example.folder}: not here: {', '.join(lacking)}")
            wrong += [f"{example.folder}: {need} is not here (scripts/bootstrap examples)" for need in lacking if "--all" in options]
            continue
        print(f"  {example.folder}")
        found, failures = attempt(desk, example)
        rows.append((example, found))
        wrong += failures
    print("\n" + table(rows))
    print("\n".join(f"examples: {line}" for line in wrong), end="\n" if wrong else "", file=sys.stderr)
    sys.exit(bool(wrong))


main(*sys.argv[1:])
