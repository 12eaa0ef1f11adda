// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// The profiles of a machine, which `usher remote setup` changes and its undo restores; a stand-in for ssh runs the scripts here.
@Suite struct `The profiles of a machine` {
  /// A desktop and the home directory of a machine.
  private struct Machine: Sendable {
    let desk: InstalledDesktop
    var home: String { "\(desk.desktop.root)/machine" }

    /// Runs `usher remote setup`, and returns its result.
    @discardableResult
    func setUp(_ words: String...) async throws -> CommandResult {
      try await desk.run("usher", ["remote", "setup"] + words + ["build.example.org"])
    }

    /// Returns the bytes of a file in the home directory; `nil` if the file does not exist.
    func bytes(_ path: String) -> [UInt8]? {
      FileManager.default.contents(atPath: "\(home)/\(path)").map(Array.init)
    }

    func write(_ bytes: [UInt8], to path: String) throws {
      let file = URL(filePath: "\(home)/\(path)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file)
    }

    func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

    /// Returns the output of a command in a login shell of the machine, reached by ssh.
    func login(_ shell: String, _ command: String, adding variables: [String: String] = [:]) async throws
      -> CommandResult
    {
      try await Command.run(
        shell, ["-lc", command],
        environment: ["HOME": home, "PATH": "/usr/bin:/bin", "SSH_CONNECTION": "1 2 3 4"].merging(variables) {
          $1
        }
      )
    }
  }

  /// Creates a machine whose scripts run with the assignments `variables` of sh, in which `$home` is the home directory.
  private static func with(
    _ variables: String = "", _ body: @Sendable (Machine) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      let machine = Machine(desk: desk)
      try FileManager.default.createDirectory(atPath: machine.home, withIntermediateDirectories: true)
      try desk.desktop.installStandInForSSH(
        connecting: "echo connected; exec sleep 86400",
        running: """
          home='\(machine.home)'
          unset XDG_CONFIG_HOME
          HOME=$home SHELL=/bin/sh LANG=C.UTF-8 \(variables) exec sh -c "$word"
          """)
      try await body(machine)
    }
  }

  private static func requireShell(_ path: String) throws {
    try #require(access(path, X_OK) == 0, "\(path) is missing; run make bootstrap")
  }

  /// Each scalar is one byte, so that the first text is no UTF-8.
  @Test(arguments: ["export A=1\n# f\u{FC}r mich\nexport B=2\n", "A=1\n# a\0b\nB=2\n", "A=1\n\0\n"])
  func `keep all their bytes when a setup is undone`(text: String) async throws {
    let bytes = text.unicodeScalars.map { UInt8($0.value) }
    try await Self.with { machine in
      try machine.write(bytes, to: ".profile")
      let setup = try await machine.setUp()
      #expect(setup.status == 0 && setup.output.contains("added a line to"), "\(setup)")
      let undone = try await machine.setUp("--undo")
      #expect(undone.status == 0 && undone.output.contains("removed the line from"), "\(undone)")
      #expect(machine.bytes(".profile") == bytes)
    }
  }

