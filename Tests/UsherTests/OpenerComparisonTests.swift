// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `Results of other openers` {
  /// Creates a desktop with three players for `play:` that are only associated, the second of them first.
  private func desktop() throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installScript("viewer", "#!/bin/sh\n")
    for name in ["one", "two"] { try desktop.installDesktopEntry(name, exec: "viewer %u") }
    try desktop.write(
      "[Added Associations]\nx-scheme-handler/play=two.desktop;one.desktop;\n",
      to: "home/.config/mimeapps.list")
    return desktop
  }

  private func findings(_ object: JSONObject) -> [String: JSONObject] {
    Dictionary(object.objects("other-openers").map { ($0["tool"] ?? "", $0) }) { first, _ in first }
  }

  @Test func `The real tools are asked, and who differs is named with the reason`() async throws {
    let desktop = try desktop()
    let result = try await desktop.usher("explain", "play:1")
    #expect(result.status == 0, "\(result)")
    let line = try #require(result.lines.first { $0.contains("elsewhere: xdg-mime query default: nothing") })
    #expect(line.contains("[Added Associations]"))
    #expect(result.lines.contains { $0.contains("elsewhere: portal: asks which (two.desktop one.desktop)") })
    #expect(!result.output.contains("elsewhere: gio mime"))
    let (object, _) = try await desktop.usherJSON("explain", "play:1")
    let found = findings(object)
    #expect(found["gio mime"]?["state"] == "same" && found["gio mime"]?["answer"] == "two.desktop")
    #expect(found["xdg-mime query default"]?["state"] == "differs")
    #expect(found["portal"]?["state"] == "asks")
  }

  @Test func `Decisions by a route are distinguished from those by the association files`() async throws {
    let desktop = try desktop()
    try desktop.installRoutes(
      "one", "format = 1\nowner = \"user\"\n[route.one]\nmatch = \"play:1\"\nopen = \"one\"\n")
    let (object, _) = try await desktop.usherJSON("explain", "play:1")
    #expect(object["application"] == "one")
    #expect(findings(object)["gio mime"]?["state"] == "differs")
  }

  @Test func `A scheme in capitals is lost by xdg-mime`() async throws {
    let desktop = try desktop()
    try desktop.setDefaults(["play": ["one"]])
    let (object, _) = try await desktop.usherJSON("explain", "PLAY:1")
    #expect(findings(object)["gio mime"]?["state"] == "same")
    #expect(findings(object)["xdg-mime query default"]?["state"] == "differs")
  }

  @Test func `KDE is asked where it is installed`() async throws {
    let desktop = try desktop()
    try desktop.installScript(
      "ktraderclient5",
      "#!/bin/sh\necho 'got 1 offers.'\necho '---- Offer 0 ----'\n"
        + "echo \"DesktopEntryPath : '/usr/share/applications/org.kde.$4.desktop'\"\n")
    try desktop.installScript("kmimetypefinder5", "#!/bin/sh\necho text/x-other\n")
    let (object, _) = try await desktop.usherJSON("explain", "play:1")
    let answer = findings(object)["ktraderclient5"]
    #expect(answer?["state"] == "differs" && answer?["answer"] == "play.desktop")
    try desktop.write("words", to: "home/a.txt")
    let (file, _) = try await desktop.usherJSON("explain", "a.txt")
    #expect(findings(file)["kmimetypefinder5"]?["answer"] == "text/x-other")
    #expect(findings(file)["kmimetypefinder5"]?["state"] == "differs")
  }

  /// Plasma 6 has its tools under names without a version.
  @Test func `KDE's tool for types is asked under the name that is installed`() async throws {
    let desktop = try desktop()
    try desktop.installScript("kmimetypefinder", "#!/bin/sh\necho text/x-other\n")
    try desktop.write("words", to: "home/a.txt")
    let alone = ["PATH": desktop.bin]
    let (file, _) = try await desktop.usherJSON("explain", "a.txt", extra: alone)
    #expect(findings(file)["kmimetypefinder"]?["answer"] == "text/x-other", "\(file)")
    #expect(findings(file)["kmimetypefinder"]?["state"] == "differs", "\(file)")
    try desktop.installScript("kmimetypefinder5", "#!/bin/sh\necho text/x-versioned\n")
    let (both, _) = try await desktop.usherJSON("explain", "a.txt", extra: alone)
    #expect(findings(both)["kmimetypefinder5"]?["answer"] == "text/x-versioned", "\(both)")
    #expect(findings(both)["kmimetypefinder"] == nil, "\(both)")
  }

  @Test(
    .enabled(
      if: ["ktraderclient5", "kmimetypefinder5"].allSatisfy { access("/usr/bin/" + $0, X_OK) == 0 },
      "KDE's tools are not installed: scripts/bootstrap kde"))
  func `KDE's real tools are understood`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    // The files of every KDE installation: the menu for its cache of entries, the service types and the MIME types.
    for (directory, place) in [
      ("etc/menus", "/etc/xdg/menus"), ("share/kservicetypes5", "/usr/share/kservicetypes5"),
      ("share/mime", "/usr/share/mime"),
    ] {
      try FileManager.default.createDirectory(
        atPath: "\(desktop.root)/etc", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: "\(desktop.root)/\(directory)", withDestinationPath: place)
    }
    try desktop.installScript("viewer", "#!/bin/sh\n")
    try desktop.installDesktopEntry("kde/one", exec: "viewer %u", schemes: ["play"], in: .system)
    try desktop.installDesktopEntry(
      "o'two", exec: "viewer %u", schemes: ["play"], lines: ["Comment=DesktopEntryPath : 'x.desktop'"])
    try await desktop.updateDesktopDatabase()
    try desktop.installUsher()

    // The name of the directory is part of the ID.
    try desktop.setDefaults(["play": ["kde-one"]])
    #expect(try await kde("play:1", desktop) == ["same", "kde-one.desktop"])
    // KDE accepts Usher's own entry, although no menu shows it.
    try desktop.setDefaults(["play": ["org.usher.Handler", "kde-one"]])
    #expect(try await kde("play:1", desktop) == ["same", "org.usher.Handler.desktop"])
    try desktop.setDefaults(["play": ["o'two"]])
    #expect(try await kde("PLAY:1", desktop) == ["same", "o'two.desktop"])
    #expect(try await kde("none:1", desktop) == ["same", nil])
    // KDE ignores a scheme that only a desktop-specific list contains.
    try desktop.installMimeApps(
      "[Default Applications]\nx-scheme-handler/play=kde-one.desktop;\n", desktop: "x")
    let (other, _) = try await desktop.usherJSON("explain", "play:1", extra: ["XDG_CURRENT_DESKTOP": "X"])
    #expect(other["application"] == "kde-one", "\(other)")

    try desktop.write("words", to: "home/a.txt")
    let (file, _) = try await desktop.usherJSON("explain", "a.txt")
    #expect(findings(file)["kmimetypefinder5"]?["state"] == "same", "\(file)")
    #expect(findings(file)["kmimetypefinder5"]?["answer"] == "text/plain")
    // KDE decides by the file's name, and GIO by its content.
    try desktop.write("", to: "home/empty.html")
    let (empty, _) = try await desktop.usherJSON("explain", "empty.html")
    #expect(findings(empty)["kmimetypefinder5"]?["answer"] == "text/html", "\(empty)")
    #expect(findings(empty)["kmimetypefinder5"]?["state"] == "differs")
  }

  /// Returns the state of KDE's answer, and the answer.
  private func kde(_ url: String, _ desktop: ThrowAwayDesktop) async throws -> [String?] {
    // Without the cache, the query sees the state of a newly started KDE program.
    try? FileManager.default.removeItem(atPath: desktop.cacheHome)
    let (object, _) = try await desktop.usherJSON("explain", url)
    let found = findings(object)["ktraderclient5"]
    return [found?["state"], found?["answer"]]
  }

  @Test func `The other openers are asked while the broker is`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, _ in
      try desktop.installUsher()
      // Each tool waits for the other, so that the first answers only when the second is running.
      #expect(mkfifo("\(desktop.home)/asked", 0o600) == 0)
      try desktop.installScript("gio", "#!/bin/sh\necho >\(desktop.home)/asked\n")
      try desktop.installScript(
        "late", "#!/bin/sh\nread line <\(desktop.home)/asked\nexec \(desktop.bin)/usherd\n")
      try desktop.write(
        "[D-BUS Service]\nName=org.usher.Broker1\nExec=\(desktop.bin)/late\n",
        to: "share/dbus-1/services/org.usher.Broker1.service")
      let (object, result) = try await desktop.usherJSON("explain", "play:1")
      #expect(object["decided-by"] == "broker", "\(result)")
      #expect(findings(object)["gio mime"]?["state"] == "same", "\(result)")
    }
  }

  @Test func `A tool that fails is not one that is late or names no application`() async throws {
    let desktop = try desktop()
    try desktop.installScript("gio", "#!/nowhere/sh\n")
    try desktop.installScript("xdg-mime", "#!/bin/sh\nkill -9 $$\n")
    let environment = ["PATH": desktop.bin + ":/bin:/usr/bin"]
    let result = try await desktop.usher("explain", "play:1", extra: environment)
    let command = "to see why, run: gio mime x-scheme-handler/play"
    #expect(result.output.contains("no answer from gio mime: it cannot be executed; \(command)"), "\(result)")
    #expect(
      result.output.contains(
        "no answer from xdg-mime query default: it was ended by signal 9 (Killed); to see why, run: "),
      "\(result)")
    let (object, printed) = try await desktop.usherJSON("explain", "play:1", extra: environment)
    #expect(findings(object)["gio mime"]?["state"] == "failed", "\(printed)")
    #expect(try await JSONSchema("usher-explain").diagnostics(about: printed.lines) == [])
  }

  @Test func `A tool that hangs or is missing is omitted, and the output says so`() async throws {
    let desktop = try desktop()
    try desktop.installScript("ktraderclient5", "#!/bin/sh\nsleep infinity\nsleep infinity\n")
    // The tool exits at once, but its child keeps the output open.
    try desktop.installScript("xdg-mime", "#!/bin/sh\nsleep infinity &\n")
    let result = try await desktop.usher(
      "explain", "play:1", extra: ["PATH": desktop.bin + ":/bin:/usr/bin", "USHER_TEST_COMPARISON": "3"])
    // On a loaded machine, the third tool may be late, too.
    let timedOut = try #require(result.lines.first { $0.contains("no reply in time from: ") }, "\(result)")
    #expect(timedOut.contains("xdg-mime query default, ktraderclient5"), "\(result)")
    #expect(result.status == 0)
    try await desktop.waitUntilNoProcess()
    let alone = try await desktop.usher("explain", "play:1", extra: ["PATH": desktop.home])
    #expect(
      alone.output.contains(
        "not compared, because not installed: gio mime, xdg-mime query default, ktraderclient5"), "\(alone)")
    #expect(
      try await !desktop.usher("explain", "--skip-comparison", "play:1").output.contains("other-openers"))
  }
}
