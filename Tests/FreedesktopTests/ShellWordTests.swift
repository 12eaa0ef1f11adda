// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import TestSupport
import Testing

@Suite struct `A word of a shell` {
  /// A combining mark makes another `Character` of the quote before it, which the shell reads nevertheless.
  @Test(arguments: [
    "a b", "", "it's", "'; echo x; '", "'\u{301}; echo x; '\u{301}", "a\\'\u{20DD}$(id)", "\"`\n",
  ])
  func `is the text again`(text: String) async throws {
    let result = try await Command.run("sh", ["-c", "printf '%s|' \(ShellWord.quoted(text))"])
    #expect(Array(result.output.utf8) == Array("\(text)|".utf8))
  }

  @Test func `is quoted if zsh or fish replaces it because of its start`() {
    #expect(["=ls", "%self", "a=b%"].map(ShellWord.quoted) == ["'=ls'", "'%self'", "a=b%"])
  }

  @Test func `has its percent signs doubled in an Exec line, whatever follows them`() throws {
    let line = try ExecLine("program \"100%%\u{301}\" %u")
    #expect(Array(ExecLine.line(of: line.words).utf8) == Array("program 100%%\u{301} %u".utf8))
  }
}
