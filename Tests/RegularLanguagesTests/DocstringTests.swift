// SPDX-License-Identifier: Apache-2.0
import RegularLanguages
import TestSupport
import Testing

@Suite struct `The docstrings of RegularLanguages` {
  @Test func `A language contains texts and other languages`() throws {
    let code = try RegularLanguage("[A-Z]{2}-[0-9]{4,8}")
    #expect(code.contains("AB-1234") == true)
    let wide = try RegularLanguage("[A-Z0-9-]+")
    #expect(code.isSubset(of: wide) == true)
  }

  @Test func `Languages have a relation`() throws {
    let digits = try RegularLanguage("[0-9]+")
    #expect(digits.relation(to: try RegularLanguage("[0-9a-f]+")) == .narrower)
  }

  @Test(arguments: ["RegularLanguage", "RegularLanguage+Deciding"])
  func `Each line of an example is compiled, and what it says it is`(_ file: String) throws {
    let examples = try DocstringExamples(of: "Sources/RegularLanguages/\(file).swift")
    #expect(!examples.lines.isEmpty)
    for line in try examples.lines(missingIn: "Tests/RegularLanguagesTests/DocstringTests.swift") {
      Issue.record("\(line)")
    }
  }
}
