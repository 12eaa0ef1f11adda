"""A desktop that exists for one measurement: folders, a private bus, entries, and the broker from a folder of binaries."""
import os, pathlib, shutil, subprocess, tempfile, threading

SOURCE = pathlib.Path(__file__).resolve().parent.parent


class Desk:
    def __init__(self, binaries):
        self.binaries = binaries
        self.root = root = pathlib.Path(tempfile.mkdtemp())
        (root / "run").mkdir(mode=0o700)
        self.environment = {
            "PATH": f"{binaries}:/usr/local/bin:/usr/bin:/bin", "HOME": str(root / "home"), "LANG": "C.UTF-8",
            "DISPLAY": ":99", "XDG_RUNTIME_DIR": str(root / "run"), "XDG_DATA_HOME": str(root / "home/share"),
            "XDG_STATE_HOME": str(root / "home/state"), "XDG_CONFIG_HOME": str(root / "home/config"),
            "XDG_DATA_DIRS": f"{root}/share:/usr/share", "XDG_CURRENT_DESKTOP": "X-Generic",
        }
        for name in ("org.usher.Broker1", "org.usher.Handler"):
            self.service(name, self.template(f"desktop/{name}.service.in", bindir=binaries))

    def __enter__(self):
        subprocess.run(["update-desktop-database", self.root / "share/applications"], check=True)
        self.address = f"unix:path={self.root}/run/bus"
        self.bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nosyslog", f"--address={self.address}", "--print-address=1"],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.bus.stdout.readline()
        # What it starts writes there, too, and would wait for ever for a reader.
        threading.Thread(target=self.bus.stdout.read, daemon=True).start()
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self.address
        return self

    def __exit__(self, *_):
        self.bus.terminate()
        self.bus.wait()
        for variables in pathlib.Path("/proc").glob("[0-9]*/environ"):
            try:
                if f"HOME={self.root}/home".encode() in variables.read_bytes().split(b"\0"):
                    os.kill(int(variables.parent.name), 15)
            except (OSError, ValueError):
                pass
        shutil.rmtree(self.root, ignore_errors=True)

    @staticmethod
    def template(path, **words):
        text = (SOURCE / path).read_text()
        for word, value in words.items():
            text = text.replace(f"@{word}@", str(value))
        return text

    def write(self, path, text, mode=0o644):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path

    def entry(self, name, text):
        self.write(f"share/applications/{name}.desktop", text)

    def service(self, name, text):
        self.write(f"share/dbus-1/services/{name}.service", text)

    def gtk_notes(self):
        gtk = SOURCE / "Examples/gtk-notes/gtk-notes"
        self.entry("org.example.GtkNotes", self.template("Examples/gtk-notes/org.example.GtkNotes.desktop.in", exec=gtk))
        self.service(
            "org.example.GtkNotes", self.template("Examples/gtk-notes/org.example.GtkNotes.service.in", exec=gtk))

    def memory(self):
        """The broker's resident memory and the part of it that is its own, in MiB."""
        pid = subprocess.run(
            ["busctl", f"--address={self.address}", "call", "org.freedesktop.DBus", "/", "org.freedesktop.DBus",
             "GetConnectionUnixProcessID", "s", "org.usher.Broker1"],
            capture_output=True, text=True, check=True).stdout.split()[1]
        facts = dict(line.split(":", 1) for line in open(f"/proc/{pid}/status") if line.startswith("Rss"))
        total = sum(int(value.split()[0]) for value in facts.values())
        return total / 1024, int(facts["RssAnon"].split()[0]) / 1024
