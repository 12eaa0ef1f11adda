// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Freedesktop

@Suite struct RegistrationTests {
  let desktop: TestDesktop
  let notes: URLScheme
  let handler = "sys1/applications/org.usher.Handler.desktop"
  static let list = "home/.config/mimeapps.list"
  static let cache = "home/.local/share/applications/mimeinfo.cache"

  init() throws {
    desktop = try TestDesktop()
    notes = try #require(URLScheme("notes"))
    try desktop.writeEntry(handler, "NoDisplay=true\n")
  }

  private func id(_ text: String) throws -> ApplicationID { try #require(ApplicationID(text)) }

  @discardableResult
  private func register(
    _ applicant: Applicant, _ schemes: [URLScheme]? = nil, directly isDirect: Bool = false
  ) throws -> RegistrationPlan {
    let plan = try desktop.registration.plan(
      registering: applicant, for: schemes ?? [notes], directly: isDirect)
    #expect(plan.disagreements.map(\.description) == [])
    try plan.edits.apply()
    #expect(desktop.registration.disagreements(with: plan).isEmpty)
    try expectThatTheRealProgramsAgree(plan)
    return plan
  }

  @discardableResult
  private func unregister(_ text: String?, _ schemes: [URLScheme]? = nil) throws -> RegistrationPlan {
    let plan = try desktop.registration.plan(unregistering: text.map(id), from: schemes ?? [notes])
    try plan.edits.apply()
    return plan
  }

  /// Expects that the files are valid, that GIO chooses Usher, and that `update-desktop-database` would write an equal cache.
  private func expectThatTheRealProgramsAgree(_ plan: RegistrationPlan) throws {
    let application = try #require(plan.application)
    let location = try #require(
      ApplicationCatalog(directories: desktop.directories).locations(of: application).first)
    let validation = try desktop.run("/usr/bin/desktop-file-validate", location.path)
    #expect(validation.status == 0, "\(validation.output)")
    for scheme in plan.schemes {
      let expected = plan.isDirect ? application : .usherHandler
      #expect(try desktop.gio(scheme.rawValue).default == expected.desktopFileName)
    }
    if let ours = desktop.text(Self.cache) {
      try desktop.run("/usr/bin/update-desktop-database", desktop.path(TestDesktop.userApplications))
      let theirs = KeyFile(desktop.text(Self.cache) ?? "")
      #expect(KeyFile(ours).keys(in: "MIME Cache").sorted() == theirs.keys(in: "MIME Cache").sorted())
      for key in theirs.keys(in: "MIME Cache") {
        #expect(
          KeyFile(ours).list(of: key, in: "MIME Cache")?.sorted()
            == theirs.list(of: key, in: "MIME Cache")?.sorted())
      }
      try desktop.write(Self.cache, ours)
    }
  }

  @Test func `An installed application with the scheme needs one line`() throws {
    try desktop.writeEntry(
      "sys1/applications/org.example.Notes.desktop", "MimeType=x-scheme-handler/notes;\n")
    let before = try desktop.snapshot()
    try register(.installed(id("org.example.Notes")))
    #expect(
      desktop.text(Self.list)
        == "[Default Applications]\nx-scheme-handler/notes=org.usher.Handler.desktop;org.example.Notes.desktop;\n"
    )
    #expect(desktop.text(Self.cache) == nil)
    try unregister(nil)
    #expect(
      try desktop.snapshot().filter { $0.value != "directory" } == before.filter { $0.value != "directory" })
  }

  @Test func `A former default of another list is not copied`() throws {
    try desktop.writeEntry("sys1/applications/org.example.Notes.desktop")
    try desktop.writeEntry("sys2/applications/former.desktop", "MimeType=x-scheme-handler/notes;\n")
    try desktop.write(
      "sys2/applications/mimeapps.list", "[Default Applications]\nx-scheme-handler/notes=former.desktop;\n")
    let plan = try register(.installed(id("org.example.Notes")))
    #expect(plan.formers[notes] == (try id("former")))
    #expect(
      desktop.text(Self.list)
        == "[Default Applications]\nx-scheme-handler/notes=org.usher.Handler.desktop;org.example.Notes.desktop;\n"
    )
    try register(.installed(id("org.example.Notes")), directly: true)
    let candidates = desktop.registration.handlers().flatMap(\.resolution.candidates)
    #expect(candidates.contains { $0.name == "former.desktop" } && !candidates.contains { $0.name.isEmpty })
    try unregister(nil)
    #expect(desktop.text(Self.list) == nil)
    #expect(try desktop.gio("notes").default == "former.desktop")
  }

  @Test func `The former default and all other lines stay`() throws {
    let list =
      "# mine\n[Added Associations]\ntext/plain=vim.desktop\n\n[Default Applications]\r\nx-scheme-handler/notes=old.desktop\nz=z.desktop;\n"
    try desktop.write(Self.list, list, mode: 0o600)
    try desktop.writeEntry("sys2/applications/old.desktop")
    try desktop.writeEntry("sys1/applications/notes.desktop", "MimeType=text/plain\n")
    let before = try desktop.snapshot()
    try register(.installed(id("notes")))
    #expect(
      desktop.text(Self.list)?.contains(
        "x-scheme-handler/notes=org.usher.Handler.desktop;notes.desktop;old.desktop\n") == true)
    #expect(
      desktop.resolver.resolve(notes, excluding: [.usherHandler]).candidates.map(\.name).contains(
        "old.desktop"))
    try unregister("notes")
    #expect(
      try desktop.snapshot().filter { $0.value != "directory" } == before.filter { $0.value != "directory" })
  }

  @Test func `An entry of the system is copied with all its cached types`() throws {
    try desktop.writeEntry(
      "sys1/applications/kde/notes.desktop", "MimeType=text/plain;text/html\nX-Kept=1\n# end")
    try desktop.write(
      "sys1/applications/mimeinfo.cache",
      "[MIME Cache]\ntext/plain=kde-notes.desktop;\ntext/html=kde-notes.desktop;\n")
    let copy = TestDesktop.userApplications + "/kde/notes.desktop"
    try register(.installed(id("kde-notes")))
    #expect(desktop.text(copy)?.contains("MimeType=text/plain;text/html;x-scheme-handler/notes\n") == true)
    #expect(desktop.text(copy)?.contains("X-Kept=1\n# end") == true)
    #expect(desktop.text(Self.cache)?.contains("text/html=kde-notes.desktop;") == true)
    try register(.installed(id("kde-notes")), [#require(URLScheme("memo"))])
    try unregister("kde-notes")
    #expect(desktop.text(copy)?.contains("x-scheme-handler/memo") == true)
    try unregister("kde-notes", [#require(URLScheme("memo"))])
    #expect(desktop.text(copy) == nil)
    #expect(desktop.text(Self.cache) == nil)
    #expect(desktop.text(Self.list) == nil)
  }

  @Test func `An edited copy is preserved`() throws {
    try desktop.writeEntry("sys1/applications/notes.desktop")
    try register(.installed(id("notes")))
    let copy = TestDesktop.userApplications + "/notes.desktop"
    let mine = (desktop.text(copy) ?? "") + "Comment=mine\n"
    try desktop.write(copy, mine)
    #expect(try unregister("notes").kept == [desktop.path(copy)])
    #expect(desktop.text(copy)?.contains("Comment=mine") == true)
    #expect(desktop.text(copy)?.contains("MimeType") == false)
  }

  /// It was deleted, and replaced without a warning.
  @Test func `An edited generated entry is preserved, and replaced with a warning`() throws {
    let entry = TestDesktop.userApplications + "/usher-my-notes.desktop"
    let program = Applicant.program(name: "My Notes", command: ["viewer"])
    func edit() throws { try desktop.write(entry, (desktop.text(entry) ?? "") + "Comment=mine\n") }
    let memo = try #require(URLScheme("memo"))
    #expect(try register(program).lostEdits == nil)
    #expect(try register(program, [memo]).lostEdits == nil)
    try edit()
    #expect(try register(program).lostEdits == desktop.path(entry))
    #expect(desktop.text(entry)?.contains("Comment") == false)
    try edit()
    #expect(try unregister("usher-my-notes", [memo]).kept.isEmpty)
    #expect(try unregister("usher-my-notes").kept == [desktop.path(entry)])
    #expect(desktop.text(entry)?.contains("Comment=mine") == true)
    #expect(desktop.text(entry)?.contains("MimeType") == false)

    // One of an earlier version has no digest.
    try register(program)
    let digest = try #require(
      desktop.text(entry)?.split(separator: "\n").first { $0.hasPrefix("X-Usher-Digest=") })
    let earlier = (desktop.text(entry) ?? "").split(separator: "\n").filter { $0 != digest }.map { "\($0)\n" }
    try desktop.write(entry, earlier.joined())
    try edit()
    try unregister("usher-my-notes")
    #expect(desktop.text(entry) == nil)
  }

  /// Earlier versions computed another digest of it, so it would be preserved as edited.
  @Test func `A copy of a generated entry by an earlier version is deleted`() throws {
    try desktop.writeEntry(
      "sys1/applications/usher-x.desktop",
      "MimeType=x-scheme-handler/memo;\nX-Usher-Generated=true\nX-Usher-Schemes=memo;\n")
    try register(.installed(id("usher-x")))
    let copy = TestDesktop.userApplications + "/usher-x.desktop"
    let lines = try #require(desktop.text(copy)).split(separator: "\n").map { line in
      line.hasPrefix("X-Usher-CopyDigest=") || line.hasPrefix("X-Usher-Digest=")
        ? "X-Usher-CopyDigest=0\n" : "\(line)\n"
    }
    try desktop.write(copy, lines.joined())
    try unregister("usher-x", [notes, #require(URLScheme("memo"))])
    #expect(desktop.text(copy) == nil)
  }

  @Test func `An edited copy of a generated entry is preserved`() throws {
    try desktop.writeEntry(
      "sys1/applications/usher-x.desktop", "X-Usher-Generated=true\nX-Usher-Digest=0\n")
    let copy = TestDesktop.userApplications + "/usher-x.desktop"
    try register(.installed(id("usher-x")))
    try unregister("usher-x")
    #expect(desktop.text(copy) == nil)
    try register(.installed(id("usher-x")))
    try desktop.write(copy, (desktop.text(copy) ?? "") + "Comment=mine\n")
    try unregister("usher-x")
    #expect(desktop.text(copy)?.contains("Comment=mine") == true)
  }

  @Test func `An entry of the user is edited in place and restored`() throws {
    let entry = TestDesktop.userApplications + "/notes.desktop"
    try desktop.writeEntry(
      entry, "MimeType=text/plain;\nActions=x;\n\n[Desktop Action x]\nName=X\nExec=viewer\n")
    try desktop.run("/usr/bin/update-desktop-database", desktop.path(TestDesktop.userApplications))
    let text = desktop.text(entry)
    let cache = desktop.text(Self.cache)
    try register(.installed(id("notes")))
    #expect(desktop.text(entry)?.contains("MimeType=text/plain;x-scheme-handler/notes;\n") == true)
    #expect(try unregister("notes").kept.isEmpty)
    #expect(desktop.text(entry) == text)
    #expect(desktop.text(Self.cache) == cache)
  }

  @Test func `A file from any directory is copied`() throws {
    try desktop.writeEntry("build/org.example.Notes.desktop", "MimeType=x-scheme-handler/notes;\n")
    let plan = try register(.file(desktop.path("build/org.example.Notes.desktop")))
    #expect(plan.application?.rawValue == "org.example.Notes")
    try register(.file(desktop.path("build/org.example.Notes.desktop")), [#require(URLScheme("memo"))])
    let copy = TestDesktop.userApplications + "/org.example.Notes.desktop"
    #expect(desktop.text(copy)?.contains("X-Usher-Schemes=notes;memo;") == true)
    try unregister("org.example.Notes", [notes, #require(URLScheme("memo"))])
    #expect(desktop.text(copy) == nil)
    try desktop.writeEntry(copy)
    #expect(throws: FreedesktopError.alreadyExists(path: desktop.path(copy))) {
      try register(.file(desktop.path("build/org.example.Notes.desktop")))
    }
  }

  @Test func `A program gets an entry with its arguments`() throws {
    let plan = try register(.program(name: "My Notes", command: ["viewer", "--fast"]))
    #expect(plan.application?.rawValue == "usher-my-notes")
    #expect(plan.warnings.isEmpty)
    let entry = TestDesktop.userApplications + "/usher-my-notes.desktop"
    #expect(desktop.text(entry)?.contains("Exec=\(desktop.path("bin/viewer")) --fast %u\n") == true)
    try register(.program(name: "My Notes", command: ["viewer", "--url=%u"]), [#require(URLScheme("memo"))])
    #expect(desktop.text(entry)?.contains("MimeType=x-scheme-handler/notes;x-scheme-handler/memo;") == true)
    try unregister(nil, [notes, #require(URLScheme("memo"))])
    #expect(desktop.text(entry) == nil && desktop.text(Self.cache) == nil && desktop.text(Self.list) == nil)
  }

  @Test func `Arguments that need quotes are quoted and still run`() throws {
    try desktop.write("bin/My Viewer", "#!/bin/sh\n", mode: 0o755)
    try register(.program(name: "Q", command: ["My Viewer", "a $b \"c\" \\", "%u"]))
    let entry = try #require(try ApplicationCatalog(directories: desktop.directories).entry(id("usher-q")))
    let command = try ExecLine(#require(entry.exec)).expand(["n:1"])
    #expect(command == [[ProgramArgument(desktop.path("bin/My Viewer")), "a $b \"c\" \\", "n:1"]])
  }

  @Test(arguments: [
    "http", "https", "mailto", "file", "javascript", "data", "ms-msdt", "chrome-extension",
    "x-scheme-handler",
  ])
  func `Reserved schemes are rejected`(scheme: String) throws {
    try desktop.writeEntry("sys1/applications/notes.desktop")
    let refused = try #require(URLScheme(scheme))
    let before = try desktop.snapshot()
    #expect(throws: FreedesktopError.self) { try register(.installed(id("notes")), [notes, refused]) }
    #expect(try desktop.snapshot() == before)
  }

  @Test func `The error of a failed registration names its object`() throws {
    try desktop.writeEntry("sys1/applications/hidden.desktop", "Hidden=true\n")
    try desktop.writeEntry("sys1/applications/broken.desktop", exec: "missing %u")
    try desktop.writeEntry("sys1/applications/codes.desktop", exec: "viewer %x")
    try desktop.write("sys1/applications/noexec.desktop", "[Desktop Entry]\nType=Application\nName=N\n")
    for name in ["gone", "hidden", "broken", "codes", "noexec", "org.usher.Handler"] {
      let error = #expect(throws: FreedesktopError.self) { try register(.installed(id(name))) }
      #expect(error?.description.isEmpty == false)
    }
    #expect(throws: FreedesktopError.programNotFound("missing")) {
      try register(.program(name: "x", command: ["missing"]))
    }
    #expect(throws: FreedesktopError.self) { try register(.program(name: "!!", command: ["viewer"])) }
    #expect(throws: FreedesktopError.self) { try register(.file(desktop.path("gone.desktop"))) }
  }

  @Test func `A list that GLib ignores is not written`() throws {
    try desktop.writeEntry("sys1/applications/notes.desktop")
    try desktop.write(Self.list, "junk\n")
    #expect(throws: FreedesktopError.self) { try register(.installed(id("notes"))) }
    #expect(desktop.text(Self.list) == "junk\n")
  }

  @Test func `Other defaults that win are known before anything is written`() throws {
    let gnome = try TestDesktop(desktops: "GNOME")
    try gnome.writeEntry(handler)
    for name in ["notes", "other"] { try gnome.writeEntry("sys1/applications/\(name).desktop") }
    try gnome.write(
      "home/.config/gnome-mimeapps.list", "[Default Applications]\nx-scheme-handler/notes=other.desktop\n")
    let plan = try gnome.registration.plan(registering: .installed(id("notes")), for: [notes])
    #expect(plan.disagreements.map(\.expected.rawValue) == ["org.usher.Handler", "notes"])
    #expect(plan.disagreements.first?.description.contains("would be opened by other.desktop") == true)
    #expect(
      plan.disagreements.first?.resolution.candidates.first?.origin.path.hasSuffix("gnome-mimeapps.list")
        == true)
  }

  @Test func `A plan says that the handler entry is missing`() throws {
    try FileManager.default.removeItem(atPath: desktop.path(handler))
    try desktop.writeEntry("sys1/applications/notes.desktop")
    let plan = try desktop.registration.plan(registering: .installed(id("notes")), for: [notes])
    #expect(plan.disagreements.map(\.expected) == [.usherHandler])
    #expect(plan.disagreements.first?.description.contains("not installed") == true)
  }

  @Test func `Another program that has become the default stays the default`() throws {
    try desktop.writeEntry("sys1/applications/notes.desktop")
    try desktop.writeEntry("sys1/applications/electron.desktop")
    try register(.installed(id("notes")))
    try desktop.write(Self.list, "[Default Applications]\nx-scheme-handler/notes=electron.desktop\n")
    #expect(try unregister("notes").schemes == [notes])
    #expect(desktop.text(Self.list) == "[Default Applications]\nx-scheme-handler/notes=electron.desktop\n")
    #expect(desktop.resolver.resolve(notes).application?.id?.rawValue == "electron")
  }

  @Test func `The list of handlers names the owner of each scheme`() throws {
    try desktop.writeEntry("sys1/applications/notes.desktop")
    try desktop.write(
      Self.list,
      "[Default Applications]\nx-scheme-handler/direct=notes.desktop\nx-scheme-handler/lost=gone.desktop\n")
    try register(.installed(id("notes")))
    let handlers = desktop.registration.handlers()
    #expect(handlers.map(\.scheme.rawValue) == ["direct", "lost", "notes"])
    #expect(handlers.map(\.application?.rawValue) == ["notes", nil, "notes"])
    #expect(handlers.map(\.isThroughUsher) == [false, false, true])
  }

  @Test func `The handler entry is valid and never offered as a choice`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
    let template = try String(
      contentsOf: root.appendingPathComponent("desktop/org.usher.Handler.desktop.in"), encoding: .utf8)
    try desktop.write(handler, template.replacingOccurrences(of: "@bindir@", with: "/usr/bin"))
    #expect(try desktop.run("/usr/bin/desktop-file-validate", desktop.path(handler)) == (0, ""))
    let entry = try #require(try ApplicationCatalog(directories: desktop.directories).entry(.usherHandler))
    #expect(
      try ExecLine(#require(entry.exec)).expand(["n:1"]) == [
        ["/usr/bin/usher", "open", "--from-desktop", "n:1"]
      ])
    #expect(try ExecLine(#require(entry.exec)).warnings.isEmpty)
    #expect(entry.isLeftOutOfMenus && entry.startupNotify == true)
    #expect(!entry.isDBusActivatable && entry.mimeTypes.isEmpty)
  }
}
