// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `usher routes diff` {
  private static let old = """
    format = 1
    owner = "user"
    [route.web]
    match = "https://{h...}/{rest...}"
    open = "org.example.Browser"
    [route.video]
    match = "https://tube.example/watch?v={id}"
    exec = ["mpv", "--", "https://tube.example/watch?v={id}"]
    [route.no-lan]
    match = "https://a.example/x|`y/{z}"
    deny = "not `here` | there"

    """
  /// The video has another program, the denial is removed, a route for one application's links is added, and the rest is reformatted.
  private static let new = """
    format = 1
    owner = "user"
    [route.shop]
    match = "shop:/{n:int}"
    ask = ["org.example.Shop"]
    source = "org.example.Chat"
    [route.video]
    match = "https://tube.example/watch?v={video}"
    exec = ["vlc", "--", "https://tube.example/watch?v={video}"]
    [route.everything]
    match = "https://{host...}/{path...}"
    open = "org.example.Browser"

    """

  private func files(_ desktop: ThrowAwayDesktop) throws -> (old: String, new: String) {
    (try desktop.write(Self.old, to: "home/old.toml"), try desktop.write(Self.new, to: "home/new.toml"))
  }

  /// A route of the user precedes a denial that is final no more.
  @Test func `A route that becomes or ceases to be final is a change`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let text = "format = 1\nowner = \"administrator\"\n[route.no]\nmatch = \"zork:{x...}\"\ndeny = \"no\"\n"
    let final = try desktop.write(text + "final = true\n", to: "home/final.toml")
    let plain = try desktop.write(text, to: "home/plain.toml")
    let loses = try await desktop.usher("routes", "diff", final, plain)
    #expect(loses.status == 1 && loses.output.contains("not as a final route"), "\(loses)")
    let gains = try await desktop.usher("routes", "diff", plain, final)
    #expect(gains.status == 1 && gains.output.contains(" as a final route"), "\(gains)")
    #expect(try await desktop.usher("routes", "diff", final, final).status == 0)
    let json = try await desktop.usher("routes", "diff", "--json", final, plain)
    #expect(json.output.contains(#""final":true"#), "\(json)")
  }

  @Test func `Each class of URLs with another route is printed with an example`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let (old, new) = try files(desktop)
    let result = try await desktop.usher("routes", "diff", old, new)
    #expect(result.status == 1, "\(result)")
    #expect(
      result.lines == [
        "shop is added (\(new):3:8)",
        "  `shop:/{n:int}` now asks the user to choose: `org.example.Shop` (was: matches no route), for example `shop:/0` with "
          + "`source = org.example.Chat`",
        "video is changed (\(new):7:8)",
        "  `https://tube.example/watch?v={video}` now runs `vlc -- https://tube.example/watch?v={video}` (was: runs "
          + "`mpv -- https://tube.example/watch?v={id}`), for example `https://tube.example/watch?v`",
        "no-lan is removed (\(old):9:8)",
        "  `https://a.example/x|`y/{z}` now opens with `org.example.Browser` by `everything` (was: is rejected: "
          + "`not `here` | there`), for example `https://a.example/x|`y/x`",
        // The URLs were denied with any user; now only those without a user have a route.
        "  `https://a.example/x|`y/{z}` now matches no route (was: is rejected: `not `here` | there`), for example "
          + "`https://@a.example/x|`y/x`",
      ], "\(result.output)")
    #expect(result.errorOutput == "usher: 4 classes of URLs change, by 3 routes; 0 undecided\n")
  }

  @Test func `One class of URLs and one route are counted in the singular`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let head = "format = 1\nowner = \"user\"\n"
    let old = try desktop.write(head, to: "home/old.toml")
    let new = try desktop.write(
      head + "[route.a]\nmatch = \"a:b\"\nallow = true\n", to: "home/new.toml")
    let result = try await desktop.usher("routes", "diff", old, new)
    #expect(result.errorOutput == "usher: 1 class of URLs changes, by 1 route; 0 undecided\n", "\(result)")
    try desktop.write(
      head + "[route.a]\nmatch = \"a:b\"\nallow = true\ntests.no = [\"a:c\"]\n", to: "home/new.toml")
    let test = try await desktop.usher("routes", "test", new)
    #expect(test.errorOutput == "usher: 1 test, 0 failed\n", "\(test)")
  }

  @Test func `What could not be decided has its reason`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    func file(_ name: String, _ rest: String) throws -> String {
      let text = "format = 1\nowner = \"user\"\n[route.\(name)]\nmatch = \"app:/x?a%2Bb\"\n\(rest)\n"
      return try desktop.write(text, to: "home/\(name).toml")
    }
    let (old, new) = (
      try file("literal", "plus = \"literal\"\nallow = true"), try file("form", "allow = true")
    )
    let result = try await desktop.usher("routes", "diff", old, new)
    #expect(result.status == 1, "\(result)")
    #expect(
      result.lines.contains(
        "undecided: cannot decide whether a URL moves from `literal` (`app:/x?a%2Bb`) to no route: "
          + "a key of the query has a `+` or a space, and the patterns interpret `+` differently"),
      "\(result)")
  }

  @Test func `Text of route files is escaped in the Markdown table`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let (old, new) = try files(desktop)
    let result = try await desktop.usher("routes", "diff", "--markdown", old, new)
    #expect(result.status == 1 && result.lines.count == 6, "\(result)")
    #expect(
      result.lines.first { $0.contains("no-lan") }
        == "| `no-lan`, is removed | ``https://a.example/x\\|`y/{z}`` | is rejected: ``not `here` \\| there`` "
        + "| opens with `org.example.Browser` by `everything` | ``https://a.example/x\\|`y/x`` |")
    let same = try await desktop.usher("routes", "diff", "--markdown", old, old)
    #expect(same.status == 0 && same.output == "No URL changes its route.\n", "\(same)")
  }

  @Test func `The JSON names the old winner, the new winner and a witness of each class`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let (old, new) = try files(desktop)
    let (object, result) = try await desktop.usherJSON("routes", "diff", old, new)
    #expect(result.status == 1)
    let changes = object.objects("changes")
    #expect(changes.map { $0["cause"] } == ["added", "changed", "removed", "removed"])
    #expect(changes.map { $0["route"] } == ["shop", "video", "no-lan", "no-lan"])
    for (change, url) in zip(
      changes,
      ["shop:/0", "https://tube.example/watch?v", "https://a.example/x|`y/x", "https://@a.example/x|`y/x"])
    {
      #expect(change["url"] == url)
      // The report matches the decisions of the files.
      for (file, key) in [(old, "old"), (new, "new")] {
        let match = try await desktop.usherJSON(
          "routes", "match", file, url, "--source-application", "org.example.Chat"
        ).object
        #expect(match["route"] == change.object(key)?["route"], "\(url) in \(key)")
      }
    }
  }

  @Test func `Directories are compared as they are read, and reformatted files are equal`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let (old, _) = try files(desktop)
    let parts = Self.old.components(separatedBy: "[route.video]")
    try desktop.write(parts[0], to: "home/folder/a.toml")
    try desktop.write("format = 1\nowner = \"user\"\n[route.film]" + parts[1], to: "home/folder/b.toml")
    let same = try await desktop.usher("routes", "diff", old, "\(desktop.home)/folder")
    #expect(same.status == 0 && same.output.isEmpty, "\(same)")
  }

  @Test func `Diagnostics of the files are printed, and an unreadable file is not compared`()
    async throws
  {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let (old, new) = try files(desktop)
    let bad = try desktop.write(
      Self.old + "[route.bad]\nmatch = \"/{x:itn}\"\nallow = true\n", to: "home/bad.toml")
    let wrong = try await desktop.usher("routes", "diff", old, bad)
    #expect(wrong.status == 1 && wrong.errorOutput.contains("\(bad):13:"), "\(wrong)")
    let none = try await desktop.usher("routes", "diff", old, "\(desktop.home)/none.toml")
    #expect(none.status == 66 && none.output.isEmpty && none.errorOutput.contains("none.toml"), "\(none)")
    let (object, result) = try await desktop.usherJSON("routes", "diff", old, "\(desktop.home)/none.toml")
    #expect(result.status == 66 && object["error"] == "unreadable")
    for words in [[], [old], [old, new, old], [old, new, "--json", "--markdown"]] as [[String]] {
      let call = try await Command.run(
        BuiltProducts.usher, ["routes", "diff"] + words, environment: desktop.environment)
      #expect(call.status == 64, "\(call)")
    }
  }
}
