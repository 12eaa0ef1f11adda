// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// `usher remote setup` on a machine that is reached by real OpenSSH on loopback.
@Suite struct `The setup of a machine` {
  private static func with(
    _ body: @Sendable (InstalledDesktop, SSHServer, Target) async throws -> Void
  ) async throws {
    guard getuid() == 0 else {
      try Test.cancel("only root can start an SSH server with another user's login")
    }
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

  /// The files and links in the home directory of the machine, as relative paths.
  private static func files(_ server: SSHServer) -> Set<String> {
    Set(
      (FileManager.default.enumerator(atPath: server.home)?.allObjects ?? []).compactMap { $0 as? String }
        .filter {
          var isDirectory: ObjCBool = false
          return !FileManager.default.fileExists(atPath: "\(server.home)/\($0)", isDirectory: &isDirectory)
            || !isDirectory.boolValue
        })
  }

  private static func write(_ text: String, to file: String) throws {
    try Data(text.utf8).write(to: URL(filePath: file))
  }

  @Test func `lets login shells there open links here, and leaves no trace when it is undone`() async throws {
    try await Self.with { desk, server, target in
      // Without the client that other tests use.
      for name in ["usher", "xdg-open"] {
        try FileManager.default.removeItem(atPath: "\(server.programs)/\(name)")
      }
      try Self.write("own=1", to: "\(server.home)/.bash_profile")
      try Self.write("own=1\n", to: "\(server.home)/.profile")
      let before = Self.files(server)
      let words = server.options + ["build"]
      let without = try await desk.run("usher", ["ssh"] + words + ["true"])
      let proposed = (["usher", "remote", "setup"] + words).joined(separator: " ")
      #expect(without.status == 0 && without.errorOutput.contains("run: \(proposed)\n"), "\(without)")
      for step in ["linked", "updated"] {
        let setup = try await desk.run("usher", ["remote", "setup"] + words)
        #expect(
          setup.status == 0 && setup.output.contains("\(step) \(server.home)/.local/bin/xdg-open"), "\(setup)"
        )
        #expect(setup.output.hasPrefix("copied the client usher, the program of this desktop\n"), "\(setup)")
        #expect(
          setup.output.hasSuffix("log in with: usher ssh \(words.joined(separator: " "))\n"), "\(setup)")
      }
      for (shell, number) in [("sh", 7), ("bash", 8)] {
        let opened = try await desk.run(
          "usher",
          ["ssh"] + words + ["\(shell) -lc '\"$BROWSER\" notes://note/\(number) && echo \"own is $own\"'"])
        #expect(opened.status == 0 && opened.output.contains("own is 1"), "\(opened)")
        #expect(try await target.next().urls == ["notes://note/\(number)"])
      }
      // A command is run by no login shell, and finds the client all the same.
      let command = try await desk.run(
        "usher", ["ssh"] + words + ["$BROWSER", "notes://note/9", "&&", "exit", "7"])
      #expect(command.status == 7 && command.errorOutput.isEmpty, "\(command)")
      #expect(try await target.next().urls == ["notes://note/9"])
      let undone = try await desk.run("usher", ["remote", "setup", "--undo"] + words)
      #expect(undone.status == 0 && undone.output.contains("removed"), "\(undone)")
      #expect(Self.files(server) == before)
      #expect(try String(contentsOfFile: "\(server.home)/.profile", encoding: .utf8) == "own=1\n")
      #expect(try String(contentsOfFile: "\(server.home)/.bash_profile", encoding: .utf8) == "own=1\n")
    }
  }

  @Test func `of another architecture installs the Python client, and leaves other programs as they are`()
    async throws
  {
    try await Self.with { desk, server, target in
      // A stand-in for uname(1) of a machine with another architecture.
      let uname = "\(server.programs)/uname"
      try Self.write("#!/bin/sh\necho Linux riscv64\n", to: uname)
      chmod(uname, 0o755)
      let own = "\(server.home)/.local/bin/xdg-open"
      try FileManager.default.createDirectory(
        atPath: "\(server.home)/.local/bin", withIntermediateDirectories: true)
      try Self.write("#!/bin/sh\n", to: own)
      let words = server.options + ["build"]
      let setup = try await desk.run("usher", ["remote", "setup"] + words)
      #expect(setup.status == 0 && setup.output.contains("left \(own), which is another program"), "\(setup)")
      #expect(setup.output.contains("copied the client usher-open, which runs with Python 3"), "\(setup)")
      let client = try String(contentsOfFile: "\(server.home)/.local/bin/usher", encoding: .utf8)
      #expect(client.hasPrefix("#!/usr/bin/env python3\n"))
      let opened = try await desk.run(
        "usher",
        ["ssh"] + words + [
          "\(server.home)/.local/bin/usher", "open", "--timeout=\(timeLimit(240))", "notes://note/9",
        ])
      #expect(opened.status == 0, "\(opened)")
      #expect(try await target.next().urls == ["notes://note/9"])
      try await desk.run("usher", ["remote", "setup", "--undo"] + words).orThrow()
      #expect(try String(contentsOfFile: own, encoding: .utf8) == "#!/bin/sh\n")
    }
  }

  @Test func `says that no client runs there, if the Python there is too old`() async throws {
    try await Self.with { desk, server, _ in
      // Stand-ins for a machine with another architecture, and for a Python to which the client is no program.
      for (name, script) in [("uname", "echo Linux riscv64"), ("python3", "exit 1")] {
        let path = "\(server.programs)/\(name)"
        try Self.write("#!/bin/sh\n\(script)\n", to: path)
        chmod(path, 0o755)
      }
      let setup = try await desk.run("usher", ["remote", "setup"] + server.options + ["build"])
      #expect(setup.status == 1 && setup.errorOutput.contains("no client runs on build"), "\(setup)")
      #expect(Self.files(server).isEmpty)
    }
  }

  @Test func `says what could not be changed, and keeps files of others`() async throws {
    try await Self.with { desk, server, _ in
      let words = server.options + ["build"]
      // A directory where the profile must be.
      try FileManager.default.createDirectory(
        atPath: "\(server.home)/.profile", withIntermediateDirectories: true)
      let setup = try await desk.run("usher", ["remote", "setup"] + words)
      #expect(setup.status == 1 && setup.output.contains("cannot change \(server.home)/.profile"), "\(setup)")
      let other = "\(server.home)/.local/share/usher-remote/other"
      try Self.write("", to: other)
      let undone = try await desk.run("usher", ["remote", "setup", "--undo"] + words)
      #expect(undone.status == 0 && undone.output.contains("which has other files"), "\(undone)")
      #expect(Self.files(server) == [".local/share/usher-remote/other"])
    }
  }

  /// A quota in bytes, which ends within the line of the profile, or within the file that the line reads.
  @Test(arguments: [512, 100])
  func `leaves no part of a line or a file if the disk is full`(limit: Int) async throws {
    guard getuid() == 0 else {
      try Test.cancel("only root can start an SSH server with another user's login")
    }
    try await InstalledDesktop.with { desk in
      let server = try await SSHServer.start(
        on: desk,
        settings: """
          ForceCommand case "$SSH_ORIGINAL_COMMAND" in \
          "sh -s") trap "" XFSZ; exec prlimit --fsize=\(limit) sh -s;; esac; exec sh -c "$SSH_ORIGINAL_COMMAND"
          """)
      let own = String(repeating: "x", count: 471) + "=1"
      try Self.write(own, to: "\(server.home)/.profile")
      let setup = try await desk.run("usher", ["remote", "setup"] + server.options + ["build"])
      #expect(setup.status == 1 && setup.output.contains("cannot change \(server.home)/.profile"), "\(setup)")
      #expect(try String(contentsOfFile: "\(server.home)/.profile", encoding: .utf8) == own)
      let files = Self.files(server)
      #expect(files.contains(".local/share/usher-remote/profile.sh") == (limit == 512), "\(files)")
      #expect(!files.contains(".local/share/usher-remote/new"), "\(files)")
      await server.stop()
    }
  }

  @Test func `says that the machine cannot be written`() async throws {
    try await Self.with { desk, server, _ in
      // A file where the directory of the programs must be.
      try Self.write("", to: "\(server.home)/.local")
      let setup = try await desk.run("usher", ["remote", "setup"] + server.options + ["build"])
      #expect(setup.status == 1 && setup.errorOutput.contains("has no directory for programs"), "\(setup)")
    }
  }
}

