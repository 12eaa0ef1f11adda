// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// An HTTP server on loopback, written for these tests in Python, whose faults the path of a URL chooses.
///
/// The content of each file is `FileServer.content`, unless the path says otherwise.
struct FileServer: Sendable {
  /// The length of a file.
  static let length = 300_000
  private let program: RunningProgram
  /// The port.
  let port: Int
  private let isSecure: Bool

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - port: The port of an earlier server; 0 for a free one.
  ///   - certificate: The path of a certificate of localhost with its key, for TLS; `nil` for none.
  static func start(
    on desk: ThrowAwayDesktop, port: Int = 0, certificate: String? = nil
  ) async throws -> FileServer {
    let program = try await RunningProgram.start(
      "/usr/bin/python3", ["-u", "-c", source, "\(port)"] + [certificate].compactMap(\.self),
      environment: desk.environment)
    guard let port = Int(try await program.line()) else {
      throw TestSupportError("the server has not started")
    }
    return FileServer(program: program, port: port, isSecure: certificate != nil)
  }

  /// Returns the URL of a path.
  func url(_ path: String) -> String {
    isSecure ? "https://localhost:\(port)\(path)" : "http://127.0.0.1:\(port)\(path)"
  }

  /// Waits for a request: its path, the first byte that it wants, and its `If-Range`, such as `/drop 1000 "1"`.
  func request(_ words: String) async throws -> String { try await program.line { $0.hasPrefix(words) } }

  /// Lets a response that waits continue.
  func proceed() { program.write("go\n") }

  /// Ends the server.
  func stop() { program.kill() }

  /// The server. `/NAME?…` has these names:
  ///   - whole: the file. other: another file, after the first response.
  ///   - drop: the connection is lost after a third of what was requested, twice. first: only in the first response.
  ///   - wait: the rest follows when the test says so. silent: nothing follows.
  ///   - named: the file, after a line with the header fields `Authorization` and `Accept-Language`.
  ///   - tohttp/PORT: a redirect to a server without TLS.
  static let source = """
    import hashlib, http.server, os, socket, ssl, sys, threading, urllib.parse
    LENGTH = 300000
    def content(version): return hashlib.shake_256(version.encode()).digest(LENGTH)
    counts, gate = {}, threading.Semaphore(0)
    class Handler(http.server.BaseHTTPRequestHandler):
      protocol_version = "HTTP/1.1"
      def log_message(self, *arguments): pass
      def head(self, status, length, **fields):
        self.send_response(status)
        if length is not None: self.send_header("Content-Length", str(length))
        for name, value in fields.items(): self.send_header(name.replace("_", "-"), value)
        self.end_headers()
      def lose(self):
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True
      def do_GET(self):
        kind = urllib.parse.urlsplit(self.path).path.split("/")[1]
        count = counts[self.path] = counts.get(self.path, 0) + 1
        range = self.headers.get("Range")
        start = int(range[6:].split("-")[0]) if range else 0
        condition = self.headers.get("If-Range", "")
        print(f"/{kind} {start} {condition}", flush=True)
        if kind == "named": print("as " + self.headers.get("Authorization", ""), self.headers.get("Accept-Language", ""), flush=True)
        if kind.startswith("status"): return self.head(int(kind[6:]), 0)
        if kind == "silent":
          gate.acquire()
          return
        if kind in ("tofile", "toftp", "loop"):
          place = {"tofile": "file:///etc/passwd", "toftp": "ftp://127.0.0.1/x", "loop": self.path}[kind]
          return self.head(302, 0, Location=place)
        if kind == "tohttp":
          return self.head(302, 0, Location="http://127.0.0.1:" + self.path.split("/")[2] + "/whole")
        if kind == "moved": return self.head(302, 0, Location="/first" + self.path[6:])
        if kind == "endless":
          self.head(200, None, Transfer_Encoding="chunked")
          block = b"10000\\r\\n" + b"x" * 65536 + b"\\r\\n"
          try:
            while True: self.wfile.write(block)
          except OSError: return
        version = "1" if kind not in ("changes", "liar", "other") or count == 1 else str(count) if kind == "changes" else "2"
        body, tag = content(version), f'"{version}"'
        fields = {} if kind in ("plain", "plaindrop") else {"ETag": tag}
        # A liar continues with another version, and states the first one's length.
        is_same = condition == tag or kind == "liar"
        if start and is_same and kind not in ("ignores", "plaindrop"):
          fields["Content_Range"] = f"bytes {start}-{LENGTH - 1}/{LENGTH}"
          status, body = 206, body[start:]
        else: status = 200
        if kind == "chunked":
          self.head(status, None, Transfer_Encoding="chunked", **fields)
          self.wfile.write(f"{len(body):x}\\r\\n".encode() + body + b"\\r\\n0\\r\\n\\r\\n")
          return
        self.head(status, len(body), **fields)
        drops = {"drop": count <= 2, "first": count == 1, "liar": count == 1, "other": count == 1, "ignores": count <= 2,
                 "changes": True, "plaindrop": True, "chunkdrop": count == 1}.get(kind, False)
        if drops:
          self.wfile.write(body[:len(body) // 3])
          return self.lose()
        if kind == "wait":
          sent = 100000
          self.wfile.write(body[:sent])
          self.wfile.flush()
          # curl gives up a server that sends less than a byte a second, by the last five seconds, for a minute, and a slow machine may
          # need that.
          try:
            while not gate.acquire(timeout=20):
              self.wfile.write(body[sent:sent + 10])
              self.wfile.flush()
              sent += 10
            self.wfile.write(body[sent:])
          except OSError: return self.lose()
          return
        self.wfile.write(body)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    server.daemon_threads = True
    if len(sys.argv) > 2:
      context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
      context.load_cert_chain(sys.argv[2])
      server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    for line in sys.stdin: gate.release()
    """

  /// Returns the SHA-256 checksum of a version of the file: "1", "2" and so on.
  static func checksum(_ version: String = "1", on desk: InstalledDesktop) async throws -> String {
    try await desk.run(
      "/usr/bin/python3",
      [
        "-c",
        "import hashlib,sys; print(hashlib.sha256(hashlib.shake_256(sys.argv[1].encode()).digest(\(length))).hexdigest(), end='')",
        version,
      ]
    ).orThrow().output
  }
}
