// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Freedesktop

/// The temporary entry of a scheme that another machine has registered.
@Suite struct `An entry of another machine` {
  private let desktop: TestDesktop
  private let entry: RemoteEntry

  init() throws {
    desktop = try TestDesktop()
    entry = RemoteEntry(
      scheme: try #require(URLScheme("com.example.tool")), machine: "container:a-b_c.d")
  }

  private func add() throws {
    try desktop.registration.edits(adding: entry, running: desktop.path("bin/viewer")).apply()
  }

  @Test func `is valid, and the default of its scheme while it exists`() throws {
    let before = desktop.text(RegistrationTests.cache)
    try add()
    let path = desktop.registration.path(of: entry)
    let validation = try desktop.run("/usr/bin/desktop-file-validate", path)
    #expect(validation.status == 0, "\(validation.output)")
    #expect(try desktop.gio("com.example.tool").default == entry.id.desktopFileName)
    let ours = desktop.text(RegistrationTests.cache)
    try desktop.run("/usr/bin/update-desktop-database", desktop.path(TestDesktop.userApplications))
    #expect(KeyFile(ours ?? "").bytes == KeyFile(desktop.text(RegistrationTests.cache) ?? "").bytes)
    #expect(desktop.registration.remoteEntries == [entry])
    let scheme = try #require(desktop.registration.handlers().first { $0.scheme == entry.scheme })
    #expect(scheme.machine == entry.machine && scheme.application == entry.id && scheme.isThroughUsher)
    // A second call changes nothing.
    try add()
    try desktop.registration.edits(removing: entry).apply()
    #expect(desktop.registration.remoteEntries.isEmpty && desktop.text(RegistrationTests.cache) == before)
    try desktop.registration.edits(removing: entry).apply()
  }

  @Test func `comes after applications of this desktop, whose entries other openers find later`() throws {
    try add()
    try desktop.writeEntry(
      "sys1/applications/org.example.Local.desktop", "MimeType=x-scheme-handler/com.example.tool;\n")
    try desktop.write(
      "sys1/applications/mimeinfo.cache",
      "[MIME Cache]\nx-scheme-handler/com.example.tool=org.example.Local.desktop;\n")
    let resolver = desktop.resolver
    #expect(resolver.resolve(entry.scheme).application?.id == entry.id)
    #expect(
      resolver.resolve(entry.scheme, excluding: [.usherHandler]).application?.id?.rawValue
        == "org.example.Local")
    let scheme = try #require(desktop.registration.handlers().first { $0.scheme == entry.scheme })
    #expect(scheme.machine == nil && scheme.isThroughUsher && scheme.alternatives == [entry.id])
  }

  @Test func `is read only where its ID belongs to its scheme and its machine`() throws {
    try add()
    let text = try #require(desktop.text("home/.local/share/applications/\(entry.id.desktopFileName)"))
    for (old, new) in [
      ("a-b_c.d", "other"), ("com.example.tool;", "com.example.other;"), ("X-Usher-Machine", "X-Other"),
    ] {
      try desktop.write(
        "home/.local/share/applications/\(entry.id.desktopFileName)", text.replacing(old, with: new))
      #expect(desktop.registration.remoteEntries.isEmpty, "\(new)")
    }
  }
}