/// `usher remote setup` on a machine that controls what its commands print.
@Suite struct `The setup of a hostile machine` {
  @Test func `prints nothing that the machine writes while the client is copied`() async throws {
    try await InstalledDesktop.with(needsPermit: false) { desk in
      let home = "\(desk.desktop.root)/machine"
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      // A stand-in for ssh that runs the commands here, and for the machine.
      try desk.desktop.installStandInForSSH(
        connecting: "echo connected; exec sleep 86400",
        running: """
          case $word in
          cat*) printf '\\033]0;x\\007forged\\n'; printf '\\033]0;x\\007forged\\n' >&2 ;;
          esac
          HOME='\(home)' exec sh -c "$word"
          """)
      let setup = try await desk.usher("remote", "setup", "build.example.org")
      #expect(setup.status == 0 && setup.output.contains("copied the client"), "\(setup)")
      #expect(!(setup.output + setup.errorOutput).contains("forged"), "\(setup)")
    }
  }
}

/// The client of a machine on which no desktop is connected.
@Suite struct `The client on a machine without a desktop` {
  /// The clients: the program, and the Python program.
  private static let clients = [BuiltProducts.usher, "\(BuiltProducts.repository)/desktop/remote/usher-open"]

  @Test(arguments: clients)
  func `prints the link to copy, and leaves it to another xdg-open where there is a display`(client: String)
    async throws
  {
    let directory = try TemporaryDirectory()
    let root = directory.path
    for name in ["first", "second", "system"] {
      try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
    }
    // Two copies of the client precede the opener of the system, and must not execute each other forever.
    for name in ["first", "second"] {
      try await Command.run("cp", [client, "\(root)/\(name)/xdg-open"]).orThrow()
    }
    let opener = "\(root)/system/xdg-open"
    try Data("#!/bin/sh\necho \"system: $1\"\n".utf8).write(to: URL(filePath: opener))
    chmod(opener, 0o755)
    let remote = [
      "PATH": "\(root)/first:\(root)/second:\(root)/system:/usr/bin:/bin", "SSH_CONNECTION": "1 2 3 4",
      "XDG_RUNTIME_DIR": root,
    ]
    let printed = try await Command.run(
      "\(root)/first/xdg-open", ["https://h.example/a"], environment: remote)
    #expect(
      printed.status == 3 && printed.errorOutput.contains("open this yourself:\n  https://h.example/a"),
      "\(printed)")
    let shown = try await Command.run(
      "\(root)/first/xdg-open", ["https://h.example/a"], environment: remote.merging(["DISPLAY": ":9"]) { $1 }
    )
    #expect(shown.status == 0 && shown.output == "system: https://h.example/a\n", "\(shown)")
  }
}

