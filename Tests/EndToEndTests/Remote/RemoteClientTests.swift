// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import Glibc
import TestSupport
import Testing

/// Both forms of the client for links of other machines: the program, and the Python program.
@Suite struct `A client on another machine` {
  private static let clients = [BuiltProducts.usher, "\(BuiltProducts.repository)/desktop/remote/usher-open"]

  /// Copies a client to a directory as `usher`, away from other programs of Usher.
  private static func install(_ client: String, in directory: String) async throws -> String {
    try await Command.run("cp", [client, "\(directory)/usher"]).orThrow()
    return "\(directory)/usher"
  }

  /// A program at two sockets: the older one answers as a relay, and the newer one accepts connections and never answers.
  ///
  /// It prints whether the silent connection is open when the other one arrives.
  private static let relays = """
    import os, socket, struct, sys
    def listen(name):
      listener = socket.socket(socket.AF_UNIX)
      listener.bind(os.path.join(sys.argv[1], name))
      listener.listen(4)
      return listener
    def message(*texts):
      content = b"".join(text.encode() + b"\\0" for text in texts)
      return struct.pack(">I", len(content)) + content
    good = listen("older")
    os.utime(os.path.join(sys.argv[1], "older"), (1, 1))
    silent = listen("newer")
    print("listening")
    first, _ = silent.accept()
    peer, _ = good.accept()
    first.setblocking(False)
    first.recv(100)
    try:
      print("closed" if first.recv(100) == b"" else "more than the greeting")
    except BlockingIOError:
      print("open")
    peer.sendall(b"usher-remote-1\\n" + message("ready"))
    stream = peer.makefile("rb")
    stream.readline()
    texts = stream.read(struct.unpack(">I", stream.read(4))[0]).decode().split("\\0")
    print("message", texts[0])
    peer.sendall(message("result", "id", texts[2], "status", "0", "value", "7"))
    first.setblocking(True)
    print("after the link", first.recv(100))
    """

