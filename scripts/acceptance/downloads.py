# SPDX-License-Identifier: Apache-2.0
"""Tests the program of Examples/podcasts with a server on loopback."""
import http.server
import os
import pathlib
import threading

from processes import Failure, end_application, run
from promises import APPLICATION1, Example

PODCASTS = Example("", "podcasts", "org.example.Podcasts", "podcasts", APPLICATION1, "podcast-shelf", output=2)
NEEDS = ("jq", "curl", "usher listen", "usher download")
EPISODE = b"episode" * 10_000


class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        is_found = self.path == "/1.mp3"
        self.send_response(200 if is_found else 404)
        self.send_header("Content-Length", str(len(EPISODE) if is_found else 0))
        self.end_headers()
        if is_found:
            self.wfile.write(EPISODE)

    def log_message(self, *arguments):
        pass


def outcome(tap):
    """Returns the outcome of the download that arrives."""
    while True:
        request = tap.line()
        if request["reason"] == "newsstand-downloads":
            return request["outcome"]


def test_podcasts(tap, address):
    shelf = pathlib.Path(os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share") / "podcast-shelf"
    for name, expected in ("1.mp3", "completed"), ("2.mp3", "failed"):
        # The download starts the program.
        run("usher", "open", "--wait", "handled", f"podcasts:{address}/{name}")
        end_application(PODCASTS.id)
        if (found := outcome(tap)) != expected:
            raise Failure(f"{name} {found}")
        # The reply to this link follows the one to the outcome.
        run("usher", "open", "--reason", "activate", "--app", PODCASTS.id, "--wait", "handled")
    if (shelf / "1.mp3").read_bytes() != EPISODE:
        raise Failure(f"{shelf}/1.mp3 has another content")
    if "does not have the file" not in (shelf / "failed").read_text():
        raise Failure(f"{shelf}/failed does not say why 2.mp3 has failed")


def failures(desk):
    """Tests the program, and returns what is wrong."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"  podcasts/{PODCASTS.program}")
    try:
        test_podcasts(desk.install(PODCASTS), f"http://127.0.0.1:{server.server_address[1]}")
        end_application(PODCASTS.id)
        desk.uninstall(PODCASTS)
    except Failure as failure:
        return [f"podcasts: {failure}"]
    finally:
        server.shutdown()
    return []
