// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import TestSupport
import Testing

@testable import Launching

/// The program of a browser whose profiles' names come from files that other programs may write.
@Suite struct `The launch of a browser with a profile` {
  private func launches(
    _ family: BrowserFamily, exec: String, profile: BrowserProfile, opening urls: [String]
  ) throws -> [Launch] {
    let desktop = try ThrowAwayDesktop()
    try desktop.installScript("browser", "#!/bin/sh\n")
    try desktop.installDesktopEntry("my-browser", exec: exec, schemes: ["https"])
    let programs = ProgramSearch(path: desktop.bin)
    let directories = BaseDirectories(environment: desktop.environment)
    let resolver = ApplicationResolver(directories: directories, programs: programs)
    let broker = Broker(layers: [], resolver: resolver, programs: programs)
    let id = try #require(ApplicationID("my-browser"))
    let browser = InstalledBrowser(id: id, family: family, title: "My Browser", profiles: .known([profile]))
    let wanted = BrowserTargetID(id, profile: profile.key).applicationID
    let target = try #require(broker.target(of: wanted, browsers: [browser]))
    return try EntryLaunch.launches(
      of: target.entry, id: target.programID, opening: urls,
      programs: LaunchPrograms(programs, catalog: resolver.catalog, directories: directories))
  }

  @Test(arguments: [
    "Work", "Two words", "%u", "%c%U", "$(touch /tmp/x)", "`id`", "\"; reboot; \"", "'", "\\", "a\tb",
    "é – ü", "~",
    "@@u", "--", "--remote-debugging-port=1", "https://evil.example/",
  ])
  func `passes the profile as one argument before the link`(_ key: String) throws {
    let url = "https://a.example/?q=%22x"
    let chromium = BrowserProfile(
      name: key, key: key, arguments: try BrowserFamily.chromium.arguments(ofProfileNamed: key))
    guard
      BrowserTargetID(BrowserTargetID(try #require(ApplicationID("my-browser")), profile: key).text) != nil
    else {
      // Control characters are in no ID.
      #expect(key.contains("\t"))
      return
    }
    let started = try launches(.chromium, exec: "browser --flag=1 %U", profile: chromium, opening: [url])
    #expect(
      started.map { $0.arguments.dropFirst().map(\.text) } == [
        ["--flag=1", "--profile-directory=\(key)", url]
      ])
    // The unit and the source identification are those of the browser.
    #expect(started.allSatisfy { $0.application == "my-browser" && $0.title == "My Browser – \(key)" })
    guard let arguments = try? BrowserFamily.firefox.arguments(ofProfileNamed: key) else {
      #expect(key.hasPrefix("-"))
      return
    }
    let firefox = BrowserProfile(name: key, key: key, arguments: arguments)
    let other = try launches(
      .firefox, exec: "browser %u", profile: firefox, opening: [url, "https://b.example/"])
    #expect(
      other.map { $0.arguments.dropFirst().map(\.text) }
        == [["-P", key, url], ["-P", key, "https://b.example/"]])
  }
}
