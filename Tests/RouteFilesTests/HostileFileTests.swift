import Foundation
import RouteFiles
import RouteTables
import Testing

@Suite struct HostileFileTests {
  /// Pieces of a route file in any order and any number: complaints, and never a trap.
  @Test func noTextTraps() {
    let pieces = [
      "format = 1\n", "owner = \"o\"\n", "[route.a]\n", "[route.\"é\"]\n", "match = ", "\"/{a}\"",
      "[\"/x\", \"/{n:int}\"]", "\n",
      "handler = \"h\"\n", "open = 'o'\n", "allow = true\n", "deny = \"\"\"\nno\"\"\"\"\n",
      "tests.yes.\"/7\" = { n = 7 }\n", "tests.no = [",
      "]", "{", "}", "1979-05-27", "1.5", "#", "\"", "'''", "a.b.c = 1\n", "[[route]]\n", "\r\n", "\u{0}",
      "\u{FEFF}", "=", ",",
    ]
    var state: UInt64 = 11
    func draw(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
    var read = 0
    for _ in 0..<4_000 {
      let head = draw(2) == 0 ? "format = 1\nowner = \"o\"\n[route.a]\nmatch = \"/{n:int}\"\n" : ""
      let text = head + (0..<draw(12)).map { _ in pieces[draw(pieces.count)] }.joined()
      let set = RouteFileSet([RouteFileSource(name: "x.toml", text: text)])
      _ = set.runTests()
      for complaint in set.complaints {
        #expect(complaint.location.line >= 1 && complaint.location.column >= 1, "\(text)")
        #expect(!complaint.message.isEmpty)
      }
      read += set.table.routes.count
    }
    #expect(read > 20)
  }
}
