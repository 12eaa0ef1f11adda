# SPDX-License-Identifier: Apache-2.0
"""The latency of a second caller while one caller sends 50,000 URLs, fills a queue, never reads, starts programs, holds the socket, or freezes the disk."""
import collections, contextlib, json, os, pathlib, re, select, signal, socket, statistics, struct, subprocess, sys, time

if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import gi
gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

from benchdesk import Desk
from benchtable import Goal, Line, NotHere, Section
from rows.flood import SLOW

NAME = "attack"
URLS = 50_000
LARGEST = 512
# More than the connections that the broker's socket accepts at the same time.
PEERS = 300
# The duration of each attack in seconds, and the intervals at which the second caller opens links, by connection and by command.
FULL, QUICK = 15, 4
PAUSE, PER_COMMAND = 0.01, 5
# The maximum number of links of one caller in each half, because its part of a queue that is never emptied is limited.
MOST = 300
# The timeout of the second caller for one link.
TIMEOUT = 20
# The measured operations: a call to the broker, the command, and for comparison a call over the bus without the broker.
OPEN, COMMAND, PING = "Open", "usher open", "Ping of another program"
BROKER = ("org.usher.Broker1", "/org/usher/Broker1", "org.usher.Broker1")


def arguments(urls, wait):
    return GLib.Variant("(asa{sv})", (urls, {"wait": GLib.Variant("s", wait)}))


class Wire:
    """A connection that sends messages marshalled in advance, so that an attack costs the attacker little."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.environ["ATTACK_BUS"].removeprefix("unix:path="))
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        self.socket.recv(200)
        self.socket.sendall(b"BEGIN\r\n" + self.call(("org.freedesktop.DBus", "/", "org.freedesktop.DBus"), "Hello"))
        self.serial, self.input, self.replies = 1, b"", collections.Counter()
        while not self.replies.total():
            self.read(1)
        self.replies.clear()

    @staticmethod
    def call(where, member, body=None):
        message = Gio.DBusMessage.new_method_call(*where, member)
        if body:
            message.set_body(body)
        message.set_serial(1)
        return bytes(message.to_blob(Gio.DBusCapabilityFlags.NONE))

    def send(self, message):
        """Sends a message with the next serial number."""
        self.serial += 1
        self.socket.sendall(message[:8] + struct.pack("<I", self.serial) + message[12:])

    def read(self, seconds=0.0):
        """Counts the received replies by error name; other replies as `answered`."""
        if not select.select([self.socket], [], [], seconds)[0]:
            return
        self.input += self.socket.recv(1 << 20)
        while len(self.input) >= 16:
            body, _, fields = struct.unpack_from("<III", self.input, 4)
            size = 16 + (fields + 7) // 8 * 8 + body
            if len(self.input) < size:
                return
            kind, header, self.input = self.input[1], self.input[:size - body], self.input[size:]
            if kind == 2:
                self.replies["answered"] += 1
            elif kind == 3:
                self.replies[re.search(rb"[\w.]*Error\.(\w+)", header)[1].decode()] += 1


def unknown(count):
    """Returns an Open of that number of URLs with different schemes, which no application opens."""
    return Wire.call(BROKER, "Open", arguments([f"unhandled{number}:1" for number in range(count)], "delivered"))


def repeat(message, ahead):
    """Sends a message repeatedly, with that number of pending replies."""
    wire = Wire()
    while True:
        missing = ahead - (wire.serial - wire.replies.total())
        for _ in range(min(missing, 100)):
            wire.send(message)
        wire.read(0 if missing > 0 else 0.01)
        yield wire.replies


def one_call():
    """all 50,000 URLs in each call"""
    yield from repeat(unknown(URLS), 1)


def large_calls():
    """512 URLs in each call, 98 pending calls"""
    yield from repeat(unknown(LARGEST), URLS // LARGEST + 1)


def small_calls():
    """one URL in each call, 50,000 pending calls"""
    yield from repeat(unknown(1), URLS)


def never_reads():
    """one URL in each call, and no reply is read"""
    wire, message = Wire(), unknown(1)
    wire.socket.setblocking(False)
    while True:
        # Data that the bus does not accept is kept, because an incomplete message would end the connection.
        if select.select([], [wire.socket], [], 0.01)[1]:
            wire.socket.setblocking(True)
            wire.socket.settimeout(0.05)
            with contextlib.suppress(OSError):
                wire.send(message)
        yield {"sent": wire.serial - 1}


def fills_queue():
    """links for an application that never replies"""
    yield from repeat(Wire.call(BROKER, "Open", arguments(["slow:1"], "accepted")), 200)


def connects_again():
    """512 URLs in each call, each call on another connection"""
    replies, message = collections.Counter(), unknown(LARGEST)
    wires = collections.deque()
    while True:
        wires.append(Wire())
        wires[-1].send(message)
        if len(wires) >= 50:
            wire = wires.popleft()
            wire.read(1)
            replies.update(wire.replies)
            wire.socket.close()
        yield replies


def starts_programs():
    """512 URLs in each call, each of which starts a program"""
    message = Wire.call(BROKER, "Open", arguments([f"plain:{number}" for number in range(LARGEST)], "accepted"))
    yield from repeat(message, 20)


def long_urls():
    """a URL of almost a mebibyte in each call, 8 pending calls"""
    url = "unhandled:" + "x" * ((1 << 20) - 100)
    yield from repeat(Wire.call(BROKER, "Open", arguments([url], "delivered")), 8)


def peer():
    """Returns a connection to the broker's socket."""
    peer = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    peer.settimeout(0.1)
    peer.connect(os.environ["ATTACK_SOCKET"])
    return peer


