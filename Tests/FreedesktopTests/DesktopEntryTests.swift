// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Testing

@Suite struct DesktopEntryTests {
  @Test func `Every key has a property`() {
    let entry = DesktopEntry(
      file: KeyFile(
        """
        # comment
        [Desktop Entry]
        Type=Application
        Name=Notes\\sand more
        Exec=notes "--title=\\\\$x" %u
        TryExec=notes
        Path=/srv
        Icon=org.example.Notes
        Terminal=true
        StartupNotify=false
        MimeType=text/plain;x-scheme-handler/notes;x-scheme-handler/a+b;
        DBusActivatable=true
        Implements=org.usher.Application1;org.example.X;
        Actions=new;missing;
        NoDisplay=true
        X-Flatpak=org.example.Notes
        [Desktop Action new]
        Name=New
        Exec=notes --new
        """))
    #expect(entry.isApplication)
    #expect(entry.name() == "Notes and more")
    #expect(entry.exec == #"notes "--title=\$x" %u"#)
    #expect(entry.tryExec == "notes")
    #expect(entry.workingDirectory == "/srv")
    #expect(entry.needsTerminal)
    #expect(entry.startupNotify == false)
    #expect(entry.schemes == ["notes", "a+b"])
    #expect(entry.isDBusActivatable)
    #expect(entry.implements == ["org.usher.Application1", "org.example.X"])
    #expect(entry.actions().map(\.id) == ["new"])
    #expect(entry.actions().first?.exec == "notes --new")
    #expect(entry.isLeftOutOfMenus)
    #expect(!entry.isHidden)
    #expect(entry["X-Flatpak"] == "org.example.Notes")
  }

  @Test func `An action needs a place in the list and a name`() {
    let entry = DesktopEntry(
      file: KeyFile(
        """
        [Desktop Entry]
        Actions=new;nameless;new;
        [Desktop Action new]
        Name=New
        Name[de]=Neu
        Icon[de]=neu
        Exec=notes \\\\
        [Desktop Action nameless]
        Name[de]=Nur deutsch
        [Desktop Action unlisted]
        Name=Unlisted
        [Desktop Action new]
        Name=Later
        """))
    #expect(
      entry.action("new").map { [$0.id, $0.name, $0.icon, $0.exec] } == ["new", "Later", nil, #"notes \"#])
    #expect(entry.action("nameless") == nil && entry.action("unlisted") == nil && entry.action("") == nil)
    #expect(entry.actions() == ["new", "new"].compactMap(entry.action))
    let german = entry.actions(in: MessageLocale("de_AT"))
    #expect(
      german.map(\.name) == ["Neu", "Nur deutsch", "Neu"] && german.map(\.icon) == ["neu", nil, "neu"])
  }

  /// Tests that the time does not grow with the square of the size; if it did, this test would take many minutes, and not fail.
  @Test func `An entry may have many actions`() {
    let ids = (0..<30_000).map { "a\($0)" }
    let groups = ids.map { "[Desktop Action \($0)]\nName=\($0)\nExec=run \($0)\n" }
    let entry = DesktopEntry(
      file: KeyFile("[Desktop Entry]\nActions=\(KeyFile.raw(list: ids))\n\(groups.joined())"))
    #expect(entry.actions().map(\.id) == ids)
    #expect(entry.action("a29999")?.exec == "run a29999")
    #expect(entry.action("zzz") == nil)
  }

  @Test func `An empty file has only default values`() {
    let entry = DesktopEntry(file: KeyFile())
    #expect(!entry.isApplication)
    #expect(entry.name() == nil && entry.exec == nil && entry.startupNotify == nil)
    #expect(entry.mimeTypes.isEmpty && entry.actions().isEmpty)
  }

  @Test(arguments: [
    ("de_AT.UTF-8@euro", "de_AT@euro"), ("de_AT", "de_AT"), ("de_DE@euro", "de@euro"), ("de_DE.UTF-8", "de"),
    ("de", "de"),
    ("fr_FR", "plain"), ("C", "plain"), ("POSIX", "plain"), ("", "plain"), ("C.UTF-8", "plain"),
  ])
  func `The best matching locale wins`(locale: String, name: String) {
    let entry = DesktopEntry(
      file: KeyFile(
        """
        [Desktop Entry]
        Name[de]=de
        Name=plain
        Name[de@euro]=de@euro
        Name[de_AT]=de_AT
        Name[de_AT@euro]=de_AT@euro
        """))
    #expect(entry.name(in: MessageLocale(locale)) == name)
  }

  @Test func `The environment names the locale`() {
    #expect(
      MessageLocale(environment: ["LANG": "de", "LC_MESSAGES": "fr", "LC_ALL": ""]).candidates == ["fr"])
    #expect(MessageLocale(environment: ["LANG": "de", "LC_ALL": "C"]).candidates.isEmpty)
    #expect(MessageLocale(environment: [:]).candidates.isEmpty)
  }

  @Test(arguments: [
    ("notes://x", "notes"), ("NOTES:x", "notes"), ("my+app.x-1:y", "my+app.x-1"), ("1a:x", nil),
    ("a b:x", nil), ("nothing", nil), (":x", nil),
  ])
  func `The scheme is the text before the colon`(url: String, scheme: String?) {
    #expect(URLScheme(of: url)?.rawValue == scheme)
  }
}
