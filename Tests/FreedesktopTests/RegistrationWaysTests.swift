// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Freedesktop

/// Tests of direct and indirect registrations, of several builds of one program, and of interrupted registrations.
@Suite struct RegistrationWaysTests {
  let desktop: TestDesktop
  let notes: URLScheme
  let memo: URLScheme
  static let list = "home/.config/mimeapps.list"
  static let cache = "home/.local/share/applications/mimeinfo.cache"
  static let date = "2026-11-21T14:00:00Z"

  init() throws {
    desktop = try TestDesktop()
    notes = try #require(URLScheme("notes"))
    memo = try #require(URLScheme("memo"))
    try desktop.writeEntry("sys1/applications/org.usher.Handler.desktop", "NoDisplay=true\n")
  }

  private func id(_ text: String) throws -> ApplicationID { try #require(ApplicationID(text)) }

  @discardableResult
  private func register(
    _ applicant: Applicant, _ schemes: [URLScheme]? = nil, directly: Bool = false
  ) throws -> RegistrationPlan {
    let plan = try desktop.registration.plan(
      registering: applicant, for: schemes ?? [notes], directly: directly, on: Self.date)
    #expect(plan.disagreements.map(\.description) == [])
    try plan.edits.apply()
    #expect(desktop.registration.disagreements(with: plan).isEmpty)
    return plan
  }

  @discardableResult
  private func unregister(_ text: String?, _ schemes: [URLScheme]? = nil) throws -> RegistrationPlan {
    let plan = try desktop.registration.plan(unregistering: text.map(id), from: schemes ?? [notes])
    try plan.edits.apply()
    return plan
  }

  private func files() throws -> [String: String] {
    try desktop.snapshot().filter { $0.value != "directory" }
  }

  @Test(arguments: ["", "[Default Applications]\nx-scheme-handler/notes=former.desktop\n"])
  func `A direct registration makes the application the default of all tools`(list: String) throws {
    try desktop.writeEntry("sys1/applications/notes.desktop")
    try desktop.writeEntry("sys2/applications/former.desktop")
    if !list.isEmpty { try desktop.write(Self.list, list) }
    let before = try files()
    let plan = try register(.installed(id("notes")), directly: true)
    #expect(plan.isDirect && plan.formers[notes]?.rawValue == (list.isEmpty ? nil : "former"))
    #expect(try desktop.gio("notes").default == "notes.desktop")
    #expect(
      try desktop.run("/usr/bin/xdg-mime", "query", "default", "x-scheme-handler/notes").output
        == "notes.desktop\n")
    // If the application is removed, the former default applies again.
    try FileManager.default.removeItem(atPath: desktop.path("home/.local/share/applications/notes.desktop"))
    try FileManager.default.removeItem(atPath: desktop.path("sys1/applications/notes.desktop"))
    #expect(try desktop.gio("notes").default == (list.isEmpty ? nil : "former.desktop"))
    try unregister("notes")
    #expect(desktop.text(Self.list) == (list.isEmpty ? nil : list))
    #expect(before[Self.list] == desktop.text(Self.list))
  }

