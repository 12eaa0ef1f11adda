// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import RouteTables
import WebLinks

/// The command `usher web try`, which shows what would open a web link.
struct WebTryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "try",
    abstract: "Show which browser, profile or application would open a web link, and why; open nothing.",
    usage: "usher web try [<options>] <url>",
    discussion: HelpText.discussion(
      """
      Decides as if Usher were enabled for web links, and says so if it is not. Prints every step, such as the routes that clean or unwrap the \
      link. “usher explain” does the same for links of all schemes, and also compares Usher's choice with that of other openers.
      """,
      exit: [
        0: "an application opens it, or the broker would prompt the user", 2: "no application opens it",
        3: "a route or a policy denies it", 4: "the program of the application is missing",
        7: "redirect loop",
        64: "the arguments are wrong", 65: "the argument is not a web link",
      ],
      examples: [
        "Show what opens a link": "usher web try https://example.org/page",
        "Decide as for a link in an application":
          "usher web try --as org.example.Chat https://example.org/page",
      ]))

  @Argument(help: ArgumentHelp("Try this link, which begins with http: or https:.", valueName: "url"))
  var url: OpenArgument

  @OptionGroup var asking: ExplainedCallerOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws { _ = try asking.explained() }

  func run() throws {
    guard let scheme = url.scheme, URLScheme.web.contains(scheme),
      let corrected = try? url.corrected(allowsAnyPath: false)
    else {
      try refuse()
      return
    }
    let report = ExplanationReport(
      corrected, OpenOptions(), as: try asking.explained(), isClicked: asking.clicked)
    let target = report.application.flatMap(Target.init)
    let isEnabled = WebStatus.isEnabled
    if json {
      var entries = report.entries
      entries["enabled"] = .boolean(isEnabled)
      entries["target"] = target.map { .dictionary($0.entries) }
      Console.emit(JSONText.line(entries))
    } else {
      report.print(with: target.map { ["opens in: \($0.description)"] } ?? [])
      if !isEnabled {
        Console.warn("Usher is not enabled for web links, so that the desktop does not ask it")
        Console.suggest([
          SuggestedCommand(command: "usher web enable", purpose: "apply your routes to web links")
        ])
      }
    }
    if report.exitStatus != 0 { throw ExitCode(report.exitStatus) }
  }

  /// Reports that the argument is not a web link, and exits.
  private func refuse() throws {
    let name = BrokerErrorName.invalidURL
    let message = "“\(String(url.text.prefix(200)))” is not a web link; it must begin with http: or https:"
    if json {
      Console.emit(JSONText.line(["error": .string(name.rawValue), "message": .string(message)]))
    } else {
      Console.warn(message)
      if url.scheme != nil {
        Console.suggest([
          SuggestedCommand(
            command: Shell.command("usher", "explain", url.text), purpose: "explain a link of another scheme")
        ])
      }
    }
    throw ExitCode(name.exitStatus)
  }
}

extension WebTryCommand {
  /// The application that opens the link: a browser with the profile and the window, or any other application.
  struct Target: CustomStringConvertible {
    let title: String
    let profile: String?
    let isPrivate: Bool
    let opensNewWindow: Bool

    /// Finds the application with an ID; `nil` if it is not installed.
    init?(_ text: String) {
      guard let id = ApplicationID(rawValue: text) else { return nil }
      let environment = LaunchEnvironment.current()
      let locale = MessageLocale(environment: environment)
      if let entry = try? UserEnvironment.catalog.entry(id) {
        (title, profile) = (entry.name(in: locale) ?? id.rawValue, nil)
        (isPrivate, opensNewWindow) = (false, false)
        return
      }
      guard let target = BrowserTargetID(text),
        let browser = BrowserDirectory(environment: environment, only: target.browser).browsers.first
      else { return nil }
      title = browser.title
      profile = target.profile.map { key in
        browser.knownProfiles.first { $0.key == key }?.name ?? key
      }
      (isPrivate, opensNewWindow) = (target.isPrivate, target.opensNewWindow)
    }

    var description: String {
      BrowserTarget(title, profile: profile, isPrivate: isPrivate, opensNewWindow: opensNewWindow).description
    }

    /// The keys for JSON: `title` s, `private` b, `new-window` b, and `profile` s if one is named.
    var entries: [String: Variant] {
      var entries: [String: Variant] = [
        "title": .string(title), "private": .boolean(isPrivate), "new-window": .boolean(opensNewWindow),
      ]
      entries["profile"] = profile.map { .string($0) }
      return entries
    }
  }
}
