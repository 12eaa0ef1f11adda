"""What scripts/examples does once there are a desktop and a bus: each example with each property, and the table of them."""
import dataclasses
import http.server
import json
import os
import pathlib
import queue
import re
import select
import shutil
import subprocess
import sys
import threading

SOURCE = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = SOURCE / "Examples"
DEADLINE = 30
ASKER, ANNOTATION = "org.example.Asker", {"from": "asker", "page": 3, "tags": ["a", "b"]}

PROPERTIES = ("cold", "warm", "suspended", "source", "annotation", "several", "reply", "error", "no link")
# What a property can come to. `None` is all that there is; anything else stands under the table, for what is there where it begins with a
# tick, else for what is not.
APPLICATION1 = dict.fromkeys(PROPERTIES)
STANDARD = APPLICATION1 | {
    "reply": "the standard call has no answer: its callers are told `delivered`",
    "error": "the standard call has no answer: its callers are told `delivered`",
}
UNNAMED = {"suspended": "it has no name on the bus, by which the broker could find what is stopped"}
PLAIN = APPLICATION1 | UNNAMED | {
    "warm": "each link starts it anew",
    "reply": "it ends with 0, which is `handled`, without a value",
    "error": "✓ by its exit status, without words",
}
FORWARDING = APPLICATION1 | UNNAMED | {
    "warm": "✓ by a second start, which tells the first and ends",
    "reply": "that the second start ended with 0 is `handled`, without a value",
    "error": "what becomes of the link in the first instance, nobody is told",
}
NOT_PASSED_ON = dict.fromkeys(("source", "annotation"), "KDBusService does not pass it on")
BROWSING = FORWARDING | dict.fromkeys(("source", "annotation"), "a browser takes the link and nothing else") | {
    "several": "all come, but its tabs ask for their pages in any order",
}


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
    words: str = "there is no such note"
    output: int = 1
    # Too large to be asked for wherever all others are.
    is_optional: bool = False

    def link(self, name):
        return (self.missing if name == "missing" else self.url).format(scheme=self.scheme, name=name)


ALL = [
    Example("Swift, `Scenes`", "Notes", "org.example.Notes", "notes", APPLICATION1, "notes",
            url="{scheme}://search?q={name}", missing="{scheme}://note/7?tab=%zz", words="two hexadecimal digits"),
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
    Example("Electron's lock, as Chromium has it", "electron", "org.example.Browser", "http", BROWSING, "chromium",
            needs=("chromium", "Xvfb"), is_optional=True),
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
        self.programs = root / "usr/libexec/examples"
        self.programs.mkdir(parents=True)

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

    def uninstall(self, example):
        if example.program != "chromium":
            run("usher", "unregister", example.id)
        for file in f"applications/{example.id}.desktop", f"dbus-1/services/{example.id}.service":
            (self.share / file).unlink(missing_ok=True)

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
    try:
        result = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=10 * DEADLINE)
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[0]} did not end within {10 * DEADLINE} s") from None
    if result.returncode != 0:
        raise Failure(f"{command[0]} ended with {result.returncode}: {result.stdout}{result.stderr}")
    return result.stdout


class Trial:
    """One example while it is tried."""
    not_passed_on = NOT_PASSED_ON["source"]

    def __init__(self, example, tap):
        self.example, self.tap, self.processes, self.application = example, tap, [], []

    def open(self, *names, timeout=None, wait="handled"):
        """Opens links; returns what arrived, and the delivery as the caller was told of it."""
        urls = list(map(self.example.link, names))
        command = ["usher", "open", *urls, "--wait", wait, "--json", "--source-application", ASKER,
                   "--annotation", json.dumps(ANNOTATION), *self.application] + (["--timeout", str(timeout)] if timeout else [])
        caller = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            arrived = self.arrival(urls)
        finally:
            try:
                output, errors = caller.communicate(timeout=DEADLINE)
            except subprocess.TimeoutExpired:
                caller.kill()
                raise Failure(f"usher open did not end within {DEADLINE} s") from None
        try:
            receipt = json.loads(output)
        except ValueError as error:
            raise Failure(f"usher open ended with {caller.returncode}: {output}{errors}") from error
        delivery = (receipt.get("deliveries") or [{}])[0] | {"status": caller.returncode}
        self.processes.append(arrived["pid"])
        return arrived, delivery

    def end(self):
        end_application(self.example.id)
        for process in set(self.processes):
            end_process(process)

    def arrival(self, urls):
        line = self.tap.line()
        # What it tells of requests without a link.
        while not line.get("urls") and "uri" not in line:
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
        stays = self.example.promises["warm"] != PLAIN["warm"]
        arrived, delivery = self.open("one", wait="delivered" if stays else "handled")
        expect(delivery, delivery="launch", status=0, application=self.example.id)
        self.first = arrived

    def warm(self):
        arrived, delivery = self.open("two")
        self.second = arrived, delivery
        # What was asked for, `handled`, or honestly not that.
        expect(delivery, status=5 if delivery["outcome"] == "delivered" else 0)
        if delivery["delivery"] == "launch":
            return FORWARDING["warm"] if arrived["pid"] == self.processes[0] else PLAIN["warm"]
        if arrived["pid"] != self.processes[0]:
            raise Failure(f"process {arrived['pid']} was signalled, and not {self.processes[0]}, which was started first")
        return None

    def suspended(self):
        url = self.example.link("thawed")
        command = ["usher", "test-open", "--simulate", "suspended", self.example.id, url, "--json"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE)
        if "only --simulate cold can be tried" in result.stdout:
            expect({"status": result.returncode}, status=1)
            return UNNAMED["suspended"]
        if result.returncode not in (0, 5):
            raise Failure(f"{' '.join(command)} ended with {result.returncode}: {result.stdout}{result.stderr}")
        expect(json.loads(result.stdout), thawed=True)
        expect(self.arrival([url]), pid=self.processes[0])
        return None

    def source(self):
        arrived, _ = self.second
        name, assurance = arrived.get("source-application"), arrived.get("assurance")
        if name is None:
            return self.not_passed_on
        # Where the terminal itself is known to systemd, a claim does not count.
        if name != ASKER and assurance not in ("unit", "sandbox"):
            raise Failure(f"it was told {name} ({assurance})")
        return None

    def annotation(self):
        arrived, _ = self.second
        if "annotation" not in arrived:
            return self.not_passed_on
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
        return PLAIN["reply"] if self.example.promises["warm"] == PLAIN["warm"] else FORWARDING["reply"]

    def error(self):
        _, delivery = self.open("missing")
        if delivery["status"] == 6:
            expect(delivery, outcome="failed")
            return None if self.example.words in delivery["message"] else PLAIN["error"]
        if delivery["outcome"] == "delivered":
            return STANDARD["error"]
        expect(delivery, outcome="handled")
        return FORWARDING["error"]


    def no_link(self):
        """To be brought to the front is something, and what it does not know it says it has not handled."""
        for reason, statuses in ("activate", (0, 5)), ("location", (6,)):
            command = ["usher", "open", "--reason", reason, "--app", self.example.id, "--wait", "handled", "--json"]
            result = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE)
            if result.returncode not in statuses:
                raise Failure(f"{' '.join(command)} ended with {result.returncode}: {result.stdout}")