  @Test(arguments: clients)
  func `tries the next socket soon if one accepts the connection and does not answer`(client: String)
    async throws
  {
    let directory = try TemporaryDirectory()
    let sockets = "\(directory.path)/usher-remote"
    try FileManager.default.createDirectory(
      atPath: sockets, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let relays = try await RunningProgram.start("/usr/bin/python3", ["-u", "-c", Self.relays, sockets])
    _ = try await relays.line { $0 == "listening" }
    let usher = try await Self.install(client, in: directory.path)
    let environment = [
      "PATH": "/usr/bin:/bin", "SSH_CONNECTION": "1 2 3 4", "XDG_RUNTIME_DIR": directory.path,
    ]
    // Without waiting longer for the first socket, which could answer late.
    async let opened = Command.run(
      usher, ["open", "--timeout=\(timeLimit(240))", "notes://note/1"], environment: environment)
    #expect(try await relays.line() == "open")
    #expect(try await relays.line() == "message open")
    let result = try await opened
    #expect(result.status == 0 && result.output == "7\n", "\(result)")
    #expect(try await relays.line() == "after the link b''")
  }

  /// The beginning of a relay in Python, until a client has connected.
  private static let acceptance = """
    import socket, struct, sys
    def message(*texts):
      content = b"".join(text.encode() + b"\\0" for text in texts)
      return struct.pack(">I", len(content)) + content
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen(4)
    print("listening")
    peer, _ = listener.accept()

    """

  /// The beginning of a relay in Python, until a client has sent a link; `texts` is its message.
  private static let receipt =
    acceptance + """
      peer.sendall(b"usher-remote-1\\n" + message("ready"))
      stream = peer.makefile("rb")
      stream.readline()
      texts = stream.read(struct.unpack(">I", stream.read(4))[0]).decode().split("\\0")

      """

  /// A relay that answers a link with an error, in which an application or another machine controls the terminal.
  private static let malicious =
    receipt + """
      error = "no \\x1b]0;title\\x07\\x9b2J\\r\\n  try: sh evil"
      peer.sendall(message("result", "id", texts[2], "status", "5", "error", error))
      peer.recv(1)
      """

  @Test(arguments: clients)
  func `shows errors of other programs as one line that does not control the terminal`(client: String)
    async throws
  {
    let directory = try TemporaryDirectory()
    let socket = "\(directory.path)/socket"
    let relay = try await RunningProgram.start("/usr/bin/python3", ["-u", "-c", Self.malicious, socket])
    _ = try await relay.line { $0 == "listening" }
    let usher = try await Self.install(client, in: directory.path)
    let result = try await Command.run(
      usher, ["open", "notes://note/1"],
      environment: [
        "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "SSH_CONNECTION": "1 2 3 4", "USHER_SOCKET": socket,
      ])
    #expect(result.status == 5, "\(result)")
    let replaced = "usher: no \u{FFFD}]0;title\u{FFFD}\u{FFFD}2J\u{FFFD}\u{FFFD}  try: sh evil\n"
    #expect(Array(result.errorOutput.unicodeScalars) == Array(replaced.unicodeScalars), "\(result)")
  }

  /// A relay that answers a link with a value that is longer than a pipe takes at once.
  private static let valuable =
    receipt + """
      peer.sendall(message("result", "id", texts[2], "status", "0", "value", "7" * 100000))
      peer.recv(1)
      """

  @Test(arguments: clients)
  func `reports that its output cannot be written, and waits for a reader that is slow`(
    client: String
  ) async throws {
    let directory = try TemporaryDirectory()
    let usher = try await Self.install(client, in: directory.path)
    func open(_ line: String, _ name: String) async throws -> CommandResult {
      let socket = "\(directory.path)/\(name)"
      let relay = try await RunningProgram.start("/usr/bin/python3", ["-u", "-c", Self.valuable, socket])
      _ = try await relay.line { $0 == "listening" }
      return try await Command.run(
        "sh", ["-c", line, usher, "open", "notes://note/1"],
        environment: ["PATH": "/usr/bin:/bin", "SSH_CONNECTION": "1 2 3 4", "USHER_SOCKET": socket])
    }
    let full = try await open(#""$0" "$@" >/dev/full"#, "full")
    #expect(full.status == 0, "\(full)")
    #expect(full.errorOutput == "usher: cannot write the output: No space left on device\n", "\(full)")
    let slow = try await open(
      #"python3 -c 'import fcntl, os; fcntl.fcntl(1, fcntl.F_SETFL, os.O_NONBLOCK)'; exec "$0" "$@""#, "slow")
    #expect(
      slow.status == 0 && slow.output == String(repeating: "7", count: 100_000) + "\n", "\(slow.errorOutput)")
  }

  @Test(arguments: clients)
  func `has a help and a version, and says that other commands are on the desktop`(client: String)
    async throws
  {
    let directory = try TemporaryDirectory()
    let usher = try await Self.install(client, in: directory.path)
    func run(_ words: [String]) async throws -> CommandResult {
      try await Command.run(
        usher, words,
        environment: ["PATH": "/usr/bin:/bin", "SSH_CONNECTION": "1 2 3 4", "USHER_SOCKET": "/nowhere"])
    }
    for words in [["--help"], ["-h"], ["help"], ["open", "--help"], ["remote", "register", "--help"]] {
      let help = try await run(words)
      #expect(help.status == 0 && help.output.contains("remote register"), "\(words) \(help)")
    }
    #expect(try await run(["--version"]).output == "usher \(UsherVersion.text)\n")
    for words in [["remote", "list"], ["doctor"], ["ssh", "x"], ["remote"], ["https://example.org/"]] {
      let refused = try await run(words)
      #expect(refused.status == 64, "\(words) \(refused)")
      #expect(refused.errorOutput.contains("this is the client of another desktop"), "\(words) \(refused)")
    }
    // The help of a program that is run for links is its own.
    let register = try await run(["remote", "register", "com.example.tool", "--", "tool", "--help"])
    #expect(register.status == 69, "\(register)")
  }

  @Test(arguments: clients)
  func `takes a number of seconds, the value of an option, and a file whose name is not a URL`(
    client: String
  ) async throws {
    let directory = try TemporaryDirectory()
    _ = try await Self.install(client, in: directory.path)
    try directory.write("", to: "12:30.png")
    for (words, status, text) in [
      (["--timeout", "1e3", "x:1"], 69, "  x:1\n"), (["--timeout", "0x10", "x:1"], 69, "  x:1\n"),
      (["--timeout", ".5", "x:1"], 69, "  x:1\n"),
      (["--timeout", "1_0", "x:1"], 64, "--timeout must be"),
      (["--timeout", " 1", "x:1"], 64, "--timeout must be"),
      (["--timeout", "inf", "x:1"], 64, "--timeout must be"),
      (["--timeout", "nan", "x:1"], 64, "--timeout must be"),
      (["--timeout", "soon", "x:1"], 64, "--timeout must be"),
      (["--fallback", "--help", "x:1"], 69, "  x:1\n"), (["--annotation", "-h", "x:1"], 69, "  x:1\n"),
      (["12:30.png"], 69, "  file://\(directory.path)/12%3A30.png\n"), (["a+b-c.9:1"], 69, "  a+b-c.9:1\n"),
    ] as [([String], Int32, String)] {
      let result = try await Command.run(
        "bash", ["-c", #"cd "$1" && shift && exec ./usher open "$@""#, "bash", directory.path] + words,
        environment: ["PATH": "/usr/bin:/bin", "SSH_CONNECTION": "1 2 3 4", "USHER_SOCKET": "/nowhere"])
      #expect(result.status == status && result.errorOutput.contains(text), "\(words) \(result)")
    }
  }

  @Test(arguments: clients)
  func `has sentences for a lost connection, also if it is noticed while a link is answered`(
    client: String
  ) async throws {
    let directory = try TemporaryDirectory()
    let (usher, socket) = (
      try await Self.install(client, in: directory.path), "\(directory.path)/socket"
    )
    // It sends a link, and is gone before the program has handled it.
    let relay = try await RunningProgram.start(
      "/usr/bin/python3",
      [
        "-u", "-c",
        Self.acceptance + """
          peer.sendall(b"usher-remote-1\\n" + message("ready", "accepts", "register"))
          stream = peer.makefile("rb")
          stream.readline()
          stream.read(struct.unpack(">I", stream.read(4))[0])
          peer.sendall(
            message("registered", "id", "register") + message("link", "id", "register", "delivery", "1", "url", "com.example.tool:1"))
          # The program for links has begun.
          open(sys.argv[2]).read()
          stream.close()
          peer.close()
          open(sys.argv[3], "w").close()
          """, socket, "\(directory.path)/begun", "\(directory.path)/gone",
      ])
    for name in ["begun", "gone"] {
      try await Command.run("mkfifo", ["\(directory.path)/\(name)"]).orThrow()
    }
    _ = try await relay.line { $0 == "listening" }
    let result = try await Command.run(
      usher,
      [
        "remote", "register", "com.example.tool", "--", "sh", "-c",
        ": >'\(directory.path)/begun'; cat '\(directory.path)/gone'",
      ],
      environment: ["PATH": "/usr/bin:/bin", "USHER_SOCKET": socket])
    #expect(result.status == 5, "\(result)")
    #expect(
      result.errorOutput.hasSuffix(
        "usher: the connection to the desktop was lost, so that no more links arrive\n"),
      "\(result)")
  }

  @Test(arguments: clients)
  func `reports a request that is too long before it is sent`(client: String) async throws {
    let directory = try TemporaryDirectory()
    let usher = try await Self.install(client, in: directory.path)
    let link = "notes:" + String(repeating: "a", count: 120_000)
    let result = try await Command.run(
      usher, ["open"] + Array(repeating: link, count: 9),
      environment: ["PATH": "/usr/bin:/bin", "USHER_SOCKET": "\(directory.path)/nothing"])
    #expect(
      result.status == 64 && result.errorOutput.contains("at most 1048576 bytes"),
      "\(String(describing: result.status)) \(result.errorOutput.prefix(300))")
  }

  /// A program at a socket that prints the URLs of each request, and reports success.
  private static let relay = """
    import socket, struct, sys
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen(4)
    print("listening")
    def message(*texts):
      content = b"".join(text.encode() + b"\\0" for text in texts)
      return struct.pack(">I", len(content)) + content
    while True:
      peer, _ = listener.accept()
      peer.sendall(b"usher-remote-1\\n" + message("ready"))
      stream = peer.makefile("rb")
      stream.readline()
      texts = stream.read(struct.unpack(">I", stream.read(4))[0]).decode().split("\\0")
      print(*(value for name, value in zip(texts[1::2], texts[2::2]) if name == "url"))
      peer.sendall(
        message("result", "id", texts[2], "status", "0", "value", "“Ada”", "json", '{"value":"“Ada”"}'))
    """

  /// The second link was the first one, because both are repaired to the same text.
  @Test(arguments: clients)
  func `encodes links that are not UTF-8`(client: String) async throws {
    let directory = try TemporaryDirectory()
    let (usher, socket) = (
      try await Self.install(client, in: directory.path), "\(directory.path)/socket"
    )
    let relay = try await RunningProgram.start("/usr/bin/python3", ["-u", "-c", Self.relay, socket])
    _ = try await relay.line { $0 == "listening" }
    let opened = try await Command.run(
      "bash",
      [
        "-c", #"exec "$0" open --timeout=\#(timeLimit(240)) $'play:caf\xe9?\xff' $'play:caf\xe8?\xff'"#,
        usher,
      ],
      environment: ["PATH": "/usr/bin:/bin", "USHER_SOCKET": socket, "LANG": "C.UTF-8"])
    #expect(opened.status == 0, "\(opened)")
    #expect(try await relay.line() == "play:caf%E9?%FF play:caf%E8?%FF")
  }

  /// A locale of ASCII, also for Python, which prefers UTF-8 otherwise.
  private static let ascii = [
    "PATH": "/usr/bin:/bin", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0",
  ]

  @Test(arguments: clients)
  func `sends and prints UTF-8 in every locale`(client: String) async throws {
    let directory = try TemporaryDirectory()
    let (usher, socket) = (
      try await Self.install(client, in: directory.path), "\(directory.path)/socket"
    )
    let relay = try await RunningProgram.start("/usr/bin/python3", ["-u", "-c", Self.relay, socket])
    _ = try await relay.line { $0 == "listening" }
    let environment = Self.ascii.merging(["USHER_SOCKET": socket]) { $1 }
    let file = try directory.write("", to: "Öl.txt")
    for (word, url) in [
      ("https://h.example/Österreich?a=€", "https://h.example/Österreich?a=€"),
      (file, "file://\(directory.path)/%C3%96l.txt"),
    ] {
      let opened = try await Command.run(
        usher, ["open", "--timeout=\(timeLimit(240))", word], environment: environment)
      #expect(opened.status == 0 && opened.output == "“Ada”\n", "\(opened)")
      let line = try await relay.line()
      #expect(Array(line.utf8) == Array(url.utf8), "\(line)")
    }
    let json = try await Command.run(
      usher, ["open", "--json", "--timeout=\(timeLimit(240))", "notes://note/1"], environment: environment)
    #expect(json.status == 0 && json.output == "{\"value\":\"“Ada”\"}\n", "\(json)")
    let missing = try await Command.run(usher, ["open", "Öl"], environment: environment)
    #expect(
      missing.status == 2 && missing.errorOutput.contains("file 'Öl' does not exist"), "\(missing)")
  }