/// Containers whose relay is a unit of a real `systemd --user`.
@Suite struct `The setup of a container` {
  /// Installs a stand-in for Podman, which runs commands of two containers in bubblewrap, without a network.
  ///
  /// `Fedora` has the runtime directory of the desktop, as containers of Toolbx and Distrobox do. `Plain` has none, unless a file adds
  /// options of bubblewrap.
  private static func installPodman(on desktop: ThrowAwayDesktop) throws {
    let root = "\(desktop.root)/container"
    for directory in ["local/bin", "profile.d"] {
      try FileManager.default.createDirectory(
        atPath: "\(root)/\(directory)", withIntermediateDirectories: true)
    }
    try desktop.write("engine=\"podman-4.3.1\"\nname=\"Fedora\"\n", to: "container/containerenv")
    try desktop.installScript(
      "podman",
      """
      #!/bin/bash
      case "$1 $2 $3" in
      "container inspect Fedora"|"container inspect Plain") echo "[{ \"Name\": \"$3\" }]"; exit ;;
      "exec -i"*) shift 2 ;;
      *) echo "no such container" >&2; exit 125 ;;
      esac
      own=$XDG_RUNTIME_DIR
      unset XDG_RUNTIME_DIR USHER_SOCKET
      while true; do
        case $1 in
        -u) [ "$2" = "$(id -u)" ] || exit 125; shift 2 ;;
        -e) export "$2"; shift 2 ;;
        *) break ;;
        esac
      done
      case $1 in
      Fedora) options=(--ro-bind '\(root)/containerenv' /run/.containerenv --bind "$own" "$own") ;;
      Plain) options=(--tmpfs "$own"); [ ! -e '\(root)/options' ] || . '\(root)/options' ;;
      *) echo "no such container" >&2; exit 125 ;;
      esac
      shift
      exec bwrap --ro-bind / / --tmpfs /run --dev /dev --proc /proc --bind '\(root)/local' /usr/local \\
        --bind '\(root)/profile.d' /etc/profile.d "${options[@]}" --unshare-net --unshare-pid "$@"
      """)
  }

