// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import Freedesktop

/// Simulated files; a path without an outcome is missing.
private struct ThoughtFiles: FileReading {
  var files: [String: FileOutcome] = [:]
  var directories: [String: DirectoryOutcome] = [:]
  var programs: Set<String> = []

  func read(_ path: String) -> FileOutcome { files[path] ?? .missing }
  func list(_ directory: String) -> DirectoryOutcome { directories[directory] ?? .missing }
  func isExecutable(_ path: String) -> Bool { programs.contains(path) }
}

/// Simulated programs, with a count of the lookups of each.
private final class CountedPrograms: FileReading {
  private let looks = Mutex<[String: Int]>([:])

  var counts: [String: Int] { looks.withLock { $0 } }

  func read(_ path: String) -> FileOutcome { .missing }
  func list(_ directory: String) -> DirectoryOutcome { .missing }
  func isExecutable(_ path: String) -> Bool {
    looks.withLock { $0[path, default: 0] += 1 }
    return path.hasPrefix("/bin/")
  }
}

@Suite struct FileReadingTests {
  private let directories = BaseDirectories(environment: [
    "HOME": "/h", "XDG_DATA_DIRS": "/one:/two", "XDG_CONFIG_DIRS": "/etc",
  ])

  @Test func `An unreadable file is skipped and named`() throws {
    let entry = Array("[Desktop Entry]\nType=Application\nName=A\nExec=run %u\n".utf8)
    let files = ThoughtFiles(
      files: [
        "/h/.config/mimeapps.list": .unreadable(reason: "Permission denied"),
        "/etc/mimeapps.list": .bytes(Array("[Default Applications]\nx-scheme-handler/t=a.desktop\n".utf8)),
        "/one/applications/a.desktop": .unreadable(reason: "Permission denied"),
        "/two/applications/a.desktop": .bytes(entry),
      ],
      directories: [
        "/h/.local/share/applications": .unreadable(reason: "Permission denied"),
        "/one/applications": .items([DirectoryItem(name: "a.desktop")]),
        "/two/applications": .items([DirectoryItem(name: "a.desktop")]),
      ], programs: ["/bin/run"])
    let programs = ProgramSearch(path: "/bin", files: files)
    let resolver = ApplicationResolver(directories: directories, programs: programs, files: files)
    let resolution = resolver.resolve(try #require(URLScheme("t")))
    #expect(resolution.application?.path == "/two/applications/a.desktop")
    #expect(
      resolution.diagnostics.map(\.description) == [
        "/h/.config/mimeapps.list cannot be read: Permission denied"
      ])
  }

  @Test func `A listing examines each program once`() {
    let schemes = (0..<20).map { "x-scheme-handler/s\($0)=a\($0).desktop\n" }.joined()
    let entry = Array("[Desktop Entry]\nType=Application\nName=A\nExec=run %u\n".utf8)
    let names = (0..<20).map { "a\($0).desktop" }
    let files = ThoughtFiles(
      files: Dictionary(uniqueKeysWithValues: names.map { ("/one/applications/\($0)", .bytes(entry)) })
        .merging(["/etc/mimeapps.list": .bytes(Array("[Default Applications]\n\(schemes)".utf8))]) { $1 },
      directories: ["/one/applications": .items(names.map { DirectoryItem(name: $0) })])
    let counted = CountedPrograms()
    let programs = ProgramSearch(path: "/local/bin:/bin", files: counted)
    let handlers = Registration(directories: directories, programs: programs, files: files).handlers()
    #expect(handlers.map(\.application?.rawValue).count { $0 != nil } == 20)
    #expect(counted.counts == ["/local/bin/run": 1, "/bin/run": 1])
  }

  @Test func `Planned edits are visible before they are applied`() throws {
    let base = ThoughtFiles(
      files: ["/a/x": .bytes([1]), "/a/y": .bytes([2])],
      directories: ["/a": .items([DirectoryItem(name: "x"), DirectoryItem(name: "y")])])
    let files = EditedFiles(
      base: base,
      edits: [
        FileEdit(path: "/a/x", before: [1], after: nil), FileEdit(path: "/a/sub/z", before: nil, after: [3]),
        FileEdit(path: "/a/y", before: [2], after: [4]),
      ])
    #expect(files.read("/a/x") == .missing)
    #expect(files.read("/a/y") == .bytes([4]))
    #expect(files.read("/a/sub/z") == .bytes([3]))
    guard case .items(let items) = files.list("/a") else {
      throw FreedesktopError.cannotRead(path: "/a", reason: "")
    }
    #expect(items.map(\.name).sorted() == ["sub", "y"])
    #expect(items.first { $0.name == "sub" }?.directory != nil)
    #expect(files.list("/a/sub") == .items([DirectoryItem(name: "z")]))
    #expect(files.list("/b") == .missing)
  }

  @Test func `A lookup in a directory agrees with its listing`() throws {
    let desktop = try TestDesktop()
    try desktop.write("folder/a", "")
    try desktop.link("folder/gone", to: "nowhere")
    let (files, directory) = (LocalFiles(), desktop.path("folder"))
    #expect(files.has("a", in: directory) == true)
    #expect(files.has("gone", in: directory) == true)
    #expect(files.has("b", in: directory) == false)
    // No entry of a directory has these names: empty, a path, with NUL, not UTF-8, or too long.
    for name in ["", "../folder/a", "a\0", "\u{FFFD}", String(repeating: "x", count: 300)] {
      #expect(files.has(name, in: directory) == nil, "\(name)")
    }
    #expect(files.has("a", in: desktop.path("missing")) == nil)
  }

  @Test func `Only regular files are read`() throws {
    let desktop = try TestDesktop()
    #expect(try desktop.run("/usr/bin/mkfifo", desktop.path("pipe")).status == 0)
    #expect(LocalFiles().read(desktop.path("pipe")) == .unreadable(reason: "not a regular file"))
    #expect(LocalFiles().read(desktop.path("bin")) == .unreadable(reason: "not a regular file"))
    #expect(LocalFiles().read("/dev/zero") == .unreadable(reason: "not a regular file"))
    #expect(LocalFiles().read(desktop.path("bin/viewer/x")) == .missing)
    #expect(LocalFiles().read("/proc/self/status") != .bytes([]))
  }

  /// Symbols may be added while the test runs.
  @Test(.enabled(if: LocalFiles().has("kallsyms", in: "/proc") == true, "no /proc/kallsyms"))
  func `A large file that reports no size is read to its end`() throws {
    guard case .bytes(let bytes) = LocalFiles().read("/proc/kallsyms") else {
      throw FreedesktopError.cannotRead(path: "/proc/kallsyms", reason: "")
    }
    #expect(bytes.count > 100_000 && bytes.last == UInt8(ascii: "\n"))
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    #expect(lines.allSatisfy { $0.split(separator: UInt8(ascii: " "), maxSplits: 2).count == 3 })
    #expect(LocalFiles().read("/proc/kallsyms", limit: 50_000) == .unreadable(reason: "larger than 0 MiB"))
  }
}
