// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrokerCore

/// Tests of `file:` URLs with a `?`, which GIO reads as a character of the path and browsers as its end.
@Suite(.computes) struct `A file URL with a question mark` {
  private static let scripts = """
    [route.scripts]
    match = "file:///{dir...}/{name:/.*[.]sh/}"
    deny = "no"
    final = true
    [route.odd]
    match = "file:///srv/a%3Fb/{p...?}"
    deny = "no"
    final = true
    """

  @Test(arguments: [
    "file:///srv/x?.sh", "file:///srv/x?.sh#f", "FILE:/srv/x?.sh", "file://localhost/srv/x?.sh",
    "file:///srv/./x?.sh", "file:///srv/x?y?.sh", "file:///srv/x?%2Esh", "file:///srv/x.sh?y",
    "file:///srv/x?y/z.sh", "file:///srv/a?b/x", "file:///srv//a?b/x", "file:///srv/a?b/%zz",
    "file:///srv/a%3Fb?",
  ])
  func `is denied in both readings`(url: String) throws {
    #expect(try WorkplaceRules(administrator: Self.scripts).outcome(url) == .denied)
  }

  @Test(arguments: [
    "file:///tmp?/../etc/hosts", "file:///tmp?/%2e%2E/x", "file:///tmp?%2F..%2fx", "file:///tmp?/../\u{301}x",
  ])
  func `is rejected with a segment for the parent directory`(url: String) throws {
    #expect(try WorkplaceRules(user: "").outcome(url) == .unreadable)
  }

  @Test func `is opened only if a route takes both paths`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("x", to: "page.html")
    let deny = "[route.none]\nscheme = \"file\"\ndeny = \"no\"\n"
    let pages =
      "[route.pages]\nmatch = \"file:///{dir...}/{name:/.*[.]html/}\"\nopen = \"org.example.Viewer\"\n"
    let rules = try WorkplaceRules(administrator: deny, user: pages)
    #expect(rules.outcome("file://\(file)") == .opened)
    #expect(rules.outcome("file://\(file)#top") == .opened)
    #expect(rules.outcome("file://\(file)?q") == .denied, "GIO opens page.html?q")
    #expect(rules.outcome("file://\(file)?q.html") == .opened)
    let final = try WorkplaceRules(administrator: pages + "final = true\n")
    #expect(final.outcome("file://\(file)") == .opened)
    #expect(final.outcome("file://\(file)?q") == .unreadable)
  }
}
