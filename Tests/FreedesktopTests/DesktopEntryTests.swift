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
