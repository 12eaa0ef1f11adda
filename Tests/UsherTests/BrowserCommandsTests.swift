// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import UsherCommand

/// `$BROWSER` and text browsers under the name `xdg-open`, compared with Debian's xdg-open.
@Suite struct `The browsers of xdg-open` {
  /// The environment of a caller in which Debian's xdg-open and Usher's are to do the same.
  private static func environment(
    _ desktop: ThrowAwayDesktop, display: String = "", _ extra: [String: String] = [:]
  ) -> [String: String] {
    desktop.environment.merging(["DISPLAY": display, "XDG_CURRENT_DESKTOP": "X-Generic"]) { $1 }
      .merging(extra) { $1 }
  }

  /// The two openers by their paths.
  private static func openers(_ desktop: ThrowAwayDesktop) throws -> [String] {
    ["/usr/bin/xdg-open", try desktop.link("xdg-open", to: BuiltProducts.usher)]
  }

  @Test(arguments: ["%", "% --new-tab", "false:%", ":%:", "xdg-open:%", "/no/such/program:%", "% 'a  b'"])
  func `Without a display a web link goes to $BROWSER, with any display to the application`(
    list: String
  ) async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let browser = try Recorder("browser", in: desktop, .exits(0))
    try desktop.installBrowser()
    var arguments: [[String]] = []
    for opener in try Self.openers(desktop) {
      let environment = Self.environment(
        desktop, ["BROWSER": list.replacing("%", with: browser.path)])
      try await Command.run(opener, ["https://h.example/?a b"], environment: environment).orThrow()
      arguments.append(try await browser.nextStart().arguments)
    }
    #expect(arguments[1] == arguments[0].map { $0.replacing("?a b", with: "?a%20b") })
  }

  @Test func `%s is the URL, in every argument`() {
    let url = "https://h/%s"
    #expect(BrowserCommands.arguments(["b", "--url=%s", "100%%"], url) == ["b", "--url=\(url)", "100%"])
    #expect(BrowserCommands.arguments(["b", "%s%s", "%d"], url) == ["b", url, "%d"])
    #expect(BrowserCommands.arguments(["b", "-x"], url) == ["b", "-x", url])
  }

  @Test func `Without a display and a bus, text browsers are tried and the status is 3`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let graphical = try desktop.installBrowser()
    let environment = Self.environment(desktop, ["PATH": "\(desktop.home)/none:/usr/bin:/bin"])
    let opener = try Self.openers(desktop)[1]
    // The machine may have a text browser, which then shows the page of an unreachable host.
    let hasText = BrowserCommands(environment: environment).commands.contains {
      FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0[0])")
    }
    if !hasText {
      let result = try await Command.run(opener, ["https://127.0.0.1:1/"], environment: environment)
      #expect(result.status == 3 && result.errorOutput.contains("no method available"), "\(result)")
    }
    let lynx = try Recorder("lynx", in: desktop, .exits(0))
    let path = "\(String(lynx.path.dropLast("/lynx".count))):/usr/bin:/bin"
    try await Command.run(
      opener, ["https://h.example/"], environment: Self.environment(desktop, ["PATH": path])
    ).orThrow()
    if !hasText { #expect(try await lynx.nextStart().arguments == ["https://h.example/"]) }
    _ = graphical
  }

  @Test func `A link that no browser opens is reported without its secrets`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let environment = Self.environment(desktop, ["BROWSER": "false"])
    let opener = try Self.openers(desktop)[1]
    let link = "https://ada:hunter2@h.example/?token=secret#secret"
    let result = try await Command.run(opener, [link], environment: environment)
    #expect(
      result.status == 3
        && result.errorOutput.contains("no method available for opening 'https://h.example/"),
      "\(result)")
    for secret in ["secret", "hunter2", "ada"] { #expect(!result.errorOutput.contains(secret), "\(result)") }
  }

  @Test func `A link that no application handles goes to $BROWSER`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let browser = try Recorder("browser", in: desktop, .exits(0))
    for opener in try Self.openers(desktop) {
      for display in ["", ":99"] {
        let environment = Self.environment(desktop, display: display, ["BROWSER": browser.path])
        try await Command.run(opener, ["nobody:x"], environment: environment).orThrow()
        #expect(try await browser.nextStart().arguments == ["nobody:x"])
      }
    }
  }

  @Test(arguments: ["deny = \"no\"", "open = \"gone\"", "ask = true"])
  func `A link that a rule decides never goes to $BROWSER`(action: String) async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let program = try desktop.installScript("browser", "#!/bin/sh\ntouch '\(desktop.home)/opened'\n")
    try desktop.installBrowser()
    try desktop.writeRoutes(
      "rules.toml", "[route.bad]\nmatch = \"https://bad.example/{p...?}\"\n\(action)\n")
    let opener = try Self.openers(desktop)[1]
    let environment = Self.environment(desktop, ["BROWSER": program])
    for url in ["https://bad.example/", "https:\\\\bad.example\\x", "https://ｂａｄ.example"] {
      let result = try await Command.run(opener, [url], environment: environment)
      #expect(result.status != 0, "\(result)")
    }
    #expect(!FileManager.default.fileExists(atPath: "\(desktop.home)/opened"))
    try await Command.run(opener, ["https://good.example/"], environment: environment).orThrow()
    #expect(FileManager.default.fileExists(atPath: "\(desktop.home)/opened"))
  }

  @Test func `A rewritten link goes to $BROWSER as a route writes it`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let browser = try Recorder("browser", in: desktop, .exits(0))
    try desktop.writeRoutes(
      "rules.toml",
      "[route.new]\nmatch = \"https://old.example/{p...?}\"\nrewrite = \"https://new.example/{p}\"\n")
    let opener = try Self.openers(desktop)[1]
    try await Command.run(
      opener, ["https://old.example/a"], environment: Self.environment(desktop, ["BROWSER": browser.path])
    ).orThrow()
    #expect(try await browser.nextStart().arguments == ["https://new.example/a"])
  }

  @Test func `A browser that calls the opener again is stopped at once, and the next one is tried`()
    async throws
  {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let opener = try Self.openers(desktop)[1]
    let loop = try desktop.installScript(
      "loop", "#!/bin/sh\necho round >>'\(desktop.home)/rounds'\nexec '\(opener)' \"$1\"\n")
    let browser = try Recorder("browser", in: desktop, .exits(0))
    for list in [loop, opener, "\(loop):\(browser.path)"] {
      let result = try await Command.run(
        opener, ["https://h.example/?k=s3cr3t"], environment: Self.environment(desktop, ["BROWSER": list]))
      #expect((result.status == 0) == list.contains(browser.path), "\(result)")
      #expect(
        result.errorOutput.contains(
          "'https://h.example/?…' is not opened, because a command of $BROWSER opens it with xdg-open again"),
        "\(result)")
    }
    #expect(try await browser.nextStart().arguments == ["https://h.example/?k=s3cr3t"])
    let rounds = try String(contentsOfFile: "\(desktop.home)/rounds", encoding: .utf8)
    #expect(rounds.split(separator: "\n").count == 2)
    // A browser may open another link.
    let other = try desktop.installScript(
      "other", "#!/bin/sh\n[ \"$1\" = https://b.example/ ] || exec '\(opener)' https://b.example/\n")
    try await Command.run(
      opener, ["https://a.example/"], environment: Self.environment(desktop, ["BROWSER": other])
    ).orThrow()
  }
}

extension ThrowAwayDesktop {
  /// Writes a file of the user's routes.
  fileprivate func writeRoutes(_ name: String, _ routes: String) throws {
    try write("format = 1\nowner = \"user\"\n\n\(routes)\n", to: "\(configHome)/usher/routes/\(name)")
  }

  /// Installs a graphical browser as the default of web links, which fails as it would without a display.
  @discardableResult
  fileprivate func installBrowser() throws -> String {
    let program = try installScript("graphical", "#!/bin/sh\nexit 1\n")
    try installDesktopEntry("graphical", exec: "\(program) %u", schemes: ["http", "https"])
    try setDefaults(["http": ["graphical"], "https": ["graphical"]])
    return program
  }
}
