// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Testing

@testable import BrokerCore

@Suite struct `Prompt backends` {
  private func backend(_ name: String, uses: [String] = [], chooser: Bool = true) throws -> PortalBackend {
    let interfaces = chooser ? "org.freedesktop.impl.portal.FileChooser;\(PortalBackend.chooser);" : "x;"
    let text = """
      [portal]
      DBusName=org.freedesktop.impl.portal.desktop.\(name)
      Interfaces=\(interfaces)
      UseIn=\(uses.joined(separator: ";"))
      """
    return try #require(PortalBackend(name: "\(name).portal", KeyFile(bytes: Array(text.utf8))))
  }

  private func means(_ backends: [PortalBackend] = []) -> PromptCapabilities {
    var means = PromptCapabilities()
    means.backends = backends
    means.busNames = Set(backends.map(\.busName))
    return means
  }

  @Test func `are tried in order: chooser, notification, zenity`() throws {
    var all = means([try backend("gtk")])
    all.notifications = ["body", "actions"]
    (all.zenity, all.hasDisplay) = ("/usr/bin/zenity", true)
    let chooser = PromptBackend.chooser(backend: "org.freedesktop.impl.portal.desktop.gtk")
    #expect(all.ways(hasCandidates: true) == [chooser, .notification, .zenity("/usr/bin/zenity")])
    // A chooser shows neither the link nor a caller without an application.
    #expect(all.ways(hasCandidates: true, needsText: true) == [.notification, .zenity("/usr/bin/zenity")])
    // A chooser without candidates cannot ask.
    #expect(all.ways(hasCandidates: false) == [.notification, .zenity("/usr/bin/zenity")])
  }

