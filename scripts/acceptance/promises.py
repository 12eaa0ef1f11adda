# SPDX-License-Identifier: Apache-2.0
"""The examples, the properties that they promise, and their table."""
import dataclasses

PROPERTIES = ("cold", "warm", "suspended", "source", "annotation", "several", "reply", "error", "no link")
# The promise of a property: `None` for full support. Other text becomes a note under the table; it describes support if it begins with a
# tick, otherwise the lack of support.
APPLICATION1 = dict.fromkeys(PROPERTIES)
STANDARD = APPLICATION1 | {
    "reply": "`org.freedesktop.Application` has no reply, so the caller of the link gets at most `delivered`",
    "error": "`org.freedesktop.Application` has no reply, so the caller of the link gets at most `delivered`",
}
UNNAMED = {"suspended": "it has no bus name by which the broker could find a stopped process"}
PLAIN = APPLICATION1 | UNNAMED | {
    "warm": "each link starts a new process",
    "reply": "exit status 0 is `handled`, without a value",
    "error": "✓ by its exit status, without a message",
}
FORWARDING = APPLICATION1 | UNNAMED | {
    "warm": "✓ by a second process, which forwards the link to the first and exits",
    "reply": "exit status 0 of the second process is `handled`, without a value",
    "error": "the outcome in the first instance is not reported to the caller",
}
NOT_PASSED_ON = dict.fromkeys(("source", "annotation"), "KDBusService does not pass the platform data to the application")
BROWSING = FORWARDING | dict.fromkeys(("source", "annotation"), "a browser receives the link and nothing else") | {
    "several": "all links arrive, but the browser's tabs load them in any order",
}


@dataclasses.dataclass
class Example:
    """A directory of Examples/ and its promised properties."""
    title: str
    directory: str
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
    # The name of a link whose handling takes some seconds, if the example has one.
    slow: str = ""
    # Too large to install on every machine that has the other packages.
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
    Example("Go, godbus", "go", "org.example.GoNotes", "go-notes", APPLICATION1, "go-notes", slow="slow",
            needs=("go", "/usr/share/gocode/src/github.com/godbus/dbus")),
    Example("Rust, dbus", "rust", "org.example.RustNotes", "rust-notes", APPLICATION1, "rust-notes", slow="slow",
            needs=("/usr/bin/cargo", "/usr/share/doc/librust-dbus-dev")),
    Example("Python, GTK", "gtk", "org.example.Jotter", "jotter", APPLICATION1, "jotter", slow="slow",
            needs=("gir1.2-gtk-4.0", "Xvfb")),
    Example("Python, GApplication", "gtk-notes", "org.example.GtkNotes", "gtk-notes", STANDARD, "gtk-notes"),
    Example("C, GApplication", "c-glib", "org.example.GLibNotes", "glib-notes", APPLICATION1, "glib-notes", slow="slow",
            needs=("cc", "gio-2.0.pc", "json-glib-1.0.pc")),
    Example("Qt, KDBusService", "qt", "org.example.QtNotes", "qt-notes", STANDARD | NOT_PASSED_ON, "qt-notes",
            needs=("g++", "Qt5DBus.pc", "/usr/include/KF5/KDBusAddons")),
    Example("Electron", "electron", "org.example.ElectronNotes", "electron-notes", FORWARDING, "electron-notes",
            needs=("node",)),
    Example("Chromium, whose lock Electron uses", "electron", "org.example.Browser", "http", BROWSING, "chromium",
            needs=("chromium", "Xvfb"), is_optional=True),
    Example("Python, plain", "python", "org.example.PythonNotes", "python-notes", PLAIN, "python-notes"),
    Example("Swift, plain", "swift", "org.example.SwiftNotes", "swift-notes", PLAIN, "swift-notes",
            needs=("swiftc",)),
]


def table(rows):
    """Returns the table in Markdown, with notes below it."""
    reasons, lines = [], ["| example | " + " | ".join(PROPERTIES) + " |", "|---" * (len(PROPERTIES) + 1) + "|"]
    for example, promises in rows:
        cells = []
        for name in PROPERTIES:
            reason = promises.get(name, "!")
            if reason not in (None, "!", *reasons):
                reasons.append(reason)
            mark = "✓" if reason is None or reason.startswith("✓") else "–"
            cells.append(mark if reason is None else "!" if reason == "!" else f"{mark} ({reasons.index(reason) + 1})")
        lines.append(f"| [{example.title}](../Examples/{example.directory}) | " + " | ".join(cells) + " |")
    return "\n".join(lines + [""] + [f"{number}. {reason.removeprefix('✓ ')}" for number, reason in enumerate(reasons, 1)]) + "\n"
