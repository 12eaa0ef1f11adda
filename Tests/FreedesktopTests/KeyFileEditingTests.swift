// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Testing

@Suite struct KeyFileEditingTests {
  @Test func `An edited value is read back at once`() throws {
    var file = KeyFile("\u{FEFF}# c\n[A]\n  k =  v")
    try file.set("j", to: "w", in: "A")
    #expect(file.value(of: "k", in: "A") == "v")
    for value in ["a longer one", "", "x"] {
      try file.set("k", to: value, in: "A")
      try file.set("j", to: value + value, in: "A")
      try file.set("n", to: value, in: "New")
      #expect(file.value(of: "k", in: "A") == value)
      #expect(file.value(of: "j", in: "A") == value + value)
      #expect(file.value(of: "n", in: "New") == value)
      #expect(file.keys(in: "A") == ["k", "j"])
      #expect(KeyFile(bytes: file.bytes).value(of: "k", in: "A") == value)
    }
    #expect(file == KeyFile("\u{FEFF}# c\n[A]\n  k =  x\nj=xx\n\n[New]\nn=x\n"))
  }

  @Test func `Blanks around a value stay`() throws {
    var file = KeyFile("[g]\n  a \t=\t 1 \nb= \nc =")
    for (key, value) in [("a", "22"), ("b", "3"), ("c", "")] { try file.set(key, to: value, in: "g") }
    #expect(file.text == "[g]\n  a \t=\t 22\nb= 3\nc =")
    #expect(file.value(of: "a", in: "g") == "22" && KeyFile(file.text).value(of: "b", in: "g") == "3")
    try file.set("a", to: "", in: "g")
    #expect(file.value(of: "a", in: "g") == "" && file.text.hasPrefix("[g]\n  a \t=\t \n"))
  }

  @Test(arguments: [
    ("[A]\n# c\nk=1\nz=2\n", "[A]\n# c\nk=new\nz=2\n"), ("[A]\r\nk = 1\r\n", "[A]\r\nk = new\r\n"),
    ("[A]\nk=1", "[A]\nk=new"),
    ("[A]\nx=1\n\n[B]\n", "[A]\nx=1\nk=new\n\n[B]\n"), ("[A]\nx=1", "[A]\nx=1\nk=new\n"),
    ("[A]\n\n# end\n", "[A]\n\n# end\nk=new\n"),
    ("", "[A]\nk=new\n"), ("[B]\r\nx=1\r\n", "[B]\r\nx=1\r\n\r\n[A]\r\nk=new\r\n"),
    ("[A]\nk=1\njunk\nk=2\n", "[A]\nk=1\njunk\nk=new\n"),
    ("[A]\n[B]\n[A]\nk=1\n", "[A]\n[B]\n[A]\nk=new\n"),
    ("[A]\n[]\r", "[A]\n[]\r\r\nk=new\n"),
  ])
  func `Setting a value changes only its line`(before: String, after: String) throws {
    var file = KeyFile(before)
    try file.set("k", to: "new", in: "A")
    #expect(file.text == after)
    #expect(KeyFile(after).value(of: "k", in: "A") == "new")
  }

  @Test func `Removing a key removes all of its lines`() {
    var file = KeyFile("[A]\nk=1\n# c\nk=2\n[B]\nk=3\n")
    let removed = file.remove("k", in: "A")
    #expect(removed)
    #expect(file.text == "[A]\n# c\n[B]\nk=3\n")
    let again = file.remove("k", in: "A")
    #expect(!again)
  }

  @Test(arguments: ["", "[B]\nx=1\n", "[B]\nx=1\n\n[C]\n"])
  func `An added group is removed with its blank line`(text: String) throws {
    var file = KeyFile(text)
    try file.set("k", to: "v", in: "A")
    file.remove("k", in: "A")
    file.removeIfEmpty(group: "A")
    #expect(file.text == text)
  }

  @Test func `A group with a comment stays`() {
    var file = KeyFile("[A]\n# mine\n")
    file.removeIfEmpty(group: "A")
    #expect(file.text == "[A]\n# mine\n")
  }

  @Test(arguments: [
    ("k", "a\nb", "A"), ("k", " a", "A"), ("k=", "v", "A"), ("", "v", "A"), ("#k", "v", "A"), ("k", "v", ""),
    ("k", "v", "A]"),
    ("k\n", "v", "A"), ("[k", "v", "A"), ("k", "v", "A\n"),
  ])
  func `A value that could not be read back is rejected`(key: String, value: String, group: String) {
    var file = KeyFile("[A]\n")
    #expect(throws: FreedesktopError.self) { try file.set(key, to: value, in: group) }
    #expect(file.text == "[A]\n")
  }

  @Test(arguments: [
    ("a b", "a b"), (" a", "\\sa"), ("a\nb\tc\rd", "a\\nb\\tc\\rd"), ("a\\b", "a\\\\b"), ("", ""),
  ])
  func `Text is escaped and read back`(text: String, raw: String) {
    #expect(KeyFile.raw(text) == raw)
    #expect(KeyFile.string(raw) == text)
  }

  @Test(arguments: [
    ("a;b;", ["a", "b"]), ("a;b", ["a", "b"]), ("", []), (";", [""]), ("a;;b;;", ["a", "", "b", ""]),
    ("a\\;b;", ["a;b"]),
    ("a; b ;", ["a", " b "]), ("a\\sb;", ["a b"]),
  ])
  func `Lists are split as GLib does`(raw: String, items: [String]) {
    #expect(KeyFile.list(raw) == items)
  }

  @Test(
    arguments: [("a\\", "a", nil), ("a\\x;", "a\\x;", nil), ("\\;", "\\;", [";"])]
      as [(String, String, [String]?)])
  func `An invalid escape stays in a text and makes a list unreadable`(
    raw: String, text: String, items: [String]?
  ) {
    #expect(KeyFile.string(raw) == text)
    #expect(KeyFile.list(raw) == items)
  }

  @Test(arguments: [
    ("true", true), ("true  ", true), ("1", true), ("false", false), ("TRUE", false), ("", false),
    ("truely", false),
  ])
  func `Booleans are those of GLib`(raw: String, value: Bool) {
    #expect(KeyFile.boolean(raw) == value)
  }
}
