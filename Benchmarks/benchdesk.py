# SPDX-License-Identifier: Apache-2.0
"""A temporary desktop for one measurement: directories, a private bus, desktop entries, and the broker."""
import contextlib, os, pathlib, select, signal, subprocess, tempfile, threading

from recording import Recording

SOURCE = pathlib.Path(__file__).resolve().parent.parent


class Desk:
    def __init__(self, binaries, tools=None):
        self.binaries, self.tools = binaries, tools
        self.directory = tempfile.TemporaryDirectory(prefix="usher-bench-", ignore_cleanup_errors=True)
        self.root = root = pathlib.Path(self.directory.name)
        # The broker does not create the home directory, without which it cannot write its history.
        for name in ("run", "home"):
            (root / name).mkdir(mode=0o700)
        self.environment = {
            "PATH": f"{binaries}:/usr/local/bin:/usr/bin:/bin", "HOME": str(root / "home"), "LANG": "C.UTF-8",
            "DISPLAY": ":99", "XDG_RUNTIME_DIR": str(root / "run"), "XDG_DATA_HOME": str(root / "home/share"),
            "XDG_STATE_HOME": str(root / "home/state"), "XDG_CONFIG_HOME": str(root / "home/config"),
            "XDG_DATA_DIRS": f"{root}/share:/usr/share", "XDG_CURRENT_DESKTOP": "X-Generic",
        }
        self.recording = Recording(root / "recording")
        for name in ("org.usher.Broker1", "org.usher.Handler", "org.usher.Triggers1"):
            self.service(name, self.template(f"desktop/{name}.service.in", bindir=binaries))
        self.write("share/systemd/user/usherd.service", self.template("desktop/usherd.service.in", bindir=binaries))

    def __enter__(self):
        self.index()
        self.address = f"unix:path={self.root}/run/bus"
        self.bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nosyslog", f"--address={self.address}", "--print-address=1"],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.bus.stdout.readline()
        # Programs that it starts inherit its output, and would block if no process read it.
        threading.Thread(target=self.bus.stdout.read, daemon=True).start()
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self.address
        return self

    def __exit__(self, *_):
        # The bus last, because programs that lose it print errors.
        for pid in self.processes():
            if pid != self.bus.pid:
                end(pid)
        self.bus.terminate()
        self.bus.wait()
        self.recording.close()
        self.directory.cleanup()

    def processes(self):
        """Returns the running processes of this desktop."""
        for variables in pathlib.Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if f"HOME={self.root}/home".encode() in variables.read_bytes().split(b"\0"):
                    yield int(variables.parent.name)

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
        return self.write(f"share/applications/{name}.desktop", text)

    def service(self, name, text):
        self.write(f"share/dbus-1/services/{name}.service", text)

    def index(self):
        """Updates the desktop database after entries were written."""
        (self.root / "share/applications").mkdir(parents=True, exist_ok=True)
        subprocess.run(["update-desktop-database", self.root / "share/applications"], check=True)

    def gtk_notes(self):
        gtk = SOURCE / "Examples/gtk-notes/gtk-notes"
        self.entry("org.example.GtkNotes", self.template("Examples/gtk-notes/org.example.GtkNotes.desktop.in", exec=gtk))
        self.service(
            "org.example.GtkNotes", self.template("Examples/gtk-notes/org.example.GtkNotes.service.in", exec=gtk))

    def plain_program(self, scheme):
        """Installs the recorder of program starts as the handler of a scheme; returns the path of its entry."""
        return self.entry(scheme, f"[Desktop Entry]\nType=Application\nName=Plain\n"
                          f"Exec={self.tools}/program {self.recording.path} %u\nMimeType=x-scheme-handler/{scheme};\n")

    def bare_entry(self, name, kind):
        """Installs an application that does nothing as the handler of a type."""
        self.entry(name, f"[Desktop Entry]\nType=Application\nName={name}\nExec=/bin/true %u\nMimeType={kind};\n")

    def application_entry(self, role, name, scheme=None):
        """Installs an application with a role of recorders/application.c, and its service file, as the handler of a scheme."""
        command = f"{self.tools}/application {self.recording.path} {role} {name}"
        implements = "" if role == "standard" else "Implements=org.usher.Application1;\n"
        if scheme:
            self.entry(name, f"[Desktop Entry]\nType=Application\nName=Recorder\nExec={command}\nDBusActivatable=true\n"
                       f"MimeType=x-scheme-handler/{scheme};\n{implements}")
        self.service(name, f"[D-BUS Service]\nName={name}\nExec={command}\n")

    def run_application(self, role, *names):
        """Starts a program with these applications, and waits until they own their names."""
        subprocess.Popen([self.tools / "application", self.recording.path, role, *names], env=self.environment)
        if not self.recording.wait("ready", names[-1], seconds=30):
            raise RuntimeError(f"the recorder {names[-1]} does not come to the bus")

    def call(self, *arguments):
        """Runs recorders/caller.c, and returns its output lines, each a list of numbers."""
        done = self.run(self.tools / "caller", *arguments)
        return [[int(word) for word in line.split()] for line in done.stdout.splitlines()]

    def run(self, *command):
        """Runs a command; raises an error if it fails."""
        done = subprocess.run([str(word) for word in command], env=self.environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=300)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stderr.strip()}")
        return done

    def ask_bus(self, member, name):
        """Calls a method of the bus about a name, and returns the only value of the reply."""
        return self.run("busctl", f"--address={self.address}", "call", "org.freedesktop.DBus", "/",
                        "org.freedesktop.DBus", member, "s", name).stdout.split()[1]

    def owner(self, name="org.usher.Broker1"):
        """Returns the process that owns a name."""
        return int(self.ask_bus("GetConnectionUnixProcessID", name))

    def stop(self, name):
        """Ends the owner of a name, and waits until the bus has released the name."""
        end(self.owner(name))
        while self.ask_bus("NameHasOwner", name) == "true":
            pass

    @staticmethod
    def cpu_time(pid):
        """Returns the CPU time of a process in seconds, to a hundredth."""
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self, name="org.usher.Broker1"):
        """Returns the resident and the private memory of a name's owner in MiB."""
        facts = dict(line.split(":", 1) for line in open(f"/proc/{self.owner(name)}/status") if line.startswith("Rss"))
        total = sum(int(value.split()[0]) for value in facts.values())
        return total / 1024, int(facts["RssAnon"].split()[0]) / 1024


def end(pid):
    """Ends a process, which need not be a child, and waits until it has exited."""
    with contextlib.suppress(ProcessLookupError):
        process = os.pidfd_open(pid)
        try:
            for how in (signal.SIGTERM, signal.SIGKILL):
                signal.pidfd_send_signal(process, how)
                if select.select([process], [], [], 5)[0]:
                    break
        finally:
            os.close(process)
