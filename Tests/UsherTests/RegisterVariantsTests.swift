// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Direct and concurrent registrations, and the output about them.
@Suite struct `Variants of usher register` {
  private func makeDesktop() throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    return desktop
  }

  @Test func `Directly, all tools name the application, and Usher need not be installed`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installDesktopEntry("former", exec: "/bin/true %u", schemes: ["notes"])
    try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true %u")
    let list = try desktop.setDefaults(["notes": ["former"]])
    let before = try String(contentsOfFile: list, encoding: .utf8)
    let result = try await desktop.usher("register", "org.example.Notes", "--scheme", "notes", "--direct")
    #expect(
      result.lines == [
        "notes: links are now opened by org.example.Notes, previously by former, which is now the second choice",
        "  usher: org.example.Notes.desktop", "  gio mime: org.example.Notes.desktop",
        "  xdg-mime query default: org.example.Notes.desktop",
      ], "\(result)")
    let back = try await desktop.usher("unregister", "--scheme", "notes")
    #expect(back.output == "notes: links are now opened by former\n", "\(back)")
    #expect(try String(contentsOfFile: list, encoding: .utf8) == before)
  }

  @Test func `With --direct, an entry that xdg-open cannot run is reported as by the doctor`() async throws {
    let desktop = try makeDesktop()
    let program = try desktop.installScript("my notes", "#!/bin/sh\n")
    try desktop.installDesktopEntry("notes", exec: "\"\(program)\" --url=%u")
    let through = try await desktop.usher("register", "notes", "--scheme", "notes")
    #expect(through.succeeded && through.errorOutput.isEmpty, "\(through)")
    let direct = try await desktop.usher("register", "notes", "--scheme", "notes", "--direct")
    let reported = direct.errorOutput.split(separator: "\n").map { $0.replacing("usher: notes: ", with: "") }
    #expect(direct.succeeded && reported.count == 2, "\(direct)")
    let doctor = try await desktop.usher("doctor")
    for sentence in reported { #expect(doctor.output.contains(": \(sentence); to fix it: "), "\(doctor)") }
  }

  @Test func `Several schemes, and handlers shows since when and who else could`() async throws {
    let desktop = try makeDesktop()
    try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true %u")
    try desktop.installDesktopEntry("former", exec: "/bin/true %u", schemes: ["notes"])
    try await desktop.updateDesktopDatabase()
    try await desktop.usher("register", "org.example.Notes", "--scheme", "notes", "--scheme", "memo")
      .orThrow()
    let (object, _) = try await desktop.usherJSON("handlers")
    let handlers = object.objects("handlers")
    #expect(handlers.map { $0["scheme"] } == ["memo", "notes"])
    #expect(handlers.map { $0.texts("alternatives") } == [[], ["former"]])
    for handler in handlers {
      #expect(handler["since"]?.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil, "\(handler)")
    }
    let lines = try await desktop.usher("handlers").lines
    #expect(lines.last?.hasPrefix("notes  org.example.Notes  since 20") == true, "\(lines)")
    #expect(lines.last?.hasSuffix("  through Usher  also: former") == true, "\(lines)")
    // Another program takes over one of the schemes.
    let list = "\(desktop.configHome)/mimeapps.list"
    let text = try String(contentsOfFile: list, encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("x-scheme-handler/notes=") })
    try desktop.write(text.replacing(line, with: "x-scheme-handler/notes=former.desktop"), to: list)
    let (taken, _) = try await desktop.usherJSON("handlers")
    #expect(taken.objects("handlers").last?.texts("replaced") == ["org.example.Notes"])
    let result = try await desktop.usher("unregister", "org.example.Notes")
    #expect(
      result.lines == [
        "memo: no application opens these links now", "notes: links are now opened by former",
      ],
      "\(result)")
    #expect(try String(contentsOfFile: list, encoding: .utf8).contains("notes=former.desktop"))
  }

  @Test func `register and unregister print the same facts with --json, also after an error`() async throws {
    let desktop = try makeDesktop()
    try desktop.installDesktopEntry("notes", exec: "/bin/true", in: .system)
    try desktop.installDesktopEntry("former", exec: "/bin/true %u", schemes: ["notes"])
    try desktop.setDefaults(["notes": ["former"]])
    let arguments = ["notes", "--scheme", "notes", "--scheme", "memo"]
    let (done, result) = try await desktop.usherJSON("register", arguments)
    #expect(result.succeeded && result.errorOutput.isEmpty, "\(result)")
    #expect(done["application"] == "notes" && done.boolean("direct") == false)
    #expect(done.texts("warnings").first?.contains("lacks %u") == true, "\(done)")
    let schemes = done.objects("schemes")
    #expect(
      schemes.map { $0["scheme"] } == ["notes", "memo"] && schemes.map { $0["previous"] } == ["former", nil])
    for answers in schemes.map({ $0.object("answers") }) {
      #expect(answers?.keys == ["gio mime", "usher", "xdg-mime query default"])
      #expect(answers?["gio mime"] == "org.usher.Handler.desktop")
    }
    let (refusal, refused) = try await desktop.usherJSON("register", ["notes", "--scheme", "javascript"])
    #expect(refused.status == 1 && refused.errorOutput.isEmpty, "\(refused)")
    #expect(refusal["error"] == "refused" && refusal.texts("reasons") == [refusal["message"]])
    let (back, _) = try await desktop.usherJSON("unregister", ["notes"])
    #expect(back["application"] == "notes")
    #expect(back.objects("schemes").map { $0["application"] } == [nil, "former"])
    let (nothing, again) = try await desktop.usherJSON("unregister", ["--scheme", "notes"])
    #expect(again.status == 0 && nothing.objects("schemes").isEmpty, "\(again)")
    #expect(nothing.texts("warnings") == ["notes: was not registered with Usher"])
  }

  @Test func `An entry that the user has edited is kept or replaced with a warning`() async throws {
    let desktop = try makeDesktop()
    func register() async throws -> CommandResult {
      try await desktop.usher(
        "register", "--name", "Notes", "--exec", "/bin/true %u", "--scheme", "notes")
    }
    let entry = "\(desktop.dataHome)/applications/usher-notes.desktop"
    func edit() throws {
      let text = try String(contentsOfFile: entry, encoding: .utf8)
      try desktop.write(text + "Comment=mine\n", to: entry)
    }
    try await register().orThrow()
    try edit()
    let kept = try await desktop.usher("unregister", "usher-notes")
    #expect(kept.status == 0 && kept.output == "notes: no application opens these links now\n", "\(kept)")
    #expect(kept.errorOutput.contains("\(entry) was edited by hand and is kept; to delete it, run: rm "))
    #expect(try String(contentsOfFile: entry, encoding: .utf8).contains("Comment=mine"))

    let replaced = try await register()
    #expect(replaced.succeeded && replaced.errorOutput.contains("to keep changes, put a copy"), "\(replaced)")
    try edit()
    let own = try desktop.write(
      String(contentsOfFile: entry, encoding: .utf8), to: "\(desktop.root)/own/my-notes.desktop")
    for _ in 0..<2 {
      let result = try await desktop.usher("register", own, "--scheme", "notes")
      #expect(result.succeeded && !result.errorOutput.contains("edited by hand"), "\(result)")
    }
    let copy = "\(desktop.dataHome)/applications/my-notes.desktop"
    #expect(try String(contentsOfFile: copy, encoding: .utf8).contains("Comment=mine"))
    try desktop.write(String(contentsOfFile: copy, encoding: .utf8) + "Comment[de]=mein\n", to: copy)
    let fresh = try await desktop.usher("register", own, "--scheme", "notes")
    #expect(fresh.errorOutput.contains("by a fresh copy; edit \(own) instead"), "\(fresh)")
  }

  @Test func `A development build is registered beside the release`() async throws {
    let desktop = try makeDesktop()
    for build in ["release", "devel"] {
      try desktop.write("#!/bin/sh\n", to: "\(desktop.root)/\(build)/notes", permissions: 0o755)
    }
    for build in ["release", "devel"] {
      let exec = "\(desktop.root)/\(build)/notes %u"
      try await desktop.usher("register", "--name", "Notes", "--exec", exec, "--scheme", "notes").orThrow()
    }
    let (object, _) = try await desktop.usherJSON("handlers")
    let handler = try #require(object.objects("handlers").first)
    let devel = try #require(handler["application"])
    #expect(devel.hasPrefix("usher-notes-") && handler.texts("alternatives") == ["usher-notes"])
    let back = try await desktop.usher("unregister", devel)
    #expect(back.output == "notes: links are now opened by usher-notes\n", "\(back)")

    try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true %u", in: .system)
    let file = try desktop.write(
      "[Desktop Entry]\nType=Application\nName=N\nExec=/bin/true %u\n", to: "build/org.example.Notes.desktop")
    let refused = try await desktop.usher("register", file, "--scheme", "n")
    #expect(refused.status == 1 && refused.errorOutput.contains("--id org.example.Notes.Devel"), "\(refused)")
    let taken = try await desktop.usher("register", file, "--id", "org.example.Notes.Devel", "--scheme", "n")
    #expect(taken.lines.first == "n: links are now opened by org.example.Notes.Devel", "\(taken)")
    let wrong = try await desktop.usher("register", "org.example.Notes", "--id", "x", "--scheme", "n")
    #expect(wrong.status == 64, "\(wrong)")
  }

  @Test func `A different choice in another desktop's list is reported, and the doctor finds it`()
    async throws
  {
    let desktop = try makeDesktop()
    for name in ["notes", "other"] { try desktop.installDesktopEntry(name, exec: "/bin/true %u \(name)") }
    let list = try desktop.installMimeApps(
      "[Default Applications]\nx-scheme-handler/notes=other.desktop\n", desktop: "gnome")
    let reported = "notes: on gnome, it is opened by other (\(list):2)"
    let result = try await desktop.usher("register", "notes", "--scheme", "notes")
    #expect(result.succeeded && result.errorOutput == "usher: \(reported)\n", "\(result)")
    let doctor = try await desktop.usher("doctor")
    #expect(doctor.lines.contains { $0.hasPrefix("\(list):2: \(reported)") }, "\(doctor)")
  }

  @Test func `Concurrent registrations do not overwrite each other`() async throws {
    let desktop = try makeDesktop()
    let names = (1...8).map { "app\($0)" }
    for name in names { try desktop.installDesktopEntry(name, exec: "/bin/true %u", in: .system) }
    func all(_ command: String) async throws -> [CommandResult] {
      try await withThrowingTaskGroup(of: CommandResult.self) { group in
        for name in names { group.addTask { try await desktop.usher(command, name, "--scheme", name) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
    let results = try await all("register")
    #expect(results.filter { !$0.succeeded }.isEmpty, "\(results)")
    let (object, _) = try await desktop.usherJSON("handlers")
    #expect(object.objects("handlers").map { $0["application"] } == names)
    #expect(try await all("unregister").filter { !$0.succeeded }.isEmpty)
    let left = try FileManager.default.subpathsOfDirectory(atPath: desktop.home).filter {
      $0.contains(".desktop")
    }
    #expect(left.isEmpty && !FileManager.default.fileExists(atPath: "\(desktop.configHome)/mimeapps.list"))
  }

  @Test func `A second registration reports that it waits, and removes the temporary files of a killed one`()
    async throws
  {
    let desktop = try makeDesktop()
    let file = try desktop.write("x", to: "\(desktop.configHome)/mimeapps.list.usher-01234def.new")
    let release = "\(desktop.home)/release"
    // The lock of a registration.
    let first = try await RunningProgram.start(
      "flock", [desktop.configHome, "sh", "-c", "mkfifo \"$0\"; echo held; read line <\"$0\"", release],
      environment: desktop.environment)
    #expect(try await first.line() == "held")
    // The shell releases the lock, because the command waits for a limited time.
    let second = try await RunningProgram.start(
      "sh",
      [
        "-c",
        """
        '\(BuiltProducts.usher)' unregister --scheme other 2>&1 | while read -r line; do
          echo "$line"
          case $line in
            *"waiting for another registration to finish") [ -e "$0" ] && echo kept; echo go >"$1" ;;
          esac
        done
        """, file, release,
      ], environment: desktop.environment)
    _ = try await second.line { $0.contains("waiting for another registration to finish") }
    #expect(try await second.line() == "kept")
    #expect(await first.waitUntilExit().succeeded)
    _ = await second.waitUntilExit()
    #expect(!FileManager.default.fileExists(atPath: file))
  }
}
