import Foundation
import TestSupport
import Testing

@Suite struct `Where other openers lead` {
  /// A desktop with three players for `play:` that are only associated, the second of them first.
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
    Dictionary(object.objects("elsewhere").map { ($0["tool"] ?? "", $0) }) { first, _ in first }
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

  @Test func `What a route decides is told apart from what the lists say`() async throws {
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

  @Test func `A tool that hangs or is missing is left out, and that is said`() async throws {
    let desktop = try desktop()
    try desktop.installScript("ktraderclient5", "#!/bin/sh\nexec sleep 600\n")
    let result = try await desktop.usher("explain", "play:1", extra: ["PATH": desktop.bin + ":/bin:/usr/bin"])
    #expect(result.lines.contains { $0.contains("no answer in time from ktraderclient5") }, "\(result)")
    #expect(result.status == 0)
    try await desktop.waitUntilNoProcess()
    let alone = try await desktop.usher("explain", "play:1", extra: ["PATH": desktop.home])
    #expect(alone.output.contains("not asked: gio mime, xdg-mime query default, ktraderclient5"), "\(alone)")
    #expect(try await !desktop.usher("explain", "--alone", "play:1").output.contains("elsewhere"))
  }
}
