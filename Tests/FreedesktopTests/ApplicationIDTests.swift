import Freedesktop
import Testing

@Suite struct ApplicationIDTests {
  @Test(arguments: [
    ("org.example.Notes", "org.example.Notes"), ("org.example.Notes.desktop", "org.example.Notes"),
    ("a.desktop.desktop", "a.desktop"), ("vim", "vim"), ("Gästebuch", "Gästebuch"),
  ])
  func theSuffixMayBeThereOrNot(text: String, raw: String) {
    #expect(ApplicationID(text)?.rawValue == raw)
    #expect(ApplicationID(text)?.desktopFileName == raw + ".desktop")
  }

  @Test(arguments: ["", ".desktop", "a/b", "a\nb", "a\0b"])
  func whatNoFileCanBeCalledIsNoID(text: String) {
    #expect(ApplicationID(text) == nil)
  }

  @Test(arguments: [
    ("okular.desktop", "okular"), ("kde/okular.desktop", "kde-okular"), ("a/b/c.desktop", "a-b-c"),
  ])
  func directoriesBecomePrefixes(path: String, raw: String) {
    #expect(ApplicationID(pathInApplications: path)?.rawValue == raw)
  }

  @Test func listsMustSpellTheSuffix() {
    #expect(ApplicationID(desktopFileName: "notes") == nil)
    #expect(ApplicationID(pathInApplications: "notes.txt") == nil)
  }

  @Test(arguments: [
    ("org.example.Notes", true), ("org.example.my-notes", true), ("org._7_zip.Archiver", true),
    ("notes", false),
    ("org.7zip.Archiver", false), ("org..Notes", false), (".org.Notes", false), ("org.Notes.", false),
    ("org.Nötes", false),
    ("org.example." + String(repeating: "x", count: 255), false), (":1.2", false),
  ])
  func busNamesFollowTheGrammarOfDBus(text: String, isBusName: Bool) {
    #expect((ApplicationID(text)?.busName != nil) == isBusName)
  }

  @Test func theObjectPathComesOfTheID() {
    #expect(ApplicationID("org.example.my-notes")?.objectPath == "/org/example/my_notes")
  }
}

@Suite struct BaseDirectoriesTests {
  @Test func defaultsAreThoseOfTheSpecification() {
    let directories = BaseDirectories(environment: ["HOME": "/home/ada"])
    #expect(directories.dataHome == "/home/ada/.local/share")
    #expect(directories.dataDirectories == ["/usr/local/share", "/usr/share"])
    #expect(directories.configHome == "/home/ada/.config")
    #expect(directories.configDirectories == ["/etc/xdg"])
    #expect(directories.stateHome == "/home/ada/.local/state")
    #expect(directories.runtimeDirectory == nil)
    #expect(directories.currentDesktops.isEmpty)
    #expect(directories.applicationDirectories.first == "/home/ada/.local/share/applications")
  }

  @Test func emptyAndRelativePathsCountAsNotSet() {
    let directories = BaseDirectories(environment: [
      "HOME": "/home/ada", "XDG_DATA_HOME": "share", "XDG_CONFIG_HOME": "", "XDG_DATA_DIRS": "rel:/a/::/b",
      "XDG_CONFIG_DIRS": "rel",
      "XDG_RUNTIME_DIR": "run",
    ])
    #expect(directories.dataHome == "/home/ada/.local/share")
    #expect(directories.configHome == "/home/ada/.config")
    #expect(directories.dataDirectories == ["/a", "/b"])
    #expect(directories.configDirectories == ["/etc/xdg"])
    #expect(directories.runtimeDirectory == nil)
  }

  @Test func desktopsAreLowerCaseAndOnlyThoseThatMayBeFileNames() {
    let directories = BaseDirectories(environment: ["XDG_CURRENT_DESKTOP": "ubuntu:GNOME::../x:KDE-6_1"])
    #expect(directories.currentDesktops == ["ubuntu", "gnome", "kde-6_1"])
  }

  @Test func withoutHOMEThePasswordDatabaseIsAsked() {
    #expect(BaseDirectories(environment: [:]).dataHome.hasPrefix("/"))
  }
}
