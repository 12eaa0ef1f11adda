// SPDX-License-Identifier: Apache-2.0
import Glibc
import Systemd
import Testing

@Suite struct `Arguments as ASCII words` {
  @Test func `Every byte except NUL is preserved`() throws {
    let arguments = [Array(1...255), [], Array("/usr/bin/a program".utf8)]
    let words = EncodedArguments.encode(arguments)
    #expect(words.allSatisfy { $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } })
    #expect(words.last == "/usr/bin/a%20program")
    #expect(EncodedArguments.decode(words) == arguments)
  }

  @Test(arguments: ["%", "%4", "%4x", "%ff", "%00"])
  func `An invalid word is rejected`(word: String) {
    #expect(EncodedArguments.decode(["/bin/true", word]) == nil)
    #expect(EncodedArguments.execute(["/bin/true", word]) == EINVAL)
  }

  @Test func `A program that cannot be executed has the reason`() {
    #expect(EncodedArguments.execute(["/no/such/program"]) == ENOENT)
    #expect(EncodedArguments.execute([]) == EINVAL)
  }
}
