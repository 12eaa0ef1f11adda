// SPDX-License-Identifier: Apache-2.0
import Foundation
import Freedesktop
import Launching
import TestSupport
import Testing

/// Entries that pass the link in the code of an interpreter, with links that are code themselves.
///
/// The shells are real, and so is `gio open` where it is installed.
@Suite struct `A link in the code of a shell` {
  /// The `Exec` lines that open every link with the program `VIEWER`, and whether `gio open` opens it safely, too.
  static let opening: [(exec: String, isGIOSafe: Bool)] = [
    (#"sh -c "VIEWER %u""#, true), (#"bash -c "VIEWER %U""#, true), (#"dash -c "VIEWER %u""#, true),
    (#"sh -c 'VIEWER %u'"#, false), (#"sh -c "exec VIEWER --x=%u""#, true),
    (#"env A=1 nice sh -ec "cd /; A=b VIEWER %u && true""#, true),
    (#"sh -c -e "VIEWER %u""#, true), (#"setsid -w sh -c "(VIEWER %u) # it's""#, true),
    (#"sh -c "x=\\$(echo \\"a b\\"); VIEWER %u""#, true), (#"sh -c 'VIEWER "$1"' sh %u"#, true),
    (#"sh -c "if true; then VIEWER 'a b' \\"c\\" %u; fi""#, true),
    (#"bash -c "y=%u; VIEWER \\"\\$y\\"""#, true),
  ]

  @Test(arguments: opening)
  func `is one argument, as with GIO`(exec: String, isGIOSafe: Bool) async throws {
    let (desktop, viewer) = (try ThrowAwayDesktop(hasBus: false), try RecordingViewer())
    let mark = "\(desktop.home)/pwn"
    let entry = try Self.install(exec, viewer, in: desktop)
    for link in Self.links(creating: mark) {
      let start = try await BlockingWork.run { try Self.start(entry, link, desktop) }
      let arguments = start?.arguments.map { String(decoding: $0, as: UTF8.self) } ?? []
      #expect(arguments.last == (exec.contains("--x=") ? "--x=" : "") + link, "\(exec) \(link)")
      #expect(!FileManager.default.fileExists(atPath: mark), "\(exec) \(link)")
      // GIO inserts the quoted link into the quotes of the line, which a `"` or a `\` in the link ends or changes.
      guard isGIOSafe, FileManager.default.isExecutableFile(atPath: "/usr/bin/gio"), !link.contains(#/["\\]/#)
      else { continue }
      let other = try await BlockingWork.run { try viewer.start(byGIO: link, desktop.environment) }
      #expect(other?.arguments == start?.arguments, "\(exec) \(link)")
      #expect(!FileManager.default.fileExists(atPath: mark), "gio: \(exec) \(link)")
    }
  }

  /// A list of the names of interpreters is never complete; GIO quotes the link whatever the program is.
  @Test(arguments: [
    #"RUNNER "VIEWER %u""#, #"RUNNER "cd /;VIEWER %u""#, #"env -S "sh -c" "VIEWER %u""#,
    #"sh -c "eval \\"\\$1\\"" x "VIEWER %u""#, #"git -c "alias.x=!VIEWER %u" x"#,
  ])
  func `is one argument in the code that a program of any name runs`(exec: String) async throws {
    let (desktop, viewer) = (try ThrowAwayDesktop(hasBus: false), try RecordingViewer())
    let mark = "\(desktop.home)/pwn"
    let runner = try desktop.installScript("runner", "#!/bin/sh\nexec sh -c \"$1\"\n")
    let entry = try Self.install(exec.replacing("RUNNER", with: runner), viewer, in: desktop)
    for link in Self.links(creating: mark) {
      let start = try await BlockingWork.run { try Self.start(entry, link, desktop) }
      #expect(start?.arguments.last.map { String(decoding: $0, as: UTF8.self) } == link, "\(exec) \(link)")
      #expect(!FileManager.default.fileExists(atPath: mark), "\(exec) \(link)")
    }
  }

  @Test(arguments: [
    #"RUNNER "VIEWER '%u'""#, #"RUNNER "VIEWER \\"%u\\"""#, #"RUNNER "VIEWER \\$(echo %u)""#,
    #"RUNNER "VIEWER \\\\%u""#, #"RUNNER "sh -c 'VIEWER %u'""#, #"RUNNER "x[1]=1; VIEWER %u""#,
    #"RUNNER "RUNNER 'VIEWER %u'""#, #"RUNNER "RUNNER 'exec VIEWER \"%u\"'""#,
  ])
  func `in quotes is refused where it could end them`(exec: String) async throws {
    let (desktop, viewer) = (try ThrowAwayDesktop(hasBus: false), try RecordingViewer())
    let mark = "\(desktop.home)/pwn"
    let runner = try desktop.installScript("runner", "#!/bin/sh\nexec sh -c \"$1\"\n")
    let entry = try Self.install(exec.replacing("RUNNER", with: runner), viewer, in: desktop)
    var refused = 0
    for link in Self.links(creating: mark) {
      do {
        _ = try await BlockingWork.run { try Self.start(entry, link, desktop) }
      } catch is LaunchError {
        refused += 1
      }
      #expect(!FileManager.default.fileExists(atPath: mark), "\(exec) \(link)")
    }
    #expect(refused > 5)
    let start = try await BlockingWork.run { try Self.start(entry, "t:x/a%20b,c@d", desktop) }
    #expect(start?.arguments.last == Array("t:x/a%20b,c@d".utf8), "\(exec)")
  }

  @Test(arguments: [
    #"sh -c "VIEWER \\"%u\\"""#, #"sh -c "VIEWER \\"a %u""#, #"sh -c "VIEWER \\$(echo %u)""#,
    #"sh -c "VIEWER `echo %u`""#, #"sh -c "eval VIEWER %u""#, #"sh -c "sh -c 'VIEWER %u'""#,
    #"sh -c "sh -c VIEWER\\\\ %u""#, #"sh -c "echo VIEWER %u | sh""#,
    #"sh -c "x=%u; eval \\"VIEWER \\$x\\"""#,
    #"sh -c %u"#, #"sh -c"#, #"sh -c "exec %u""#, #"bash -c "VIEWER \\$%u""#,
    #"bash -c "VIEWER \\\\\\\\\\\\%u""#,
    #"bash -c "VIEWER \\$'%u'""#, #"sh -c ": # %u""#, #"bash -c "(( %u )); VIEWER""#,
    #"bash -c "cat <<E; VIEWER %u""#,
    #"python3 -c "print('%u')""#, #"perl -e "print '%u'""#, #"env -S%u VIEWER"#, #"xterm -e %u"#,
    #"flatpak run --command=python3 org.x -c "f('%u')""#,
    "ssh -o ProxyCommand=%u h", "ssh -oProxyCommand=%u h", "rsync -e %u a b", "git -c core.editor=%u commit",
    #"sqlite3 :memory: ".shell VIEWER %u""#,
    #"sh -c "exec emacsclient --eval \\"(message-mailto \\\\\\"%u\\\\\\")\\"""#,
  ])
  func `is refused where it could be code`(exec: String) async throws {
    let (desktop, viewer) = (try ThrowAwayDesktop(hasBus: false), try RecordingViewer())
    let mark = "\(desktop.home)/pwn"
    for program in ["env", "flatpak", "xterm", "perl", "python3", "dash", "ssh", "rsync", "git", "sqlite3"] {
      try desktop.installScript(program, "#!/bin/sh\n")
    }
    let entry = try Self.install(exec, viewer, in: desktop)
    for link in Self.links(creating: mark) {
      let error = #expect(throws: LaunchError.self, "\(exec) \(link)") {
        _ = try Self.launches(entry, link, desktop)
      }
      let message = "\(error.map(\.description) ?? "")"
      #expect(message.contains("a.desktop:4: its Exec line inserts the link into code"), "\(message)")
      #expect(message.contains(#"sh -c 'PROGRAM "$1"' sh %u"#) && !message.contains(link), "\(message)")
    }
  }

  @Test(arguments: [#"sh -c "VIEWER \\"%u\\"""#, #"sh -c "VIEWER \\$(echo %u)""#, #"fish -c "VIEWER %u""#])
  func `without characters that mean anything is opened in quotes, too`(exec: String) async throws {
    let (desktop, viewer) = (try ThrowAwayDesktop(hasBus: false), try RecordingViewer())
    guard !exec.hasPrefix("fish") || ProgramSearch(path: nil).find("fish") != nil else { return }
    let entry = try Self.install(exec, viewer, in: desktop)
    let start = try await BlockingWork.run { try Self.start(entry, "t:x/a%20b,c@d", desktop) }
    #expect(start?.arguments == [Array("t:x/a%20b,c@d".utf8)])
  }

  /// Links, and files by their names, that create a file if a shell reads them as code.
  private static func links(creating mark: String) -> [String] {
    let command = "touch${IFS}\(mark)"
    return [
      "t:$(\(command))", "t:;\(command);", "t:`\(command)`", "t:'$(\(command))'", "t:\"$(\(command))\"",
      "t:'\"`\(command)`\"'", "t:\\';\(command);'", "t:\\\";\(command);\"", "t:&\(command)&", "t:|\(command)",
      "t:#?a=b&c=d", "t:!x", "t:)\(command)",
    ]
  }

  private static func install(_ exec: String, _ viewer: RecordingViewer, in desktop: ThrowAwayDesktop) throws
    -> DesktopEntry
  {
    let text =
      "[Desktop Entry]\nType=Application\nName=Viewer\nExec="
      + exec.replacing("VIEWER", with: viewer.path) + "\n"
    try desktop.installDesktopEntry("a", text: text)
    try desktop.setDefaults(["t": ["a"]])
    let id = try #require(ApplicationID("a" as String))
    return try #require(try Self.programs(desktop).catalog.entry(id))
  }

  private static func programs(_ desktop: ThrowAwayDesktop) -> ApplicationResolver {
    ApplicationResolver(
      directories: BaseDirectories(environment: desktop.environment),
      programs: ProgramSearch(path: desktop.environment["PATH"]))
  }

  private static func launches(_ entry: DesktopEntry, _ link: String, _ desktop: ThrowAwayDesktop) throws
    -> [Launch]
  {
    let programs = ProgramSearch(path: desktop.environment["PATH"])
    return try EntryLaunch.launches(
      of: entry, id: #require(ApplicationID("a" as String)), opening: [link],
      programs: LaunchPrograms(
        programs, catalog: Self.programs(desktop).catalog,
        directories: BaseDirectories(environment: desktop.environment)))
  }

  private static func start(_ entry: DesktopEntry, _ link: String, _ desktop: ThrowAwayDesktop) throws
    -> ViewerStart?
  {
    let launch = try #require(try launches(entry, link, desktop).first)
    return try RecordingViewer.start(
      by: launch.program(environment: LaunchEnvironment.clean(desktop.environment)))
  }
}
