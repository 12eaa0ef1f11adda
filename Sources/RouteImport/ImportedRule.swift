// SPDX-License-Identifier: Apache-2.0
import RemoteProtocol
import RouteTables

/// A rule of an imported file: conditions on a URL and an action.
///
/// Of several rules, the first whose condition is true decides.
struct ImportedRule {
  enum Action: Hashable {
    /// A browser, by family or desktop-file ID, and a profile.
    case browser(String, profile: String?)
    /// An application by its ID; if it is not required, other routes decide while it is not installed.
    case application(String, isRequired: Bool)
    case program([String])
    case rewrite(String)
    /// The URL with some of its parts replaced.
    case replace(ReplacedParts)
    case deny(String)
  }

  let location: SourceLocation
  /// The rule in one line, as the file has it.
  let text: String
  /// The conditions on the URL, of which one must be true; empty for the rule that decides everything else.
  let conditions: [SourceCondition]
  let action: Action
  /// The differences between the route and the rule.
  var notes: [String] = []
  /// Sentences for the reader that name no difference.
  var advice: [String] = []
  /// The applications of which one must contain the link; empty if the source does not matter.
  var sources: [String] = []
  /// The missing part of the route, if the rule becomes a comment in the position of its route.
  var outline: Outline?

  /// The missing part of a route for the links of an application.
  struct Outline: Hashable {
    /// The application of the rule, for which an ID is missing; `nil` if the condition could not be read.
    let application: String?
  }

  /// Returns whether the rule applies to a URL of an application, evaluated as the program of the imported file does.
  func matches(_ url: String, from application: String? = nil) -> Bool {
    guard outline == nil, sources.isEmpty || application.map(sources.contains) == true else { return false }
    return conditions.isEmpty || conditions.contains { $0.matcher.matches(url) == true }
  }
}

/// A condition of a rule, with its text in the file.
struct SourceCondition: Hashable, Sendable {
  let matcher: SourceMatcher
  let text: String
}

/// The rules of imported files, in the order in which they decide, and what was left out when they were read.
struct ImportedRules {
  var rules: [ImportedRule] = []
  var leftOut: [RouteImport.LeftOut] = []
  /// Sentences about the whole import, for the head of the route file.
  var remarks: [String] = []

  mutating func leaveOut(_ text: String, at location: SourceLocation, _ reason: String) {
    leftOut.append(RouteImport.LeftOut(location: location, text: text.inOneShortLine, reason: reason))
  }
}

extension ImportedRule.Action {
  /// The condition of a route, and of its tests, that holds only while its application is installed.
  static let whileInstalled = "target = \"installed\""

  /// Indicates whether the route holds only while its application is installed.
  var needsInstalledTarget: Bool {
    if case .application(_, false) = self { true } else { false }
  }

  /// The browser or application that opens links, if no profile is named.
  var plainTarget: String? {
    switch self {
    case .browser(let name, nil), .application(let name, _): name
    case .browser, .program, .rewrite, .replace, .deny: nil
    }
  }

  /// The lines of the route file.
  var lines: String {
    switch self {
    case .browser(let browser, let profile):
      "open = { browser = \(browser.inQuotes)" + (profile.map { ", profile = \($0.inQuotes)" } ?? "") + " }"
    case .application(let id, let isRequired):
      "open = \(id.inQuotes)" + (isRequired ? "" : "\n\(Self.whileInstalled)")
    case .program(let arguments): "exec = [\(arguments.map(\.inQuotes).joined(separator: ", "))]"
    case .rewrite(let url): "rewrite = \(url.withDoubledBraces.inQuotes)"
    case .replace(let parts): "rewrite = \(parts.template.inQuotes)"
    case .deny(let reason): "deny = \(reason.inQuotes)"
    }
  }

  /// Returns the URL to which a rewrite leads; `nil` for every other action.
  func rewritten(_ url: String) -> String? {
    switch self {
    case .rewrite(let other): other
    case .replace(let parts): parts.applied(to: url)
    case .browser, .application, .program, .deny: nil
    }
  }

  /// Indicates whether the rule replaces the URL.
  var rewrites: Bool { outcome == "rewrite" }

  /// The outcome in `tests.decide`.
  var outcome: String {
    switch self {
    case .browser, .application: "open"
    case .program: "exec"
    case .rewrite, .replace: "rewrite"
    case .deny: "deny"
    }
  }
}

extension String {
  /// The text as a literal of a pattern or a template.
  var withDoubledBraces: String {
    unicodeScalars.map { $0 == "{" || $0 == "}" ? "\($0)\($0)" : String($0) }.joined()
  }

  /// The text as a TOML string: in single quotes if that needs no escape.
  var inQuotes: String {
    let isPlain = !unicodeScalars.contains(where: \.changesDisplay)
    if isPlain, !unicodeScalars.contains(where: { $0 == "\\" || $0 == "\"" }) { return "\"\(self)\"" }
    if isPlain, !unicodeScalars.contains("'") { return "'\(self)'" }
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case _ where scalar.changesDisplay:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
