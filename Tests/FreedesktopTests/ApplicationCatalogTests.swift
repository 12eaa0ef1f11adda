// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import Freedesktop

/// The files of this machine, with a record of the listed directories.
private final class ListCounting: FileReading {
  private let directories = Mutex<[String]>([])

  var listed: [String] { directories.withLock { $0 } }

  func read(_ path: String) -> FileOutcome { LocalFiles().read(path) }
  func list(_ directory: String) -> DirectoryOutcome {
    directories.withLock { $0.append(directory) }
    return LocalFiles().list(directory)
  }
  func has(_ name: String, in directory: String) -> Bool? { LocalFiles().has(name, in: directory) }
  func isExecutable(_ path: String) -> Bool { LocalFiles().isExecutable(path) }
}

@Suite struct ApplicationCatalogTests {
  private func id(_ text: String) throws -> ApplicationID { try #require(ApplicationID(text)) }

  @Test func `An entry of a directory with higher precedence shadows those of the others`() throws {
    let desktop = try TestDesktop()
    try desktop.writeEntry("sys1/applications/a.desktop", "X-Where=one\n")
    try desktop.writeEntry("sys2/applications/a.desktop", "X-Where=two\n")
    try desktop.writeEntry("sys2/applications/b.desktop")
    let catalog = ApplicationCatalog(directories: desktop.directories)
    #expect(try catalog.entry(id("a"))?["X-Where"] == "one")
    #expect(try catalog.locations(of: id("a")).count == 2)
    #expect(catalog.ids.map(\.rawValue) == ["a", "b"])
    #expect(try catalog.entry(id("c")) == nil)
  }

  @Test(arguments: [
    ("org.telegram.desktop", "org.telegram.desktop"),
    ("org.telegram.desktop.desktop", "org.telegram.desktop"),
    ("org.example.Notes", "org.example.Notes"), ("org.example.Notes.desktop", "org.example.Notes"),
    // Both are installed: the name of a file takes precedence.
    ("both.desktop", "both"), ("both.desktop.desktop", "both.desktop"),
    // None of these is installed.
    ("gone", "gone"), ("gone.desktop", "gone"), ("", nil), (".desktop", ".desktop"), ("a/b.desktop", nil),
  ])
  func `A text is the ID or the file name of an installed entry`(text: String, id: String?) throws {
    let desktop = try TestDesktop()
    for file in ["org.telegram.desktop", "org.example.Notes", "both", "both.desktop"] {
      try desktop.writeEntry("sys1/applications/\(file).desktop")
    }
    #expect(ApplicationCatalog(directories: desktop.directories).id(spelled: text)?.rawValue == id)
  }

  @Test func `Symbolic links between subdirectories do not multiply their paths`() throws {
    let desktop = try TestDesktop()
    let names = (1...9).map { "d\($0)" }
    for name in names {
      try desktop.writeEntry("sys1/applications/\(name)/a.desktop")
      for other in names where other != name {
        try desktop.link("sys1/applications/\(name)/\(other)", to: "../\(other)")
      }
    }
    let files = ListCounting()
    let ids = Set(ApplicationCatalog(directories: desktop.directories, files: files).ids.map(\.rawValue))
    let below = files.listed.filter { $0.hasPrefix(desktop.path("sys1/applications/")) }
    #expect(below.count <= names.count * (names.count + DirectoryScanner.maximumListings), "\(below.count)")
    for name in names { #expect(ids.contains("\(name)-a") && (name == "d1" || ids.contains("d1-\(name)-a"))) }
  }

  @Test func `Subdirectories become prefixes of the ID`() throws {
    let desktop = try TestDesktop()
    try desktop.writeEntry("sys1/applications/kde/sub/okular.desktop")
    try desktop.write("sys1/applications/kde/readme.txt", "")
    let catalog = ApplicationCatalog(directories: desktop.directories)
    let location = try #require(try catalog.locations(of: id("kde-sub-okular")).first)
    #expect(location.relativePath == "kde/sub/okular.desktop")
    #expect(
      try catalog.entry(id("kde-sub-okular"))?.path
        == desktop.path("sys1/applications/kde/sub/okular.desktop"))
  }

  @Test func `The scan ends at circular and dangling links`() throws {
    let desktop = try TestDesktop()
    try desktop.writeEntry("sys1/applications/a.desktop")
    try desktop.link("sys1/applications/round", to: ".")
    try desktop.link("sys1/applications/again", to: "../applications")
    try desktop.link("sys1/applications/self", to: "self")
    try desktop.link("sys1/applications/gone.desktop", to: "/nowhere")
    try desktop.link("sys1/applications/self.desktop", to: "self.desktop")
    let catalog = ApplicationCatalog(directories: desktop.directories)
    #expect(try catalog.entry(id("a")) != nil)
    #expect(try catalog.entry(id("gone")) == nil)
    #expect(throws: FreedesktopError.self) { try catalog.entry(id("self")) }
    #expect(catalog.ids.count < 12)
  }

  @Test func `A catalog for one lookup finds the entries that a complete catalog finds`() throws {
    let desktop = try TestDesktop()
    let applications = TestDesktop.systemApplications
    let names = ["a", "a-b", "kde-b", "dash-", "-dash", "\u{FFFD}", "x\u{301}", "."]
    for name in names { try desktop.writeEntry("\(applications)/\(name).desktop") }
    try desktop.writeEntry("\(applications)/kde/sub/c.desktop")
    try desktop.link("\(applications)/kde/round", to: "..")
    try desktop.link("\(applications)/gone.desktop", to: "/nowhere")
    try desktop.write("\(applications)/folder.desktop/e.desktop", "")
    try desktop.write("\(applications)/a.txt", "")
    for index in 0..<30 { try desktop.writeEntry("sys2/applications/n\(index).desktop") }
    let asked =
      names + [
        "kde-sub-c", "kde-round-a", "kde-round-kde-sub-c", "gone", "folder", "folder.desktop-e", "a.txt", "n",
        "kde",
        "kde/sub/c", "x\u{E9}", "..", "",
      ] + (0..<30).map { "n\($0)" }
    let walked = ApplicationCatalog(directories: desktop.directories)
    let one = ApplicationCatalog(directories: desktop.directories, isForOneAnswer: true)
    for id in asked.compactMap({ ApplicationID(rawValue: $0) }) {
      let alone = ApplicationCatalog(directories: desktop.directories, isForOneAnswer: true)
      #expect(alone.locations(of: id) == walked.locations(of: id), "\(id)")
      #expect(one.locations(of: id) == walked.locations(of: id), "\(id)")
    }
    #expect(one.ids == walked.ids)
    #expect(try walked.locations(of: id("kde-sub-c")).map(\.relativePath) == ["kde/sub/c.desktop"])
  }

  @Test func `A few names are looked up without listing the directory`() throws {
    let desktop = try TestDesktop()
    try desktop.writeEntry("sys1/applications/org.example.A.desktop")
    let files = ListCounting()
    let catalog = ApplicationCatalog(directories: desktop.directories, files: files, isForOneAnswer: true)
    #expect(try catalog.entry(id("org.example.A")) != nil)
    #expect(try catalog.entry(id("org.example-none.A")) == nil)
    // The user's own directory does not exist, which only a listing can determine.
    #expect(files.listed == [desktop.path(TestDesktop.userApplications), desktop.path("sys2/applications")])
    #expect(catalog.ids.count == 1)
    #expect(files.listed.count == 3)
  }

  @Test func `The first usable entry is loaded`() throws {
    let desktop = try TestDesktop()
    try desktop.write("home/.local/share/applications/a.desktop", "junk")
    try desktop.writeEntry("sys1/applications/a.desktop", "TryExec=missing\n")
    try desktop.writeEntry("sys2/applications/a.desktop")
    let (entry, refused) = try ApplicationCatalog(directories: desktop.directories).load(
      id("a"), programs: desktop.programs)
    #expect(entry?.path == desktop.path("sys2/applications/a.desktop"))
    #expect(
      refused.map(\.refusal) == [.malformed(.init(line: 1, kind: .notALine)), .tryExecNotFound("missing")])
  }

  @Test(arguments: [
    ("[Desktop Entry]\nType=Link\n", EntryError.notAnApplication),
    ("[Other]\n[Desktop Entry]\nType=Application\n", .notAnApplication),
    ("", .notAnApplication),
    ("[Desktop Entry]\nType=Application\nExec=missing %u\n", .programNotFound("missing")),
    ("[Desktop Entry]\nType=Application\nExec=/etc/passwd %u\n", .programNotExecutable("/etc/passwd")),
    ("[Desktop Entry]\nType=Application\nExec=\"viewer\n", .invalidExec),
    ("[Desktop Entry]\nType=Application\nExec=  \\s\n", .invalidExec),
  ])
  func `Every entry that GIO does not load has a reason`(text: String, refusal: EntryError) throws {
    let desktop = try TestDesktop()
    #expect(DesktopEntry(file: KeyFile(text)).refusal(programs: desktop.programs) == refusal)
    #expect(!refusal.description.isEmpty)
  }

  @Test func `A directory that cannot be listed is empty`() throws {
    let desktop = try TestDesktop()
    try desktop.write("sys1/applications", "a file")
    #expect(ApplicationCatalog(directories: desktop.directories).ids.isEmpty)
  }
}
