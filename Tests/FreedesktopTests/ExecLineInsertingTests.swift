// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import TestSupport
import Testing

@Suite struct `Arguments inserted into an Exec line` {
  @Test(arguments: [
    ("firefox %u", ["-P", "Work"], "firefox -P Work %u"),
    ("firefox", ["-P", "Work"], "firefox -P Work"),
    ("chromium --password-store=basic %U", ["--incognito"], "chromium --password-store=basic --incognito %U"),
    ("firefox --name firefox %U", ["-P", "a"], "firefox --name firefox -P a %U"),
    // The option would take the first argument as its value.
    ("firefox --new-tab %u", ["-P", "a"], "firefox -P a --new-tab %u"),
    ("chromium -- %U", ["--incognito"], "chromium --incognito -- %U"),
    (
      "/usr/bin/flatpak run --command=firefox --file-forwarding org.mozilla.firefox @@u %u @@", ["-P", "a"],
      "/usr/bin/flatpak run --command=firefox --file-forwarding org.mozilla.firefox -P a @@u %u @@"
    ),
    (
      "env BAMF_DESKTOP_FILE_HINT=/x.desktop /snap/bin/chromium %U", ["--profile-directory=Profile 1"],
      #"env BAMF_DESKTOP_FILE_HINT=/x.desktop /snap/bin/chromium "--profile-directory=Profile 1" %U"#
    ),
    ("browser --url=%u", ["--private"], "browser --private --url=%u"),
  ])
  func `precede the one for the URL`(_ line: String, _ added: [String], _ expected: String) throws {
    #expect(try ExecLine(line).inserting(added) == expected)
  }

  static let hostile = [
    "", " ", "a b", "%u", "%%", "%", "50%U", "\"", "'", "\\", "$(reboot)", "`id`", "; rm -rf /", "a\nb", "\t",
    "@@u",
    "--", "-P", "é – ü", "~", "$HOME", "&|<>*?#()",
  ]

  @Test(arguments: hostile)
  func `remain one argument each, whatever they contain`(_ text: String) throws {
    for line in ["firefox %u", "firefox", "flatpak run x @@u %U @@"] {
      let plain = try ExecLine(line).expand(["https://a.example/"]).flatMap { $0 }
      let written = try ExecLine(line).inserting([text, "-P", text])
      let command = try ExecLine(written).expand(["https://a.example/"]).flatMap { $0 }
      let place = plain.firstIndex { $0.text == "@@u" } ?? 1
      let expected = plain[..<place] + [text, "-P", text].map { ProgramArgument($0) } + plain[place...]
      #expect(command == Array(expected), "\(written)")
    }
  }

  @Test func `are not added to the code of a shell`() throws {
    for line in [#"sh -c "firefox \"$1\"" sh %u"#, #"sh -c "firefox %u""#] {
      #expect(throws: FreedesktopError.self) { try ExecLine(line).inserting(["-P", "a"]) }
    }
    #expect(throws: FreedesktopError.self) { try ExecLine("firefox %u").inserting(["a\0b"]) }
  }

  @Test func `that take one URL make a program start for each URL`() throws {
    let line = try ExecLine("firefox %U").inserting(["--private-window"], takesOneURL: true)
    #expect(
      try ExecLine(line).expand(["a:1", "a:2"])
        == [["firefox", "--private-window", "a:1"], ["firefox", "--private-window", "a:2"]])
  }

  @Test func `make an entry that is started only by its Exec line`() throws {
    let text = """
      [Desktop Entry]
      Type=Application
      Name=Firefox
      Name[de]=Feuerfuchs
      Exec=firefox %u
      DBusActivatable=true
      Implements=org.usher.Application1;
      Actions=new-window;

      [Desktop Action new-window]
      Name=New Window
      Exec=firefox --new-window %u

      """
    let id = try #require(ApplicationID("org.mozilla.firefox"))
    let entry = DesktopEntry(
      file: KeyFile(bytes: Array(text.utf8)), id: id, path: "/x/org.mozilla.firefox.desktop")
    let changed = try entry.inserting(["-P", "Work"], named: "Firefox – Work")
    #expect(changed.exec == "firefox -P Work %u" && changed.id == id && changed.path == entry.path)
    #expect(!changed.isDBusActivatable && changed.implements == [] && changed.actions() == [])
    #expect(changed.name(in: MessageLocale("de")) == "Firefox – Work" && changed.isApplication)
  }
}
