// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Freedesktop

/// The command `usher web enable`, which makes Usher the default for web links.
struct WebEnableCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable",
    abstract: "Apply your routes to web links; your browser opens those that no route matches.",
    usage: "usher web enable [<id>] [<options>]",
    discussion: HelpText.discussion(
      """
      Puts Usher in front of your default browser, as “usher register --web” does, and makes it Xfce's helper for web links if that is \
      another program. Then checks each way in which programs of this desktop open web links, and prints what remains to be done. If the \
      desktop's own tools do not find Usher, all changes are reverted.
      """,
      exit: [
        0: "web links are opened through Usher, also if an opener bypasses it",
        1: "enabling failed and nothing was changed", 64: "the arguments are wrong",
      ],
      examples: [
        "Keep your default browser": "usher web enable",
        "Choose the browser for links that no route matches": "usher web enable org.example.Browser",
        "Remove choices that the desktop portal has stored": "usher web enable --reset-portal",
      ]))

  @Argument(
    help: ArgumentHelp(
      "Open web links that no route matches with this browser (default: your default browser).",
      valueName: "id"),
    completion: Completions.browsers)
  var browser: String?

  @Flag(help: "Also remove the desktop portal's stored choices for web links.")
  var resetPortal = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard browser.map({ UserEnvironment.application($0) != nil }) ?? true else {
      throw ValidationError("“\(browser ?? "")” is not a desktop-file ID")
    }
  }

  func run() throws {
    let application = browser.flatMap(UserEnvironment.application)
    let invocation = RegistrationInvocation(
      schemes: URLScheme.web, isForWeb: true, resetsPortal: resetPortal)
    switch invocation.carryOut({ () throws(FreedesktopError) in application.map { .installed($0) } }) {
    case .refused(let reasons): try Failure.report(reasons, json: json)
    case .done(let report):
      var warnings = report.entryWarnings
      if let obstacle = replaceHelper() { warnings.append("Xfce's helper for web links: \(obstacle)") }
      let status = WebStatus()
      guard !json else {
        var entries = status.entries
        entries["warnings"] = .strings(warnings)
        entries["portal-reset"] = .dictionaries(report.portal.removed.map(\.entries))
        return Console.emit(JSONText.line(entries))
      }
      for warning in warnings { Console.warn(warning) }
      for line in report.portal.lines { Console.print(line) }
      status.report()
    }
  }

  /// Makes Usher Xfce's helper if exo-open uses another one, and returns the reason why that failed.
  private func replaceHelper() -> String? {
    let desk = RegistrationService()
    let openers = WebOpeners(directories: desk.directories, programs: desk.programs)
    guard desk.programs.find("exo-open") != nil, openers.xfceHelper != nil else { return nil }
    return Repair.xfceHelper.carryOut()
  }
}
