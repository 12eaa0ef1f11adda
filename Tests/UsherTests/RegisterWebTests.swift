// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `usher register --web` {
  /// Creates a desktop with a browser that is installed for all users, without being a written default.
  private func makeDesktop() async throws -> (desktop: ThrowAwayDesktop, browser: Recorder) {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    let browser = try Recorder("browser", in: desktop)
    try desktop.installDesktopEntry(
      "browser", exec: "\(browser.execWord) %U", schemes: ["http", "https"], in: .system)
    try await desktop.updateDesktopDatabase()
    return (desktop, browser)
  }

  private func list(_ desktop: ThrowAwayDesktop) -> String? {
    FileManager.default.contents(atPath: "\(desktop.configHome)/mimeapps.list")
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [nil, "GNOME"])
  func `Routes see web links, and the browser gets the rest`(currentDesktop: String?) async throws {
    let (desktop, browser) = try await makeDesktop()
    let extra = currentDesktop.map { ["XDG_CURRENT_DESKTOP": $0] } ?? [:]
    let result = try await desktop.usher("register", "--web", extra: extra)
    #expect(result.succeeded && result.errorOutput.isEmpty, "\(result)")
    #expect(
      result.lines
        == ["http", "https"].flatMap {
          [
            "\($0): links are now opened by browser",
            "  usher: org.usher.Handler.desktop, which opens it with browser.desktop",
            "  gio mime: org.usher.Handler.desktop", "  xdg-mime query default: org.usher.Handler.desktop",
          ]
        })
    let tickets = try Recorder("tickets", in: desktop)
    try desktop.installDesktopEntry("tickets", exec: "\(tickets.execWord) %u")
    try desktop.installRoutes(
      "tickets",
      "format = 1\nowner = \"user\"\n[route.t]\nmatch = \"https://tickets.example/{rest...}\"\nopen = \"tickets\"\n"
    )
    for opener in [["gio", "open"], ["xdg-open"]] {
      let environment = desktop.environment.merging(extra) { $1 }
      for (url, recorder) in [
        ("https://tickets.example/7?a=%20#b", tickets), ("http://tickets.example/7", browser),
        ("https://example.org/%zz?q='x'", browser),
      ] {
        try await Command.run(opener[0], opener.dropFirst() + [url], environment: environment).orThrow()
        #expect(try await recorder.nextStart().arguments == [url], "\(opener)")
      }
    }
    let back = try await desktop.usher("unregister", "--web", extra: extra)
    #expect(
      back.lines == ["http: links are now opened by browser", "https: links are now opened by browser"],
      "\(back)")
    #expect(list(desktop) == nil)
    let entries = try FileManager.default.contentsOfDirectory(atPath: "\(desktop.dataHome)/applications")
    #expect(entries.sorted() == ["mimeinfo.cache", "tickets.desktop"])
  }

  @Test func `The browser can be selected, and unregistering restores the previous state`() async throws {
    let (desktop, _) = try await makeDesktop()
    try desktop.installDesktopEntry("other", exec: "/bin/true %u", schemes: ["http"], in: .system)
    try desktop.setDefaults(["http": ["other"], "https": ["browser"]])
    let before = list(desktop)
    let two = try await desktop.usher("register", "--web")
    #expect(two.status == 1 && two.errorOutput.contains("other opens http links"), "\(two)")
    #expect(
      two.errorOutput.contains("usher register other --web, or: usher register browser --web")
        && list(desktop) == before)
    let (object, result) = try await desktop.usherJSON("register", ["other", "--web"])
    #expect(result.succeeded, "\(result)")
    #expect(object.objects("schemes").map { $0["scheme"] } == ["http", "https"])
    #expect(object.objects("schemes").map { $0["previous"] } == [nil, "browser"])
    // A repetition leaves the lines unchanged.
    let once = list(desktop)
    try await desktop.usher("register", "--web").orThrow()
    #expect(list(desktop) == once)
    try await desktop.usher("unregister", "other").orThrow()
    #expect(list(desktop) == before)
    let applications = try FileManager.default.contentsOfDirectory(atPath: "\(desktop.dataHome)/applications")
    #expect(applications.isEmpty)
  }

  @Test func `Without a browser, or with another application, nothing is written`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    let none = try await desktop.usher("register", "--web")
    #expect(none.status == 1 && none.errorOutput.contains("usher register ID --web"), "\(none)")
    try desktop.installDesktopEntry("notes", exec: "/bin/true %u")
    let refused = try await desktop.usher("register", "notes", "--scheme", "https")
    #expect(refused.status == 1 && refused.errorOutput.contains("usher register --web"), "\(refused)")
    let mail = try await desktop.usher("register", "notes", "--scheme", "mailto")
    #expect(mail.status == 1 && !mail.errorOutput.contains("--web"), "\(mail)")
    for arguments in [
      ["notes", "--web", "--scheme", "n"], ["--web", "--direct"], ["--scheme", "n"], ["notes"],
    ] {
      let result = try await Command.run(
        BuiltProducts.usher, ["register"] + arguments, environment: desktop.environment)
      #expect(result.status == 64, "\(result)")
    }
    #expect(list(desktop) == nil)
  }

  @Test func `A browser that replaced half of the registration is named, and the command fixes it`()
    async throws
  {
    let (desktop, _) = try await makeDesktop()
    try await desktop.usher("register", "--web").orThrow()
    let whole = try #require(list(desktop))
    try await Command.run(
      "xdg-mime", ["default", "browser.desktop", "x-scheme-handler/http"], environment: desktop.environment
    ).orThrow()
    let doctor = try await desktop.usher("doctor")
    let reported = "Usher is the default for https links but not for http links"
    let line = try #require(doctor.lines.first { $0.contains(reported) }, "\(doctor)")
    let command = try #require(line.components(separatedBy: "; to fix it: ").last)
    try await Command.run("/bin/sh", ["-c", command], environment: desktop.environment).orThrow()
    #expect(try await !desktop.usher("doctor").output.contains(reported))
    try await desktop.usher("unregister", "--web").orThrow()
    #expect(whole.contains("org.usher.Handler") && list(desktop)?.contains("org.usher.Handler") != true)
  }
}
