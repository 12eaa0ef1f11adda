// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop
import Launching

/// The state of web links on this desktop: the browser, and each method by which programs open them.
struct WebStatus {
  /// The browser that opens web links which no route matches, by scheme.
  let browsers: [(scheme: URLScheme, application: ApplicationID?)]
  /// A Boolean value that indicates whether the desktop's default for both schemes is Usher.
  let isEnabled: Bool
  let openers: [WebOpener]

  /// Reads the lists and settings, and asks the tools.
  init() {
    let desk = RegistrationService()
    let registration = desk.registration
    // Started first, because these programs run while the files are read.
    let tools = [OpenerQuery.gio, .xdgMime].map { tool in
      (tool, URLScheme.web.map { ($0, tool.ask($0.mimeType, desk.programs, in: desk.environment)) })
    }
    browsers = URLScheme.web.map { ($0, registration.application(for: $0)) }
    isEnabled = Self.isEnabled(in: registration)
    let web = WebOpeners(directories: desk.directories, programs: desk.programs)
    openers =
      Self.desktops(registration)
      + tools.map { tool, questions in
        Self.tool(tool, questions.map { ($0, $1.answer(by: .now + .seconds(10))) })
      } + [
        Self.portal(desk, isEnabled: isEnabled), Self.exoOpen(web), Self.sensibleBrowser(web),
        Self.variable(web),
      ]
  }

  /// The opener of each desktop that has a list here.
  private static func desktops(_ registration: Registration) -> [WebOpener] {
    let answers = registration.answers(for: URLScheme.web)
    var desktops: [String?] = []
    for answer in answers where !desktops.contains(answer.desktop) { desktops.append(answer.desktop) }
    return desktops.map { desktop in
      let name = desktop.map { "desktop \($0)" } ?? "desktops without a list of their own"
      let others = answers.filter { $0.desktop == desktop && $0.application != .usherHandler }
      guard let other = others.first else { return WebOpener(name: name, state: .usher) }
      let clauses = others.map { answer in
        let application = answer.application?.rawValue ?? "no application"
        return "\(application) opens \(answer.scheme) links" + (answer.origin.map { " (\($0))" } ?? "")
      }
      var command = "usher web enable"
      // A list of a desktop precedes the one that Usher writes.
      if desktop != nil, let origin = other.origin, origin.path.contains("-mimeapps.list") {
        command = Shell.edit(origin.path, at: origin.line)
      }
      return WebOpener(
        name: name, state: .other, answer: clauses.joined(separator: ", "), command: command)
    }
  }

  private static func tool(
    _ tool: OpenerQuery, _ answers: [(URLScheme, OpenerQuery.Answer)]
  ) -> WebOpener {
    let name = tool.command.joined(separator: " ")
    let expected = OpenerQuery.Answer.names(ApplicationID.usherHandler.desktopFileName)
    guard let (scheme, answer) = answers.first(where: { $0.1 != expected }) else {
      return WebOpener(name: name, state: .usher)
    }
    switch answer {
    case .missing: return WebOpener(name: name, state: .absent, answer: "not installed")
    case .timedOut: return WebOpener(name: name, state: .unknown, answer: "no answer in time")
    case .failed(let reason): return WebOpener(name: name, state: .unknown, answer: reason)
    case .names(let found):
      return WebOpener(
        name: name, state: .other, answer: "\(found ?? "no application") for \(scheme) links",
        command: "usher web enable")
    }
  }

  /// The portal, which opens links of sandboxed applications.
  private static func portal(_ desk: RegistrationService, isEnabled: Bool) -> WebOpener {
    let name = "desktop portal"
    let choices = PortalChoices.read(desk.directories)
    if case .unavailable(let reason) = choices {
      return WebOpener(name: name, state: .unknown, answer: "its stored choices cannot be read: \(reason)")
    }
    let overrides = PortalOverride.among(choices, at: desk).filter { URLScheme.web.contains($0.scheme) }
    if let first = overrides.first {
      return WebOpener(
        name: name, state: .other, answer: "\(first.choice.application) for \(first.choice.callers)",
        command: "usher web enable --reset-portal")
    }
    return WebOpener(
      name: name, state: isEnabled ? .usher : .other, answer: "it uses the desktop's default",
      command: isEnabled ? nil : "usher web enable")
  }

