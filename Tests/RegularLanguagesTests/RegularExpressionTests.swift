// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import RegularLanguages

@Suite struct `Regular expressions` {
  @Test(arguments: [
    ("", "", "a"), ("a|bc", "bc", "b"), ("(?:ab)*", "abab", "aba"), ("a?b+", "bbb", "aab"),
    ("a{2}", "aa", "aaa"), ("a{2,}", "aaaa", "a"), ("a{1,3}", "aaa", "aaaa"), (".", "é", ""),
    ("[a-c_]", "_", "d"), ("[^a-c]", "d", "b"), (#"\d\w\s"#, "7_ ", "7-\t"), (#"\D"#, "x", "7"),
    (#"\x41\u{1F600}\t"#, "A😀\t", "A😀"), (#"\.\*\\"#, #".*\"#, "a*"),
  ])
  func `An expression matches whole texts`(_ expression: String, _ member: String, _ other: String) throws {
    let language = try RegularLanguage(expression)
    #expect(language.contains(member))
    #expect(language.contains(Array(member.utf8)))
    #expect(!language.contains(other))
    #expect(!language.contains(member + "~"))
  }

  @Test(arguments: [
    ("(a", 2), ("a**", 2), ("[", 1), ("(?=a)", 2), (#"\1"#, 2), ("^a", 0), ("a{2,1}", 5), ("{", 0), ("*", 0),
    ("é)", 2), ("a]", 1), (#"\q"#, 2), (#"\x"#, 2), ("[b-a]", 4),
  ])
  func `An invalid expression is an error with an offset`(_ expression: String, _ offset: Int) {
    let error = #expect(throws: RegularLanguageError.self) { try RegularLanguage(expression) }
    let isInvalid = if case .invalidExpression? = error?.reason { true } else { false }
    #expect(isInvalid)
    #expect(error?.offset == offset, "\(expression): \(error?.offset ?? -1)")
    #expect(error?.description.hasPrefix("invalid regular expression: ") == true)
  }

  @Test(.computes, arguments: ["[ab]*a[ab]{12}", "a{1024}b", "(a|b|c){600}(d|e){600}", "(a{999}){999}"])
  func `An automaton with too many states is an error`(_ expression: String) {
    let error = #expect(throws: RegularLanguageError.self) { try RegularLanguage(expression) }
    #expect(error?.reason == .tooLarge)
    #expect(
      error?.description
        == "the expression needs an automaton of more than 1024 states: use smaller repetition counts")
  }
}
