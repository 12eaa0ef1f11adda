// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Foundation
import Freedesktop
import TestSupport
import Testing

@testable import WebLinks

@Suite struct `The directory of browsers` {
  @Test
  func
    `has the browsers of every packaging, the default first, then the order of the lists, then the known ones`()
    async throws
  {
    let home = try BrowserHome()
    try home.installPlain("chromium")
    try home.installPlain("firefox-esr")
    try home.installPlain("google-chrome", program: "google-chrome-stable")
    try home.install(
      "org.mozilla.firefox",
      exec: "true run --branch=stable --command=firefox --file-forwarding org.mozilla.firefox @@u %u @@")
    try home.desktop.installScript("flatpak", "#!/bin/sh\n")
    try home.install(
      "com.brave.Browser", exec: "flatpak run --command=brave --file-forwarding com.brave.Browser @@u %U @@",
      lines: ["X-Flatpak=com.brave.Browser"])
    // A browser that no list names for web links.
    try home.desktop.installScript("falkon", "#!/bin/sh\n")
    try home.install("org.kde.falkon", exec: "falkon %u", schemes: [])
    // Neither an editor nor a web application is a browser.
    try home.install("editor", exec: "true %u")
    try home.install("chrome-x-Default", exec: "chromium --profile-directory=Default --app-id=x", schemes: [])
    try await home.desktop.updateDesktopDatabase()
    try home.desktop.setDefaults(["https": ["org.usher.Handler", "firefox-esr"], "http": ["editor"]])
    let browsers = home.directory().browsers
    #expect(browsers.first?.id.rawValue == "firefox-esr")
    #expect(browsers.last?.id.rawValue == "org.kde.falkon")
    #expect(
      Set(browsers.map { "\($0.id.rawValue) \($0.family) \($0.packaging)" }) == [
        "firefox-esr firefox plain", "chromium chromium plain", "google-chrome chrome plain",
        "com.brave.Browser brave flatpak", "org.kde.falkon falkon plain",
      ])
  }

  @Test(arguments: [
    ("firefox", BrowserFamily.firefox), ("/usr/lib/firefox-esr/firefox-esr", .firefox),
    ("/opt/firefox/firefox", .firefox), ("firefox-devedition", .firefox), ("librewolf", .librewolf),
    ("/opt/waterfox/waterfox-bin", .waterfox), ("floorp", .floorp), ("/opt/zen/zen", .zen),
    ("/usr/bin/chromium-browser", .chromium), ("/usr/bin/google-chrome-stable", .chrome),
    ("/usr/bin/brave-browser-stable", .brave), ("/usr/bin/vivaldi-stable", .vivaldi),
    ("/usr/bin/microsoft-edge-stable", .edge), ("opera", .opera), ("epiphany", .epiphany),
    ("falkon", .falkon), ("env MOZ_ENABLE_WAYLAND=1 firefox", .firefox),
  ])
  func `recognizes a program`(program: String, family: BrowserFamily) throws {
    let entry = DesktopEntry(
      file: KeyFile(bytes: Array("[Desktop Entry]\nType=Application\nExec=\(program) %u\n".utf8)))
    #expect(BrowserProgram(entry)?.family == family)
  }

  @Test(arguments: [
    "xdg-open %u", "usher open %u", "firefox-developer %u", "env FIREFOX=1 %u",
    "flatpak run org.gnome.Maps %u",
    "sh -c 'firefox \"$1\"' sh %u", "chromium --app=https://example.org", "/snap/bin/spotify %u", "%u",
    "\"firefox",
  ])
  func `does not take another program for a browser`(exec: String) {
    let entry = DesktopEntry(
      file: KeyFile(bytes: Array("[Desktop Entry]\nType=Application\nExec=\(exec)\n".utf8)))
    #expect(BrowserProgram(entry) == nil)
  }

  @Test func `finds the profiles of each packaging`() async throws {
    let home = try BrowserHome()
    try home.desktop.installScript("flatpak", "#!/bin/sh\n")
    let ini = { (name: String) in "[Profile0]\nName=\(name)\nIsRelative=1\nPath=a.\(name)\n" }
    let state = { (name: String) in #"{"profile":{"info_cache":{"Default":{"name":"\#(name)"}}}}"# }
    // The entries that Flatpak and snapd write, with programs that exist here.
    try home.install(
      "org.mozilla.firefox", exec: "flatpak run --file-forwarding org.mozilla.firefox @@u %u @@")
    try home.write(ini("flat"), to: ".var/app/org.mozilla.firefox/config/mozilla/firefox/profiles.ini")
    #expect(try home.profiles("org.mozilla.firefox") == ["flat|flat*"])
    // A profile of an older version takes precedence, as in Firefox, and its path in the sandbox is another one.
    try home.write(
      ini("-old"), to: ".var/app/org.mozilla.firefox/.mozilla/firefox/profiles.ini")
    let old = try #require(try home.browser("org.mozilla.firefox").knownProfiles.first)
    #expect(old.arguments == ["--profile", "\(home.home)/.mozilla/firefox/a.-old"])

    try home.install(
      "com.google.Chrome", exec: "flatpak run com.google.Chrome @@u %U @@")
    try home.write(state("C"), to: ".var/app/com.google.Chrome/config/google-chrome/Local State")
    #expect(try home.profiles("com.google.Chrome") == ["C|Default*"])

    for (snap, directory, text) in [
      ("firefox", "common/.mozilla/firefox/profiles.ini", ini("s")),
      ("chromium", "common/chromium/Local State", state("s")),
      ("brave", "current/.config/BraveSoftware/Brave-Browser/Local State", state("s")),
    ] {
      try home.write(text, to: "snap/\(snap)/\(directory)")
      try home.write(text, to: "snap/\(snap)_work/\(directory)")
      let text =
        "[Desktop Entry]\nType=Application\nName=x\nExec=env BAMF_DESKTOP_FILE_HINT=/x /snap/bin/\(snap) %u\n"
      let entry = DesktopEntry(file: KeyFile(bytes: Array(text.utf8)))
      let parallel = DesktopEntry(
        file: KeyFile(bytes: Array((text + "X-SnapInstanceName=\(snap)_work\n").utf8)))
      for (entry, name) in [(entry, snap), (parallel, "\(snap)_work")] {
        let program = try #require(BrowserProgram(entry))
        #expect(program.packaging == .snap && program.name == name)
        var reader = ProfileReader(
          environment: home.desktop.environment, programs: ProgramSearch(path: home.desktop.bin))
        guard case .known(let profiles) = reader.profiles(of: program) else {
          Issue.record("\(snap)")
          continue
        }
        #expect(profiles.map(\.name) == ["s"], "\(snap)")
        #expect(reader.places.contains { $0.hasPrefix("\(home.home)/snap/\(name)/") })
      }
    }
  }

  @Test func `follows the variables and options that move the data`() throws {
    let home = try BrowserHome()
    let state = { (name: String) in #"{"profile":{"info_cache":{"Default":{"name":"\#(name)"}}}}"# }
    try home.installPlain("chromium")
    #expect(try home.browser("chromium").profiles == .known([]))
    try home.write(state("usual"), to: ".config/chromium/Local State")
    try home.write(state("config"), to: "other/chromium/Local State")
    try home.write(state("data"), to: "data/Local State")
    #expect(try home.profiles("chromium") == ["usual|Default*"])
    let config = ["CHROME_CONFIG_HOME": "\(home.home)/other"]
    #expect(try home.profiles("chromium", extra: config) == ["config|Default*"])
    let data = config.merging(["CHROME_USER_DATA_DIR": "\(home.home)/data"]) { $1 }
    #expect(try home.profiles("chromium", extra: data) == ["data|Default*"])
    try home.install("chromium", exec: "chromium --user-data-dir=\(home.home)/data %U")
    #expect(try home.profiles("chromium") == ["data|Default*"])
    // A relative path depends on the working directory.
    try home.install("chromium", exec: "chromium --user-data-dir=data %U")
    #expect(try home.profiles("chromium") == ["usual|Default*"])
  }

  @Test(arguments: [
    ("google-chrome-beta", "google-chrome-beta"), ("google-chrome-unstable", "google-chrome-unstable"),
    ("brave-browser-nightly", "BraveSoftware/Brave-Browser-Nightly"),
    ("vivaldi-snapshot", "vivaldi-snapshot"),
    ("microsoft-edge-dev", "microsoft-edge-dev"), ("microsoft-edge-stable", "microsoft-edge"),
    ("chromium-browser", "chromium"),
  ])
  func `finds the data of a release channel`(program: String, directory: String) throws {
    let home = try BrowserHome()
    try home.installPlain(program)
    try home.write(
      #"{"profile":{"info_cache":{"Default":{"name":"a"}}}}"#, to: ".config/\(directory)/Local State")
    #expect(try home.profiles(program) == ["a|Default*"])
  }

  @Test func `reads one browser only, if only one is needed`() throws {
    let home = try BrowserHome()
    try home.installPlain("chromium")
    try home.installPlain("firefox")
    let directory = home.directory(only: "firefox")
    #expect(directory.browsers.map(\.id.rawValue) == ["firefox"])
    #expect(directory.places.allSatisfy { !$0.contains("chromium") })
    #expect(home.directory(only: "nobody").browsers.isEmpty)
  }

  @Test func `names the files of a fingerprint`() throws {
    let home = try BrowserHome()
    try home.installPlain("firefox")
    try home.installPlain("chromium")
    try home.write("[Profile0]\nName=a\nPath=b\n", to: ".mozilla/firefox/profiles.ini")
    let places = home.directory().places
    #expect(places.contains("\(home.home)/.mozilla/firefox/profiles.ini"))
    // A browser that was never started has no directory yet.
    #expect(places.contains("\(home.home)/.config/chromium"))
    #expect(Set(places).count == places.count)
  }
}
