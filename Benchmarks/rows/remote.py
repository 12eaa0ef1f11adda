# SPDX-License-Identifier: Apache-2.0
"""A link of another machine through ssh on loopback, the memory of relays, and a machine that sends a thousand links a minute."""
import contextlib, os, shutil, socket, statistics, struct, subprocess, threading, time

from benchdesk import Desk
from benchtable import Goal, Line, NotHere, Section
from rows import flood

NAME = "remote"
MACHINE = "build.example.org"
GREETING = b"usher-remote-1\n"
# A machine may open 30 links within 10 seconds.
PAUSE = 0.4
MACHINES = 20
# The links of the flood per second: a thousand a minute.
RATE = 17


def message(kind, *fields):
    content = b"".join(text.encode() + b"\0" for text in (kind, *fields))
    return struct.pack(">I", len(content)) + content


class Channel:
    """A connection to a socket that ssh forwards, which is a new channel of the shared connection."""

    def __init__(self, path):
        self.peer, self.input = socket.socket(socket.AF_UNIX), b""
        self.peer.connect(str(path))

    def take(self, count):
        while len(self.input) < count:
            data = self.peer.recv(1 << 16)
            if not data:
                raise RuntimeError("ssh has closed the channel")
            self.input += data
        taken, self.input = self.input[:count], self.input[count:]
        return taken

    def next(self):
        return self.take(struct.unpack(">I", self.take(4))[0]).decode().split("\0")[:-1]


def open_link(path, url, number):
    """Opens a link as the clients do, and returns the fields of the result."""
    channel = Channel(path)
    with channel.peer:
        channel.peer.sendall(GREETING)
        channel.take(len(GREETING))
        while (texts := channel.next())[0] != "result":
            if texts[0] == "ready":
                channel.peer.sendall(message("open", "id", f"{number:032x}", "url", url, "wait", "delivered"))
    return dict(zip(texts[1::2], texts[2::2]))


def echo(path, size):
    channel = Channel(path)
    with channel.peer:
        channel.peer.sendall(b"x" * size)
        channel.take(size)


def timed(body, *arguments):
    begin = time.perf_counter()
    result = body(*arguments)
    return (time.perf_counter() - begin) * 1000, result


def serve_echo(path):
    """Sends back what each connection sends, in a thread."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen(16)

    def serve():
        while True:
            peer, _ = listener.accept()
            with peer:
                while data := peer.recv(1 << 16):
                    peer.sendall(data)

    threading.Thread(target=serve, daemon=True).start()


@contextlib.contextmanager
def connected(desk):
    """Connects the machine with usher remote connect; yields the path of its socket there, and of the socket of an echo."""
    if not shutil.which("ssh") or not os.path.exists("/usr/sbin/sshd"):
        raise NotHere("install openssh-client and openssh-server")
    if os.geteuid() != 0:
        raise NotHere("only root can start an SSH server with another environment")
    root = desk.root / "machine"
    for path in (root / "run", desk.root / "home/.ssh"):
        path.mkdir(mode=0o700, parents=True)
    for path in (root / "host", desk.root / "home/.ssh/key"):
        desk.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = desk.write("machine/sshd_config", f"""
Port {port}
ListenAddress 127.0.0.1
HostKey {root}/host
AuthorizedKeysFile {desk.root}/home/.ssh/key.pub
PidFile none
StrictModes no
UsePAM no
SetEnv XDG_RUNTIME_DIR={root}/run
""")
    known = desk.write("home/.ssh/known", f"{MACHINE} {(root / 'host.pub').read_text()}")
    client = desk.write("home/.ssh/config", f"""
Host build
  HostName 127.0.0.1
  Port {port}
  HostKeyAlias {MACHINE}
  IdentityFile {desk.root}/home/.ssh/key
  UserKnownHostsFile {known}
  StrictHostKeyChecking yes