  @Test func `show a choice of many applications as a notification only where there is no window`() throws {
    var all = means([try backend("gtk")])
    all.notifications = ["body", "actions"]
    (all.zenity, all.hasDisplay) = ("/usr/bin/zenity", true)
    let chooser = PromptBackend.chooser(backend: "org.freedesktop.impl.portal.desktop.gtk")
    #expect(all.ways(hasCandidates: false, choices: 2) == [.notification, .zenity("/usr/bin/zenity")])
    #expect(all.ways(hasCandidates: false, choices: 3) == [.zenity("/usr/bin/zenity"), .notification])
    #expect(
      all.ways(hasCandidates: true, choices: 3) == [chooser, .zenity("/usr/bin/zenity"), .notification])
    all.zenity = nil
    #expect(all.ways(hasCandidates: false, choices: 3) == [.notification])
  }

  @Test func `leave out a notification server that other programs control`() throws {
    var all = means()
    all.notifications = ["body", "actions"]
    (all.zenity, all.hasDisplay) = ("/usr/bin/zenity", true)
    for (name, isUsed) in [(nil, true), ("dunst", true), ("mako", false), ("SwayNotificationCenter", false)] {
      all.notificationServer = name
      #expect(all.withoutControllableServer.ways(hasCandidates: false).contains(.notification) == isUsed)
      #expect(all.ways(hasCandidates: false).contains(.notification))
    }
  }

  @Test func `for permissions begin with the portal's dialog, never with its chooser`() throws {
    var all = means([try backend("gtk")])
    all.notifications = ["body", "actions"]
    (all.zenity, all.hasDisplay) = ("/usr/bin/zenity", true)
    #expect(all.waysForPermissions == [.notification, .zenity("/usr/bin/zenity")])
    let text = "[portal]\nDBusName=org.example.Backend\nInterfaces=\(PortalBackend.accessDialog)\n"
    let backend = try #require(PortalBackend(name: "example.portal", KeyFile(bytes: Array(text.utf8))))
    all.backends.append(backend)
    #expect(all.waysForPermissions == [.notification, .zenity("/usr/bin/zenity")])
    all.busNames.insert("org.example.Backend")
    #expect(
      all.waysForPermissions == [
        .accessDialog(backend: "org.example.Backend"), .notification, .zenity("/usr/bin/zenity"),
      ])
    all.isOnOtherDisplay = true
    #expect(all.waysForPermissions.first == .zenity("/usr/bin/zenity"))
  }

  @Test func `begin with a window of the broker's own if the caller has another display`() throws {
    var all = means([try backend("gtk")])
    all.notifications = ["body", "actions"]
    (all.zenity, all.hasDisplay, all.isOnOtherDisplay) = ("/usr/bin/zenity", true, true)
    let chooser = PromptBackend.chooser(backend: "org.freedesktop.impl.portal.desktop.gtk")
    #expect(all.ways(hasCandidates: true) == [.zenity("/usr/bin/zenity"), chooser, .notification])
    all.zenity = nil
    #expect(all.ways(hasCandidates: true) == [chooser, .notification])
  }

  @Test func `are skipped if they cannot show the question`() throws {
    #expect(PromptCapabilities().ways(hasCandidates: true).isEmpty)
    var means = means([try backend("gtk", chooser: false)])
    means.notifications = ["body"]
    means.zenity = "/usr/bin/zenity"
    #expect(means.ways(hasCandidates: true).isEmpty)
    means = self.means([try backend("gtk")])
    means.busNames = []
    #expect(means.ways(hasCandidates: true).isEmpty)
  }

  @Test func `begin with the chooser of this desktop`() throws {
    var means = means([
      try backend("gtk", uses: ["gnome"]), try backend("kde", uses: ["KDE"]), try backend("wlr"),
    ])
    for (desktops, name) in [
      (["KDE"], "kde"), (["sway", "GNOME"], "gtk"), (["kde", "GNOME"], "kde"), ([], "gtk"),
    ] {
      means.desktops = desktops
      #expect(
        means.ways(hasCandidates: true) == [.chooser(backend: "org.freedesktop.impl.portal.desktop.\(name)")])
    }
  }

  @Test(arguments: [
    ("https://Example.ORG/x", "https://example.org"), ("http://h:80", "http://h"),
    ("https://h:443/", "https://h"),
    ("http://h:443", "http://h:443"), ("https://a@b@h:1?x", "https://h:1"),
    ("https://[::1]:8080/", "https://[::1]:8080"),
    ("null", "null"), ("https://", "null"), ("https:///x", "https://x"), ("https:\\\\h\\x", "https://h"),
    // Browsers write a port without zeros, and refuse these hosts and ports.
    ("https://h:0443", "https://h"), ("https://h:08443", "https://h:8443"), ("https://h:", "https://h"),
    (" https://h ", "https://h"), ("\thttps://h\n", "https://h"), ("ht\ntps://h", "https://h"),
    (" null", "null"),
    ("https://evil.example:1.corp.example", "null"), ("https://h:65536", "null"), ("https://h:x", "null"),
    ("https://h:+1", "null"), ("https://[::1]x", "null"), ("https://[::1", "null"), ("https://a b", "null"),
    ("https://a^b.corp.example", "null"), ("https://127.1", "null"), ("https://[h]", "null"),
  ])
  func `an origin is written in one way`(text: String, origin: String) {
    #expect(WebOrigin(text)?.text == origin)
  }

  @Test(arguments: ["", "h.example", "ftp://h", "httpsx://h", "app:https://h", "file:///x"])
  func `only web schemes have origins`(text: String) { #expect(WebOrigin(text) == nil) }

  @Test(arguments: [
    ("bücher", "xn--bcher-kva"), ("münchen", "xn--mnchen-3ya"), ("ä", "xn--4ca"), ("例え", "xn--r8jz45g"),
    ("почта", "xn--80a1acny"), ("ascii-1", "ascii-1"), ("", ""), ("a😀b", "xn--ab-no82a"),
    // RFC 3492, section 7.1 (A), (B) and (S).
    ("ليهمابتكلموشعربي؟", "xn--egbpdaj6bu4bxfgehfvwxn"), ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
    ("-> $1.00 <-", "-> $1.00 <-"),
  ])
  func `a label beyond ASCII is Punycode`(label: String, ascii: String) {
    #expect(Punycode.ascii(label) == ascii)
  }
}