class BrowserTrial(Trial):
    """Chromium, whose pages are asked for at a server of ours."""
    not_passed_on = BROWSING["source"]

    def __init__(self, example, desk):
        super().__init__(example, None)
        self.asked = queue.Queue()
        trial = self

        class Pages(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                trial.asked.put(self.path)
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        example.url = example.missing = f"http://127.0.0.1:{server.server_port}/{{name}}"
        self.profile = desk.root / "home/browser"
        (desk.share / f"applications/{example.id}.desktop").write_text(
            "[Desktop Entry]\nType=Application\nName=Browser\nMimeType=x-scheme-handler/http;\n"
            f"Exec=chromium --no-sandbox --no-first-run --disable-gpu --user-data-dir={self.profile} %U\n")
        self.application = ["--app", example.id]

    def arrival(self, urls):
        # Its tabs ask for their pages at the same time, in whatever order.
        paths = {"/" + url.rpartition("/")[2] for url in urls}
        while paths:
            try:
                paths.discard(self.asked.get(timeout=DEADLINE))
            except queue.Empty:
                raise Failure(f"nobody asked for {paths} within {DEADLINE} s") from None
        # The lock names who has it.
        return {"pid": int(os.readlink(self.profile / "SingletonLock").rpartition("-")[2])}

    def several(self):
        super().several()
        return BROWSING["several"]


def expect(delivery, /, **values):
    for key, value in values.items():
        if delivery.get(key) != value:
            raise Failure(f"{key} is {delivery.get(key)!r}, expected {value!r}, in {json.dumps(delivery)}")


def end_process(process):
    """Ends a process, and returns when it has gone."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return
    os.kill(process, 15)
    if not select.select([handle], [], [], DEADLINE)[0]:
        raise Failure(f"process {process} does not end")
    os.close(handle)


def end_application(name):
    """Ends whoever has a name on the bus, as a person does who closes its window."""
    call = ["gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/org/freedesktop/DBus", "--method",
            "org.freedesktop.DBus.GetConnectionUnixProcessID", name]
    process = re.search(r"uint32 (\d+)", subprocess.run(call, capture_output=True, text=True).stdout)
    if process:
        end_process(int(process[1]))


def missing(needs):
    """What is needed of the machine and not there."""
    for need in needs:
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
        is_browser = example.program == "chromium"
        trial = BrowserTrial(example, desk) if is_browser else Trial(example, desk.install(example))
        for name in PROPERTIES:
            try:
                found[name] = getattr(trial, name.replace(" ", "_"))()
                if found[name] != example.promises[name]:
                    wrong.append(f"{name}: {found[name] or 'all of it'}; expected {example.promises[name] or 'all of it'}")
            except Failure as failure:
                found[name] = "!"
                wrong.append(f"{name}: {failure}")
                if name in ("cold", "warm"):
                    break
        trial.end()
        desk.uninstall(example)
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
            mark = "✓" if reason is None or reason.startswith("✓") else "–"
            cells.append(mark if reason is None else "!" if reason == "!" else f"{mark} ({reasons.index(reason) + 1})")
        lines.append(f"| [{example.title}](../Examples/{example.folder}) | " + " | ".join(cells) + " |")
    return "\n".join(lines + [""] + [f"{number}. {reason.removeprefix('✓ ')}" for number, reason in enumerate(reasons, 1)]) + "\n"


def main(root, *arguments):
    options = {word for word in arguments if word.startswith("--")}
    chosen = set(arguments) - options
    desk, rows, wrong = Desk(pathlib.Path(root)), [], []
    for example in ALL:
        if chosen and example.folder not in chosen:
            continue
        lacking = list(missing(example.needs))
        if lacking:
            print(f"  {example.folder}: not here: {', '.join(lacking)}")
            if "--all" in options and not example.is_optional:
                wrong += [f"{example.folder}: {need} is not here (scripts/bootstrap examples)" for need in lacking]
            continue
        print(f"  {example.folder}")
        found, failures = attempt(desk, example)
        rows.append((example, found))
        wrong += failures
    print("\n" + table(rows))
    print("\n".join(f"examples: {line}" for line in wrong), end="\n" if wrong else "", file=sys.stderr)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
