// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import RouteTables
import Testing

/// Simulated entries and programs with owners; root owns the directories above each, except those in `users`.
private struct MadeUpFiles: FileReading {
  var entries: [String: String] = [:]
  var programs: Set<String> = []
  var users: Set<String> = []

  func read(_ path: String) -> FileOutcome {
    if path == "/proc/self/mountinfo" { return .bytes([]) }
    return entries[path].map { .bytes(Array($0.utf8)) } ?? .missing
  }

  func list(_ directory: String) -> DirectoryOutcome {
    let names = entries.keys.filter { $0.hasPrefix(directory + "/") }.map {
      $0.dropFirst(directory.count + 1)
    }
    return names.isEmpty ? .missing : .items(names.map { DirectoryItem(name: String($0)) })
  }

  func isExecutable(_ path: String) -> Bool { programs.contains(path) }

  func ownership(of path: String) -> FileOwnership? {
    FileOwnership(
      entries.keys.contains(path) || programs.contains(path) ? .file : .directory,
      userID: users.contains(path) ? 1_000 : 0)
  }
}

@Suite struct `The installed files of an application` {
  private static let system = "/usr/share/applications/org.example.Chat.desktop"
  private static let home = "/home/me/.local/share/applications/org.example.Chat.desktop"

  private static func entry(_ exec: String, _ more: String = "") -> String {
    "[Desktop Entry]\nType=Application\nName=C\nExec=\(exec)\n\(more)"
  }

  private static let usual = MadeUpFiles(
    entries: [system: entry("/usr/bin/chat %u")],
    programs: ["/usr/bin/chat", "/home/me/bin/chat"], users: ["/home/me"])

  private func installation(
    path: String = "/usr/bin", flatpak: String? = nil, _ change: (inout MadeUpFiles) -> Void = { _ in }
  ) throws -> Installation {
    var files = Self.usual
    change(&files)
    let catalog = ApplicationCatalog(
      directories: [
        "/home/me/.local/share/applications", "/usr/share/applications", "/usr/share/applications",
      ],
      files: files)
    return Installation(
      of: try #require(ApplicationID("org.example.Chat")), in: catalog,
      programs: ProgramSearch(path: path, files: files), protection: RootProtection(files),
      flatpak: flatpak.map { FlatpakInfo(bytes: Array($0.utf8)) })
  }

  @Test func `are the system's if entry and program belong to root`() throws {
    let found = try installation()
    #expect(found.owner == .system && found.entry == Self.system && found.hiddenEntries == [])
    #expect(try installation { $0.entries[Self.system] = Self.entry("chat %u") }.owner == .system)
  }

  @Test func `is the user's if an entry in HOME hides the system's entry, whatever its content`() throws {
    for text in [Self.entry("/usr/bin/chat %u"), Self.entry("/usr/bin/chat", "Hidden=true\n"), "", "]["] {
      let found = try installation { $0.entries[Self.home] = text }
      #expect(found.owner == .user && found.entry == Self.home && found.hiddenEntries == [Self.system])
      #expect(found.weakness == "/home/me belongs to user 1000")
    }
  }

  @Test func `is the user's if its program is, found by path, by PATH or in the entry's directory`() throws {
    #expect(try installation { $0.entries[Self.system] = Self.entry("/home/me/bin/chat") }.owner == .user)
    #expect(
      try installation(path: "/home/me/bin:/usr/bin") { $0.entries[Self.system] = Self.entry("chat") }.owner
        == .user)
    #expect(
      try installation { $0.entries[Self.system] = Self.entry("./chat", "Path=/home/me/bin\n") }.owner
        == .user)
  }

  @Test func `are the user's if they cannot be checked`() throws {
    #expect(try installation { $0.entries = [:] }.weakness == "it has no desktop entry")
    #expect(try installation { $0.programs = [] }.owner == .user)
    for text in ["", "]["] + [Self.entry(""), Self.entry("/usr/bin/chat", "Hidden=true\n"), Self.entry("'")] {
      #expect(try installation { $0.entries[Self.system] = text }.owner == .user, "\(text)")
    }
  }

  @Test func `of a Flatpak includes the files of the running instance`() throws {
    func info(_ path: String) -> String { "[Instance]\ninstance-id=1\napp-path=\(path)\n" }
    #expect(try installation(flatpak: info("/var/lib/flatpak/app/x/files")).owner == .system)
    #expect(try installation(flatpak: info("/home/me/.local/share/flatpak/app/x/files")).owner == .user)
    #expect(try installation(flatpak: "[Instance]\n").owner == .user)
  }

  @Test func `is unknown for an unknown source, and the user's for a claimed or unchecked source`()
    throws
  {
    let id = try #require(ApplicationID("org.example.Chat"))
    #expect(SourceApplication.unknown.installed(by: .system).installedBy == nil)
    #expect(SourceApplication.unseen.installed(by: .system).installedBy == nil)
    for assurance in Assurance.allCases where assurance != .unknown {
      let source = SourceApplication(id, assurance)
      #expect(source.installedBy == .user)
      #expect(source.installed(by: .user).installedBy == .user)
      let expected: Installation.Owner = assurance == .claimed ? .user : .system
      #expect(source.installed(by: .system).installedBy == expected, "\(assurance)")
      #expect(source.installed(by: .system).sandboxed.installedBy == expected, "\(assurance)")
    }
  }
}
