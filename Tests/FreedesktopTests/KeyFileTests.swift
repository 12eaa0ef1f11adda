// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import TestSupport
import Testing

@Suite(.computes) struct KeyFileTests {
  @Test(arguments: [
    "", "\n", "[A]", "[A]\nk=v", "[A]\r\nk=v\r\n", "\u{FEFF}[A]\nk=v\n", "junk\n[A]\nk=v\n=x\n[B\n",
    "# only\n",
    "[A]\nk = v \n\n\n[A]\nk=w\n", "[A]\n\0\n",
  ])
  func `Bytes are preserved`(text: String) {
    #expect(KeyFile(text).bytes == Array(text.utf8))
  }

  @Test(arguments: [
    ("[A]\nk=v\n", "v", 2), ("[A]\nk   =   v w \n", "v w ", 2), ("[A]\r\nk=v\r\n", "v", 2),
    ("# c\n\n[A]\n k=v\n", "v", 4),
    ("[A]\nk=1\n[B]\nk=2\n[A]\nk=3\n", "3", 6), ("[A]\nk=1\nk=2\n", "2", 3), ("[A]\nk=a=b\n", "a=b", 2),
    ("\u{FEFF}[A]\nk=v\n", "v", 2), ("[A]  \nk=\n", "", 2), ("[A]\njunk\nk=v", "v", 3),
  ])
  func `Values are found with their line numbers`(text: String, value: String, line: Int) {
    let file = KeyFile(text)
    #expect(file.value(of: "k", in: "A") == value)
    #expect(file.line(of: "k", in: "A") == line)
  }

  @Test func `Values of all groups are those of each group`() {
    let text = "k=0\n[A]\nk=1\nl=2\n[B]\nk=3\n[a[b]\nk=4\n[A]\nk=5\n[C]\n"
    let file = KeyFile(text)
    let values = file.values(of: ["k", "l"])
    #expect(values == ["A": ["k": "5", "l": "2"], "B": ["k": "3"]])
    for group in file.groups {
      for key in ["k", "l"] { #expect(values[group]?[key] == file.value(of: key, in: group)) }
    }
    #expect(KeyFile(bytes: Array("[A]\nk=1\nk=".utf8) + [0xFF]).values(of: ["k"])["A"]?["k"] == nil)
    #expect(file.values(of: ["l"]) == ["A": ["l": "2"]])
  }

  @Test func `A missing value is nil`() {
    let file = KeyFile("[A]\nk=v\n")
    #expect(file.value(of: "K", in: "A") == nil)
    #expect(file.value(of: "k", in: "B") == nil)
    #expect(file.groups == ["A"])
    #expect(file.keys(in: "A") == ["k"])
  }

  @Test(arguments: [
    ("\u{FEFF}[A]\n", KeyFile.Diagnostic.Kind.byteOrderMark, 1), ("[A]\njunk\n", .notALine, 2),
    ("[A]\n=v\n", .notALine, 2),
    ("k=v\n", .keyOutsideGroup, 1), ("[]\n", .invalidGroupName, 1), ("[a[b]\nk=v\n", .invalidGroupName, 1),
    ("[A]\nk[de=v\n", .invalidKeyName, 2), ("[A]\n[x=v\n", .invalidKeyName, 2),
    ("[A]\nEncoding=Latin-1\n", .unsupportedEncoding, 2),
    ("[A] junk\n", .notALine, 1), ("[A]\nk=\0\n", .notALine, 2),
  ])
  func `Errors for which GLib rejects the whole file are found`(
    text: String, kind: KeyFile.Diagnostic.Kind, line: Int
  ) {
    let file = KeyFile(text)
    #expect(!file.isWellFormed)
    #expect(file.fatalDiagnostics.first == file.diagnostics.first)
    #expect(file.fatalDiagnostics.first?.kind == kind)
    #expect(file.fatalDiagnostics.first?.line == line)
  }

  @Test(arguments: [
    ("[A]\n[B]\n[A]\n", KeyFile.Diagnostic.Kind.duplicateGroup, 3), ("[A]\nk=1\nk=2\n", .duplicateKey, 3),
  ])
  func `Errors that GLib ignores are only diagnostics`(text: String, kind: KeyFile.Diagnostic.Kind, line: Int)
  {
    let file = KeyFile(text)
    #expect(file.isWellFormed)
    #expect(file.diagnostics.map(\.kind) == [kind])
    #expect(file.diagnostics.map(\.line) == [line])
  }

  @Test func `A value that is not UTF-8 counts as absent`() {
    let file = KeyFile(bytes: Array("[A]\nk=".utf8) + [0xFF, 0x0A])
    #expect(file.value(of: "k", in: "A") == nil)
    #expect(file.diagnostics.map(\.kind) == [.notUTF8])
  }

  @Test func `A line of a megabyte is read`() {
    let value = String(repeating: "x", count: 1 << 20)
    let file = KeyFile("[A]\nk=\(value)\nl=1\n")
    #expect(file.value(of: "k", in: "A") == value)
    #expect(file.value(of: "l", in: "A") == "1")
  }

  @Test func `Random bytes never trap and are preserved`() {
    var generator = SeededGenerator(seed: 1)
    let alphabet: [UInt8] = Array("[]=#;\\\n\r \tkA\u{E9}".utf8) + [0, 0xFF, 0xEF, 0xBB, 0xBF]
    for _ in 0..<3_000 {
      let bytes = (0..<Int.random(in: 0..<60, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      var file = KeyFile(bytes: bytes)
      #expect(file.bytes == bytes)
      _ = file.diagnostics.map(\.description)
      for group in file.groups { for key in file.keys(in: group) { _ = file.list(of: key, in: group) } }
      try? file.set("new", to: "value", in: "A")
      #expect(KeyFile(bytes: file.bytes).value(of: "new", in: "A") == "value")
    }
  }
}
