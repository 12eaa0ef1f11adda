// SPDX-License-Identifier: Apache-2.0
import DBus
import Testing

@Suite struct `Names and signatures` {
  static let long = String(repeating: "a", count: 253)

  @Test(arguments: [
    "org.example.Notes", "a.b", "_.-", "org.a-b.c", ":1.42", ":1.2.a-b", "a.\(long)", ":1.\(long.dropLast())",
  ])
  func `Bus names`(text: String) { #expect(BusName(text)?.rawValue == text) }

  @Test(arguments: [
    "", ".", ":", ":1", "org", "org.", ".org", "org..x", "org.1x", "org.é", "org.a b", "a.\(long)a",
    ":1.\(long)",
    "org.a/b", "org.a\0",
  ])
  func `Not bus names`(text: String) { #expect(BusName(text) == nil) }

  @Test(arguments: ["org.example.Notes1", "a.b", "_a._1"])
  func `Interface and error names`(text: String) {
    #expect(InterfaceName(text) != nil)
    #expect(ErrorName(text) != nil)
  }

  @Test(arguments: ["", "org", "org.a-b", "org.1a", ":1.1", "org..a", "a.\(long)a"])
  func `Not interface names`(text: String) {
    #expect(InterfaceName(text) == nil)
    #expect(ErrorName(text) == nil)
  }

  @Test(arguments: [
    ("Open", true), ("_x1", true), ("", false), ("1x", false), ("a.b", false), ("a-b", false), ("ä", false),
    (long + "aa", true), (long + "aaa", false),
  ])
  func `Member names`(text: String, isValid: Bool) { #expect((MemberName(text) != nil) == isValid) }

  @Test(arguments: [
    ("/", true), ("/a", true), ("/1/_/B", true), ("", false), ("a", false), ("/a/", false), ("//", false),
    ("/a//b", false), ("/a-b", false), ("/é", false), ("/a b", false),
  ])
  func `Object paths`(text: String, isValid: Bool) { #expect((ObjectPath(text) != nil) == isValid) }

  @Test(arguments: [
    "", "s", "ybnqiuxtdsogvh", "as", "a{sv}", "(s)", "(s(ii)as)", "aaas", "a{s(ia{sv})}", "a(sa(sv))",
    String(repeating: "a", count: 32) + "s",
    String(repeating: "(", count: 32) + "s" + String(repeating: ")", count: 32),
    String(repeating: "s", count: 255),
  ])
  func `Signatures`(text: String) { #expect(Signature(text) != nil) }

  @Test(arguments: [
    "a", "()", "(s", "s)", "{sv}", "a{vs}", "a{s}", "a{svs}", "a{asv}", "a{sv", "r", "e", "z", "é", " ",
    String(repeating: "a", count: 33) + "s",
    String(repeating: "(", count: 33) + "s" + String(repeating: ")", count: 33),
    String(repeating: "s", count: 256),
  ])
  func `Not signatures`(text: String) { #expect(Signature(text) == nil) }

  @Test func `Complete types`() {
    let signature: Signature = "sa{sv}a(i)v"
    #expect(signature.completeTypes == ["s", "a{sv}", "a(i)", "v"])
    #expect(("" as Signature).completeTypes == [])
    #expect(Signature(unchecked: "s(a").completeTypes == ["s"])
  }

  @Test func `Unique and well-known names are distinguished`() {
    #expect((":1.1" as BusName).isUnique)
    #expect(!("a.b" as BusName).isUnique)
  }
}
