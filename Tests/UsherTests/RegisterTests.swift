// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `usher register` {
  /// Creates a desktop with Usher's entry installed.
  private func makeDesktop(_ currentDesktop: String? = nil) throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop(currentDesktop: currentDesktop, hasBus: false)
    try desktop.installUsher()
    return desktop
  }

  /// Returns every file of the user with its content.
  private func files(of desktop: ThrowAwayDesktop) throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: desktop.home) {
      let text = FileManager.default.contents(atPath: "\(desktop.home)/\(name)")
      if let text { files[name] = String(decoding: text, as: UTF8.self) }
    }
    return files
  }

  @Test(arguments: [nil, "GNOME"])
  func `An installed application opens the scheme, through Usher, and all tools agree`(
    currentDesktop: String?
  ) async throws {
    let desktop = try makeDesktop(currentDesktop)
    try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true %u", in: .system)
    let before = try files(of: desktop)
    let result = try await desktop.usher("register", "org.example.Notes", "--scheme", "notes://")
    #expect(result.succeeded && result.errorOutput.isEmpty, "\(result)")
    #expect(
      result.lines == [
        "notes: links are now opened by org.example.Notes",
        "  usher: org.usher.Handler.desktop, which opens it with org.example.Notes.desktop",
        "  gio mime: org.usher.Handler.desktop", "  xdg-mime query default: org.usher.Handler.desktop",
      ])
    let gio = try await Command.run(
      "gio", ["mime", "x-scheme-handler/notes"], environment: desktop.environment)
    #expect(gio.lines.first?.hasSuffix("org.usher.Handler.desktop") == true, "\(gio)")
    let entry = "\(desktop.dataHome)/applications/org.example.Notes.desktop"
    let validated = try await Command.run("desktop-file-validate", [entry])
    #expect(validated.succeeded && validated.output.isEmpty, "\(validated)")

    let (handlers, _) = try await desktop.usherJSON("handlers")
    let notes = try #require(handlers.objects("handlers").first { $0["scheme"] == "notes" })
    #expect(notes["application"] == "org.example.Notes" && notes.boolean("through-usher") == true)
    #expect(try await desktop.usher("handlers").lines.first?.contains("  through Usher") == true)

    let back = try await desktop.usher("unregister", "org.example.Notes")
    #expect(back.succeeded && back.output == "notes: no application opens these links now\n", "\(back)")
    #expect(try files(of: desktop) == before)
  }

  @Test func `A program gets an entry, and gets the links`() async throws {
    let desktop = try makeDesktop()
    let player = try Recorder("my player", in: desktop)
    let result = try await desktop.usher(
      "register", "--name", "My Player", "--exec", "\(player.execWord) --url=%u 100%%", "--scheme", "play")
    #expect(result.succeeded, "\(result)")
    #expect(result.lines.first == "play: links are now opened by usher-my-player")
    let entry = "\(desktop.dataHome)/applications/usher-my-player.desktop"
    let validated = try await Command.run("desktop-file-validate", [entry])
    #expect(validated.succeeded && validated.output.isEmpty, "\(validated)")
    #expect(try await desktop.usher("open", "play:1").succeeded)
    #expect(try await player.nextStart().arguments == ["--url=play:1", "100%"])
    // The desktop's own opener reaches the program through Usher.
    try await Command.run("gio", ["open", "play:2"], environment: desktop.environment).orThrow()
    #expect(try await player.nextStart().arguments == ["--url=play:2", "100%"])
  }

  @Test func `A desktop file from any directory is copied into the applications directory`() async throws {
    let desktop = try makeDesktop()
    try desktop.write(
      "[Desktop Entry]\nType=Application\nName=Notes\nExec=/bin/true %u\n",
      to: "home/build/org.example.Notes.desktop")
    let result = try await desktop.usher(
      "register", "./org.example.Notes.desktop", "--scheme", "notes", "--scheme", "notes+x",
      directory: "\(desktop.home)/build")
    #expect(result.succeeded, "\(result)")
    #expect(try await desktop.usher("explain", "notes+x:1").succeeded)
  }

  @Test func `Nothing is written for what is refused`() async throws {
    let desktop = try makeDesktop()
    try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true %u")
    try desktop.installDesktopEntry("org.example.Gone", exec: "/nowhere/gone %u")
    let before = try files(of: desktop)
    for (arguments, reason) in [
      (["org.example.Notes", "--scheme", "javascript"], "cannot be registered"),
      (["org.example.No", "--scheme", "x"], "No"),
      (["org.example.Gone", "--scheme", "x"], "/nowhere/gone"),
      (["./no.desktop", "--scheme", "x"], "No such file"),
    ] {
      let result = try await Command.run(
        BuiltProducts.usher, ["register"] + arguments, environment: desktop.environment,
        directory: desktop.home)
      #expect(result.status == 1 && result.errorOutput.hasPrefix("usher: "), "\(result)")
      #expect(result.errorOutput.contains(reason), "\(result)")
    }
    #expect(try files(of: desktop) == before)
  }

  @Test func `Without Usher's own entry, the error names the command`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true %u")
    let before = try files(of: desktop)
    let result = try await desktop.usher("register", "org.example.Notes", "--scheme", "notes")
    #expect(result.status == 1 && result.errorOutput.contains("make install"), "\(result)")
    #expect(try files(of: desktop) == before)
  }

  @Test func `When gio does not agree, everything is put back and gio is named`() async throws {
    let desktop = try makeDesktop()
    try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true %u")
    try desktop.installScript(
      "gio", "#!/bin/sh\necho 'Default application for “x-scheme-handler/notes”: other.desktop'\n")
    let before = try files(of: desktop)
    let result = try await desktop.usher("register", "org.example.Notes", "--scheme", "notes")
    #expect(result.status == 1, "\(result)")
    #expect(result.errorOutput.contains("gio mime x-scheme-handler/notes returns other.desktop"), "\(result)")
    #expect(try files(of: desktop) == before)
  }

  @Test func `The translations of the user's languages are not read`() async throws {
    let desktop = try makeDesktop()
    try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true %u")
    try desktop.installScript(
      "gio",
      """
      #!/bin/sh
      test -z "$LANGUAGE" || { echo "Standardanwendung für „$2“: org.usher.Handler.desktop"; exit; }
      echo "Default application for “$2”: org.usher.Handler.desktop"

      """)
    let result = try await desktop.usher(
      "register", "org.example.Notes", "--scheme", "notes", extra: ["LANGUAGE": "de_DE:de"])
    #expect(result.succeeded, "\(result)")
    #expect(result.lines.contains("  gio mime: org.usher.Handler.desktop"), "\(result)")
  }

  @Test func `When xdg-mime does not agree, that is a warning`() async throws {
    let desktop = try makeDesktop()
    try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true %u")
    try desktop.installScript("xdg-mime", "#!/bin/sh\necho other.desktop\n")
    let result = try await desktop.usher("register", "org.example.Notes", "--scheme", "notes")
    #expect(result.succeeded && result.errorOutput.contains("xdg-mime query default"), "\(result)")
  }

  @Test func `Unregistering restores the former default, and may be repeated`() async throws {
    let desktop = try makeDesktop()
    try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true %u")
    try desktop.installDesktopEntry("org.example.Former", exec: "/bin/true %u", schemes: ["notes"])
    try desktop.setDefaults(["notes": ["org.example.Former"]])
    let before = try files(of: desktop)
    let step = "  try: usher unregister org.example.Notes --scheme notes"
    #expect(
      try await desktop.usher("register", "org.example.Notes", "--scheme", "notes").errorOutput.hasPrefix(
        step))
    // A scheme in place of an application is suggested.
    let mistaken = try await desktop.usher("unregister", "notes")
    #expect(
      mistaken.status == 0 && mistaken.errorOutput.contains("try: usher unregister --scheme notes"),
      "\(mistaken)")
    let unknown = try await desktop.usher("unregister", "memo")
    #expect(unknown.status == 0 && !unknown.errorOutput.contains("try:"), "\(unknown)")
    let result = try await desktop.usher("unregister", "--scheme", "notes")
    #expect(result.output == "notes: links are now opened by org.example.Former\n", "\(result)")
    #expect(try files(of: desktop) == before)
    let again = try await desktop.usher("unregister", "--scheme", "notes")
    #expect(again.status == 0 && again.errorOutput.contains("was not registered"), "\(again)")
  }
}
