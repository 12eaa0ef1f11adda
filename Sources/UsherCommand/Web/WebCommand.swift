// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The command `usher web`, which enables routes for web links and shows the browsers that routes can name.
struct WebCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web",
    abstract: "Choose the browser, profile or application for each web link.",
    discussion: HelpText.discussion(
      """
      Web links (http and https) go to your default browser until you enable Usher for them. Then your routes decide, and your browser opens \
      all web links that no route matches. A route can name a browser with one of its profiles, a private window or a new window.
      """,
      exit: WebCommand.exit,
      examples: [
        "Apply your routes to web links": "usher web enable",
        "Show whether every program of this desktop opens web links through Usher": "usher web status",
        "List the installed browsers and their profiles": "usher web browsers",
        "Show what opens a link, and why": "usher web try https://example.org/page",
        "List route files that open web links in their applications, or clean them": "usher web catalog list",
        "Restore the previous state": "usher web disable",
      ]),
    subcommands: [
      WebEnableCommand.self, WebDisableCommand.self, WebStatusCommand.self, WebBrowsersCommand.self,
      WebTryCommand.self, WebCatalogCommand.self,
    ])

  /// The exit statuses of all subcommands.
  static let exit: KeyValuePairs<Int32, String> = [
    0: "success", 1: "the state is not as requested, or cannot be read or changed",
    64: "the arguments are wrong",
  ]
}
