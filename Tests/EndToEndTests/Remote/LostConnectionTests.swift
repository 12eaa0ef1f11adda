// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Connections by real OpenSSH on loopback whose server processes are killed, as a lost network ends them.
@Suite struct `A connection by ssh that is lost` {
  private static func with(
    _ body: @Sendable (InstalledDesktop, SSHServer) async throws -> Void
  ) async throws {
    guard getuid() == 0 else {
      try Test.cancel("only root can start an SSH server with another user's login")
    }
    try await InstalledDesktop.with { desk in
      let server = try await SSHServer.start(on: desk)
      do { try await body(desk, server) } catch {
        await server.stop()
        throw error
      }
      await server.stop()
    }
  }

  /// Adds hosts to the configuration of ssh that are the same server: `middle`, and `jump` with a key of its own, whose path is returned.
  private static func addJumpHosts(to desk: InstalledDesktop) throws -> String {
    let directory = "\(desk.desktop.home)/.ssh"
    let build = try String(contentsOfFile: "\(directory)/config", encoding: .utf8)
    let middle = build.replacing("Host build", with: "Host middle")
    let jump = build.replacing("Host build", with: "Host jump")
      .replacing("IdentityFile \(directory)/key", with: "IdentityFile \(directory)/jump")
    try desk.desktop.write("\(build)\n\(middle)\n\(jump)\n", to: "home/.ssh/config")
    try FileManager.default.copyItem(atPath: "\(directory)/key", toPath: "\(directory)/jump")
    return "\(directory)/jump"
  }