def holds_socket():
    """connections to the broker's socket that send nothing, more than it accepts"""
    peers, count = collections.deque(), 0
    while True:
        # A full queue of connections is an effect of the attack, not an error.
        with contextlib.suppress(OSError):
            peers.append(peer())
            count += 1
        if len(peers) > PEERS:
            peers.popleft().close()
            time.sleep(0.01)
        yield {"connections": count}


def floods_socket():
    """one URL in each connection to the broker's socket, 100 pending"""
    peers, replies, number = collections.deque(), collections.Counter(), 0
    while True:
        number += 1
        with contextlib.suppress(OSError):
            peers.append(peer())
            peers[-1].send(b"usher-open-1\0url\0unhandled:1\0request-id\0%032x\0" % number)
        if len(peers) >= 100:
            oldest = peers.popleft()
            try:
                replies[oldest.recv(1).decode() or "closed"] += 1
            except OSError:
                replies["late"] += 1
            oldest.close()
        yield replies


def freezes_disk():
    """grants are written while the file system of the database is frozen"""
    yield from repeat(Wire.call(BROKER, "Allow", GLib.Variant("(a{sv})", ({"scheme": GLib.Variant("s", "x")},))), 4)


ATTACKS = {attack.__name__: attack for attack in (
    one_call, large_calls, small_calls, never_reads, fills_queue, connects_again, starts_programs, long_urls, holds_socket,
    floods_socket, freezes_disk)}


def attack(name):
    """Runs the attack in a separate process until it is asked to end; then prints the replies."""
    replies, ended = {}, []
    signal.signal(signal.SIGTERM, lambda *_: ended.append(True))
    for number, replies in enumerate(ATTACKS[name]()):
        if number == 0:
            print("begun", flush=True)
        if ended:
            break
    print(json.dumps(replies))


