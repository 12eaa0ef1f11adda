// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Openers that choose a browser without `mimeapps.list`: Debian's real `sensible-browser`, and `exo-open` by its files.
@Suite struct `Openers that bypass Usher` {
  private func makeDesktop() async throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    try desktop.installScript("browser", "#!/bin/sh\nprintf '%s\\n' \"$*\" >>\"$HOME/opened\"\n")
    try desktop.installDesktopEntry(
      "org.example.Browser", exec: "browser %u", schemes: ["http", "https"], in: .system)
    // It precedes the alternative of this machine.
    try desktop.installScript("x-www-browser", "#!/bin/sh\nexec usher open \"$@\"\n")
    return desktop
  }

  private func findings(_ desktop: ThrowAwayDesktop, extra: [String: String] = [:]) async throws
    -> [JSONObject]
  {
    try await desktop.usherJSON("doctor", extra: extra).object.objects("findings").filter {
      $0["check"] == "opener"
    }
  }

  @Test func `are no problem unless Usher opens web links`() async throws {
    let desktop = try await makeDesktop()
    #expect(try await findings(desktop, extra: ["BROWSER": "browser"]).isEmpty)
    try await desktop.usher("register", "org.example.Browser", "--web").orThrow()
    #expect(try await findings(desktop, extra: ["BROWSER": "no-such-browser"]).isEmpty)
  }

  @Test func `are named: sensible-browser, by its variable`() async throws {
    let desktop = try await makeDesktop()
    try await desktop.usher("register", "org.example.Browser", "--web").orThrow()
    try desktop.installScript("sensible-browser", "#!/bin/sh\nexec /usr/bin/sensible-browser \"$@\"\n")
    let found = try await findings(desktop, extra: ["BROWSER": "browser"])
    #expect(found.map { $0["command"] } == ["unset BROWSER"], "\(found)")
    #expect(found.first?["message"]?.contains("sensible-browser opens web links with browser") == true)
    // A program that passes links to Usher is no problem.
    try desktop.installScript("through-usher", "#!/bin/sh\nexec usher open \"$@\"\n")
    #expect(try await findings(desktop, extra: ["BROWSER": "through-usher"]).isEmpty)
  }

  @Test func `are named and fixed: sensible-browser, by the alternative`() async throws {
    let desktop = try await makeDesktop()
    try await desktop.usher("register", "org.example.Browser", "--web").orThrow()
    try desktop.installScript("sensible-browser", "#!/bin/sh\n")
    try desktop.installScript("x-www-browser", "#!/bin/sh\nexec browser \"$@\"\n")
    let found = try await findings(desktop)
    #expect(found.first?["message"]?.contains("by the alternative x-www-browser") == true, "\(found)")
    let command = try #require(found.first?["command"])
    // The command as it is, with another directory and without root. The user has chosen a browser, so that only --set changes the choice.
    try desktop.installScript("sudo", "#!/bin/sh\nexec \"$@\"\n")
    try desktop.installScript(
      "update-alternatives",
      "#!/bin/sh\n[ \"$1\" != --set ] || cp \"$3\" \"\(desktop.bin)/x-www-browser\"\n")
    try await Command.run(
      "sh", ["-c", command.replacing("/usr/local/bin/", with: desktop.bin + "/")],
      environment: desktop.environment
    ).orThrow()
    #expect(try await findings(desktop).isEmpty)
  }

  @Test func `are named and repaired: exo-open, by its helper`() async throws {
    let desktop = try await makeDesktop()
    try await desktop.usher("register", "org.example.Browser", "--web").orThrow()
    try desktop.installScript("exo-open", "#!/bin/sh\n")
    #expect(try await findings(desktop).isEmpty)
    try desktop.write(
      "# Debian\nTerminalEmulator=xterm\nWebBrowser=debian-sensible-browser\n", to: "etc/xfce4/helpers.rc")
    try desktop.write(
      "[Desktop Entry]\nType=X-XFCE-Helper\nX-XFCE-Category=WebBrowser\nX-XFCE-Binaries=browser;\n"
        + "X-XFCE-CommandsWithParameter=%B \"%s\";\n",
      to: "share/xfce4/helpers/debian-sensible-browser.desktop")
    let found = try await findings(desktop)
    #expect(
      found.count == 1 && found[0].integer("line") == 3 && found[0].boolean("fixable") == true, "\(found)")
    #expect(
      found.first?["message"]?.contains("the helper debian-sensible-browser (browser \"%s\")") == true,
      "\(found)")
    try desktop.write("TerminalEmulator=xterm\n", to: "home/.config/xfce4/helpers.rc")
    let (fixed, _) = try await desktop.usherJSON("doctor", "--fix")
    #expect(fixed.objects("repairs").map { $0.boolean("fixed") } == [true], "\(fixed)")
    #expect(try await findings(desktop).isEmpty)
    let list = try String(contentsOfFile: "\(desktop.configHome)/xfce4/helpers.rc", encoding: .utf8)
    #expect(list == "TerminalEmulator=xterm\nWebBrowser=usher\n")
  }
}