  @Test(arguments: clients)
  func `passes a link to a program as UTF-8 in every locale`(client: String) async throws {
    let directory = try TemporaryDirectory()
    let (usher, socket) = (
      try await Self.install(client, in: directory.path), "\(directory.path)/socket"
    )
    let relay = try await RunningProgram.start(
      "/usr/bin/python3",
      [
        "-u", "-c",
        Self.acceptance + """
          peer.sendall(b"usher-remote-1\\n" + message("ready", "accepts", "register"))
          stream = peer.makefile("rb")
          stream.readline()
          def receive():
            return stream.read(struct.unpack(">I", stream.read(4))[0]).decode().split("\\0")
          receive()
          peer.sendall(
            message("registered", "id", "register") + message("link", "id", "register", "delivery", "1", "url", "com.example.tool:Öl"))
          print(receive())
          """, socket,
      ])
    _ = try await relay.line { $0 == "listening" }
    let result = try await Command.run(
      usher,
      [
        "remote", "register", "--once", "com.example.tool", "--", "sh", "-c",
        #"printf %s "$1" >"$0""#, "\(directory.path)/Äpfel",
      ], environment: Self.ascii.merging(["USHER_SOCKET": socket]) { $1 })
    #expect(result.status == 0, "\(result)")
    let handled = try await relay.line()
    #expect(handled.hasPrefix("['handled'") && !handled.contains("error"), "\(handled)")
    #expect(try String(contentsOfFile: "\(directory.path)/Äpfel", encoding: .utf8) == "com.example.tool:Öl")
  }

