// SPDX-License-Identifier: Apache-2.0
import RouteFiles
import RouteTables
import Testing

@Suite struct RouteFileTestTests {
  @Test func `Passing tests print nothing`() {
    let set = files(
      """
      [route.a]
      match = "/{n:int}/{u:uint}?q={q=1}"
      allow = true
      tests.yes = { "/7/18446744073709551615" = { n = 7, u = "18446744073709551615", q = "1" }, "/8/9" = {} }
      tests.no = ["/x/1", "/%zz"]
      """)
    #expect(set.diagnostics.isEmpty)
    #expect(set.tests.count == 4)
    #expect(set.runTests().isEmpty)
  }

  @Test func `Failing tests report location and reason`() {
    let set = files(
      """
      [route.a]
      match = "/{n:int}"
      allow = true
      tests.yes."/7" = { n = 8, m = "x" }
      tests.yes."/x" = {}
      tests.yes."/%" = {}
      tests.yes."/1" = {}
      tests.no = ["/2"]
      [route.b]
      match = "/1"
      deny = "no"
      """)
    #expect(set.diagnostics.isEmpty)
    #expect(
      set.runTests().map(\.description) == [
        "a.toml:6:24: the capture `n` is `7`, but must be 8",
        "a.toml:6:31: the capture `m` is absent, but must be \"x\"",
        "a.toml:7:11: `a` must match this URL, but no route does",
        "a.toml:8:11: the URL cannot be parsed: URL, byte 2: `%` needs two hexadecimal digits: "
          + "write `%25` for a percent sign",
        "a.toml:9:11: `a` must match this URL, but `b` of `org.a` does (/1, a.toml:11:8)",
        "a.toml:10:13: `a` must not match this URL",
      ])
  }

  /// A competing route with a source condition leaves requests of other sources to the first route.
  @Test func `A route matches what it matches in some request`() {
    let set = files(
      """
      [route.wide]
      match = "/{x}"
      source = ["org.a.Chat", "org.a.Mail"]
      allow = true
      tests.yes = { "/new" = {}, "/both" = {} }
      tests.no = ["/old"]
      [route.chat]
      match = ["/new", "/old", "/both"]
      source = "org.a.Chat"
      deny = "no"
      [route.mail]
      match = "/{x:both|none}"
      source = "org.a.Mail"
      deny = "no"
      """)
    #expect(set.diagnostics.isEmpty)
    #expect(
      set.runTests().map(\.description) == [
        "a.toml:7:28: `wide` must match this URL, but `chat` of `org.a` does (/both, a.toml:9:8)",
        "a.toml:8:13: `wide` must not match this URL",
      ])
  }
}
