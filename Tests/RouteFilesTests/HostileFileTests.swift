// SPDX-License-Identifier: Apache-2.0
import Foundation
import RouteTables
import TestSupport
import Testing

@testable import RouteFiles

@Suite struct HostileFileTests {
  private static let pieces = [
    "format = 1\n", "owner = \"o\"\n", "[route.a]\n", "[route.\"é\"]\n", "match = ", "\"/{a}\"",
    "[\"/x\", \"/{n:int}\"]", "\n", "[group.g]\n", "group = \"g\"\n", "base = \"a:\"\n",
    "[types]\nt = '/a+/'\n", "'/('",
    "handler = \"h\"\n", "open = 'o'\n", "allow = true\n", "deny = \"\"\"\nno\"\"\"\"\n",
    "exec = [\"a\", \"{n}\"]\n",
    "rewrite = ", "\"b:/{n}\"", "{ drop = [\"a*\"] }", "ask = true\n", "remember = \"source\"\n",
    "source = \"a.*\"\n",
    "source.assurance = \"< unit\"\n", "target = \"running\"\n", "wins_over = \"a\"\n", "final = true\n",
    "case = \"ignore\"\n",
    "overlap = \"error\"\n", "tests.yes.\"/7\" = { n = 7 }\n", "tests.no = [", "]", "{", "}", "1979-05-27",
    "1.5", "#", "\"",
    "'''", "a.b.c = 1\n", "[[route]]\n", "\r\n", "\u{0}", "\u{FEFF}", "=", ",",
  ]

  /// Tests random sequences of pieces of a route file, which must lead to diagnostics and never to a trap.
  @Test(.computes) func `No input causes a trap`() {
    var random = SeededGenerator(seed: 11)
    var read = 0
    for _ in 0..<8_000 {
      let head = random.oneIn(2) ? "format = 1\nowner = \"o\"\n[route.a]\nmatch = \"/{n:int}\"\n" : ""
      let text = head + (0..<random.below(14)).map { _ in random.pick(Self.pieces) }.joined()
      let set = RouteFileSet([
        RouteFileSource(name: "x.toml", text: text, rank: random.oneIn(2) ? .user : .administrator)
      ])
      _ = set.runTests()
      for diagnostic in set.diagnostics {
        #expect(diagnostic.location.line >= 1 && diagnostic.location.column >= 1, "\(text)")
        #expect(!diagnostic.message.isEmpty)
      }
      read += set.table.routes.count
    }
    #expect(read > 50)
  }

  /// Tests every truncation of a real file, and a change of every byte.
  @Test(.computes) func `Damaged files are parsed or have diagnostics`() throws {
    let path = "\(RouteDirectoryTests.routes)/policy.toml"
    let text = Array(try String(contentsOfFile: path, encoding: .utf8).utf8)
    var random = SeededGenerator(seed: 5)
    for _ in 0..<400 {
      var bytes = text
      switch random.below(3) {
      case 0: bytes.removeLast(random.below(bytes.count))
      case 1: bytes[random.below(bytes.count)] = UInt8(random.below(256))
      default: bytes.removeSubrange(random.below(bytes.count - 40)..<(bytes.count - random.below(40)))
      }
      let source = RouteFileSource(
        name: "x.toml", text: String(decoding: bytes, as: UTF8.self), rank: .administrator)
      let set = RouteFileSet([source])
      _ = set.runTests()
      #expect(set.diagnostics.allSatisfy { $0.location.line >= 1 && $0.location.column >= 1 })
    }
  }

