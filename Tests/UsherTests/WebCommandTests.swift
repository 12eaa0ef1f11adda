// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `usher web` {
  /// Creates a desktop with a browser that is installed for all users, without being a written default.
  private func makeDesktop(
    currentDesktop: String? = nil
  ) async throws -> (desktop: ThrowAwayDesktop, browser: Recorder) {
    let desktop = try ThrowAwayDesktop(currentDesktop: currentDesktop, hasBus: false)
    try desktop.installUsher()
    let browser = try Recorder("firefox", in: desktop)
    try desktop.installDesktopEntry(
      "firefox", exec: "\(browser.execWord) %u", schemes: ["http", "https"], in: .system)
    // It precedes the alternative of this machine.
    try desktop.installScript("x-www-browser", "#!/bin/sh\nexec usher open \"$@\"\n")
    try await desktop.updateDesktopDatabase()
    return (desktop, browser)
  }

  private func opener(_ object: JSONObject, _ name: String) throws -> JSONObject {
    try #require(object.objects("openers").first { $0["name"] == name }, "\(object)")
  }

  @Test(arguments: [nil, "GNOME"])
  func `enable applies routes to web links, status shows it, and disable restores the state`(
    currentDesktop: String?
  ) async throws {
    let (desktop, browser) = try await makeDesktop(currentDesktop: currentDesktop)
    func files() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: desktop.configHome).sorted()
        + FileManager.default.subpathsOfDirectory(atPath: "\(desktop.dataHome)/applications").sorted()
    }
    let before = try files()
    let (off, offResult) = try await desktop.usherJSON("web", "status")
    #expect(offResult.status == 1 && off.boolean("enabled") == false, "\(offResult)")
    #expect(try opener(off, "gio mime")["state"] == "other")

    let enabled = try await desktop.usher("web", "enable")
    #expect(enabled.succeeded && enabled.errorOutput.isEmpty, "\(enabled)")
    #expect(
      enabled.lines.first
        == "enabled: routes decide about web links, and firefox opens those that no route matches")
    let (on, onResult) = try await desktop.usherJSON("web", "status")
    #expect(onResult.succeeded && on.boolean("enabled") == true, "\(onResult)")
    for name in ["gio mime", "xdg-mime query default", "desktop portal"] {
      #expect(try opener(on, name)["state"] == "usher")
    }
    #expect(on.objects("schemes").map { $0["application"] } == ["firefox", "firefox"])

    let tickets = try Recorder("tickets", in: desktop)
    try desktop.installDesktopEntry("tickets", exec: "\(tickets.execWord) %u")
    try desktop.installRoutes(
      "tickets",
      "format = 1\nowner = \"user\"\n[route.t]\nmatch = \"https://tickets.example/{rest...}\"\nopen = \"tickets\"\n"
    )
    for opener in [["gio", "open"], ["xdg-open"]] {
      for (url, recorder) in [("https://tickets.example/7", tickets), ("https://example.org/a", browser)] {
        try await Command.run(opener[0], opener.dropFirst() + [url], environment: desktop.environment)
          .orThrow()
        #expect(try await recorder.nextStart().arguments == [url], "\(opener)")
      }
    }
    try FileManager.default.removeItem(atPath: "\(desktop.configHome)/usher")
    try FileManager.default.removeItem(atPath: "\(desktop.dataHome)/applications/tickets.desktop")

    let (disabled, disabledResult) = try await desktop.usherJSON("web", "disable")
    #expect(disabledResult.succeeded && disabled["browser"] == "firefox", "\(disabledResult)")
    #expect(disabled.objects("schemes").map { $0["application"] } == ["firefox", "firefox"])
    #expect(try files().filter { !$0.hasPrefix("mimeinfo") } == before.filter { !$0.hasPrefix("mimeinfo") })
    let again = try await desktop.usher("web", "disable")
    #expect(
      again.succeeded && again.errorOutput == "usher: web links were not opened through Usher\n", "\(again)")
  }

  @Test func `enable takes a browser, and refuses to guess between two`() async throws {
    let (desktop, _) = try await makeDesktop()
    try desktop.installDesktopEntry("other", exec: "/bin/true %u", schemes: ["http"], in: .system)
    try desktop.setDefaults(["http": ["other"], "https": ["firefox"]])
    let two = try await desktop.usher("web", "enable")
    #expect(two.status == 1 && two.errorOutput.contains("other opens http links"), "\(two)")
    let one = try await desktop.usher("web", "enable", "other")
    #expect(one.succeeded && one.lines.first?.contains("and other opens") == true, "\(one)")
    let none = try ThrowAwayDesktop(hasBus: false)
    try none.installUsher()
    let failed = try await none.usher("web", "enable")
    #expect(
      failed.status == 1 && failed.errorOutput.contains("no application opens http and https"), "\(failed)")
  }

  @Test func `status names each opener that bypasses Usher, and the command`() async throws {
    let (desktop, _) = try await makeDesktop(currentDesktop: "GNOME")
    try await desktop.usher("web", "enable").orThrow()
    try desktop.installScript("sensible-browser", "#!/bin/sh\n")
    try desktop.installMimeApps(
      "[Default Applications]\nx-scheme-handler/https=firefox.desktop\n", desktop: "xfce")
    let (object, result) = try await desktop.usherJSON("web", "status", extra: ["BROWSER": "firefox"])
    #expect(result.status == 1 && object.boolean("enabled") == true, "\(result)")
    let sensible = try opener(object, "sensible-browser")
    #expect(sensible["state"] == "other" && sensible["command"] == "unset BROWSER")
    #expect(try opener(object, "variable BROWSER")["state"] == "other")
    let xfce = try opener(object, "desktop xfce")
    let list = "\(desktop.configHome)/xfce-mimeapps.list"
    #expect(xfce["state"] == "other" && xfce["command"] == "editor +2 \(list)", "\(xfce)")
    #expect(xfce["answer"] == "firefox opens https links (\(list):2)")
    #expect(try opener(object, "desktop gnome")["state"] == "usher")
    #expect(try opener(object, "desktops without a list of their own")["state"] == "usher")
    // A program that passes links to Usher is no bypass.
    try desktop.installScript("through-usher", "#!/bin/sh\nexec usher open \"$@\"\n")
    let (through, _) = try await desktop.usherJSON("web", "status", extra: ["BROWSER": "through-usher"])
    #expect(try opener(through, "variable BROWSER")["state"] == "usher")
    #expect(try opener(through, "sensible-browser")["state"] == "usher")
  }

  @Test func `enable makes Usher Xfce's helper, and disable restores the former one`() async throws {
    for former in [nil, "TerminalEmulator=xterm\n", "WebBrowser=custom\nTerminalEmulator=xterm\n"] {
      let (desktop, _) = try await makeDesktop()
      try desktop.installScript("exo-open", "#!/bin/sh\n")
      try desktop.write("WebBrowser=debian-sensible-browser\n", to: "etc/xfce4/helpers.rc")
      if let former { try desktop.write(former, to: "home/.config/xfce4/helpers.rc") }
      let path = "\(desktop.configHome)/xfce4/helpers.rc"
      func list() -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
      }
      for _ in 0..<2 { try await desktop.usher("web", "enable").orThrow() }
      #expect(list()?.contains("WebBrowser=usher\n") == true)
      let (on, _) = try await desktop.usherJSON("web", "status")
      #expect(try opener(on, "exo-open")["state"] == "usher")
      let (off, _) = try await desktop.usherJSON("web", "disable")
      #expect(off.boolean("helper-restored") == true)
      let sorted = list().map { $0.split(separator: "\n").sorted() }
      #expect(sorted == former.map { $0.split(separator: "\n").sorted() })
      #expect(!FileManager.default.fileExists(atPath: "\(desktop.dataHome)/xfce4/helpers/usher.desktop"))
    }
  }

  /// The browser was restored, and the command said that it had changed nothing.
  @Test func `disable changes nothing if Xfce's helper cannot be restored`() async throws {
    let (desktop, _) = try await makeDesktop()
    try desktop.installScript("exo-open", "#!/bin/sh\n")
    let path = try desktop.write("WebBrowser=custom\n", to: "home/.config/xfce4/helpers.rc")
    try await desktop.usher("web", "enable").orThrow()
    let list = "\(desktop.configHome)/mimeapps.list"
    let before = try #require(FileManager.default.contents(atPath: list))
    try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let (refused, result) = try await desktop.usherJSON("web", "disable")
    #expect(result.status == 1 && refused["error"] == "refused", "\(result)")
    #expect(refused["message"]?.contains(path) == true, "\(result)")
    #expect(FileManager.default.contents(atPath: list) == before)

    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: path + ".moved", toPath: path)
    let (off, _) = try await desktop.usherJSON("web", "disable")
    #expect(off["browser"] == "firefox" && off.boolean("helper-restored") == true, "\(off)")
    #expect(FileManager.default.contents(atPath: path) == Data("WebBrowser=custom\n".utf8))
  }

  @Test func `enable and disable keep lines of Xfce's list in other encodings`() async throws {
    let (desktop, _) = try await makeDesktop()
    try desktop.installScript("exo-open", "#!/bin/sh\n")
    let path = try desktop.write("", to: "home/.config/xfce4/helpers.rc")
    // “# für xterm” in Latin-1.
    let own = Array("# f".utf8) + [0xFC] + Array("r xterm\n".utf8)
    try Data(own + Array("WebBrowser=custom\n".utf8)).write(to: URL(filePath: path))
    try await desktop.usher("web", "enable").orThrow()
    #expect(FileManager.default.contents(atPath: path) == Data(own + Array("WebBrowser=usher\n".utf8)))
    try await desktop.usher("web", "disable").orThrow()
    #expect(FileManager.default.contents(atPath: path) == Data(own + Array("WebBrowser=custom\n".utf8)))
  }

  @Test func `disable leaves a helper that the user has chosen meanwhile`() async throws {
    let (desktop, _) = try await makeDesktop()
    try desktop.installScript("exo-open", "#!/bin/sh\n")
    try desktop.write("WebBrowser=debian-sensible-browser\n", to: "etc/xfce4/helpers.rc")
    try await desktop.usher("web", "enable").orThrow()
    try desktop.write("WebBrowser=mine\n", to: "home/.config/xfce4/helpers.rc")
    let (off, _) = try await desktop.usherJSON("web", "disable")
    #expect(off.boolean("helper-restored") == false)
    let list = try String(contentsOfFile: "\(desktop.configHome)/xfce4/helpers.rc", encoding: .utf8)
    #expect(list == "WebBrowser=mine\n")
  }

  @Test func `browsers lists profiles with their IDs, and the error of one browser`() async throws {
    let (desktop, _) = try await makeDesktop()
    try desktop.installScript("chromium", "#!/bin/sh\n")
    try desktop.installDesktopEntry(
      "chromium", exec: "chromium %U", schemes: ["http", "https"], lines: ["Name[de]=Chromium Browser"],
      in: .system)
    try desktop.write(
      "[Profile0]\nName=Work\nPath=a.w\n[Profile1]\nName=Ada’s home\nPath=b.h\n[Install1]\nDefault=b.h\n",
      to: "home/.config/mozilla/firefox/profiles.ini")
    try desktop.write(
      #"{"profile":{"info_cache":{"Profile 1":{"name":"Private\u001b[31m"}},"last_used":"Profile 1"}}"#,
      to: "home/.config/chromium/Local State")
    try desktop.setDefaults(["http": ["firefox"], "https": ["firefox"]])
    let result = try await desktop.usher("web", "browsers")
    #expect(
      result.lines == [
        "firefox  firefox (firefox, default)", "  firefox@Work                  Work",
        "  firefox@Ada%E2%80%99s%20home  Ada’s home  (default)", "chromium  chromium (chromium)",
        "  chromium@Profile%201  Private\u{FFFD}[31m  (default)",
      ], "\(result)")
    let (object, _) = try await desktop.usherJSON("web", "browsers")
    let firefox = try #require(object.objects("browsers").first)
    #expect(firefox.objects("profiles").map { $0["id"] } == ["firefox@Work", "firefox@Ada%E2%80%99s%20home"])
    #expect(firefox.boolean("default") == true && firefox["packaging"] == "plain")
    // Enabling Usher changes neither the order nor the default.
    try await desktop.usher("web", "enable").orThrow()
    #expect(try await desktop.usher("web", "browsers").lines == result.lines)

    try desktop.write("no JSON", to: "home/.config/chromium/Local State")
    let broken = try await desktop.usher("web", "browsers")
    #expect(
      broken.status == 1 && broken.lines.contains("  firefox@Work                  Work")
        && broken.errorOutput.hasPrefix(
          "usher: chromium: \(desktop.configHome)/chromium/Local State: it is not valid JSON"),
      "\(broken)")
    let bare = try await ThrowAwayDesktop(hasBus: false).usher("web", "browsers")
    #expect(bare.status == 1 && bare.errorOutput.contains("no browser is installed"), "\(bare)")
  }

  @Test func `try shows what opens a link, and why, and opens nothing`() async throws {
    let (desktop, _) = try await makeDesktop()
    try desktop.installDesktopEntry("tickets", exec: "/bin/true %u", lines: ["Name[de]=Fahrkarten"])
    try desktop.installRoutes(
      "tickets",
      """
      format = 1
      owner = "user"
      [route.clean]
      match = "https://{host...}/{path...}"
      rewrite = { drop = ["utm_*"] }
      [route.tickets]
      match = "https://tickets.example/{rest...}"
      open = "tickets"
      [route.no]
      match = "https://no.example/{rest...}"
      deny = "not today"
      """)
    let open = try await desktop.usher("web", "try", "https://tickets.example/7")
    #expect(open.succeeded && open.lines.contains("  opens in: tickets"), "\(open)")
    #expect(
      open.errorOutput.contains("Usher is not enabled for web links")
        && open.errorOutput.contains("usher web enable"))
    try await desktop.usher("web", "enable").orThrow()
    let (clean, cleanResult) = try await desktop.usherJSON(
      "web", "try", "https://example.org/a?utm_source=x&b=1")
    #expect(cleanResult.succeeded && clean["application"] == "firefox", "\(cleanResult)")
    #expect(clean.texts("steps").contains { $0.contains("clean") }, "\(clean)")
    #expect(clean.object("target")?["title"] == "firefox" && clean.boolean("enabled") == true)
    #expect(clean["opened-url"] == "https://example.org/a?b=1")
    let text = try await desktop.usher("web", "try", "https://example.org/a?utm_source=x&b=1")
    #expect(text.lines.contains("  opened as: https://example.org/a?b=1"), "\(text)")
    #expect(!open.output.contains("opened as"))
    let denied = try await desktop.usher("web", "try", "https://no.example/")
    #expect(denied.status == 3 && denied.errorOutput.isEmpty, "\(denied)")
    for other in ["notes:1", "example.org", "/etc/hosts", "http"] {
      let result = try await desktop.usher("web", "try", other)
      #expect(result.status == 65 && result.errorOutput.contains("is not a web link"), "\(result)")
    }
  }
}
