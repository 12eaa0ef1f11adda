// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import UsherCommand

@Suite struct `A command that is usher listen` {
  private func words(_ text: String) -> String? {
    ListenLine(text.split(separator: " ").map(String.init)).map {
      "\($0.application): \($0.words.joined(separator: " "))"
    }
  }

  @Test func `gets a place for URLs before the program's own arguments`() {
    #expect(
      words("usher listen org.example.X -- a b")
        == "org.example.X: usher listen org.example.X %U -- a b")
    #expect(
      words("/usr/bin/usher listen org.example.X") == "org.example.X: /usr/bin/usher listen org.example.X %U")
    #expect(
      words("usher listen org.example.X --each -- a %u")
        == "org.example.X: usher listen org.example.X --each %U -- a %u")
    #expect(
      words("usher listen org.example.X %u -- a") == "org.example.X: usher listen org.example.X %u -- a")
  }

  @Test func `is no other command`() {
    for text in [
      "usher open org.example.X", "listen usher org.example.X", "usher listen", "usher listen x -- a",
    ] {
      #expect(words(text) == nil)
    }
  }
}
