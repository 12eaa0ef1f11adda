// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// AppImages, with a mock that behaves as one: an ELF file with the mark of type 2, which extracts its desktop entry
/// and sets `APPIMAGE`.
@Suite struct `An AppImage` {
  private func makeDesktop() throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    return desktop
  }

  private func installed(_ desktop: ThrowAwayDesktop, id: String = "org.example.Notes") -> String {
    (try? String(contentsOfFile: "\(desktop.dataHome)/applications/\(id).desktop", encoding: .utf8)) ?? ""
  }

  private func started(_ url: String, _ desktop: ThrowAwayDesktop) async throws -> String? {
    try await desktop.usher("open", "--wait", "handled", url).orThrow()
    return (try? String(contentsOfFile: "\(desktop.home)/started", encoding: .utf8))?
      .split(separator: "\n").last.map(String.init)
  }

  private func fix(_ desktop: ThrowAwayDesktop) async throws -> JSONObject {
    try await desktop.usherJSON("doctor", "--fix").object
  }

  @Test func `is registered under the ID of its own entry, for the schemes that it declares`() async throws {
    let desktop = try makeDesktop()
    let path = try desktop.installAppImage("Notes-1.0-x86_64.AppImage")
    let (object, result) = try await desktop.usherJSON("register", "Notes-1.0-x86_64.AppImage")
    #expect(result.succeeded && object["application"] == "org.example.Notes", "\(object)")
    #expect(object.objects("schemes").map { $0["scheme"] } == ["notes"])
    let entry = installed(desktop)
    #expect(entry.contains("\nExec=\(path) --no-sandbox %U\n") && entry.contains("\nTryExec=\(path)\n"))
    #expect(entry.contains("\nExec=\(path) --new\n") && !entry.contains("DBusActivatable"))
    #expect(try await started("notes:1", desktop) == "\(path) --no-sandbox notes:1")
    try await desktop.usher("unregister", "org.example.Notes").orThrow()
    #expect(installed(desktop).isEmpty)
  }

  @Test func `keeps its ID and its place when it is moved or updated and registered again`() async throws {
    let desktop = try makeDesktop()
    let first = try desktop.installAppImage("Notes-1.0.AppImage")
    try await desktop.usher("register", first).orThrow()
    // The former version may stay beside the new one.
    let second = try desktop.installAppImage("Applications/Notes-2.0.AppImage")
    let (object, _) = try await desktop.usherJSON("register", second)
    #expect(object["application"] == "org.example.Notes" && object.texts("warnings").isEmpty, "\(object)")
    #expect(try await started("notes:1", desktop)?.hasPrefix(second) == true)
    let entries = try FileManager.default.contentsOfDirectory(atPath: "\(desktop.dataHome)/applications")
    #expect(entries.filter { $0.hasPrefix("org.example") } == ["org.example.Notes.desktop"])
  }

  @Test func `that was moved is found by doctor, and its entry repaired`() async throws {
    let desktop = try makeDesktop()
    let old = try desktop.installAppImage("Downloads/Notes.AppImage")
    try await desktop.usher("register", old).orThrow()
    let new = "\(desktop.home)/Applications/MyNotes.AppImage"
    try FileManager.default.createDirectory(
      atPath: "\(desktop.home)/Applications", withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: old, toPath: new)
    // Another AppImage of the former name is not the moved one.
    try desktop.installAppImage(
      "Applications/Notes.AppImage", entry: ThrowAwayDesktop.appImageEntry + "\n# other\n")
    let (object, _) = try await desktop.usherJSON("doctor")
    let found = object.objects("findings").filter { $0["check"] != "broker" }
    #expect(found.map { $0["check"] } == ["appimage"], "\(object)")
    #expect(found.first?["command"] == "usher register \(new) --id org.example.Notes")
    let fixed = try await fix(desktop)
    #expect(fixed.objects("repairs").map { $0.boolean("fixed") } == [true], "\(fixed)")
    #expect(fixed.objects("findings").allSatisfy { $0["check"] == "broker" }, "\(fixed)")
    #expect(installed(desktop).contains("Exec=\(new) --no-sandbox %U"))
    #expect(try await started("notes:2", desktop) == "\(new) --no-sandbox notes:2")
    // The repair is no edit of the user.
    let (again, _) = try await desktop.usherJSON("register", new)
    #expect(again["application"] == "org.example.Notes" && again.texts("warnings").isEmpty, "\(again)")
    let renamed = "\(desktop.home)/Applications/Renamed.AppImage"
    try FileManager.default.moveItem(atPath: new, toPath: renamed)
    #expect(try await fix(desktop).objects("findings").allSatisfy { $0["check"] == "broker" })
    try await desktop.usher("unregister", "org.example.Notes").orThrow()
    #expect(installed(desktop).isEmpty)
  }

  @Test func `that an update replaced is found in its directory, if one file can be it`() async throws {
    let desktop = try makeDesktop()
    let old = try desktop.installAppImage("Notes-1.0-x86_64.AppImage")
    try await desktop.usher("register", old).orThrow()
    try FileManager.default.removeItem(atPath: old)
    // Neither another application, nor a file that is not executable, nor one of another directory is an update.
    try desktop.installAppImage("Other-1.0-x86_64.AppImage")
    let download = try desktop.installAppImage("Notes-3.0.AppImage")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: download)
    try desktop.installAppImage("Downloads/Notes-2.0.AppImage")
    let lost = try await fix(desktop).objects("findings").first { $0["check"] == "appimage" }
    #expect(lost?.boolean("fixable") == false && lost?["command"]?.contains("usher unregister") == true)
    let new = try desktop.installAppImage(
      "Notes-1.1-x86_64.AppImage", entry: ThrowAwayDesktop.appImageEntry + "\n")
    // The repair does not hide an edit of the user.
    try desktop.write(
      installed(desktop) + "X-Mine=1\n", to: "\(desktop.dataHome)/applications/org.example.Notes.desktop")
    #expect(try await fix(desktop).objects("findings").allSatisfy { $0["check"] == "broker" })
    #expect(installed(desktop).contains("TryExec=\(new)\n"))
    let (again, _) = try await desktop.usherJSON("register", new)
    #expect(again.texts("warnings").contains { $0.contains("was edited by hand") }, "\(again)")
  }

  @Test func `without a usable entry is refused, and changes nothing`() async throws {
    let desktop = try makeDesktop()
    func refusal(_ path: String, _ arguments: String...) async throws -> String {
      let result = try await Command.run(
        BuiltProducts.usher, ["register", path] + arguments, environment: desktop.environment,
        directory: desktop.home)
      #expect(result.status == 1, "\(result)")
      return result.errorOutput
    }
    let outside = try desktop.installAppImage("a.AppImage", id: "../../x")
    #expect(try await refusal(outside).contains("no desktop entry"))
    let bare = try desktop.installAppImage(
      "b.AppImage", entry: "[Desktop Entry]\nType=Application\nName=B\nExec=b\n")
    #expect(try await refusal(bare).contains("declares no scheme; add --scheme"))
    try await desktop.usher("register", bare, "--scheme", "notes").orThrow()
    #expect(installed(desktop).contains("Exec=\(bare) %u\n"))
    // An entry that Usher did not write is not replaced.
    try desktop.installDesktopEntry("org.example.Own", exec: "/bin/true %u")
    let same = try desktop.installAppImage("c.AppImage", id: "org.example.Own")
    #expect(try await refusal(same).contains("already exists"))
    // Without the mark the file is a program.
    let plain = try desktop.installAppImage("d.AppImage", mark: [0, 0, 0])
    #expect(try await refusal(plain, "--scheme", "notes").isEmpty == false)
  }

  @Test func `An entry without a code for the URL, and entries of former paths, are repaired`() async throws {
    let desktop = try makeDesktop()
    // As Tauri's deep-link plugin and AppImage launchers write them at each start, named after the file.
    for (name, exec) in [("notes-1.0-handler", "/gone/notes-1.0 %u"), ("notes-2.0-handler", "/bin/true %u")] {
      try desktop.installDesktopEntry(
        name,
        text:
          "[Desktop Entry]\nType=Application\nName=Notes\nExec=\(exec)\nMimeType=x-scheme-handler/notes;\n")
    }
    try desktop.installDesktopEntry("org.example.Bare", exec: "/bin/true", schemes: ["bare"])
    try await desktop.updateDesktopDatabase()
    let fixed = try await fix(desktop)
    #expect(
      fixed.objects("repairs").filter { $0.boolean("fixed") == true }.map { $0["check"] } == [
        "exec", "duplicate",
      ],
      "\(fixed)")
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(desktop.dataHome)/applications")
    #expect(
      names.contains("notes-1.0-handler.desktop.unused") && !names.contains("notes-1.0-handler.desktop"))
    #expect(installed(desktop, id: "org.example.Bare").contains("Exec=/bin/true %u"))
    #expect(fixed.objects("findings").allSatisfy { $0["check"] == "broker" }, "\(fixed)")
  }
}
