// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Testing

@Suite struct ApplicationIDTests {
  @Test(arguments: [
    ("org.example.Notes", "org.example.Notes"), ("org.example.Notes.desktop", "org.example.Notes"),
    ("a.desktop.desktop", "a.desktop"), ("vim", "vim"), ("Gästebuch", "Gästebuch"),
  ])
  func `The suffix of a file name is optional`(text: String, raw: String) {
    #expect(ApplicationID(text)?.rawValue == raw)
    #expect(ApplicationID(text)?.desktopFileName == raw + ".desktop")
  }

  @Test(arguments: ["", ".desktop", "a/b", "a\nb", "a\0b"])
  func `A text that cannot be a file name is not an ID`(text: String) {
    #expect(ApplicationID(text) == nil)
  }

  @Test(arguments: [
    ("okular.desktop", "okular"), ("kde/okular.desktop", "kde-okular"), ("a/b/c.desktop", "a-b-c"),
  ])
  func `Directories become prefixes`(path: String, raw: String) {
    #expect(ApplicationID(pathInApplications: path)?.rawValue == raw)
  }

  @Test func `Association lists must include the suffix`() {
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
  func `Bus names follow the grammar of D-Bus`(text: String, isBusName: Bool) {
    #expect((ApplicationID(text)?.busName != nil) == isBusName)
  }

  @Test func `The object path is derived from the ID`() {
    #expect(ApplicationID("org.example.my-notes")?.objectPath == "/org/example/my_notes")
  }
}

@Suite struct BaseDirectoriesTests {
  @Test func `The default directories are those of the specification`() {
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

  @Test func `Empty and relative paths count as unset`() {
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

  @Test func `Desktop names are lower case and can be file names`() {
    let directories = BaseDirectories(environment: ["XDG_CURRENT_DESKTOP": "ubuntu:GNOME::../x:KDE-6_1"])
    #expect(directories.currentDesktops == ["ubuntu", "gnome", "kde-6_1"])
  }

  @Test func `Without HOME the directory comes from the password database`() {
    #expect(BaseDirectories(environment: [:]).dataHome.hasPrefix("/"))
  }
}
