// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import Glibc
import TestSupport
import Testing

/// Both forms of the client, alone on a machine from which no desktop can be reached.
@Suite struct `A client that reaches no desktop` {
  private static let script = "\(BuiltProducts.repository)/desktop/remote/usher-open"
  private static let clients = [BuiltProducts.usher, script]

  /// A client in a directory without other programs of Usher.
  private struct Client {
    let directory: TemporaryDirectory

    init(_ client: String) async throws {
      directory = try TemporaryDirectory()
      for name in ["usher", "xdg-open"] {
        try await Command.run("cp", [client, "\(directory.path)/\(name)"]).orThrow()
      }
    }

    /// Runs it by a name, with a socket that does not exist unless `variables` name another one.
    func run(_ words: [String], as name: String, _ variables: [String: String]? = nil) async throws
      -> CommandResult
    {
      let environment = variables ?? ["USHER_SOCKET": "\(directory.path)/nowhere"]
      return try await Command.run(
        "\(directory.path)/\(name)", words,
        environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 })
    }
  }

  @Test(arguments: clients)
  func `has a help, a version and errors of its own by the name of xdg-open`(client: String) async throws {
    let client = try await Client(client)
    for word in ["--help", "--manual"] {
      let help = try await client.run([word], as: "xdg-open")
      #expect(help.status == 0 && help.output.contains("remote register"), "\(word) \(help)")
    }
    let version = try await client.run(["--version"], as: "xdg-open")
    #expect(version.status == 0 && version.output == "xdg-open of usher \(UsherVersion.text)\n", "\(version)")
    for (words, reason) in [
      ([], "file or URL argument missing"), ([""], "file or URL argument missing"),
      (["--"], "unexpected option '--'"), (["-x", "a:1"], "unexpected option '-x'"),
      (["--json", "a:1"], "unexpected option '--json'"), (["a:1", "b:2"], "unexpected argument 'b:2'"),
      (["--", "a:1", "b:2"], "unexpected argument 'b:2'"), (["--", ""], "file or URL argument missing"),
    ] {
      let refused = try await client.run(words, as: "xdg-open")
      #expect(refused.status == 1 && refused.errorOutput == "xdg-open: \(reason)\n", "\(words) \(refused)")
    }
    let missing = try await client.run(["/nowhere/at/all"], as: "xdg-open")
    #expect(missing.status == 2 && missing.errorOutput.contains("'/nowhere/at/all' does not exist"))
  }

  @Test(arguments: clients)
  func `prints the link wherever it is called`(client: String) async throws {
    let client = try await Client(client)
    let root = client.directory.path
    // The last one is a container that shares the session bus, and has nothing else of Usher.
    for variables in [
      ["USHER_SOCKET": "\(root)/nowhere"], ["SSH_CONNECTION": "1 2 3 4"], [:],
      ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(root)/bus", "XDG_RUNTIME_DIR": root],
    ] {
      for words in [["https://e.example/z"], ["--", "https://e.example/z"]] {
        let printed = try await client.run(words, as: "xdg-open", variables)
        #expect(printed.status == 3, "\(variables) \(printed)")
        #expect(printed.errorOutput.hasSuffix("open this yourself:\n  https://e.example/z\n"), "\(printed)")
      }
      let printed = try await client.run(["open", "--", "a:1", "b:2"], as: "usher", variables)
      #expect(
        printed.status == 69 && printed.errorOutput.hasSuffix("yourself:\n  a:1\n  b:2\n"), "\(printed)")
    }
  }

  @Test(arguments: clients)
  func `never connects to the socket of a broker`(client: String) async throws {
    let client = try await Client(client)
    let root = "\(client.directory.path)/run"
    try client.directory.makeDirectory("run/usher")
    // It prints the first packet of each connection.
    let broker = try await RunningProgram.start(
      "/usr/bin/python3",
      [
        "-u", "-c",
        """
        import socket, sys
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(sys.argv[1])
        listener.listen(4)
        print("listening")
        while True:
          print(listener.accept()[0].recv(100))
        """, "\(root)/usher/open",
      ])
    _ = try await broker.line { $0 == "listening" }
    // A container that shares the runtime directory of the desktop.
    let printed = try await client.run(
      ["notes:1"], as: "xdg-open", ["XDG_RUNTIME_DIR": root])
    #expect(printed.errorOutput.hasSuffix("open this yourself:\n  notes:1\n"), "\(printed)")
    try await Command.run(
      "/usr/bin/python3",
      [
        "-c",
        "import socket, sys; s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET); s.connect(sys.argv[1]); s.send(b'test')",
        "\(root)/usher/open",
      ]
    ).orThrow()
    #expect(try await broker.line() == "b'test'")
  }

  @Test(arguments: clients)
  func `leaves the link to another xdg-open where there is a display, also with a chosen socket`(
    client: String
  ) async throws {
    let client = try await Client(client)
    let root = client.directory.path
    try client.directory.write(
      "#!/bin/sh\necho \"system: $1\"\n", to: "system/xdg-open", permissions: 0o755)
    for variables in [["USHER_SOCKET": "\(root)/nowhere"], ["SSH_CONNECTION": "1 2 3 4"], [:]] {
      let shown = try await client.run(
        ["https://e.example/z"], as: "xdg-open",
        variables.merging(["DISPLAY": ":77", "PATH": "\(root):\(root)/system:/usr/bin:/bin"]) { $1 })
      #expect(shown.status == 0 && shown.output == "system: https://e.example/z\n", "\(variables) \(shown)")
    }
  }

  @Test(arguments: clients)
  func `names the first argument that it does not know`(client: String) async throws {
    let client = try await Client(client)
    for (words, name) in [
      (["--source-application", "org.example.Chat", "a:1"], "--source-application"),
      (["--reason", "activate"], "--reason"), (["--timeout", "0", "/nowhere"], "--timeout"),
    ] {
      let refused = try await client.run(["open"] + words, as: "usher")
      #expect(refused.status == 64 && refused.errorOutput.hasPrefix("usher: \(name) "), "\(refused)")
    }
    let plain = try await client.run([], as: "usher")
    #expect(plain.status == 64 && plain.errorOutput.contains("the client of another desktop"), "\(plain)")
  }

  @Test(arguments: clients)
  func `prints the error as JSON`(client: String) async throws {
    let client = try await Client(client)
    var printed: [String] = []
    for (words, status, error) in [
      (["a:\"\\\u{1}ä€😀"], 69, "NeedsBus"), (["/nowhere/at/all"], 2, "NoHandler"),
      (["--reason", "activate", "a:1"], 64, "InvalidRequest"), ([], 64, "InvalidRequest"),
    ] as [([String], Int32, String)] {
      let failed = try await client.run(["open"] + words + ["--json"], as: "usher")
      #expect(failed.status == status && failed.errorOutput.isEmpty, "\(words) \(failed)")
      printed.append(failed.output)
      let object = try PropertyList(json: failed.output)
      #expect(object["error"]?.string == "org.usher.Error.\(error)" && object["outcome"] == "failed")
      if error == "NeedsBus" { #expect(object["message"]?.string?.hasSuffix(words[0]) == true, "\(object)") }
    }
    #expect(try await JSONSchema("usher-open").diagnostics(about: printed) == [])
  }

  @Test(arguments: clients)
  func `says that the socket belongs to another user`(client: String) async throws {
    guard getuid() == 0 else { try Test.cancel("only root can run a program as another user") }
    let client = try await Client(client)
    let root = client.directory.path
    try FileManager.default.createDirectory(
      atPath: "\(root)/run", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    chmod(root, 0o755)
    let socket = "\(root)/run/socket"
    let failed = try await Command.run(
      "setpriv",
      ["--reuid=65534", "--regid=65534", "--clear-groups", "\(root)/usher", "open", "a:1"],
      environment: ["PATH": "/usr/bin:/bin", "USHER_SOCKET": socket])
    #expect(failed.status == 69 && failed.errorOutput.contains("\(socket): Permission denied"), "\(failed)")
    #expect(failed.errorOutput.contains("--userns=keep-id"), "\(failed)")
  }

  /// The public modules of Debian's python3-minimal: those of libpython3-minimal, and of its program itself.
  private static let modules = """
    abc argparse ast base64 bisect calendar codecs collections compileall configparser contextlib copy copyreg csv datetime dis \
    email encodings enum filecmp fnmatch functools genericpath getopt glob hashlib heapq imp importlib inspect io ipaddress keyword \
    linecache locale logging opcode operator optparse os pathlib pickle pkgutil platform posixpath py_compile quopri random re \
    reprlib runpy selectors signal site socket sre_compile sre_constants sre_parse ssl stat string stringprep struct subprocess \
    sysconfig tempfile textwrap threading token tokenize traceback tracemalloc types typing urllib uu warnings weakref zipfile zipimport \
    array binascii errno fcntl grp itertools marshal math posix pwd select sys syslog time unicodedata zlib
    """

  /// Runs a program of Python with the modules of python3-minimal alone.
  private static let minimalPython = """
    import sys
    allowed = set(sys.argv[1].split()) | set(sys.builtin_module_names) | {"__main__"}
    class Missing:
        def find_spec(self, name, path=None, target=None):
            top = name.partition(".")[0]
            if top in sys.stdlib_module_names and top not in allowed and not top.startswith("_"):
                raise ModuleNotFoundError(f"No module named '{name}'")
    sys.meta_path.insert(0, Missing())
    import runpy
    sys.argv[:2] = []
    runpy.run_path(sys.argv[0], run_name="__main__")
    """

  @Test func `needs only the Python modules of python3-minimal`() async throws {
    let directory = try TemporaryDirectory()
    func run(_ words: [String]) async throws -> CommandResult {
      try await Command.run(
        "/usr/bin/python3", ["-I", "-S", "-c", Self.minimalPython, Self.modules] + words,
        environment: ["PATH": "/usr/bin:/bin", "USHER_SOCKET": "\(directory.path)/nowhere"])
    }
    // The list has an effect.
    let other = "\(directory.path)/other.py"
    try Data("import secrets\n".utf8).write(to: URL(filePath: other))
    #expect(try await run([other]).errorOutput.contains("No module named"))
    for words in [["a:1"], ["--json", "a:1"], ["remote", "register", "com.example.tool", "--", "true"]] {
      let failed = try await run([Self.script] + words)
      #expect(
        failed.status == 69 && (failed.output + failed.errorOutput).contains("no desktop can be reached"),
        "\(words) \(failed)")
    }
  }
}
