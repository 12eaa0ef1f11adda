// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RouteExplanations
@testable import RouteTables

@Suite struct `One edit` {
  @Test(arguments: [
    ("issues", "isues"), ("issues", "isssues"), ("issues", "issuse"), ("issues", "Issues"), ("é", "e"),
    ("a", "ab"), ("ab", "ba"), ("", "a"), ("caf\u{e9}", "cafe"),
  ])
  func `is an insertion, deletion, replacement or swap`(one: String, other: String) {
    #expect(EditDistance.isOne(Array(one.utf8), Array(other.utf8)))
    #expect(EditDistance.isOne(Array(other.utf8), Array(one.utf8)))
  }

  @Test(arguments: [
    ("issues", "issues"), ("", ""), ("issues", "iuess"), ("ab", ""), ("abcd", "badc"), ("abc", "cba"),
    ("a", "bcd"), ("issues", "ISSUES"),
  ])
  func `does not lie between a text and itself, nor between texts further apart`(one: String, other: String) {
    #expect(!EditDistance.isOne(Array(one.utf8), Array(other.utf8)))
    #expect(!EditDistance.isOne(Array(other.utf8), Array(one.utf8)))
  }
}
