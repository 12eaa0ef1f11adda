// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import TestSupport
import Testing
@testable import UsherCommand

/// Commands of `usher ssh HOST COMMAND`, which the login shell of the machine runs.
@Suite struct `A command on another machine` {
  @Test(
    arguments: ["sh", "dash", "bash", "zsh", "fish", "tcsh"],
    [
      #"echo a\\b"#, #"echo it\'s"#, "echo 'a!b' 100%s", "echo \"$X\"; exit 7", "echo ä€'\\101'",
      "echo 1\necho 2",
      #"printf '%s|' 'a  b' "c\\"d`echo e`"#,
    ])
  func `is the same in every shell as by plain ssh`(shell: String, command: String) async throws {
    guard let path = ProgramSearch(path: "/usr/bin:/bin").find(shell) else {
      try Test.cancel("\(shell) is not installed")
    }
    let home = try TemporaryDirectory()
    let environment = [
      "PATH": "/usr/bin:/bin", "HOME": home.path, "SHELL": path, "X": "1  2", "LANG": "C.UTF-8",
    ]
    let plain = try await Command.run(path, ["-c", command], environment: environment)
    let sent = try await Command.run(
      path, ["-c", RemoteClientSetup.environment(for: command)], environment: environment)
    #expect(sent.output == plain.output && sent.status == plain.status, "\(sent)")
  }
}