  @Test func `gets a client and a relay by setup, its links open here, and the setup can be undone`()
    async throws
  {
    try await Session.with { session in
      try Self.installPodman(on: session.desktop)
      let target = try await Target.install(.scenes, on: session.desktop)
      try session.desktop.setUsherAsDefault(of: [.scenes])
      try session.desktop.writeRoutes(
        "remote.toml",
        """
        [route.fedora]
        scheme = "notes"
        source = { remote = "container:fedora" }
        allow  = true
        """)
      let setup = try await session.must("usher remote setup --container Fedora 2>&1")
      #expect(setup.contains("linked /usr/local/bin/xdg-open"), "\(setup)")
      #expect(setup.contains { $0.hasPrefix("links of container:fedora open on this desktop") }, "\(setup)")
      #expect(try await session.must("usher remote list") == ["container:fedora  fedora"])
      let inside = "podman exec -i -e \"XDG_RUNTIME_DIR=$XDG_RUNTIME_DIR\" Fedora"
      _ = try await session.must(
        "\(inside) sh -lc 'command -v xdg-open && \"$BROWSER\" notes://note/7' 2>&1")
      let arrival = try await target.next()
      #expect(arrival.urls == ["notes://note/7"])
      let history = try await session.must("usher history")
      #expect(history.contains { $0.contains("the container fedora") }, "\(history)")
      // A relay that is killed is replaced at the path that the container knows.
      _ = try await session.must("systemctl --user kill --signal=KILL usher-remote@fedora.service")
      // With the variable, the client uses no other way to the desktop, so that it fails until the new relay listens.
      let chosen = "podman exec -i -e \"USHER_SOCKET=$XDG_RUNTIME_DIR/usher-container-fedora/socket\" Fedora"
      _ = try await session.must(
        "timeout \(timeLimit(240)) sh -c 'until \(chosen) /usr/local/bin/xdg-open notes://note/8; do sleep 0.2; done' 2>&1"
      )
      #expect(try await target.next().urls == ["notes://note/8"])
      _ = try await session.must("\(inside) /usr/local/bin/xdg-open notes://note/9 2>&1")
      #expect(try await target.next().urls == ["notes://note/9"])
      let undone = try await session.must("usher remote setup --container --undo Fedora 2>&1")
      #expect(undone.contains("removed /usr/local/bin/xdg-open"), "\(undone)")
      let state = try await session.run("systemctl --user is-active usher-remote@fedora.service")
      #expect(state.lines == ["inactive"], "\(state)")
      #expect(try await session.must("usher remote list 2>/dev/null").isEmpty)
    }
  }

