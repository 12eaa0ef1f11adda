// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import TestSupport
import Testing

@Suite struct `A family of browsers` {
  @Test func `selects a profile by its name`() throws {
    #expect(try BrowserFamily.firefox.arguments(ofProfileNamed: "Work") == ["-P", "Work"])
    #expect(
      try BrowserFamily.chromium.arguments(ofProfileNamed: "Profile 1") == ["--profile-directory=Profile 1"])
    #expect(try BrowserFamily.chromium.arguments(ofProfileNamed: "--x") == ["--profile-directory=--x"])
    #expect(try BrowserFamily.falkon.arguments(ofProfileNamed: "work") == ["--profile=work"])
    #expect(
      try BrowserFamily.librewolf.arguments(ofProfileAt: "/home/u/x y") == ["--profile", "/home/u/x y"])
  }

  @Test func `refuses a name that the browser would read as an option`() {
    for family in BrowserFamily.allCases where family.engine == .gecko {
      for name in ["-P", "--remote-debugging-port", "", "a\0b"] {
        #expect(throws: BrowserError.self) { try family.arguments(ofProfileNamed: name) }
      }
      for path in ["-x", "relative", ""] {
        #expect(throws: BrowserError.self) { try family.arguments(ofProfileAt: path) }
      }
    }
    #expect(throws: BrowserError.self) { try BrowserFamily.epiphany.arguments(ofProfileNamed: "x") }
    #expect(throws: BrowserError.self) { try BrowserFamily.chromium.arguments(ofProfileAt: "/x") }
  }

  @Test func `selects the window`() throws {
    func arguments(_ family: BrowserFamily, _ isPrivate: Bool, _ isNew: Bool) throws -> [String] {
      try family.arguments(isPrivate: isPrivate, opensNewWindow: isNew)
    }
    #expect(try arguments(.firefox, true, false) == ["--private-window"])
    // A second option would take the first one as its URL.
    #expect(try arguments(.firefox, true, true) == ["--private-window"])
    #expect(try arguments(.firefox, false, true) == ["--new-window"])
    #expect(try arguments(.chromium, true, true) == ["--incognito", "--new-window"])
    #expect(try arguments(.edge, true, false) == ["--inprivate"])
    #expect(try arguments(.epiphany, true, false) == ["--incognito-mode"])
    for family in BrowserFamily.allCases { #expect(try arguments(family, false, false) == []) }
  }
}

@Suite struct `The ID of a browser with a profile` {
  private func id(_ text: String) throws -> ApplicationID { try #require(ApplicationID(rawValue: text)) }

  @Test(arguments: [
    ("firefox-esr@Work", "firefox-esr", "Work", false, false),
    ("chromium@Profile%201", "chromium", "Profile 1", false, false),
    ("firefox-esr@?private", "firefox-esr", nil, true, false),
    ("chromium@Default?private&new-window", "chromium", "Default", true, true),
    ("a@b@c%40d", "a@b", "c@d", false, false),
    ("x@%2D-.%7E", nil, nil, false, false),
  ])
  func `has one spelling`(
    _ text: String, _ browser: String?, _ profile: String?, _ isPrivate: Bool, _ isNew: Bool
  ) throws {
    let parsed = BrowserTargetID(text)
    guard let browser else {
      #expect(parsed == nil)
      return
    }
    #expect(
      parsed
        == BrowserTargetID(try id(browser), profile: profile, isPrivate: isPrivate, opensNewWindow: isNew))
    #expect(
      parsed?.text == text && parsed?.applicationID.rawValue == text && parsed?.applicationID.busName == nil)
  }

  @Test(arguments: [
    "firefox", "firefox@", "@x", "firefox@Profile 1", "firefox@%4", "firefox@%ff", "firefox@a?",
    "firefox@a?new",
    "firefox@a?new-window&private", "firefox@%41", "firefox@a%0Ab", "firefox@a%00", "firefox@a/b",
    "fire/fox@a",
    "firefox@a?private?private", "chromium@Profile%201%2f", "firefox@a?private&private",
  ])
  func `is nothing else`(_ text: String) { #expect(BrowserTargetID(text) == nil) }

  @Test(.computes) func `of every key is parsed to that key`() throws {
    var generator = SeededGenerator(seed: 33)
    let scalars = Array("aZ09 .-_~@?&%/=+é–\u{1F600}'\"$".unicodeScalars)
    for _ in 0..<2_000 {
      var key = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        key.append(scalars[Int.random(in: 0..<scalars.count, using: &generator)])
      }
      let target = BrowserTargetID(
        try id("firefox"), profile: String(key), isPrivate: Bool.random(using: &generator))
      #expect(BrowserTargetID(target.text) == target)
      #expect(
        target.text.utf8.allSatisfy { byte in
          byte > 0x20 && byte < 0x7F && !"/\\'\"$` ~;|<>()".utf8.contains(byte)
        })
    }
  }
}
