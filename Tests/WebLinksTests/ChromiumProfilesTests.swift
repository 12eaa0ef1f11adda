// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import TestSupport
import Testing

@testable import WebLinks

@Suite struct `The profiles of Chromium` {
  private func profiles(_ state: String) throws -> [BrowserProfile] {
    let home = try BrowserHome()
    try home.installPlain("chromium")
    try home.write(state, to: ".config/chromium/Local State")
    let browser = try home.browser("chromium")
    guard case .known(let profiles) = browser.profiles else {
      Issue.record("\(browser.profiles)")
      return []
    }
    return profiles
  }

  @Test func `are in Chromium's order, with their shown names, and the default is the one used last`() throws
  {
    let profiles = try profiles(
      """
      {"browser": {"big": 1e300, "x": null, "deep": [[[[{}]]]]}, "profile": {"info_cache": {
        "Default": {"name": "Person 1", "is_ephemeral": false}, "Profile 2": {"name": "Wörk", "active_time": 1.5},
        "Profile 1": {"name": "", "is_using_default_name": true}, "Guest": {"name": "Guest", "is_ephemeral": true},
        "System": {"name": "S", "is_omitted_from_profile_list": true}, "odd": 7
      }, "last_used": "Profile 2", "profiles_order": ["Profile 2", "Default"]}}
      """)
    #expect(profiles.map(\.name) == ["Wörk", "Person 1", "Profile 1"])
    #expect(profiles.map(\.key) == ["Profile 2", "Default", "Profile 1"])
    #expect(profiles.map(\.isDefault) == [true, false, false])
    #expect(profiles.first?.arguments == ["--profile-directory=Profile 2"])
  }

  @Test func `are none before the first start, and without the list`() throws {
    #expect(try profiles("{}").isEmpty)
    #expect(try profiles(#"{"profile": {"info_cache": []}}"#).isEmpty)
    #expect(try profiles(#"{"profile": 1}"#).isEmpty)
  }

  @Test func `are subdirectories of the data directory`() throws {
    let profiles = try profiles(
      #"""
      {"profile": {"info_cache": {"": {"name": "a"}, ".": {"name": "b"}, "..": {"name": "c"}, "../x": {"name": "d"},
       "/etc": {"name": "e"}, "a\nb": {"name": "f"}, "-x": {"name": "g"}, "--app=x": {"name": "h"}}}}
      """#)
    #expect(profiles.map(\.key) == ["--app=x", "-x"])
    // Each is a value, not an option.
    #expect(profiles.map(\.arguments) == [["--profile-directory=--app=x"], ["--profile-directory=-x"]])
  }
}

@Suite struct `The profiles of other families` {
  @Test func `are directories for Falkon`() throws {
    let home = try BrowserHome()
    try home.installPlain("org.kde.falkon", program: "falkon")
    #expect(try home.browser("org.kde.falkon").profiles == .known([]))
    try home.write("[Profiles]\nstartProfile=work\n", to: ".config/falkon/profiles/profiles.ini")
    try home.write("", to: ".config/falkon/profiles/default/settings.ini")
    try home.write("", to: ".config/falkon/profiles/work/settings.ini")
    #expect(try home.profiles("org.kde.falkon") == ["default|default", "work|work*"])
  }

  @Test(arguments: ["opera", "epiphany"])
  func `do not exist`(program: String) throws {
    let home = try BrowserHome()
    try home.installPlain(program)
    try home.write(
      #"{"profile": {"info_cache": {"Default": {"name": "a"}}}}"#, to: ".config/opera/Local State")
    #expect(try home.browser(program).profiles == .none)
  }

  @Test(arguments: [
    ("librewolf", ".librewolf"), ("librewolf", ".config/librewolf/librewolf"), ("waterfox", ".waterfox"),
    ("floorp", ".floorp"), ("zen-browser", ".zen"),
  ])
  func `are read from the directory of a derivative of Firefox`(program: String, directory: String) throws {
    let home = try BrowserHome()
    try home.installPlain(program)
    try home.write("[Profile0]\nName=a\nPath=x.a\n", to: "\(directory)/profiles.ini")
    #expect(try home.profiles(program) == ["a|a*"])
  }
}