  @Test func `A direct registration is removed without a name and after edits of other programs`() throws {
    try desktop.writeEntry("sys1/applications/notes.desktop", "MimeType=x-scheme-handler/notes;\n")
    try desktop.write(Self.list, "# mine\n[Default Applications]\na/b=c.desktop\n")
    try register(.installed(id("notes")), directly: true)
    let text = try #require(desktop.text(Self.list))
    try desktop.write(Self.list, "# theirs\n" + text + "[Added Associations]\nx/y=z.desktop;\n")
    #expect(try unregister(nil).schemes == [notes])
    #expect(
      desktop.text(Self.list)
        == "# theirs\n# mine\n[Default Applications]\na/b=c.desktop\n[Added Associations]\nx/y=z.desktop;\n")
  }

  @Test func `Two builds with one name have separate entries`() throws {
    for build in ["release", "devel"] { try desktop.write("\(build)/notes", "#!/bin/sh\n", mode: 0o755) }
    let release = try register(.program(name: "Notes", command: [desktop.path("release/notes")]))
    let devel = try register(.program(name: "Notes", command: [desktop.path("devel/notes")]))
    #expect(release.application?.rawValue == "usher-notes")
    let second = try #require(devel.application)
    #expect(second.rawValue.hasPrefix("usher-notes-") && devel.formers[notes] == release.application)
    let owners = desktop.registration.stampedEntries.map(\.owner)
    #expect(Set(owners) == [desktop.path("devel/notes"), desktop.path("release/notes")])
    // Another registration of a build reuses its entry, and the removal of one leaves the other.
    #expect(
      try register(.program(name: "Notes", command: [desktop.path("devel/notes")])).application == second)
    try unregister(second.rawValue)
    #expect(
      desktop.resolver.resolve(notes, excluding: [.usherHandler]).application?.id == release.application)
    // A program that was moved keeps its entry.
    try FileManager.default.removeItem(atPath: desktop.path("release/notes"))
    let moved = try register(.program(name: "Notes", command: [desktop.path("devel/notes")]), [memo])
    #expect(moved.application == release.application)
  }

  @Test func `A file hides the installed entry only on request`() throws {
    try desktop.writeEntry(
      "sys1/applications/org.example.Notes.desktop", "MimeType=x-scheme-handler/notes;\n")
    try desktop.write(
      "sys1/applications/mimeinfo.cache",
      "[MIME Cache]\nx-scheme-handler/notes=org.example.Notes.desktop;\n")
    try desktop.writeEntry("build/org.example.Notes.desktop", "MimeType=x-scheme-handler/notes;\n")
    let file = desktop.path("build/org.example.Notes.desktop")
    let error = #expect(throws: FreedesktopError.self) { try register(.file(file)) }
    #expect(error?.description.contains("--id org.example.Notes.Devel") == true)
    let plan = try register(.file(file, id: id("org.example.Notes.Devel")))
    #expect(plan.formers[notes]?.rawValue == "org.example.Notes")
    #expect(desktop.registration.handlers().first?.alternatives.map(\.rawValue) == ["org.example.Notes"])
    try unregister("org.example.Notes.Devel")
    #expect(
      try register(.file(file, id: id("org.example.Notes"))).application?.rawValue == "org.example.Notes")
    try unregister("org.example.Notes")
    #expect(desktop.text(TestDesktop.userApplications + "/org.example.Notes.desktop") == nil)
  }

  @Test func `An ID that an error proposes is one word for a shell`() throws {
    let id = try #require(ApplicationID("My $(id) App"))
    let message = FreedesktopError.installedElsewhere(id, path: "/a").description
    #expect(
      message.hasSuffix(
        "; use --id 'My $(id) App.Devel' to keep both, or --id 'My $(id) App' to replace the installed one"),
      "\(message)")
  }

  @Test func `A copy is replaced if its original was moved`() throws {
    let name = "org.example.Todo.desktop"
    try desktop.writeEntry("a/\(name)")
    try register(.file(desktop.path("a/\(name)")))
    try desktop.writeEntry("b/\(name)")
    let other = Applicant.file(desktop.path("b/\(name)"))
    let copy = TestDesktop.userApplications + "/" + name
    let error = #expect(throws: FreedesktopError.self) { try register(other) }
    #expect(
      error
        == .alreadyACopy(
          try id("org.example.Todo"), path: desktop.path(copy), original: desktop.path("a/\(name)")))
    try FileManager.default.removeItem(atPath: desktop.path("a/\(name)"))
    #expect(try register(other).lostEdits == nil)
    #expect(desktop.text(copy)?.contains(desktop.path("b/\(name)")) == true)
    try desktop.write(copy, (desktop.text(copy) ?? "") + "Comment=mine\n")
    #expect(try register(other).lostEdits == desktop.path(copy))
    #expect(desktop.text(copy)?.contains("Comment") == false)
  }

  @Test func `The managed keys record the time and the original`() throws {
    try desktop.writeEntry("sys1/applications/notes.desktop")
    try desktop.writeEntry("sys1/applications/electron.desktop")
    try register(.installed(id("notes")), [notes, memo])
    let entry = TestDesktop.userApplications + "/notes.desktop"
    #expect(desktop.text(entry)?.contains("X-Usher-Since=notes@\(Self.date);memo@\(Self.date);\n") == true)
    #expect(desktop.registration.handlers().map(\.moment) == [Self.date, Self.date])
    try desktop.write(Self.list, "[Default Applications]\nx-scheme-handler/notes=electron.desktop\n")
    let handler = try #require(desktop.registration.handlers().first { $0.scheme == notes })
    #expect(handler.application?.rawValue == "electron" && handler.replaced.map(\.rawValue) == ["notes"])
    #expect(handler.alternatives.map(\.rawValue) == ["notes"])
    #expect(try desktop.registration.schemes(registeredFor: id("notes")) == [memo, notes])
    try unregister("notes", [memo, notes])
    #expect(desktop.text(entry) == nil)
  }

  @Test func `The managed keys show whether the original has changed`() throws {
    try desktop.writeEntry("sys1/applications/notes.desktop")
    try register(.installed(id("notes")))
    let copy = try #require(desktop.registration.stampedEntries.first)
    let original = try #require(copy.original)
    #expect(copy.isCopy(of: KeyFile(desktop.text("sys1/applications/notes.desktop") ?? "")))
    #expect(original == desktop.path("sys1/applications/notes.desktop"))
    #expect(!copy.isCopy(of: KeyFile("[Desktop Entry]\n")))
  }

  /// Tests every prefix of the edits, which corresponds to a command that was killed after that many edits.
  @Test(arguments: [false, true])
  func `An interrupted change is repaired by either command`(isDirect: Bool) throws {
    try desktop.writeEntry("sys1/applications/notes.desktop", "MimeType=text/plain;\n")
    let before = try files()
    let forth = try desktop.registration.plan(
      registering: .installed(id("notes")), for: [notes], directly: isDirect, on: Self.date)
    try forth.edits.apply()
    let after = try files()
    let back = try desktop.registration.plan(unregistering: nil, from: [notes])
    try back.edits.apply()
    #expect(try files() == before)
    for count in 1...forth.edits.edits.count {
      let part = FileEdits(Array(forth.edits.edits.prefix(count)))
      try part.apply()
      try register(.installed(id("notes")), directly: isDirect)
      #expect(try files() == after, "\(count)")
      try unregister(nil)
      try part.apply()
      try unregister(nil)
      #expect(try files() == before, "\(count)")
    }
    for count in 1...back.edits.edits.count {
      let part = FileEdits(Array(back.edits.edits.prefix(count)))
      for repeated in [nil, "notes"] {
        try forth.edits.apply()
        try part.apply()
        try unregister(repeated)
        #expect(try files() == before, "\(count)")
      }
      try forth.edits.apply()
      try part.apply()
      try register(.installed(id("notes")), directly: isDirect)
      #expect(try files() == after, "\(count)")
      try unregister(nil)
    }
  }
}
