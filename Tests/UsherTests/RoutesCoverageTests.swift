// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct `usher routes coverage` {
  private static let routes = """
    format = 1
    owner = "user"
    [route.note]
    match = "notes://note/{id:int}?tab={tab?}"
    allow = true
    [route.chat]
    match = "notes://chat"
    source = "org.example.Chat"
    allow = true
    [route.new]
    match = "notes://new"
    allow = true

    """

  private func coverage(
    _ urls: String, _ words: String..., on desktop: ThrowAwayDesktop
  ) async throws -> CommandResult {
    try desktop.write(Self.routes, to: "home/notes.toml")
    try desktop.write(urls, to: "home/links.txt")
    return try await Command.run(
      BuiltProducts.usher, ["routes", "coverage", "notes.toml"] + words, environment: desktop.environment,
      directory: desktop.home)
  }

  @Test func `Each route is printed with its count, and each URL without a route, without secrets`()
    async throws
  {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let urls =
      "# some\n\nnotes://note/7?tab=edit\r\n  notes://note/8#x \nnotes://chat\nother://h/p?token=secret#s\n/bare?token=s\n"
    let result = try await coverage(urls, "links.txt", on: desktop)
    #expect(
      result.lines == [
        "notes.toml:3:8: note: 2 URLs", "notes.toml:6:8: chat: 1 URL", "notes.toml:10:8: new: never reached",
        "links.txt:6: no route: other://h/p?…#…", "links.txt:7: no route: /bare?…",
      ], "\(result)")
    #expect(result.status == 1)
    #expect(
      result.errorOutput == "usher: 2 of 3 routes reached (66 %); 5 URLs, 2 without a route, 0 invalid\n")
    let all = try await coverage(urls + "notes://new\n", "links.txt", on: desktop)
    #expect(all.status == 0 && all.errorOutput.contains("3 of 3 routes reached (100 %)"), "\(all)")
  }

  @Test func `A user is shown of no URL, be its scheme written or not`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let urls =
      "https://ada:hush@h/p\n//ada:hush@h/p?q=hush\nada:hush@h/p#hush\nmailto:hush@h\n/p@h/x\napp:/x@y\n"
    let result = try await coverage(urls, "links.txt", on: desktop)
    #expect(
      result.lines.suffix(6).map { $0.split(separator: " ").last.map(String.init) } == [
        "https://h/p", "//h/p?…", "ada:…@h/p#…", "mailto:…@h", "/p@h/x", "app:/x@y",
      ], "\(result)")
  }

  @Test func `An invalid line is reported with its location, and the others are counted`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let result = try await coverage(
      "notes://note/%zz\nnotes://note/7\nno url\n", "links.txt", "--json", on: desktop)
    #expect(result.errorOutput.contains("links.txt:1: URL, byte 14: `%` needs two"), "\(result)")
    #expect(result.errorOutput.contains("links.txt:3: "))
    let object = try JSONObject(result.output)
    #expect(object.objects("invalid").count == 2 && object.objects("unmatched").isEmpty, "\(result.output)")
    #expect(object.objects("routes").first?["route"] == "note")
    #expect(result.output.contains(#""percentage":33"#) && result.output.contains(#""urls":1"#))
  }

  @Test func `URLs come from standard input, too; what cannot be read is 66`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    _ = try await coverage("notes://new\n", "links.txt", on: desktop)
    let piped = try await Command.run(
      "sh", ["-c", "printf 'notes://new\\nx:y' | \(BuiltProducts.usher) routes coverage notes.toml -"],
      environment: desktop.environment, directory: desktop.home)
    #expect(piped.status == 1 && piped.lines.last == "standard input:2: no route: x:y", "\(piped)")
    for words in [["none.txt"], ["none.toml", "links.txt"]] {
      let result = try await Command.run(
        BuiltProducts.usher, ["routes", "coverage", "notes.toml"] + words, environment: desktop.environment,
        directory: desktop.home)
      #expect(result.status == 66, "\(result)")
    }
    #expect(try await desktop.usher("routes", "coverage").status == 64)
  }
}
