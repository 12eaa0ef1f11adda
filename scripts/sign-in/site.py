# SPDX-License-Identifier: Apache-2.0
"""A site with an authorization endpoint and a token endpoint (RFC 6749), which requires PKCE (RFC 7636).

usage: site.py SOCKET

It prints the port of its pages on the loopback interface. The token endpoint is also at SOCKET, for programs on a machine without a way
to this network.
"""
import base64
import hashlib
import http.server
import json
import secrets
import socketserver
import sys
import threading
import urllib.parse

codes = {}


class Site(http.server.BaseHTTPRequestHandler):
    # After a response of HTTP/1.0, curl requests the redirect by HTTP/1.0, too.
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if (url.path, query.get("response_type"), query.get("code_challenge_method")) != ("/authorize", "code", "S256"):
            self.send_error(400)
            return
        code = secrets.token_urlsafe()
        codes[code] = (query["client_id"], query["redirect_uri"], query["code_challenge"])
        self.send_response(302)
        self.send_header("Set-Cookie", "session=secret; Path=/")
        answer = urllib.parse.urlencode({"code": code, "state": query["state"]})
        self.send_header("Location", query["redirect_uri"] + "?" + answer)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self):
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        proof = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(proof).rstrip(b"=").decode()
        is_right = codes.pop(form["code"], None) == (form["client_id"], form["redirect_uri"], challenge)
        body = json.dumps({"access_token": "token-of-ada"} if is_right else {"error": "invalid_grant"}).encode()
        self.send_response(200 if is_right else 400)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self):
        # A peer of the socket has no address.
        return "-"

    def log_message(self, *words):
        pass


tokens = socketserver.ThreadingUnixStreamServer(sys.argv[1], Site)
threading.Thread(target=tokens.serve_forever, daemon=True).start()
pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
print("port", pages.server_address[1], flush=True)
pages.serve_forever()
