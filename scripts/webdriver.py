# SPDX-License-Identifier: Apache-2.0
"""Chromium through its driver, by the HTTP interface of the W3C (https://www.w3.org/TR/webdriver2/)."""

import base64
import json
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "ArrowDown": "\ue015", "ArrowUp": "\ue013", "ArrowLeft": "\ue012",
        "ArrowRight": "\ue014", "Home": "\ue011", "End": "\ue010", "PageDown": "\ue00f", "Shift": "\ue008"}


class Failure(Exception):
    """An error that the driver reports."""


class Browser:
    def __init__(self, width=1600, height=1000, dark=False):
        self.profile = tempfile.TemporaryDirectory(prefix="usher-browser.", ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            if started := re.search(r"started successfully on port (\d+)", line):
                break
        else:
            raise Failure("chromedriver did not start")
        self.base = f"http://127.0.0.1:{started[1]}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", f"--user-data-dir={self.profile.name}",
                     f"--window-size={width},{height}", "--force-device-scale-factor=1", "--lang=en-US"]
        if dark:
            arguments.append("--blink-settings=preferredColorScheme=0")
        options = {"args": arguments, "perfLoggingPrefs": {"enableNetwork": True}}
        value = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.session = f"/session/{value['sessionId']}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.profile.cleanup()

    def call(self, method, path, body=None):
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=300) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise Failure(json.load(error)["value"]["message"]) from None

    def open(self, path):
        self.call("POST", f"{self.session}/url", {"url": f"file://{path}"})

    def run(self, script, *arguments):
        """Runs a function body in the page, and returns its value."""
        return self.call("POST", f"{self.session}/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """Runs a function body whose last argument is the function that takes its result."""
        return self.call("POST", f"{self.session}/execute/async", {"script": script, "args": list(arguments)})

    def until(self, script, *arguments):
        """Waits until a function body returns a true value, and returns it."""
        end = time.monotonic() + 120
        while not (value := self.run(script, *arguments)):
            if time.monotonic() > end:
                raise Failure(f"still false: {script}")
            time.sleep(0.02)
        return value

    def press(self, *keys):
        """Presses keys as the user would, one after the other; `Shift+Tab` holds the first."""
        actions = []
        for key in keys:
            *held, last = [KEYS.get(part, part) for part in (key.split("+") if len(key) > 1 else [key])]
            actions += [{"type": "keyDown", "value": one} for one in [*held, last]] + [{"type": "keyUp", "value": one} for one in [last, *held]]
        self.call("POST", f"{self.session}/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def size(self, width, height):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def command(self, name, **parameters):
        """Sends a command of the DevTools protocol."""
        return self.call("POST", f"{self.session}/goog/cdp/execute", {"cmd": name, "params": parameters})

    def colours(self, scheme):
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def printed(self):
        """Prints the page, and returns the PDF."""
        return base64.b64decode(self.call("POST", f"{self.session}/print", {}))

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", f"{self.session}/screenshot")))

    def log(self, kind):
        return self.call("POST", f"{self.session}/se/log", {"type": kind})