  /// That is Python 3.6; this machine has a newer one as a rule.
  @Test func `in Python also runs with the Python of older distributions`() async throws {
    let client = "\(BuiltProducts.repository)/desktop/remote/usher-open"
    try await Command.run(
      "/usr/bin/python3",
      ["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, 6))", client]
    ).orThrow()
    let text = try String(contentsOfFile: client, encoding: .utf8)
    // Later additions to the types and modules that the client uses.
    for name in ["isascii", "removeprefix", "removesuffix", "reconfigure", "capture_output"] {
      #expect(!text.contains(name), "\(name)")
    }
  }

  @Test func `in Python tries the other sockets if one is removed while it looks for them`() async throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("usher-remote")
    let found = try await Command.run(
      "/usr/bin/python3",
      [
        "-c",
        """
        import importlib.machinery, os, socket, sys, types
        sys.dont_write_bytecode = True
        client = types.ModuleType("client")
        importlib.machinery.SourceFileLoader("client", sys.argv[1]).exec_module(client)
        for name in ["gone", "kept"]:
          socket.socket(socket.AF_UNIX).bind(f"{os.environ['XDG_RUNTIME_DIR']}/usher-remote/{name}")
        lstat = os.lstat
        def removing(path):
          if path.endswith("/gone") and os.path.exists(path): os.unlink(path)
          return lstat(path)
        os.lstat = removing
        print(*client.sockets())
        """, "\(BuiltProducts.repository)/desktop/remote/usher-open",
      ], environment: ["PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": directory.path])
    #expect(found.output == "\(directory.path)/usher-remote/kept\n", "\(found)")
  }

  @Test(arguments: clients)
  func `ends with ^C before a relay answers, and sends no request`(client: String) async throws {
    let directory = try TemporaryDirectory()
    let (usher, socket) = (
      try await Self.install(client, in: directory.path), "\(directory.path)/socket"
    )
    // It accepts connections, and never answers.
    let silent = try await RunningProgram.start(
      "/usr/bin/python3",
      [
        "-u", "-c",
        Self.acceptance + "print(peer.recv(100))\nprint(peer.recv(100))\n", socket,
      ])
    _ = try await silent.line { $0 == "listening" }
    let waiting = try await RunningProgram.start(
      usher, ["open", "--timeout=\(timeLimit(240))", "play:1"],
      environment: ["PATH": "/usr/bin:/bin", "USHER_SOCKET": socket])
    _ = try await silent.line { $0.contains("usher-remote-1") }
    waiting.send(SIGINT)
    #expect(await waiting.waitUntilExit().ending == .signalled(SIGINT))
    // The end of the connection; nothing but the greeting was sent.
    #expect(try await silent.line() == "b''")
  }

  @Test func `in Python ends with ^C while it sends a request, and writes nothing into it`() async throws {
    let directory = try TemporaryDirectory()
    let script = "\(BuiltProducts.repository)/desktop/remote/usher-open"
    let (usher, socket) = (
      try await Self.install(script, in: directory.path), "\(directory.path)/socket"
    )
    // It reads the start of a request that is longer than the buffers of a socket, and the rest when the client has ended.
    let relay = try await RunningProgram.start(
      "/usr/bin/python3",
      [
        "-u", "-c",
        Self.acceptance + """
          import select
          peer.sendall(b"usher-remote-1\\n" + message("ready"))
          data = b""
          while len(data) < 100:
            data += peer.recv(100)
          print("reading")
          hangup = select.poll()
          hangup.register(peer, 0)
          hangup.poll()
          while True:
            try:
              more = peer.recv(65536)
            except ConnectionResetError:
              more = b""
            if not more:
              break
            data += more
          print(b"cancel" in data, len(data) < 600000)
          """, socket,
      ])
    _ = try await relay.line { $0 == "listening" }
    let client = try await RunningProgram.start(
      usher,
      ["open", "--timeout=\(timeLimit(240))"]
        + (1...6).map { "play:\($0)" + String(repeating: "x", count: 100_000) },
      environment: ["PATH": "/usr/bin:/bin", "USHER_SOCKET": socket])
    _ = try await relay.line { $0 == "reading" }
    client.send(SIGINT)
    #expect(await client.waitUntilExit().ending == .signalled(SIGINT))
    #expect(try await relay.line() == "False True")
  }
}
