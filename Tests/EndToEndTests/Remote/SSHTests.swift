// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import Glibc
import TestSupport
import Testing

/// Machines that are connected by real OpenSSH on loopback.
@Suite struct `A machine connected by ssh` {
  private static func requireRoot() throws {
    guard getuid() == 0 else {
      try Test.cancel("only root can start an SSH server with another user's login")
    }
  }

  private static func with(
    _ body: @Sendable (InstalledDesktop, SSHServer, Target) async throws -> Void
  ) async throws {
    try requireRoot()
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      try desk.desktop.writeRoutes(
        "remote.toml",
        """
        [route.build]
        scheme = "notes"
        source = { remote = "\(SSHServer.machine)" }
        allow  = true
        """)
      let server = try await SSHServer.start(on: desk)
      try await body(desk, server, target)
      await server.stop()
    }
  }

  /// The files in the directory of the sockets on the machine.
  private static func sockets(_ server: SSHServer) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(server.runtimeDirectory)/usher-remote")) ?? []
  }

  @Test func `opens links here during a login, and prints the value of the application there`() async throws {
    try await Self.with { desk, server, target in
      let words = ["ssh"] + server.options + ["build"]
      let opened = try await desk.run(
        "usher",
        words + ["usher", "open", "--wait=handled", "--timeout=\(timeLimit(240))", "notes://note/7?tab=edit"])
      #expect(opened.status == 0 && !opened.output.isEmpty, "\(opened)")
      // The output is that of the command alone, also where it is no terminal.
      #expect(opened.errorOutput.isEmpty, "\(opened)")
      #expect(try await target.next().urls == ["notes://note/7?tab=edit"])
      #expect(try await desk.usher("history").output.contains("the machine \(SSHServer.machine)"))
      let xdgOpen = try await desk.run("usher", words + ["xdg-open", "notes://note/8"])
      #expect(xdgOpen.status == 0, "\(xdgOpen)")
      #expect(try await target.next().urls == ["notes://note/8"])
      let failed = try await desk.run("usher", words + ["exit", "7"])
      #expect(failed.status == 7, "\(failed)")
      #expect(Self.sockets(server).isEmpty)
    }
  }

  @Test func `is listed until it is disconnected, and is connected again after a lost connection`()
    async throws
  {
    try await Self.with { desk, server, target in
      let connection = try await RunningProgram.start(
        "bash", ["-c", "exec usher remote connect \"$@\" 2>&1", "bash"] + server.options + ["build"],
        environment: desk.desktop.environment)
      _ = try await connection.line { $0.contains("open on this desktop") }
      #expect(try await desk.usher("remote", "list").output == "\(SSHServer.machine)  build\n")
      func open(_ url: String) async throws -> CommandResult {
        try await desk.run(
          "ssh", server.options + ["build", "usher", "open", "--timeout=\(timeLimit(240))", url])
      }
      let first = try await open("notes://note/1")
      #expect(first.status == 0, "\(first)")
      #expect(try await target.next().urls == ["notes://note/1"])
      let again = try await desk.run("usher", ["remote", "connect"] + server.options + ["build"])
      #expect(again.status == 1 && again.errorOutput.contains("is connected already"), "\(again)")

      // The processes of sshd that serve connections; the server itself remains.
      try await server.dropConnections()
      _ = try await connection.line { $0.contains("was lost") }
      _ = try await connection.line { $0.contains("connected to build again") }
      let second = try await open("notes://note/2")
      #expect(second.status == 0, "\(second)")
      #expect(try await target.next().urls == ["notes://note/2"])

      let ended = try await desk.run("usher", ["remote", "disconnect"] + server.options + ["build"])
      #expect(ended.status == 0, "\(ended)")
      #expect(await connection.waitUntilExit().status == 0)
      #expect(try await desk.usher("remote", "list").output.isEmpty)
      let without = try await open("notes://note/3")
      #expect(without.status == 69 || without.status == 1, "\(without)")
    }
  }

  @Test func `can be connected again at once after it was disconnected, also if the connection was lost`()
    async throws
  {
    try await Self.with { desk, server, _ in
      let words = server.options + ["build"]
      func connect() async throws -> RunningProgram {
        let connection = try await RunningProgram.start(
          "bash", ["-c", "exec usher remote connect \"$@\" 2>&1", "bash"] + words,
          environment: desk.desktop.environment)
        _ = try await connection.line { $0.contains("open on this desktop") }
        return connection
      }
      let first = try await connect()
      #expect(try await desk.run("usher", ["remote", "disconnect"] + words).status == 0)
      let second = try await connect()
      #expect(await first.waitUntilExit().status == 0)
      await server.stop()
      _ = try await second.line { $0.contains("was lost") }
      _ = try await second.line { $0.contains("Connection refused; trying again") }
      #expect(try await desk.run("usher", ["remote", "disconnect"] + words).status == 0)
      let third = try await desk.run("usher", ["remote", "connect"] + words)
      #expect(third.status == 1 && third.errorOutput.contains("cannot connect to build"), "\(third)")
      #expect(await second.waitUntilExit().status == 0)
    }
  }

  @Test func `is connected again after its directory for sockets was removed, as by a restart`() async throws
  {
    try await Self.with { desk, server, target in
      let connection = try await RunningProgram.start(
        "bash", ["-c", "exec usher remote connect \"$@\" 2>&1", "bash"] + server.options + ["build"],
        environment: desk.desktop.environment)
      _ = try await connection.line { $0.contains("open on this desktop") }
      let before = Self.sockets(server)
      #expect(before.count == 1, "\(before)")
      try FileManager.default.removeItem(atPath: "\(server.runtimeDirectory)/usher-remote")
      try await server.dropConnections()
      _ = try await connection.line { $0.contains("connected to build again") }
      let after = Self.sockets(server)
      #expect(after.count == 1 && after != before, "\(after)")
      let opened = try await desk.run(
        "ssh", server.options + ["build", "usher", "open", "--timeout=\(timeLimit(240))", "notes://note/1"])
      #expect(opened.status == 0, "\(opened)")
      #expect(try await target.next().urls == ["notes://note/1"])

      // A reason that lasts is given once, and not only the loss.
      let directory = "\(server.runtimeDirectory)/usher-remote"
      try FileManager.default.removeItem(atPath: directory)
      #expect(FileManager.default.createFile(atPath: directory, contents: nil))
      try await server.dropConnections()
      _ = try await connection.line {
        $0.contains("has no private directory for a socket") && $0.contains("trying again")
      }
      try FileManager.default.removeItem(atPath: directory)
      _ = try await connection.line { $0.contains("connected to build again") }
      connection.terminate()
      let ended = await connection.waitUntilExit()
      #expect(ended.status == 0, "\(ended)")
      #expect(ended.output.split(separator: "trying again").count == 2, "\(ended)")
    }
  }

  /// Ctrl-Z stops the command and ssh.
  @Test(arguments: [false, true])
  func `is listed without an answer while ssh is stopped, and can be disconnected then`(
    isCommandStopped: Bool
  ) async throws {
    try await Self.with { desk, server, _ in
      let connection = try await RunningProgram.start(
        "bash", ["-c", "exec usher remote connect \"$@\" 2>&1", "bash"] + server.options + ["build"],
        environment: desk.desktop.environment)
      _ = try await connection.line { $0.contains("open on this desktop") }
      try await Command.run("pkill", ["-STOP", "-P", "\(connection.processIdentifier)", "-x", "ssh"])
        .orThrow()
      if isCommandStopped { connection.send(SIGSTOP) }
      #expect(
        try await desk.usher("remote", "list").output == "\(SSHServer.machine)  build  (does not answer)\n")
      let ended = try await desk.run("usher", ["remote", "disconnect"] + server.options + ["build"])
      #expect(ended.status == 0, "\(ended)")
      #expect(await connection.waitUntilExit().status == 0)
      #expect(try await desk.usher("remote", "list").output.isEmpty)
    }
  }

  @Test func `has a new relay after the old one was killed`() async throws {
    try await Self.with { desk, server, target in
      let connection = try await RunningProgram.start(
        "bash", ["-c", "exec usher remote connect \"$@\" 2>&1", "bash"] + server.options + ["build"],
        environment: desk.desktop.environment)
      _ = try await connection.line { $0.contains("open on this desktop") }
      for number in 1...2 {
        try await Command.run(
          "pkill", ["-KILL", "-P", "\(connection.processIdentifier)", "-x", "usher-remote"]
        ).orThrow()
        _ = try await connection.line { $0.contains("had exited, and is started again") }
        let url = "notes://note/\(number)"
        let opened = try await desk.run(
          "ssh", server.options + ["build", "usher", "open", "--timeout=\(timeLimit(240))", url])
        #expect(opened.status == 0, "\(opened)")
        #expect(try await target.next().urls == [url])
      }
      let ended = try await desk.run("usher", ["remote", "disconnect"] + server.options + ["build"])
      #expect(ended.status == 0, "\(ended)")
      #expect(await connection.waitUntilExit().status == 0)
    }
  }

  @Test func `has a new relay also if that cannot be started at once`() async throws {
    try await Self.with { desk, server, target in
      let connection = try await RunningProgram.start(
        "bash", ["-c", "exec usher remote connect \"$@\" 2>&1", "bash"] + server.options + ["build"],
        environment: desk.desktop.environment)
      _ = try await connection.line { $0.contains("open on this desktop") }
      let runtime = try #require(desk.desktop.environment["XDG_RUNTIME_DIR"])
      let directory = "\(runtime)/usher/remote"
      let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      let socket = "\(directory)/\(try #require(names.first { $0.hasSuffix(".sock") }, "\(names)"))"
      // A relay cannot replace a directory by its socket.
      try FileManager.default.removeItem(atPath: socket)
      try FileManager.default.createDirectory(atPath: socket, withIntermediateDirectories: false)
      try await Command.run(
        "pkill", ["-KILL", "-P", "\(connection.processIdentifier)", "-x", "usher-remote"]
      ).orThrow()
      _ = try await connection.line { $0.contains("cannot be started again") }
      // The relay says for each attempt why it has exited; the command says it once.
      for _ in 1...2 { _ = try await connection.line { $0.hasPrefix("usher-remote: ") } }
      try FileManager.default.removeItem(atPath: socket)
      _ = try await connection.line { $0.contains("had exited, and is started again") }
      let opened = try await desk.run(
        "ssh", server.options + ["build", "usher", "open", "--timeout=\(timeLimit(240))", "notes://note/1"])
      #expect(opened.status == 0, "\(opened)")
      #expect(try await target.next().urls == ["notes://note/1"])
      connection.terminate()
      let ended = await connection.waitUntilExit()
      #expect(ended.status == 0, "\(ended)")
      #expect(ended.output.split(separator: "cannot be started again").count == 2, "\(ended)")
    }
  }

  /// The options are those of a configuration for tunnels.
  @Test(arguments: [[], ["ForkAfterAuthentication=yes", "SessionType=none", "StdinNull=yes"]])
  func `is disconnected when the command that connects it is killed`(options: [String]) async throws {
    try await Self.with { desk, server, target in
      let words =
        ["-c", "exec usher remote connect \"$@\" 2>&1", "bash"] + server.options
        + options.flatMap { ["-o", $0] } + ["build"]
      /// Connects the machine, kills the command, and waits until its ssh and its relay have exited.
      func connectAndKill() async throws {
        let command = try await RunningProgram.start("bash", words, environment: desk.desktop.environment)
        _ = try await command.line { $0.contains("open on this desktop") }
        let children = try await Command.run("pgrep", ["-P", "\(command.processIdentifier)"]).orThrow().lines
        #expect(children.count == 2, "\(children)")
        command.send(SIGKILL)
        for child in children {
          try await Command.run("tail", ["--pid=\(child)", "-f", "/dev/null"]).orThrow()
        }
      }
      try await connectAndKill()
      #expect(try await desk.usher("remote", "list").output.isEmpty)
      // The next command finds nothing of the first.
      let next = try await RunningProgram.start("bash", words, environment: desk.desktop.environment)
      _ = try await next.line { $0.contains("open on this desktop") }
      let opened = try await desk.run(
        "ssh", server.options + ["build", "usher", "open", "--timeout=\(timeLimit(240))", "notes://note/1"])
      #expect(opened.status == 0, "\(opened)")
      #expect(try await target.next().urls == ["notes://note/1"])
      next.terminate()
      let ended = await next.waitUntilExit()
      #expect(ended.status == 0 && !ended.output.contains("was lost"), "\(ended)")
    }
  }

  @Test func `is given up at once when the command is ended while ssh asks`() async throws {
    try await InstalledDesktop.with { desk in
      // A stand-in for ssh that waits for a password.
      try desk.desktop.installStandInForSSH(connecting: "echo asking >&2; exec sleep 86400")
      for subcommand in [["remote", "connect"], ["ssh"]] {
        let command = try await RunningProgram.start(
          "bash", ["-c", "exec usher \"$@\" 2>&1", "bash"] + subcommand + ["build.example.org"],
          environment: desk.desktop.environment)
        _ = try await command.line { $0 == "asking" }
        command.terminate()
        let ended = await command.waitUntilExit()
        #expect(ended.status != 0 && ended.output.contains("was interrupted"), "\(ended)")
      }
    }
  }

  /// These options would change or end the calls of ssh that Usher makes itself.
  @Test func `is connected whatever its configuration says of logins, also under a name with a port`()
    async throws
  {
    try await Self.with { desk, server, target in
      let known = try String(contentsOfFile: "\(desk.desktop.home)/.ssh/known", encoding: .utf8)
      try desk.desktop.write(
        known + known.replacingOccurrences(of: SSHServer.machine, with: "build:2222"), to: "home/.ssh/known")
      try desk.desktop.writeRoutes(
        "port.toml", "[route.port]\nscheme = \"notes\"\nsource = { remote = \"build:2222\" }\nallow = true\n")
      for (number, option) in [
        "HostKeyAlias=build:2222", "ClearAllForwardings=yes", "RequestTTY=force", "StdinNull=yes",
        "ForkAfterAuthentication=yes",
      ].enumerated() {
        let words =
          ["ssh"] + server.options + ["-o", option, "build", "usher", "open", "notes://note/\(number)"]
        let opened = try await desk.run("usher", words)
        #expect(opened.status == 0, "\(option): \(opened)")
        #expect(try await target.next().urls == ["notes://note/\(number)"])
      }
      // A login ends with its terminal, and the connection with it.
      let login = try await RunningProgram.start(
        "bash",
        ["-c", "exec usher ssh \"$@\" 2>&1", "bash"] + server.options + [
          "build", "echo logged-in; sleep 86400",
        ],
        environment: desk.desktop.environment)
      _ = try await login.line { $0.contains("logged-in") }
      kill(login.processIdentifier, SIGHUP)
      #expect(await login.waitUntilExit().status != nil)
      #expect(try await desk.usher("remote", "list").output.isEmpty)
      // A second login does not end the connection of the first.
      let first = try await RunningProgram.start(
        "bash", ["-c", "exec usher remote connect \"$@\" 2>&1", "bash"] + server.options + ["build"],
        environment: desk.desktop.environment)
      _ = try await first.line { $0.contains("open on this desktop") }
      for number in 7...8 {
        let words = ["ssh"] + server.options + ["build", "usher", "open", "notes://note/\(number)"]
        let second = try await desk.run("usher", words)
        #expect(second.status == 0 && second.errorOutput.contains("is connected already"), "\(second)")
        #expect(try await target.next().urls == ["notes://note/\(number)"])
      }
      first.terminate()
      let ending = await first.waitUntilExit()
      #expect(ending.status == 0, "\(ending)")
    }
  }

  @Test func `has one connection for its links if two logins start together, and each ends for itself`()
    async throws
  {
    try await Self.with { desk, server, target in
      let (begun, going) = ("\(desk.desktop.root)/begun", "\(desk.desktop.root)/going")
      for path in [begun, going] { try await Command.run("mkfifo", [path]).orThrow() }
      // In place of a password that the user has not entered yet.
      let way = "sh -c ': >\(begun); cat \(going) >/dev/null; exec \(server.way)'"
      func logIn(_ words: String, _ options: [String] = []) async throws -> RunningProgram {
        try await RunningProgram.start(
          "bash",
          ["-c", "exec usher ssh \"$@\" 2>&1", "bash"] + server.options + options + ["build", words],
          environment: desk.desktop.environment)
      }
      let first = try await logIn("echo logged-in; read line", ["-o", "ProxyCommand=\(way)"])
      try await Command.run("cat", [begun]).orThrow()
      let second = try await logIn(
        "echo logged-in; read line; usher open --timeout=\(timeLimit(240)) notes://note/1; exit 7")
      _ = try await second.line { $0.contains("is being connected by another command") }
      _ = try await second.line { $0 == "logged-in" }
      let third = try await desk.run("usher", ["remote", "connect"] + server.options + ["build"])
      #expect(
        third.status == 1 && third.errorOutput.contains("is being connected by another command"), "\(third)")
      try await Command.run("sh", ["-c", ": >\(going)"]).orThrow()
      _ = try await first.line { $0 == "logged-in" }
      #expect(try await desk.usher("remote", "list").output == "\(SSHServer.machine)  build\n")
      // The second login has a connection of its own.
      first.write("\n")
      let ended = await first.waitUntilExit()
      #expect(ended.status == 0, "\(ended)")
      #expect(try await desk.usher("remote", "list").output.isEmpty)
      let next = try await logIn("echo logged-in; read line")
      _ = try await next.line { $0 == "logged-in" }
      second.write("\n")
      let other = await second.waitUntilExit()
      #expect(other.status == 7, "\(other)")
      #expect(try await target.next().urls == ["notes://note/1"])
      next.write("\n")
      #expect(await next.waitUntilExit().status == 0)
    }
  }

  /// ssh uses the shared connection of one user for every user.
  @Test func `is prepared and disconnected for the user that is connected, and for no other`() async throws {
    try await Self.with { desk, server, _ in
      let connection = try await RunningProgram.start(
        "bash", ["-c", "exec usher remote connect \"$@\" 2>&1", "bash"] + server.options + ["build"],
        environment: desk.desktop.environment)
      _ = try await connection.line { $0.contains("open on this desktop") }
      func usher(_ words: [String], options: [String], host: String = "build") async throws -> CommandResult {
        try await desk.run("usher", words + server.options + options.flatMap { ["-o", $0] } + [host])
      }
      // It has no account, and is not asked for a password.
      let other = ["User=other", "PreferredAuthentications=publickey"]
      for words in [["remote", "setup"], ["remote", "setup", "--undo"]] {
        let refused = try await usher(words, options: other)
        #expect(refused.status == 1 && refused.errorOutput.contains("cannot connect"), "\(refused)")
      }
      let second = try await usher(["remote", "connect"], options: other)
      #expect(
        second.status == 1
          && second.errorOutput.contains(
            "is connected as root already; to end that connection, run: usher remote disconnect \(SSHServer.machine)"
          ),
        "\(second)")
      let login = try await usher(["ssh"], options: other)
      #expect(
        login.status == 255
          && login.errorOutput.contains("is connected as root, so links of other there do not open here"),
        "\(login)")
      let kept = try await usher(["remote", "disconnect"], options: [], host: "other@build")
      #expect(
        kept.status == 1 && kept.errorOutput.contains("run: usher remote disconnect \(SSHServer.machine)\n"),
        "\(kept)")

      // Its own setup uses the connection that exists.
      #expect(!FileManager.default.fileExists(atPath: "\(server.home)/.local"))
      let setup = try await usher(["remote", "setup"], options: ["ProxyCommand=false"])
      #expect(setup.status == 0 && setup.output.contains("linked"), "\(setup)")
      #expect(try await desk.usher("remote", "list").output == "\(SSHServer.machine)  build\n")
      let ended = try await usher(["remote", "disconnect"], options: [], host: "root@build")
      #expect(ended.status == 0, "\(ended)")
      #expect(await connection.waitUntilExit().status == 0)
    }
  }

  @Test func `needs a verified host key`() async throws {
    try await Self.with { desk, server, _ in
      let words = ["remote", "connect"] + server.options + ["-o", "StrictHostKeyChecking=no", "build"]
      let refused = try await desk.run("usher", words)
      #expect(
        refused.status == 1 && refused.errorOutput.contains("does not verify the host key"), "\(refused)")
      // The options that hide the host key are not in the proposed command.
      let command = (["ssh"] + server.options + ["build"]).joined(separator: " ")
      #expect(refused.errorOutput.hasSuffix("connect once with: \(command)\n"), "\(refused)")
      let forgetful = try await desk.run(
        "usher",
        ["remote", "connect"] + server.options
          + ["-o", "StrictHostKeyChecking=accept-new", "-o", "UserKnownHostsFile=/dev/null", "build"])
      #expect(
        forgetful.status == 1 && forgetful.errorOutput.contains("accepts every host key"), "\(forgetful)")
      #expect(forgetful.errorOutput.hasSuffix("connect once with: \(command)\n"), "\(forgetful)")
      try desk.desktop.write("", to: "home/.ssh/known")
      let unknown = try await desk.run("usher", ["remote", "connect"] + server.options + ["build"])
      #expect(unknown.status == 1 && unknown.errorOutput.contains("cannot connect"), "\(unknown)")
      let local = try await desk.run(
        "usher",
        ["remote", "connect"] + server.options + ["-o", "NoHostAuthenticationForLocalhost=yes", "build"])
      #expect(local.status == 1 && local.errorOutput.contains("cannot connect"), "\(local)")
    }
  }

  @Test func `is not connected again if another host key answers`() async throws {
    try await Self.with { desk, server, _ in
      let connection = try await RunningProgram.start(
        "bash", ["-c", "exec usher remote connect \"$@\" 2>&1", "bash"] + server.options + ["build"],
        environment: desk.desktop.environment)
      _ = try await connection.line { $0.contains("open on this desktop") }
      let other = try String(contentsOfFile: "\(desk.desktop.home)/.ssh/key.pub", encoding: .utf8)
      try desk.desktop.write("\(SSHServer.machine) \(other)", to: "home/.ssh/known")
      try await server.dropConnections()
      let ended = await connection.waitUntilExit()
      #expect(ended.output.contains("the host key of build has changed or is not known"), "\(ended)")
      let command = (["ssh"] + server.options + ["build"]).joined(separator: " ")
      #expect(ended.output.contains("run: \(command)\n"), "\(ended)")
      #expect(ended.status == 1, "\(ended)")
      #expect(try await desk.usher("remote", "list").output.isEmpty)
    }
  }

  @Test func `is disconnected by the command that a message proposes, whatever options have connected it`()
    async throws
  {
    try await Self.with { desk, server, _ in
      let name = "other.example.org:2222"
      let known = "\(desk.desktop.home)/.ssh/known"
      let keys = try String(contentsOfFile: known, encoding: .utf8)
      try desk.desktop.write(keys.replacing(SSHServer.machine, with: name), to: "home/.ssh/known")
      let words = ["remote", "connect"] + server.options + ["-o", "HostKeyAlias=\(name)", "build"]
      let connection = try await RunningProgram.start("usher", words, environment: desk.desktop.environment)
      _ = try await connection.line { $0.contains("open on this desktop") }
      let second = try await desk.run("usher", words)
      let command = second.errorOutput.split(separator: "run: ").last.map(String.init) ?? ""
      #expect(second.status == 1 && command == "usher remote disconnect \(name)\n", "\(second)")
      // The same host, connected with other options, is another machine.
      let other = try await desk.run("usher", ["remote", "disconnect"] + server.options + ["build"])
      #expect(other.status == 1 && other.errorOutput.contains("is not connected"), "\(other)")
      // The configuration of ssh for all other hosts is not that for the name of the machine.
      try desk.desktop.write("Host *\n  Port 2222\n  StrictHostKeyChecking no\n", to: "home/.ssh/others")
      try desk.desktop.installScript(
        "ssh", "#!/bin/sh\nexec /usr/bin/ssh -F '\(desk.desktop.home)/.ssh/others' \"$@\"\n")
      let disconnected = try await desk.run("sh", ["-c", command])
      #expect(disconnected.status == 0, "\(disconnected)")
      #expect(await connection.waitUntilExit().status == 0)
    }
  }

  /// ssh would replace the name of the variable in the path of a socket, and send its value to the machine.
  @Test func `learns no variable of the desktop through the directory for sockets that it names`()
    async throws
  {
    try Self.requireRoot()
    try await InstalledDesktop.with { desk in
      let server = try await SSHServer.start(
        on: desk,
        settings: """
          LogLevel DEBUG1
          ForceCommand cat >/dev/null; echo '/tmp/${USHER_TEST_SECRET}'
          """)
      let secret = "topsecret42"
      let failed = try await desk.run(
        "usher", ["ssh"] + server.options + ["build"], adding: ["USHER_TEST_SECRET": secret])
      let log = await server.stop()
      #expect(failed.status == 1 && failed.errorOutput.contains("has no private directory"), "\(failed)")
      #expect(log.contains("Accepted publickey") && !log.contains(secret), "\(log)")
    }
  }

  @Test(arguments: [
    // Another machine has this address, with the port 22.
    ("2001:db8::1", "Port=2222", "could be another address; set HostKeyAlias"),
    ("127.0.0.1", "HostKeyAlias=Container:Work", "is the name of a container"),
    ("container", "Port=2222", "is the name of a container"),
  ])
  func `has no name that is also that of another machine or of a container`(
    host: String, option: String, reason: String
  ) async throws {
    try await InstalledDesktop.with { desk in
      // Where the name is accepted, no connection is made.
      let words = ["-F", "/dev/null", "-o", "ProxyCommand=false", "-o", option, host]
      for command in [["ssh"], ["remote", "connect"], ["remote", "setup"]] {
        let refused = try await desk.run("usher", command + words)
        #expect(refused.status == 1 && refused.errorOutput.contains(reason), "\(refused)")
      }
      let alias = try await desk.run(
        "usher", ["remote", "connect", "-o", "HostKeyAlias=build.example.org"] + words)
      #expect(alias.errorOutput.contains("cannot connect to \(host)"), "\(alias)")
    }
  }

  @Test func `is also served by the client in Python`() async throws {
    try await Self.with { desk, server, target in
      let client = "\(BuiltProducts.repository)/desktop/remote/usher-open"
      let words = ["ssh"] + server.options + ["build", "/usr/bin/python3", client]
      let opened = try await desk.run(
        "usher",
        words + [
          "--wait", "handled", "--timeout=\(timeLimit(240))", "--annotation", #"'{"from":"ci"}'"#,
          "notes://note/7",
        ])
      #expect(opened.status == 0 && !opened.output.isEmpty, "\(opened)")
      let arrival = try await target.next()
      #expect(arrival.envelope["annotation"]?["from"] == "ci")
      let denied = try await desk.run("usher", words + ["nobody:1"])
      #expect(denied.status == 2 || denied.status == 3, "\(denied)")
    }
  }

  @Test
  func `receives the links of a scheme that a program there has registered, until the connection is lost`()
    async throws
  {
    try await Self.with { desk, server, _ in
      let prompts = try await NotificationServer.start(on: desk)
      let client = try await RunningProgram.start(
        "sh",
        ["-c", "exec usher ssh \"$@\" 2>&1", "sh"] + server.options + [
          "build", "usher", "remote", "register", "com.example.tool",
        ], environment: desk.desktop.environment)
      let shown = try await prompts.next(1)
      #expect(shown.text.contains("links to \(SSHServer.machine)?"), "\(shown)")
      try await prompts.press(0, of: 1)
      _ = try await client.line { $0.contains("arrive here") }
      #expect(try await desk.run("gio", ["open", "com.example.tool:/oauth?code=1&state=2"]).status == 0)
      _ = try await client.line { $0.hasPrefix("com.example.tool:/oauth?code=1&state=2") }
      try await server.dropConnections()
      _ = await client.waitUntilExit()
      try await desk.waitForEndOfRegistrations()
      #expect(try await desk.open("com.example.tool:late").error == "NoHandler")
    }
  }
}