  /// Neither at the terminal nor with a graphical program.
  @Test(arguments: ["jump", "jump,middle"])
  func `is not made again if the ssh of a jump host would have to ask`(jumpHosts: String) async throws {
    try await Self.with { desk, server in
      let key = try Self.addJumpHosts(to: desk)
      let asked = "\(desk.desktop.root)/asked"
      let asking = try desk.desktop.installScript("ask", "#!/bin/sh\n: >'\(asked)'\n")
      let connection = try await RunningProgram.start(
        "/usr/bin/python3",
        [
          "-c", "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))", "usher",
          "remote", "connect",
        ] + server.options + ["-o", "ProxyJump=\(jumpHosts)", "build"],
        environment: desk.desktop.environment.merging(["SSH_ASKPASS": asking]) { $1 })
      _ = try await connection.line { $0.contains("open on this desktop") }
      try await Command.run("ssh-keygen", ["-q", "-p", "-P", "", "-N", "secret", "-f", key]).orThrow()
      try await server.dropConnections()
      let ended = await connection.waitUntilExit()
      #expect(
        ended.status == 1 && ended.output.contains("build, or a jump host before it, needs a password"),
        "\(ended)")
      #expect(!ended.output.contains("passphrase"), "\(ended)")
      #expect(!FileManager.default.fileExists(atPath: asked))
      let file = "\(desk.desktop.runtimeDirectory)/usher/remote/\(SSHServer.machine).conf"
      #expect(!FileManager.default.fileExists(atPath: file))
      let log = await server.stop()
      #expect(!log.contains("Failed password"), "\(log)")
    }
  }

  @Test func `is not made again if another host key of a jump host answers`() async throws {
    try await Self.with { desk, server in
      _ = try Self.addJumpHosts(to: desk)
      let connection = try await RunningProgram.start(
        "bash",
        ["-c", "exec usher remote connect \"$@\" 2>&1", "bash"] + server.options
          + ["-o", "ProxyJump=jump", "build"],
        environment: desk.desktop.environment)
      _ = try await connection.line { $0.contains("open on this desktop") }
      // The first value of an option counts.
      let config = try String(contentsOfFile: "\(desk.desktop.home)/.ssh/config", encoding: .utf8)
      try desk.desktop.write("Host jump\n  HostKeyAlias other.example.org\n\(config)", to: "home/.ssh/config")
      try await server.dropConnections()
      let ended = await connection.waitUntilExit()
      #expect(ended.status == 1, "\(ended)")
      #expect(
        ended.output.contains("the host key of build, or of a jump host before it, has changed"), "\(ended)")
    }
  }

  @Test func `is attempted again, and the reason that the ssh of a jump host gives is printed once`()
    async throws
  {
    try await Self.with { desk, server in
      _ = try Self.addJumpHosts(to: desk)
      let words = server.options + ["-o", "ProxyJump=jump", "build"]
      let connection = try await RunningProgram.start(
        "bash", ["-c", "exec usher remote connect \"$@\" 2>&1", "bash"] + words,
        environment: desk.desktop.environment)
      _ = try await connection.line { $0.contains("open on this desktop") }
      await server.stop()
      _ = try await connection.line { $0.contains("Connection refused; trying again") }
      #expect(try await desk.run("usher", ["remote", "disconnect"] + words).status == 0)
      let ended = await connection.waitUntilExit()
      #expect(ended.status == 0, "\(ended)")
      #expect(ended.output.split(separator: "Connection refused").count == 2, "\(ended)")
    }
  }

  @Test func `is not made again if its configuration verifies no host key`() async throws {
    try await Self.with { desk, server in
      let connection = try await RunningProgram.start(
        "bash", ["-c", "exec usher remote connect \"$@\" 2>&1", "bash"] + server.options + ["build"],
        environment: desk.desktop.environment)
      _ = try await connection.line { $0.contains("open on this desktop") }
      // The first value of an option counts.
      let config = try String(contentsOfFile: "\(desk.desktop.home)/.ssh/config", encoding: .utf8)
      try desk.desktop.write("Host build\n  StrictHostKeyChecking no\n\(config)", to: "home/.ssh/config")
      try await server.dropConnections()
      let reason = "ssh does not verify the host key of build"
      let line = try await connection.line { $0.contains(reason) || $0.contains("connected to build again") }
      try #require(line.contains(reason), "\(line)")
      let ended = await connection.waitUntilExit()
      #expect(ended.status == 1, "\(ended)")
      #expect(try await desk.usher("remote", "list").output.isEmpty)
      let log = await server.stop()
      #expect(log.split(separator: "Accepted publickey").count == 2, "\(log)")
    }
  }

  /// The relay has the name of the machine with which it was started.
  @Test(arguments: [
    (
      "HostKeyAlias other.example.org",
      "names the machine other.example.org instead of build.example.org at the moment; trying again"
    ),
    ("User other", "names the user other instead of root at the moment; trying again"),
  ])
  func `is made again only when its configuration names the first machine and user again`(
    setting: String, reason: String
  ) async throws {
    try await Self.with { desk, server in
      let known = try String(contentsOfFile: "\(desk.desktop.home)/.ssh/known", encoding: .utf8)
      try desk.desktop.write(
        known + known.replacing(SSHServer.machine, with: "other.example.org"), to: "home/.ssh/known")
      let connection = try await RunningProgram.start(
        "bash", ["-c", "exec usher remote connect \"$@\" 2>&1", "bash"] + server.options + ["build"],
        environment: desk.desktop.environment)
      _ = try await connection.line { $0.contains("open on this desktop") }
      // As before the network is there: the setting applies when ssh reads the configuration for the first and the second time.
      let readings = "\(desk.desktop.root)/readings"
      let command = "echo >>'\(readings)'; test $(wc -l <'\(readings)') -le 2"
      // The first value of an option counts.
      let config = try String(contentsOfFile: "\(desk.desktop.home)/.ssh/config", encoding: .utf8)
      try desk.desktop.write(
        "Match originalhost build exec \"\(command)\"\n  \(setting)\n\(config)", to: "home/.ssh/config")
      try await server.dropConnections()
      let line = try await connection.line { $0.contains(reason) || $0.contains("connected to build again") }
      try #require(line.contains(reason), "\(line)")
      _ = try await connection.line { $0.contains("connected to build again") }
      #expect(try await desk.run("usher", ["remote", "disconnect"] + server.options + ["build"]).status == 0)
      let ended = await connection.waitUntilExit()
      #expect(ended.status == 0, "\(ended)")
      #expect(ended.output.split(separator: reason).count == 2, "\(ended)")
      let log = await server.stop()
      #expect(log.split(separator: "Accepted publickey for root").count == 3, "\(log)")
      #expect(!log.contains("user other"), "\(log)")
    }
  }

  /// ssh, for which there is a stand-in here, can be made by a machine to write messages without end, before and after the login.
  @Test func `stores no messages of ssh, however many it writes, and reports the last one`() async throws {
    try await InstalledDesktop.with { desk in
      let root = desk.desktop.root
      let attempts = "\(root)/attempts"
      // A connection is lost when the test has opened this pipe.
      let end = "\(root)/end"
      try await Command.run("mkfifo", [end]).orThrow()
      let flood = "yes 'channel 0: open failed' | head -c 8388608 >&2; echo >&2"
      try desk.desktop.installStandInForSSH(
        connecting: """
          echo >>'\(attempts)'
          case $(wc -l <'\(attempts)') in
          1) echo connected; exec cat '\(end)' ;;
          2) \(flood); echo connected; \(flood); exec cat '\(end)' ;;
          esac
          \(flood)
          echo 'ssh: connect to host build.example.org port 22: Connection refused' >&2
          exit 255
          """,
        controlling: "case \"$*\" in *' -O forward '*) exit ;; esac; exit 255", running: "exec $word")
      func stored() async throws -> Int {
        let directory = "\(desk.desktop.runtimeDirectory)/usher/remote"
        let output = try await Command.run("du", ["-sb", directory]).orThrow().output
        return try #require(Int(output.prefix { $0 != "\t" }), "\(output)")
      }
      let connection = try await RunningProgram.start(
        "bash", ["-c", "exec usher remote connect build.example.org 2>&1"],
        environment: desk.desktop.environment)
      _ = try await connection.line { $0.contains("open on this desktop") }
      try await Command.run("sh", ["-c", ": >'\(end)'"]).orThrow()
      _ = try await connection.line { $0.contains("connected to build.example.org again") }
      #expect(try await stored() < 65_536)
      // ssh waits for no reader.
      try await Command.run("sh", ["-c", ": >'\(end)'"]).orThrow()
      _ = try await connection.line { $0.contains("port 22: Connection refused; trying again") }
      #expect(try await stored() < 65_536)
      connection.terminate()
      let ended = await connection.waitUntilExit()
      #expect(ended.status == 0, "\(ended)")
    }
  }

  @Test func `ends the login, and is not made again to remove its files`() async throws {
    try await Self.with { desk, server in
      let login = try await RunningProgram.start(
        "bash",
        ["-c", "exec usher ssh \"$@\" 2>&1", "bash"] + server.options + ["build", "echo begun; cat"],
        environment: desk.desktop.environment)
      _ = try await login.line { $0.contains("begun") }
      try await server.dropConnections()
      let ended = await login.waitUntilExit()
      #expect(ended.status == 255, "\(ended)")
      let log = await server.stop()
      #expect(log.split(separator: "Accepted publickey").count == 2, "\(log)")
    }
  }

  /// Many users share connections, and keep them in the background.
  @Test(arguments: [["remote", "connect"], ["ssh"]])
  func `before it is prepared is not made again in the background`(command: [String]) async throws {
    try await Self.with { desk, server in
      try desk.desktop.installScript(
        "ssh",
        """
        #!/bin/sh
        for last; do :; done
        if [ "$last" = "sh -s" ]; then
          /usr/bin/ssh -F /dev/null -S "$2" -O exit build
          while /usr/bin/ssh -F /dev/null -S "$2" -O check build; do sleep 0.1; done
        fi 2>/dev/null
        exec /usr/bin/ssh "$@"
        """)
      let failed = try await desk.run(
        "usher",
        command + server.options + ["-o", "ControlMaster=auto", "-o", "ControlPersist=yes", "build"])
      #expect(failed.status == 1 && failed.errorOutput.contains("could not be run"), "\(failed)")
      let log = await server.stop()
      #expect(log.split(separator: "Accepted publickey").count == 2, "\(log)")
    }
  }
}