  private static let monsters = [
    "tables in tables": "x = \(String(repeating: "{a=", count: 200_000))",
    "many arrays": "x = [\(String(repeating: "[],", count: 100_000))]",
    "a long key": "[" + String(repeating: "a.", count: 300_000) + "a]",
    "long keys in long keys": "group.g" + String(repeating: ".a", count: 60)
      + String(repeating: " = { a" + String(repeating: ".a", count: 63), count: 200) + " = 1"
      + String(repeating: " }", count: 200),
    "tables in tables of a group": "group.g = " + String(repeating: "{ a = ", count: 200) + "1"
      + String(repeating: " }", count: 200),
    "braces": "match = '" + String(repeating: "{", count: 500_000),
    "one table often": String(repeating: "[route.a]\n", count: 50_000),
    "NUL": String(repeating: "\u{0}", count: 1_000),
    "sources": "source = [" + String(repeating: "'a.*',", count: 20_000) + "]",
    "groups of an expression": "types.t = '/" + String(repeating: "(", count: 50_000) + "/'",
    "counts of an expression": "types.t = '/(?:a{0,500}){0,500}/'",
    "choices of an expression": "types.t = '/" + String(repeating: "(?:a|b)?", count: 3_000) + "/'",
    "arguments": "exec = [" + String(repeating: "'{a}',", count: 30_000) + "]",
    "holes": "rewrite = 'b:" + String(repeating: "{a}/", count: 16_000) + "'",
    "too many holes": "rewrite = 'b:" + String(repeating: "{a}/", count: 30_000) + "'",
    "winners": "wins_over = [" + String(repeating: "'b',", count: 3_000) + "]",
    "tests": "tests.no = [" + String(repeating: "'/x',", count: 30_000) + "]",
    "patterns": "match = [" + String(repeating: "'/{x}',", count: 2_000) + "]",
    "routes": (0..<3_000).map { "[route.r\($0)]\nmatch = '/\($0)/{x}/\($0 % 7)'\nallow = true\n" }.joined(),
    "routes in a line": "route = {"
      + (0..<4_000).map { "r\($0) = { match = '/\($0)', exec = ['a', '\($0)'] }" }.joined(separator: ",")
      + "}",
    "crossing routes": (0..<150).map { "[route.r\($0)]\nmatch = '/a\($0 % 9){x}/{y}b\($0)'\nallow = true\n" }
      .joined(),
  ]

  @Test(.computes, arguments: monsters.keys.sorted())
  func `Huge and deeply nested files produce a diagnostic`(name: String) throws {
    let line = try #require(Self.monsters[name])
    let heads = ["", "format = 1\nowner = 'o'\n", "format = 1\nowner = 'o'\n[route.r]\nmatch = '/{a}/r'\n"]
    for text in heads.map({ $0 + line }) {
      let set = RouteFileSet([RouteFileSource(name: "x.toml", text: text)])
      _ = set.runTests()
      #expect(!set.diagnostics.isEmpty || !set.table.routes.isEmpty)
    }
  }

  @Test func `The parts of a key are counted together with those of the keys around it`() {
    let dots = String(repeating: ".a", count: 32)
    func error(_ text: String) -> TomlDocument.Failure? {
      do throws(TomlDocument.Failure) {
        _ = try TomlDocument(text, file: "x.toml")
        return nil
      } catch {
        return error
      }
    }
    let sound = [
      "a\(dots)\(dots) = { b = 1, c = [2, { d = 3 }] }",
      "a\(dots) = { a\(dots) = 1.5, b\(dots) = 2.5 }",
      "[a\(dots)]\na\(dots) = [\n{ a\(dots) = 1 },\n{ a\(dots) = 2 }, # }\n]\nb\(dots)\(dots) = ']'\n[[c\(dots)\(dots)]]",
    ]
    for text in sound { #expect(error(text)?.message == nil, "\(text)") }
    let deep = [
      "\na\(dots)\(dots).a = 1", "a = 1\na\(dots) = { a\(dots).a = 1 }",
      "\na = [{ a\(dots) = [{ b = 1, a\(dots).a = 1 }] }]",
    ]
    for text in deep {
      #expect(error(text)?.line == 2, "\(text)")
      #expect(
        error(text)?.message
          == "the key has too many parts, together with the keys around it: the limit is 65")
    }
  }

  @Test func `Many wins_over have no effect beyond a limit, and what they would deny is then rejected`()
    throws
  {
    let count = 40
    let routes = (0..<count).map { number in
      """
      [route.wide\(number)]
      match = "app:/{x...}/\(number)/{y...}"
      deny = "no"
      wins_over = "narrow\(number)"
      [route.narrow\(number)]
      match = "app:/{x...}/\(number)/a"
      allow = true
      """
    }
    let text = "format = 1\nowner = \"corp\"\n" + routes.joined(separator: "\n")
    let source = RouteFileSource(name: "x.toml", text: text, rank: .administrator)
    let reading = RouteFileReading([source], unreadable: [], diagnostics: [], winsOverBudget: .init(100_000))
    let message = try #require(reading.diagnostics.first?.description)
    #expect(reading.diagnostics.count == 1, "\(reading.diagnostics)")
    #expect(
      message.contains("x.toml:") && message.contains("remove those of routes that are narrower anyway"))
    #expect(message.contains("; until this is corrected, `wide"), "\(message)")
    #expect(message.contains(" more rules have no effect"), "\(message)")
    var rejected = 0
    for number in 0..<count {
      let url = "app:/x/\(number)/a"
      let authority = try URLAuthority(url)
      let isRejected = reading.gaps.contains { $0.mayCover(url, authority) }
      let isDenied = try reading.table.match(url)?.route.id == "wide\(number)"
      #expect(isRejected != isDenied, "\(url)")
      rejected += isRejected ? 1 : 0
    }
    #expect(rejected > 0 && rejected < count)
  }

  @Test func `Bytes that are not text are a diagnostic of the file`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let head = Data("format = 1\nowner = \"o\"\n[route.a]\nallow = true\nmatch = \"/a".utf8)
    let endings: [String: [UInt8]] = [
      "cut": [0xC3], "long": [0xC0, 0x80], "surrogate": [0xED, 0xA0, 0x80], "nul": [0],
    ]
    for (name, bytes) in endings {
      try (head + Data(bytes) + Data("\"\n".utf8)).write(to: directory.appending(path: "\(name).toml"))
    }
    let set = RouteFileSet(loading: [directory.path])
    #expect(set.diagnostics.map(\.kind) == [.syntax, .syntax, .syntax, .syntax], "\(set.diagnostics)")
    #expect(set.table.routes.isEmpty)
  }
}