  private static func exoOpen(_ web: WebOpeners) -> WebOpener {
    let name = "exo-open"
    guard web.programs.find(name) != nil else {
      return WebOpener(name: name, state: .absent, answer: "not installed")
    }
    guard let helper = web.xfceHelper else { return WebOpener(name: name, state: .usher) }
    return WebOpener(
      name: name, state: .other,
      answer: "the helper \(helper.name)\(helper.command.map { " (\($0))" } ?? "")",
      command: "usher web enable")
  }

  private static func sensibleBrowser(_ web: WebOpeners) -> WebOpener {
    let name = "sensible-browser"
    guard web.programs.find(name) != nil else {
      return WebOpener(name: name, state: .absent, answer: "not installed")
    }
    guard let browser = web.sensibleBrowser else { return WebOpener(name: name, state: .usher) }
    return WebOpener(
      name: name, state: .other, answer: "\(browser.program), by \(browser.origin.rawValue)",
      command: browser.origin.command)
  }

  /// The variable `BROWSER`, which `xdg-open` uses on desktops that it does not know, and programs such as Python's `webbrowser`.
  private static func variable(_ web: WebOpeners) -> WebOpener {
    let name = "variable BROWSER"
    guard let value = web.environment["BROWSER"], !value.isEmpty else {
      return WebOpener(name: name, state: .absent, answer: "not set")
    }
    guard let program = web.programs.find(value), WebOpeners.leadsToUsher(program) else {
      return WebOpener(name: name, state: .other, answer: value, command: "unset BROWSER")
    }
    return WebOpener(name: name, state: .usher, answer: value)
  }

  /// The state in one line.
  private var summary: StyledText {
    let names = Set(browsers.map { $0.application?.rawValue ?? "no application" })
    let browser =
      names.count == 1
      ? names.first ?? ""
      : browsers.map { "\($0.application?.rawValue ?? "no application") (\($0.scheme))" }.joined(
        separator: ", ")
    guard isEnabled else {
      return "\("disabled", as: .bad): web links are opened by \(browser), and routes have no effect on them"
    }
    return
      "\("enabled", as: .good): routes decide about web links, and \(browser) opens those that no route matches"
  }

  /// Prints the state.
  func report() {
    Console.print([summary] + openers.map(\.text))
    let count = openers.count(where: \.bypassesUsher)
    guard !isEnabled || count > 0 else { return }
    Console.suggest(
      isEnabled
        ? [] : [SuggestedCommand(command: "usher web enable", purpose: "apply your routes to web links")])
  }

  /// The keys for JSON: `enabled` b, `schemes` aa{sv} (`scheme` s, `application` s if there is one), `openers` aa{sv}.
  var entries: [String: Variant] {
    let schemes = browsers.map { scheme, application -> [String: Variant] in
      var entries: [String: Variant] = ["scheme": .string(scheme.rawValue)]
      entries["application"] = application.map { .string($0.rawValue) }
      return entries
    }
    return [
      "enabled": .boolean(isEnabled), "schemes": .dictionaries(schemes),
      "openers": .dictionaries(openers.map(\.entries)),
    ]
  }
}

extension WebStatus {
  /// A Boolean value that indicates whether the desktop's default for both schemes is Usher, without asking other programs.
  static var isEnabled: Bool { isEnabled(in: RegistrationService().registration) }

  private static func isEnabled(in registration: Registration) -> Bool {
    URLScheme.web.allSatisfy {
      registration.desktopFile(for: $0) == ApplicationID.usherHandler.desktopFileName
    }
  }

  /// The browser of `https` links that no route matches; `nil` if there is none.
  static var browser: ApplicationID? {
    URLScheme("https").flatMap { RegistrationService().registration.application(for: $0) }
  }
}
