// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import WebLinks

/// The command `usher web browsers`, which lists the installed browsers with their profiles.
struct WebBrowsersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browsers",
    abstract: "List the installed browsers with their profiles, and the ID of each.",
    discussion: HelpText.discussion(
      """
      Reads the desktop entries, and the files in which the browsers store their profiles, for browsers of the system, Flatpaks and snaps. Starts no \
      browser. A route names a browser by its family or by its ID, and a profile by its name: open = { browser = "firefox", profile = \
      "Work" }. An ID such as firefox-esr@Work is accepted wherever an application's ID is. “default” marks the browser of web links, and \
      the profile that a browser uses if none is named.
      """,
      exit: [
        0: "success", 1: "no browser is installed, or the profiles of one cannot be read",
        64: "the arguments are wrong",
      ],
      examples: [
        "List all browsers": "usher web browsers", "Print JSON for a program": "usher web browsers --json",
      ]))

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let browsers = BrowserDirectory(environment: LaunchEnvironment.current()).browsers
    let standard = WebStatus.browser
    if json {
      Console.emit(
        JSONText.line([
          "browsers": .dictionaries(browsers.map { $0.entries(isDefault: $0.id == standard) })
        ]))
    } else {
      for browser in browsers { Console.print(browser.lines(isDefault: browser.id == standard)) }
      for browser in browsers {
        if case .unreadable(let reason) = browser.profiles { Console.warn("\(browser.id): \(reason)") }
      }
      if browsers.isEmpty { Console.warn("no browser is installed whose profiles Usher can read") }
    }
    let hasError = browsers.contains { if case .unreadable = $0.profiles { true } else { false } }
    guard !browsers.isEmpty, !hasError else { throw ExitCode(1) }
  }
}

extension InstalledBrowser {
  /// Returns the ID of a profile as an application.
  private func target(_ profile: BrowserProfile) -> String {
    BrowserTargetID(id, profile: profile.key).text
  }

  /// Returns the browser, and each profile on a line of its own.
  fileprivate func lines(isDefault: Bool) -> [StyledText] {
    let kind = packaging == .plain ? family.name : "\(family.name), \(packaging.rawValue)"
    let mark = isDefault ? ", default" : ""
    let head: StyledText = "\(id, as: .heading)  \(title) (\(kind)\(mark))"
    let rows = zip(knownProfiles, knownProfiles.map(target).asColumn).map { profile, target -> StyledText in
      let row: StyledText = "  \(target)  \(profile.name)\(profile.isDefault ? "  (default)" : "")"
      return row.inOneLine
    }
    return [head.inOneLine] + rows
  }

  /// Returns the keys for JSON.
  ///
  /// `id` s, `family` s, `title` s, `packaging` s, `default` b, `profiles` aa{sv} (`id` s, `name` s, `key` s, `default` b), and `error` s
  /// if the profiles cannot be read.
  fileprivate func entries(isDefault: Bool) -> [String: Variant] {
    var entries: [String: Variant] = [
      "id": .string(id.rawValue), "family": .string(family.name), "title": .string(title),
      "packaging": .string(packaging.rawValue), "default": .boolean(isDefault),
      "profiles": .dictionaries(
        knownProfiles.map {
          [
            "id": .string(target($0)), "name": .string($0.name), "key": .string($0.key),
            "default": .boolean($0.isDefault),
          ]
        }),
    ]
    if case .unreadable(let reason) = profiles { entries["error"] = .string(reason) }
    return entries
  }
}
