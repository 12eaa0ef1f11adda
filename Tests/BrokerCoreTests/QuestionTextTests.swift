// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// Forged texts in questions, from a URL, an origin or a title.
@Suite(.computes) struct `The text of a question` {
  private func text(
    _ url: String, reason: Question.Reason = .sandbox, source: String? = "org.box.App",
    title: String? = nil, choices: [String] = []
  ) throws -> QuestionText {
    let source = source.flatMap { ApplicationID($0) }.map { SourceApplication($0, .sandbox) } ?? .unknown
    let question = Question(
      reason, about: try URLString(url), from: source, choices: choices.compactMap { ApplicationID($0) })
    return QuestionText(question, opener: ApplicationID("org.example.Viewer"), title: { _ in title })
  }

  @Test func `names source, link and application`() throws {
    let text = try text("note://host.example/a/b", title: "Notes")
    #expect(text.summary == "Open this note: link?")
    #expect(
      text.body
        == """
        Notes (org.box.App) wants Notes (org.example.Viewer) to open note://host.example/a/b
        Your answer applies only to this link.
        """)
    #expect(text.options.map(\.label) == ["Open", "Refuse"])
    #expect(text.options.map(\.answer) == [.yes, .no])
  }

  @Test func `names a container as such`() throws {
    let machine = try #require(RemoteMachine(container: "work"))
    let question = Question(
      .sandbox, about: try URLString("note://host.example/a"), from: .remote(machine),
      keptFor: GrantScope(machine: machine, scheme: "note", isSandboxed: true))
    let body = QuestionText(question, opener: nil, title: { _ in nil }).body
    #expect(body.hasPrefix("The container work wants to open note://host.example/a\n"), "\(body)")
    #expect(body.contains("links from the container work"), "\(body)")
    for name in ["Work", "container:work", "22", "", "a/b"] { #expect(RemoteMachine(container: name) == nil) }
  }

  @Test func `names the application that asks for a permission, and the lifetime of the answer`() throws {
    let id = try #require(ApplicationID("org.example.Notes"))
    let question = PermissionQuestion(.notifications, of: id)
    #expect(question.remedy == "usher grants allow --permission notifications org.example.Notes")
    let text = QuestionText(question, title: "Notes")
    #expect(text.summary == "Notes (org.example.Notes) asks to show notifications")
    #expect(
      text.body
        == """
        Your answer is stored without expiry, and applies to this application only.
        To be asked again, run: usher grants revoke --permission notifications org.example.Notes
        """)
    #expect(text.options.map(\.label) == ["Allow", "Refuse"])
    #expect(text.options.map(\.answer) == [.yes, .no])
  }

  @Test func `about a permission cannot be forged by the title or the ID of the application`() throws {
    let id = try #require(ApplicationID("org.\u{202E}evil <b>"))
    let text = QuestionText(
      PermissionQuestion(.notifications, of: id), title: "Notes\nSettings (org.gnome.Settings) \u{202E}<b>")
    #expect(
      text.summary
        == "Notes Settings org.gnome.Settings b (org.%E2%80%AEevil%20%3Cb%3E) asks to show notifications")
    #expect(text.body.hasSuffix(" --permission notifications org.%E2%80%AEevil%20%3Cb%3E"), "\(text.body)")
  }

  @Test func `states for which links and sources an answer is stored, and by which rule`() throws {
    let (chat, web) = (ApplicationID("org.example.Chat"), WebOrigin("https://shop.example"))
    func rule(_ rank: PolicyLayer) -> GrantScope.Asker {
      .route(PromptingRoute(rank: rank, name: "corp/calls"))
    }
    for (scope, words) in [
      (
        GrantScope(source: chat, scheme: "tel", isSandboxed: true),
        " and applies to tel: links from org.example.Chat in a sandbox."
      ),
      (
        GrantScope(origin: web, scheme: "tel", isSandboxed: false),
        " and applies to tel: links from pages of https://shop.example."
      ),
      (
        GrantScope(source: chat, askedBy: rule(.finalAdministrator), isSandboxed: false),
        ". It applies to links from org.example.Chat for the administrator's final rule corp/calls."
      ),
      (
        GrantScope(scheme: "https", host: "bücher.example", askedBy: rule(.user), isSandboxed: true),
        ". It applies to https: links to xn--bcher-kva.example from any program in a sandbox for your rule corp/calls."
      ),
    ] {
      let question = Question(.sandbox, about: try URLString("tel:1"), from: .unknown, keptFor: scope)
      let text = QuestionText(question, opener: nil, title: { _ in nil })
      #expect(text.body.hasSuffix("\nYour answer is stored for 30 days\(words)"), "\(text.body)")
    }
  }

  @Test(arguments: [
    // User information that resembles a host, and text after the path.
    ("note://paypal.example@evil.example/x?token=secret#secret", "note://evil.example/x…"),
    ("note://evil.example?paypal.example", "note://evil.example…"),
    ("note:ada:secret@evil.example/x", "note:evil.example/x"), ("note:x%3Ftoken", "note:x…"),
    ("note:https://ada:secret@evil.example/", "note:https://evil.example/"),
    // A port names another program of the host.
    ("note://evil.example:8443/x", "note://evil.example:8443/x"),
    ("https://evil.example:443/x", "https://evil.example/x"),
    // Homographs, written directly or percent-encoded, including the full stop.
    ("note://аpple.example/", "note://xn--pple-43d.example/"),
    ("note://%D0%B0pple.example/", "note://xn--pple-43d.example/"),
    ("note://bücher.example/", "note://xn--bcher-kva.example/"),
    ("note://evil。example/", "note://evil.example/"),
    // Bidi controls and invisible characters.
    ("note:/\u{202E}gpj.exe", "note:/%E2%80%AEgpj.exe"),
    ("note:/a\u{200B}\u{2066}b", "note:/a%E2%80%8B%E2%81%A6b"),
    // Markup, and the quotes of the question.
    ("note:/<b>x</b>&amp;\"'”", "note:/%3Cb%3Ex%3C/b%3E%26amp;%22%27%E2%80%9D"),
    // A line break can occur only encoded, and remains encoded.
    ("note:/a%0AOpen%20it", "note:/a%0AOpen%20it"),
    ("note:\(String(repeating: "a", count: 100))", "note:\(String(repeating: "a", count: 40))…"),
    // An ellipsis in the URL is distinguished from an abbreviation.
    ("note:/a…", "note:/a%E2%80%A6"),
  ])
  func `a deceptive URL is displayed unambiguously`(url: String, shown: String) throws {
    let body = try text(url).body
    #expect(body.hasSuffix(" to open \(shown)\nYour answer applies only to this link."), "\(body)")
  }

  @Test func `shows the end of a long host, which identifies its owner`() throws {
    let long = "accounts.bank.example." + String(repeating: "a", count: 300) + ".evil.example"
    let body = try text("note://\(long)/").body
    #expect(body.contains("note://…") && body.contains("a.evil.example/") && !body.contains("bank"))
  }

  @Test func `a mebibyte of any text is shortened`() throws {
    for filler in ["a", "%00".replacing("0", with: "F"), "\u{202E}", "ü", "."] {
      let many = String(repeating: filler, count: 1_000_000 / filler.utf8.count)
      #expect(try text("note://\(many)").body.count < 400)
      #expect(try text("note:\(many)").body.count < 400)
      #expect(try text("note:x", title: many).body.count < 400)
    }
  }

  @Test(arguments: [
    ("Notes\nAllow everything?", "Notes Allow everything"), ("Bank (org.bank.App)", "Bank org.bank.App"),
    ("\u{202E}knaB", "knaB"), ("a\u{0301}\u{0301}\u{0301}\u{0301}", "a\u{0301}\u{0301}"),
    ("<b>Bank</b>", "bBank/b"),
    ("Заметки", "Заметки"), ("  Two   words ", "Two words"), ("“Bank”", "Bank"),
    ("פתקים", "\u{2068}פתקים\u{2069}"),
  ])
  func `a deceptive title cannot look like text of Usher`(title: String, shown: String) {
    #expect(QuestionText.title(title) == shown)
  }

  @Test func `a page is named by its origin, in unambiguous letters`() throws {
    let origin = try #require(WebOrigin("https://user:pw@аpple.example/secret?x"))
    let text = try text("note:x", reason: .web(origin), source: nil)
    #expect(text.body.hasPrefix("A page of https://xn--pple-43d.example wants "), "\(text.body)")
    let hidden = try self.text("note:x", reason: .web(.opaque), source: nil)
    #expect(hidden.body.hasPrefix("A web page wants "))
  }

  @Test func `a claimed name is marked as a claim, and an unidentified source has no name`() throws {
    let id = try #require(ApplicationID("org.example.Bank"))
    let question = Question(
      .route(PromptingRoute(rank: .user, name: "r")), about: try URLString("x:1"),
      from: SourceApplication(id, .claimed))
    let claimed = QuestionText(question, opener: nil, title: { _ in nil })
    #expect(claimed.body.hasPrefix("A program that calls itself org.example.Bank wants to open x:1"))
    let origin = try #require(WebOrigin("https://h.example"))
    for (assurance, words) in [(Assurance.claimed, "in a program that calls itself "), (.unit, "in ")] {
      let page = Question(.web(origin), about: try URLString("x:1"), from: SourceApplication(id, assurance))
      let body = QuestionText(page, opener: nil, title: { _ in nil }).body
      #expect(body.hasPrefix("A page of https://h.example, \(words)org.example.Bank, wants to open x:1"))
    }
    #expect(claimed.summary == "Open this x: link?")
    #expect(try text("x:1", source: nil).body.hasPrefix("An unknown program wants "))
  }

  @Test func `offers choices by title, with the ID only where the title does not identify the application`()
    throws
  {
    func labels(_ titles: String?...) -> [String] {
      let applications = titles.enumerated().compactMap { number, title in
        ApplicationID("org.a\(number)").map { (id: $0, title: title) }
      }
      return QuestionText.labels(applications, beside: "Refuse")
    }
    #expect(labels("Firefox – Work", "Chromium – Work") == ["Firefox – Work", "Chromium – Work"])
    #expect(labels("Web", "web", nil) == ["Web (org.a0)", "web (org.a1)", "org.a2"])
    // A title that Usher changed, that mixes scripts, or that is the label of another button.
    #expect(labels("Bank (org.bank.App)", "Fіrefox") == ["Bank org.bank.App (org.a0)", "Fіrefox (org.a1)"])
    #expect(labels("Fire\u{200B}fox", "Refuse") == ["Firefox (org.a0)", "Refuse (org.a1)"])
    #expect(labels("Chromium – 🎉🎉🎉", "Chromium – ❤\u{FE0F}") == ["Chromium – 🎉🎉🎉", "Chromium – ❤"])
    #expect(labels("Web – <b>Bold</b> & Söhne", "Заметки") == ["Web – <b>Bold</b> & Söhne", "Заметки"])
    #expect(labels("Web – \u{2800}\u{3164}", "x") == ["Web – (org.a0)", "x"])
  }

  @Test func `shortens the title of a browser and its profile separately`() {
    let (browser, profile) = (String(repeating: "b", count: 50), String(repeating: "p", count: 50))
    let short = QuestionText.title("\(browser) – \(profile)")
    #expect(short == "\(browser.prefix(40))… – \(profile.prefix(40))…")
    #expect(
      QuestionText.title("Chromium Web Browser – \(profile.prefix(40))").hasSuffix("– \(profile.prefix(40))"))
  }

  @Test func `offers choices with the rejection last`() throws {
    let text = try text("x:1", title: "T", choices: ["org.a", "org.b"])
    #expect(text.options.map(\.label) == ["T (org.a)", "T (org.b)", "Cancel"])
    #expect(text.summary.hasSuffix("with which application?"))
  }

  @Test func `about a choice names the link, the source and the scope once`() throws {
    let choices = ["chromium@Default", "firefox"].compactMap { ApplicationID($0) }
    func text(
      _ scope: GrantScope?, from source: SourceApplication = .unknown, unstorable: Bool = false
    ) throws -> QuestionText {
      var question = Question(
        .route(PromptingRoute(rank: .user, name: "r")),
        about: try URLString("https://wiki.corp.example/page?x"),
        from: source, choices: choices, keptFor: scope)
      question.isUnstorable = unstorable
      return QuestionText(question, opener: nil, isBrowser: choices.contains, title: { _ in nil })
    }
    func scope(_ rank: PolicyLayer = .user, source: ApplicationID? = nil) -> GrantScope {
      GrantScope(
        source: source, host: "wiki.corp.example", askedBy: .route(PromptingRoute(rank: rank, name: "r")),
        isSandboxed: false)
    }
    let plain = try text(scope())
    #expect(plain.windowTitle == "Open Link")
    #expect(plain.summary == "Open https://wiki.corp.example/page… with which browser?")
    #expect(
      plain.body
        == """
        From: an unknown program
        Usher remembers your choice for wiki.corp.example for 30 days.
        """)
    #expect(try text(scope(.administrator)).body.hasSuffix("for 30 days, by the administrator's rule r."))
    let chat = try #require(ApplicationID("org.example.Chat"))
    let named = try text(scope(source: chat), from: SourceApplication(chat, .unit)).body
    #expect(
      named
        == """
        From: org.example.Chat
        Usher remembers your choice for wiki.corp.example from org.example.Chat for 30 days.
        """)
    #expect(try text(nil).body.hasSuffix("\nYour answer applies only to this link."))
    #expect(
      try text(nil, unstorable: true).body.hasSuffix(
        "only to this link, because Usher does not know the program that opens it."))
  }

  @Test func `a choice of no application is not stored`() throws {
    let id = try #require(ApplicationID("org.a"))
    func question(_ choices: [ApplicationID]) throws -> UserQuestion {
      .link(Question(.sandbox, about: try URLString("x:1"), from: .unknown, choices: choices))
    }
    #expect(try !question([id]).stores(.no) && question([id]).stores(.application(id)))
    #expect(try question([]).stores(.no) && question([]).stores(.yes))
  }

  @Test func `removes all control and formatting characters`() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let scalars = (0..<Int.random(in: 1..<60, using: &generator)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0x21..<0x3000, using: &generator))
      }
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars)
      let wild = String(view)
      guard let url = try? URLString("note://\(wild)") else { continue }
      let shown = QuestionText.link(url)
      #expect(shown.unicodeScalars.allSatisfy { $0 == "…" || (0x21..<0x7F).contains($0.value) }, "\(shown)")
      #expect(!shown.contains("<") && !shown.contains("&") && shown.count < 180, "\(shown)")
      let title = QuestionText.title(wild)
      #expect(!title.contains("(") && !title.contains("<") && !title.contains("\n"))
    }
  }
}