""")
    os.makedirs("/run/sshd", exist_ok=True)
    sshd = subprocess.Popen(["/usr/sbin/sshd", "-D", "-e", "-f", server], env=desk.environment, stderr=subprocess.PIPE, text=True)
    try:
        while "Server listening" not in sshd.stderr.readline():
            if sshd.poll() is not None:
                raise RuntimeError("sshd cannot be started")
        threading.Thread(target=sshd.stderr.read, daemon=True).start()
        connection = subprocess.Popen(
            [desk.binaries / "usher", "remote", "connect", "-F", client, "build"], env=desk.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, text=True)
        try:
            if "open on this desktop" not in connection.stdout.readline():
                raise RuntimeError("usher remote connect has failed")
            serve_echo(desk.root / "echo")
            desk.run("ssh", "-F", client, "-S", desk.root / f"run/usher/remote/{MACHINE}.ctl", "-O", "forward",
                     "-R", f"{root}/run/echo:{desk.root}/echo", "build")
            yield next((root / "run/usher-remote").iterdir()), root / "run/echo"
        finally:
            connection.terminate()
            connection.wait()
    finally:
        sshd.terminate()
        sshd.wait()


def memory(pid):
    """Returns the private memory of a process in MiB."""
    lines = dict(line.split(":", 1) for line in open(f"/proc/{pid}/smaps_rollup") if ":" in line)
    return sum(int(lines[name].split()[0]) for name in ("Private_Clean", "Private_Dirty")) / 1024


def relays(desk):
    """Starts a relay for each of many machines, and returns their private memory."""
    processes = []
    try:
        for number in range(MACHINES):
            program = subprocess.Popen(
                [desk.binaries / "usher-remote", f"m{number}.example.org", desk.root / f"relay{number}"], env=desk.environment,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            processes.append(program)
            if program.stdout.readline() != "ready\n":
                raise RuntimeError("usher-remote cannot be started")
        return [memory(program.pid) for program in processes]
    finally:
        for program in processes:
            program.terminate()
            program.wait()


def run(bench):
    desk, rounds, seconds = Desk(bench.binaries, bench.tools), bench.rounds(60, 10), bench.rounds(30, 5)
    desk.application_entry("quiet", "org.example.Quiet", "quiet")
    desk.gtk_notes()
    desk.write("home/config/usher/routes/remote.toml",
               f'format = 1\nowner = "user"\n[route.build]\nscheme = "quiet"\nsource = {{ remote = "{MACHINE}" }}\nallow = true\n')
    with desk:
        desk.run_application("quiet", "org.example.Quiet")
        with connected(desk) as (relay, echoing):
            times = {"a link to its receipt": [], "an echo on a new channel": []}
            for number in range(-1, rounds):
                took, result = timed(open_link, relay, "quiet:x", number + 1)
                if result.get("status") != "0":
                    raise RuntimeError(f"the link was not opened: {result}")
                once, _ = timed(echo, echoing, 200)
                if number >= 0:
                    times["a link to its receipt"].append(took)
                    times["an echo on a new channel"].append(once)
                time.sleep(PAUSE)
            section = Section(NAME, "a link of another machine, through ssh on loopback")
            section.times(times)
            section.ratio("a link to its receipt", "an echo on a new channel", times, Goal(2))
            private = relays(desk)
            section.lines.append(Line.of(f"private memory of each of {MACHINES} relays", "MiB", private, Goal(4)))

            os.environ["FLOOD_BUS"] = desk.address
            bus = flood.connect()
            idle = flood.latencies(bus, seconds)
            statuses, end = [], threading.Event()

            def send():
                number = 1 << 20
                while not end.wait(1 / RATE):
                    number += 1
                    statuses.append(open_link(relay, "quiet:x", number).get("status"))

            sender = threading.Thread(target=send)
            sender.start()
            busy = flood.latencies(bus, seconds)
            end.set()
            sender.join()
            bus.close_sync()
    p99 = [statistics.quantiles(values, n=100)[98] for values in (idle, busy)]
    section.lines += [
        Line.of("another application, idle", "ms", idle), Line.of("another application, meanwhile", "ms", busy),
        Line("the same, p99 meanwhile : idle", "x", p99[1] / p99[0], goal=Goal(2)),
        Line("links of the machine", "", len(statuses), note=f"{statuses.count('0')} opened, the others over the rate")]
    return [section]
