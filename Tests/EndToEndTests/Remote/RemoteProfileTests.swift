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

    /// Returns the bytes of a file in the home directory; `nil` if there is none.
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
}