  @Test func `remain as links and as empty files, and those that a setup has created are removed`()
    async throws
  {
    try await Self.with("SHELL=/bin/zsh") { machine in
      try machine.write("", to: "dotfiles/profile")
      try FileManager.default.createSymbolicLink(
        atPath: "\(machine.home)/.profile", withDestinationPath: "dotfiles/profile")
      try machine.write("", to: ".bash_profile")
      let setup = try await machine.setUp()
      #expect(setup.status == 0, "\(setup)")
      for name in [".profile", ".bash_profile", ".zprofile"] {
        #expect(machine.bytes(name)?.isEmpty == false)
      }
      let undone = try await machine.setUp("--undo")
      #expect(undone.status == 0, "\(undone)")
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: "\(machine.home)/.profile")
          == "dotfiles/profile")
      #expect(machine.bytes(".profile") == [] && machine.bytes(".bash_profile") == [])
      #expect(machine.bytes(".zprofile") == nil)
    }
  }

  @Test func `are copied for their owner alone, and a copy that an undo has left is not overwritten`()
    async throws
  {
    try await Self.with("PATH=\"$home/bin:$PATH\"") { machine in
      try machine.write("export TOKEN=secret\n", to: ".profile")
      try await machine.setUp().orThrow()
      // A stand-in for cat(1) that cannot write a profile, as on a full disk.
      let program = try machine.desk.desktop.write(
        "#!/bin/sh\ncase $1 in *.usher-old) exit 1 ;; esac\nexec /bin/cat \"$@\"\n", to: "machine/bin/cat",
        permissions: 0o755)
      let failed = try await machine.setUp("--undo")
      #expect(failed.status == 1 && failed.output.contains("its content without the line is in"), "\(failed)")
      let copy = "\(machine.home)/.profile.usher-old"
      let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      try FileManager.default.removeItem(atPath: program)
      let again = try await machine.setUp("--undo")
      #expect(again.status == 1 && again.output.contains("has left a copy in \(copy)"), "\(again)")
      #expect(machine.bytes(".profile.usher-old") == Array("export TOKEN=secret\n".utf8))
    }
  }

  @Test func `get the line also after a setup that was interrupted before it`() async throws {
    try await Self.with { machine in
      try machine.write("# This file was created by: # usher remote setup\n", to: ".profile")
      let setup = try await machine.setUp()
      #expect(setup.status == 0 && setup.output.contains("added a line to"), "\(setup)")
      let again = try await machine.setUp()
      #expect(again.status == 0 && !again.output.contains("added a line to"), "\(again)")
      #expect(try await machine.login("sh", "echo $BROWSER").output == "xdg-open\n")
      let undone = try await machine.setUp("--undo")
      #expect(undone.status == 0 && machine.bytes(".profile") == nil, "\(undone)")
    }
  }

  @Test func `are not looked for in a directory of zsh that is missing`() async throws {
    try await Self.with("SHELL=/bin/zsh ZDOTDIR=\"$home/none\"") { machine in
      let setup = try await machine.setUp()
      #expect(
        setup.status == 0 && setup.output.contains("because \(machine.home)/none, its ZDOTDIR, is missing"),
        "\(setup)")
      #expect(!FileManager.default.fileExists(atPath: "\(machine.home)/none"))
    }
  }

  /// The way in which zsh learns the directory of its profile.
  enum Origin: CaseIterable { case variable, environment, file }

  @Test(arguments: Origin.allCases)
  func `are those that zsh reads in another directory`(origin: Origin) async throws {
    try Self.requireShell("/bin/zsh")
    try await Self.with(
      origin == .environment ? "SHELL=/bin/zsh ZDOTDIR=\"$home/z d\"" : "SHELL=/bin/zsh"
    ) { machine in
      try machine.write("own=1\n", to: "z d/.zshrc")
      if origin != .environment {
        let export = origin == .variable ? "export " : ""
        try machine.write("echo 'a line of the user'\n\(export)ZDOTDIR=$HOME/'z d'\n", to: ".zshenv")
      }
      let setup = try await machine.setUp()
      #expect(
        setup.status == 0 && setup.output.contains("added a line to \(machine.home)/z d/.zprofile"),
        "\(setup)")
      let login = try await machine.login(
        "/bin/zsh", "echo \"browser $BROWSER\"",
        adding: origin == .environment ? ["ZDOTDIR": "\(machine.home)/z d"] : [:])
      #expect(login.lines.last == "browser xdg-open", "\(login)")
      let undone = try await machine.setUp("--undo")
      #expect(undone.status == 0, "\(undone)")
      #expect(machine.bytes("z d/.zprofile") == nil && machine.bytes(".zprofile") == nil)
    }
  }

  @Test func `are those that fish reads, wherever the variable of its directory is set`() async throws {
    try Self.requireShell("/usr/bin/fish")
    try await Self.with("SHELL=/usr/bin/fish XDG_CONFIG_HOME=\"$home/c d\"") { machine in
      let setup = try await machine.setUp()
      #expect(setup.status == 0, "\(setup)")
      for variables in [["XDG_CONFIG_HOME": "\(machine.home)/c d"], [:]] {
        let login = try await machine.login(
          "/usr/bin/fish", "echo \"browser $BROWSER\"", adding: variables)
        #expect(login.lines == ["browser xdg-open"], "\(login)")
      }
      let undone = try await machine.setUp("--undo")
      #expect(undone.status == 0, "\(undone)")
      for directory in [".config", "c d"] {
        #expect(machine.bytes("\(directory)/fish/conf.d/usher-remote.fish") == nil)
      }
    }
  }

  @Test func `are read in a local login that rejects unset variables`() async throws {
    try await Self.with { machine in
      try machine.write("set -u\n", to: ".profile")
      try await machine.setUp().orThrow()
      let local = try await Command.run(
        "sh", ["-lc", "echo fine"], environment: ["HOME": machine.home, "PATH": "/usr/bin:/bin"])
      #expect(local.output == "fine\n" && local.errorOutput.isEmpty, "\(local)")
    }
  }
}
