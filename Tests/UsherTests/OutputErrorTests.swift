// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

/// Standard output that cannot be written.
///
/// `/dev/full` is a disk without space.
@Suite struct `Output that cannot be written` {
  private func run(_ line: String) async throws -> CommandResult {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    _ = try desktop.installPlayer()
    try desktop.write(
      "[[handlers]]\nexec = \"mpv %u\"\nregexes = ['^https://h\\.example/']\n", to: "home/handlr.toml")
    return try await Command.run(
      "bash", ["-c", line, BuiltProducts.usher], environment: desktop.environment, directory: desktop.home)
  }

  @Test(arguments: [
    "handlers", "handlers --json", "explain --skip-comparison play:1", "explain --json play:1",
    "routes import handlr handlr.toml", "--help", "--version", "help open",
  ])
  func `is an error`(arguments: String) async throws {
    let result = try await run("\"$0\" \(arguments) >/dev/full")
    #expect(
      result.status == 73
        && result.errorOutput.contains("usher: cannot write the output: No space left on device"), "\(result)"
    )
  }

  @Test(arguments: [("open --json play:1", Int32(0)), ("open --json nothing:1", 2)])
  func `is reported by usher open, whose status is that of the link`(
    arguments: String, status: Int32
  ) async throws {
    let result = try await run("\"$0\" \(arguments) >/dev/full")
    #expect(result.status == status && result.errorOutput.contains("cannot write the output"), "\(result)")
  }

  @Test func `because its reader has exited is not an error`() async throws {
    let result = try await run(
      "trap '' PIPE; exec 3> >(exit 0); wait $!; \"$0\" handlers --json >&3; echo \"status $?\"")
    #expect(result.output == "status 0\n" && result.errorOutput.isEmpty, "\(result)")
  }
}
