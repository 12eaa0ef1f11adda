# SPDX-License-Identifier: Apache-2.0
"""A program that signs in at site.py by an authorization code with PKCE and a redirect to its own machine (RFC 8252).

usage: program.py PORT-OF-THE-SITE PORT SOCKET

It waits at PORT for the answer, and prints its token and the header fields of the answer as JSON.
"""
import base64
import hashlib
import http.client
import http.server
import json
import secrets
import socket
import subprocess
import sys
import urllib.parse

site, port, path = sys.argv[1:]
verifier, state, received = secrets.token_urlsafe(48), secrets.token_urlsafe(), []
redirect = f"http://127.0.0.1:{port}/callback"


class Callback(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        received.append((self.path, dict(self.headers)))
        body = b"the page of the program"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


class Tokens(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(path)


server = http.server.HTTPServer(("127.0.0.1", int(port)), Callback)
server.timeout = 200
challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
query = {
    "response_type": "code", "client_id": "test-cli", "redirect_uri": redirect, "state": state,
    "code_challenge": challenge, "code_challenge_method": "S256",
}
subprocess.run(["xdg-open", f"http://127.0.0.1:{site}/authorize?{urllib.parse.urlencode(query)}"], check=True)
server.handle_request()
if not received:
    sys.exit("no answer has arrived")
target, headers = received[0]
answer = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(target).query))
if answer.get("state") != state:
    sys.exit("the answer is for another request")
tokens = Tokens("site")
form = {
    "grant_type": "authorization_code", "code": answer["code"], "client_id": "test-cli", "redirect_uri": redirect,
    "code_verifier": verifier,
}
tokens.request("POST", "/token", urllib.parse.urlencode(form), {"Content-Type": "application/x-www-form-urlencoded"})
print(json.dumps({"headers": headers, "token": json.load(tokens.getresponse()).get("access_token")}))