  /// A container could fill the runtime directory of the session, and replace the socket, by a mount that it can write to.
  @Test func `mounts the directory of a relay read-only in each example of the documentation`() throws {
    let page = try String(contentsOfFile: "\(BuiltProducts.repository)/docs/remote.md", encoding: .utf8)
    let mounts = page.matches(
      of: /(\S+)[ =]\$XDG_RUNTIME_DIR\/usher-container-\w+[: ]\/run\/usher(:\S+)?/)
    #expect(mounts.count == 3)
    for mount in mounts {
      #expect(
        mount.output.2 == ":ro" || mount.output.1.hasSuffix("--bind-ro")
          || mount.output.1.hasSuffix("--ro-bind"), "\(mount.output.0)")
    }
  }

  @Test func `says how to create a container that does not reach its relay`() async throws {
    try await Session.with { session in
      try Self.installPodman(on: session.desktop)
      let failed = try await session.run("usher remote setup --container Plain 2>&1")
      #expect(failed.status == 1, "\(failed)")
      #expect(
        failed.lines.last?.contains(
          "-v $XDG_RUNTIME_DIR/usher-container-plain:/run/usher:ro -e USHER_SOCKET=")
          == true,
        "\(failed)")
      // Created as it says, with an xdg-open of its own, and with a file that a mounted program has left.
      try session.desktop.write(
        """
        options+=(--ro-bind "$own/usher-container-plain" /run/usher --setenv USHER_SOCKET /run/usher/socket)
        """, to: "container/options")
      _ = try await session.must(
        "rm '\(session.desktop.root)/container/local/bin/'*; echo 'exit 0' >'\(session.desktop.root)/container/local/bin/xdg-open'"
      )
      let setup = try await session.must("usher remote setup --container Plain 2>&1")
      #expect(setup.last?.contains("xdg-open there is another program") == true, "\(setup)")
      #expect(!setup.contains("other-opener"), "\(setup)")
      _ = try await session.must(": >'\(session.desktop.root)/container/local/bin/xdg-open'")
      let replaced = try await session.must("usher remote setup --container Plain 2>&1")
      #expect(replaced.contains("linked /usr/local/bin/xdg-open"), "\(replaced)")
      // As in images that have no profiles of login shells.
      _ = try await session.must(
        "printf '\\n%s\\n' 'options+=(--tmpfs /etc)' >>'\(session.desktop.root)/container/options'")
      let bare = try await session.must("usher remote setup --container Plain 2>&1")
      #expect(bare.contains { $0.hasPrefix("left BROWSER as it is") }, "\(bare)")
      #expect(bare.last?.hasPrefix("links of container:plain open on this desktop") == true, "\(bare)")
      // The setup of a container that was deleted is undone here.
      _ = try await session.must("systemctl --user enable --now --quiet usher-remote@gone.service")
      let gone = try await session.must("usher remote setup --container --undo gone 2>&1")
      #expect(gone.first == "disabled usher-remote@gone.service", "\(gone)")
      #expect(gone.last?.contains("usher grants revoke --remote container:gone") == true, "\(gone)")
    }
  }

  @Test func `has a relay whose unit is known in every state, and can be stopped`() async throws {
    try await Session.with { session in
      let list = "usher remote list 2>&1"
      let commands = """
        usher doctor --json | /usr/bin/python3 -c 'import json, sys
        for found in json.load(sys.stdin)["findings"]:
          if found["check"] == "remote": print(found["command"])'
        """
      let restart = "systemctl --user restart usher-remote@work.service"
      _ = try await session.must("systemctl --user enable --now --quiet usher-remote@work.service")
      #expect(try await session.must(list) == ["container:work  work"])
      #expect(try await session.must(commands) == [])
      // A relay that is stopped accepts connections.
      _ = try await session.must("systemctl --user kill --signal=STOP usher-remote@work.service")
      #expect(try await session.must(list) == ["container:work  work  (does not answer)"])
      #expect(try await session.must(commands) == [restart])
      _ = try await session.must(restart)
      for name in ["work", "container:work"] {
        let stopped = try await session.must("usher remote disconnect \(name) 2>&1")
        #expect(stopped.first?.hasPrefix("stopped usher-remote@work.service") == true, "\(stopped)")
        #expect(try await session.must(list) == ["container:work  work  (stopped)"])
        #expect(try await session.must(commands) == [restart])
        #expect(try await session.run("usher remote disconnect \(name) 2>&1").status == 1)
        _ = try await session.must(restart)
      }
      // Names that the relay itself rejects.
      for name in ["Work", "container:work"] {
        let unit = "usher-remote@\(name).service"
        #expect(try await session.run("systemctl --user enable --now \(unit) 2>/dev/null").status != 0)
        #expect(
          try await session.must(commands) == [
            "systemctl --user disable --now \(unit) && systemctl --user reset-failed \(unit); "
              + "systemctl --user enable --now usher-remote@work.service"
          ])
        #expect(try await session.must(list).last?.contains("\(unit) is the relay of no container") == true)
        _ = try await session.must(
          "systemctl --user disable --quiet \(unit); systemctl --user reset-failed \(unit)")
      }
      let granted = try await session.must("usher grants allow --remote work --scheme notes 2>&1")
      #expect(granted.contains { $0.contains("--remote container:work") }, "\(granted)")
    }
  }

  @Test(arguments: [
    ("container:Work", "write it with lower-case letters"),
    ("container:container:work", "without “container:”"),
    ("container:22", "not only digits"), ("Build", "is not the name of a machine"),
  ])
  func `has a relay that explains a wrong name`(name: String, reason: String) async throws {
    let failed = try await Command.run(
      "\(BuiltProducts.directory)/usher-remote", [name, "/nowhere/socket"],
      environment: ["PATH": "/usr/bin:/bin"])
    #expect(failed.status == 64 && failed.errorOutput.contains(reason), "\(failed)")
  }

  @Test func `has a relay that is restricted by its unit and by itself`() async throws {
    try await Session.with { session in
      let (root, unit) = (session.desktop.root, "usher-remote@probe.service")
      let secret = try session.desktop.write("secret\n", to: "secret.txt")
      // A program that tries what a relay does not need, in place of the relay.
      _ = try await session.must(
        """
        drop=$XDG_RUNTIME_DIR/systemd/user/\(unit).d
        mkdir -p "$drop"
        cat >"$drop/probe.conf" <<'END'
        [Service]
        Type=oneshot
        Restart=no
        ExecStart=
        ExecStart=\(BuiltProducts.directory)/ConfinementProbe %t/usher-container-probe/socket \(secret) /bin/true 9
        StandardOutput=file:\(root)/probe.log
        END
        systemctl --user daemon-reload && systemctl --user start \(unit) 2>&1
        """)
      #expect(try await session.must("cat '\(root)/probe.log'") == ["listened", "listened at a port"])
    }
  }

  @Test(arguments: ["2222", "a:b", "a/b"])
  func `has a name that no host with a port has`(name: String) async throws {
    try await InstalledDesktop.with { desk in
      let refused = try await desk.usher("remote", "setup", "--container", name)
      #expect(
        refused.status == 1 && refused.errorOutput.contains("is not the name of a container"), "\(refused)")
    }
  }
}