class Innocent:
    """The second caller: a separate program with its own connection, and the command."""

    def __init__(self, desk):
        self.desk = desk
        self.bus = Gio.DBusConnection.new_for_address_sync(
            desk.address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION,
            None, None)

    def open(self, url, wait):
        self.bus.call_sync(*BROKER, "Open", arguments([url], wait), None, Gio.DBusCallFlags.NONE, TIMEOUT * 1000, None)

    def command(self):
        program = subprocess.Popen([f"{self.desk.binaries}/usher", "open", "innocent:x"], env=self.desk.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # Not subprocess's timeout, which polls with increasing intervals and is up to 50 ms late.
        end = os.pidfd_open(program.pid)
        if not select.select([end], [], [], TIMEOUT)[0]:
            program.kill()
        os.close(end)
        if program.wait():
            raise subprocess.CalledProcessError(program.returncode, program.args)

    def ping(self):
        """Measures a call to another program over the same bus, for comparison."""
        self.bus.call_sync("org.example.Innocent", "/", "org.freedesktop.DBus.Peer", "Ping", None, None, Gio.DBusCallFlags.NONE,
                           TIMEOUT * 1000, None)

    def latencies(self, seconds, url, wait):
        """Returns the milliseconds by connection and by command, and the number of rejected or lost links, whose times are included."""
        calls, commands, pings, failed, end = [], [], [], 0, time.monotonic() + seconds
        while time.monotonic() < end and len(calls) < MOST or not commands:
            turn = len(calls) % PER_COMMAND == 0 and len(calls) // PER_COMMAND >= len(commands)
            times, work = (commands, self.command) if turn else (calls, lambda: self.open(url, wait))
            begin = time.perf_counter()
            try:
                work()
            except (GLib.Error, subprocess.SubprocessError):
                failed += 1
            times.append((time.perf_counter() - begin) * 1000)
            begin = time.perf_counter()
            with contextlib.suppress(GLib.Error):
                self.ping()
            pings.append((time.perf_counter() - begin) * 1000)
            time.sleep(PAUSE)
        return calls or commands, commands, pings, failed


def p99(values):
    return statistics.quantiles(values * 2, n=100, method="inclusive")[98]


@contextlib.contextmanager
def frozen(directory):
    """Freezes the file system at `directory`, as a hanging disk or server does."""
    # Thaws the file system even if this process is killed.
    thaw = subprocess.Popen(["sh", "-c", f"sleep {FULL + 3 * TIMEOUT}; exec fsfreeze -u {directory}"], stderr=subprocess.DEVNULL,
                            start_new_session=True)
    subprocess.run(["fsfreeze", "-f", directory], check=True)
    try:
        yield
    finally:
        subprocess.run(["fsfreeze", "-u", directory])
        os.killpg(thaw.pid, signal.SIGTERM)
        thaw.wait()


@contextlib.contextmanager
def own_file_system(directory, image):
    """Mounts a new ext4 file system at `directory`; `None` if this machine cannot."""
    directory.mkdir(parents=True)
    try:
        with open(image, "wb") as file:
            file.truncate(64 << 20)
        subprocess.run(["mkfs.ext4", "-q", image], check=True, capture_output=True)
        subprocess.run(["mount", "-o", "loop", image, directory], check=True, capture_output=True)
    except (OSError, subprocess.SubprocessError) as problem:
        yield None, problem
        return
    directory.chmod(0o700)
    try:
        yield directory, None
    finally:
        subprocess.run(["umount", "-l", directory])


def lines(section, name, idle, busy, counts, failed):
    for way, goal, before, meanwhile in zip((OPEN, COMMAND, PING), (Goal(2), Goal(2), None), idle, busy):
        section.lines += [
            Line.of(f"{way}, idle", "ms", before, note=f"p99 {p99(before):.2f} ms"),
            Line.of(f"{way}, meanwhile", "ms", meanwhile, note=f"p99 {p99(meanwhile):.2f} ms, most {max(meanwhile):.1f} ms"),
            Line(f"{way}, p99 meanwhile : idle", "x", p99(meanwhile) / p99(before), goal=goal)]
    replies = ", ".join(f"{word} {count}" for word, count in counts.items())
    section.lines.append(Line("the innocent caller's links refused or lost", "", failed, goal=Goal(0), note=f"the attacker: {replies or 'nothing'}"))


def measure(bench, desk, innocent, name, state):
    """Measures the second caller before and during one attack."""
    seconds = bench.rounds(FULL, QUICK)
    # The second caller uses the queue of the same application if the attack fills that queue.
    url, wait = ("slow:innocent", "accepted") if name == "fills_queue" else ("innocent:x", "delivered")
    section = Section(NAME, f"{ATTACKS[name].__doc__}, {seconds} s")
    desk.run(f"{desk.binaries}/usher", "open", "innocent:warm")
    *idle, lost = innocent.latencies(seconds, url, wait)
    with contextlib.ExitStack() as stack:
        if name == "freezes_disk":
            stack.enter_context(frozen(state))
        attacker = subprocess.Popen([sys.executable, __file__, name], stdout=subprocess.PIPE, text=True)
        try:
            attacker.stdout.readline()
            *busy, failed = innocent.latencies(seconds, url, wait)
        finally:
            attacker.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                attacker.wait(5)
            attacker.kill()
            counts = json.loads(attacker.stdout.read() or "{}")
    lines(section, name, idle, busy, counts, lost + failed)
    return section


def run(bench):
    wanted = os.environ.get("ATTACKS", " ".join(ATTACKS)).split()
    sections = []
    for name in wanted:
        # Each attack has its own broker, so that the rest of one attack cannot delay the next.
        desk = Desk(bench.binaries, bench.tools)
        slow = desk.write("slow", SLOW, 0o755)
        desk.entry("org.example.Slow", f"[Desktop Entry]\nType=Application\nName=Slow\nExec={slow}\n"
                   "MimeType=x-scheme-handler/slow;\nImplements=org.usher.Application1;\n")
        desk.application_entry("quiet", "org.example.Innocent", "innocent")
        desk.bare_entry("plain", "x-scheme-handler/plain")
        with own_file_system(desk.root / "home/state", desk.root / "image") as (state, problem), desk:
            if name == "freezes_disk" and not state:
                sections.append(Section(NAME, ATTACKS[name].__doc__, absent=f"not here: no file system of its own can be mounted ({problem})"))
                continue
            os.environ.update(ATTACK_BUS=desk.address, ATTACK_SOCKET=f"{desk.root}/run/usher/open")
            innocent = Innocent(desk)
            for url in ("innocent:x", "slow:0"):
                innocent.open(url, "accepted")
            sections.append(measure(bench, desk, innocent, name, state))
            with contextlib.suppress(GLib.Error):
                innocent.bus.close_sync()
    return sections


if __name__ == "__main__":
    attack(sys.argv[1])
