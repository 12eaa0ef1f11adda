# SPDX-License-Identifier: Apache-2.0
"""The tests of one example: each property and its result."""
import http.server
import json
import os
import queue
import subprocess
import threading

from processes import DEADLINE, Failure, end_application, end_process
from promises import BROWSING, FORWARDING, NOT_PASSED_ON, PLAIN, STANDARD, UNNAMED

ASKER, ANNOTATION = "org.example.Asker", {"from": "asker", "page": 3, "tags": ["a", "b"]}


class Trial:
    """The tests of one example."""
    not_passed_on = NOT_PASSED_ON["source"]

    def __init__(self, example, tap):
        self.example, self.tap, self.processes, self.application = example, tap, [], []

    def open(self, *names, timeout=None, wait="handled"):
        """Opens links; returns what arrived, and the delivery that the caller received."""
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
        # Lines about requests without a link are skipped.
        while not line.get("urls") and "uri" not in line:
            line = self.tap.line()
        if "uri" in line:
            # gtk-notes prints a line for each link.
            line["urls"] = [line["uri"]] + [self.tap.line()["uri"] for _ in urls[1:]]
        for key, value in line.pop("platform", {}).items():
            line[key] = value
        line = {key.removeprefix("org.usher."): value for key, value in line.items()}
        if "source" in line:
            line["source-application"] = line.pop("source")
        if line["urls"] != urls:
            raise Failure(f"{urls} was opened, but {line['urls']} arrived")
        return line

    def cold(self):
        # A program that keeps running after its start for a link would reply only when it exits, so the test does not wait for it.
        stays = self.example.promises["warm"] != PLAIN["warm"]
        arrived, delivery = self.open("one", wait="delivered" if stays else "handled")
        expect(delivery, delivery="launch", status=0, application=self.example.id)
        self.first = arrived

    def warm(self):
        arrived, delivery = self.open("two")
        self.second = arrived, delivery
        # The reported outcome may be weaker than the requested one.
        expect(delivery, status=5 if delivery["outcome"] == "delivered" else 0)
        if delivery["delivery"] == "launch":
            return FORWARDING["warm"] if arrived["pid"] == self.processes[0] else PLAIN["warm"]
        if arrived["pid"] != self.processes[0]:
            raise Failure(f"process {arrived['pid']} received the link instead of {self.processes[0]}, which was started first")
        return None

    def suspended(self):
        url = self.example.link("thawed")
        command = ["usher", "test-open", "--simulate", "suspended", self.example.id, url, "--json"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE)
        if "only --simulate cold can be tested" in result.stdout:
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
        # If systemd knows the unit of the terminal, that identity replaces the claim.
        if name != ASKER and assurance not in ("unit", "sandbox"):
            raise Failure(f"it received {name} ({assurance})")
        return None

    def annotation(self):
        arrived, _ = self.second
        if "annotation" not in arrived:
            return self.not_passed_on
        if arrived["annotation"] != ANNOTATION:
            raise Failure(f"it received {arrived['annotation']}")
        return None

    def several(self):
        # Every arrival is checked to be one call with the URLs in order.
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
        """Tests that `activate` is handled, and that an unknown reason is reported as not handled."""
        for reason, statuses in ("activate", (0, 5)), ("location", (6,)):
            command = ["usher", "open", "--reason", reason, "--app", self.example.id, "--wait", "handled", "--json"]
            result = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE)
            if result.returncode not in statuses:
                raise Failure(f"{' '.join(command)} ended with {result.returncode}: {result.stdout}")


    def started_again(self, program):
        """Tests that a second process, as a user starts it in a terminal, passes its link to the first and exits."""
        url = self.example.link("again")
        try:
            status = subprocess.run([program, url], stdin=subprocess.DEVNULL, timeout=DEADLINE).returncode
        except subprocess.TimeoutExpired:
            raise Failure(f"a second process did not exit within {DEADLINE} s") from None
        expect({"status": status}, status=0)
        expect(self.arrival([url]), pid=self.processes[0])


    def launched(self, entry):
        """Tests that the running instance, and then a first one, receives the link with which GIO starts the program."""
        for name, is_running in ("launched", True), ("started", False):
            if not is_running:
                end_application(self.example.id)
            url = self.example.link(name)
            # The program inherits the output, so that a pipe would stay open as long as it runs.
            subprocess.run(["gio", "launch", entry, url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=DEADLINE)
            arrived = self.arrival([url])
            if (arrived["pid"] == self.processes[0]) != is_running:
                raise Failure(f"process {arrived['pid']} received {url}, with which GIO started the program")
            self.processes.append(arrived["pid"])


    def contract(self):
        """Tests that an application which serves org.usher.Application1 keeps its contract."""
        command = ["usher", "test-application", "--failing", self.example.link("missing"), self.example.id, self.example.link("one")]
        if self.example.slow:
            command += ["--slow", self.example.link(self.example.slow)]
        with self.tap.discarding():
            result = subprocess.run(command, capture_output=True, text=True, timeout=10 * DEADLINE)
        if result.returncode != 0:
            raise Failure(f"{' '.join(command)} ended with {result.returncode}: {result.stdout}{result.stderr}")


class BrowserTrial(Trial):
    """Chromium, which requests its pages from a server of the test."""
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
        # Its tabs request their pages concurrently, in any order.
        paths = {"/" + url.rpartition("/")[2] for url in urls}
        while paths:
            try:
                paths.discard(self.asked.get(timeout=DEADLINE))
            except queue.Empty:
                raise Failure(f"{paths} was not requested within {DEADLINE} s") from None
        # The lock names the process that owns it.
        return {"pid": int(os.readlink(self.profile / "SingletonLock").rpartition("-")[2])}

    def several(self):
        super().several()
        return BROWSING["several"]


def expect(delivery, /, **values):
    for key, value in values.items():
        if delivery.get(key) != value:
            raise Failure(f"{key} is {delivery.get(key)!r}, expected {value!r}, in {json.dumps(delivery)}")
