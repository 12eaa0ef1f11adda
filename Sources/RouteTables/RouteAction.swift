// SPDX-License-Identifier: Apache-2.0
/// The action of a route in a route file.
///
/// A ``RouteTable`` is generic over its action. This type has the actions of `Routes/*.toml`, which the broker performs.
public enum RouteAction: Hashable, Sendable {
  /// A property of a request that must be equal for a stored answer to apply.
  public enum AnswerKey: String, Hashable, Sendable, CaseIterable {
    /// The source application.
    case source
    /// The URL's scheme.
    case scheme
    /// The URL's host.
    case host
    /// The route with the `ask` action.
    case route
  }

  /// A choice of a question about the application that opens the URL.
  public enum Choice: Hashable, Sendable {
    /// The application with this desktop-file ID.
    case application(String)
    /// A browser, with a profile and a kind of window.
    case browser(BrowserTarget)
    /// All installed browsers with all their profiles.
    case browsers
  }

  /// The application's own handler of this name receives the URL; if `requiresConfirmation`, only after the user confirmed.
  case handler(String, requiresConfirmation: Bool = false)
  /// The application with this desktop-file ID opens the URL.
  case open(application: String)
  /// The browser opens the URL, in the profile and the kind of window that the target names.
  case browse(BrowserTarget)
  /// The application performs one of its desktop actions.
  case perform(application: String, action: String)
  /// The broker runs this argv; the first element is the program and contains no placeholders.
  ///
  /// `filled(by:url:source:)` returns the text of each element, or `nil` for an element that is omitted.
  case exec([ActionTemplate])
  /// The URL is replaced with the filled template and routed again.
  ///
  /// The broker ignores a rewrite whose result is the unchanged URL, because it would be routed forever.
  case rewrite(ActionTemplate)
  /// The user chooses one of these applications and browsers; with an empty list, the user decides whether the URL may be opened.
  ///
  /// The answer is stored for later requests that have the same values for all keys of `remember`. If `remember` is empty,
  /// the answer is not stored.
  case ask([Choice], remember: [AnswerKey])
  /// The URL may be opened; a later rule chooses the application.
  case allow
  /// The URL is rejected, and the caller receives the reason.
  case deny(reason: String)
}

extension RouteAction.Choice: ExpressibleByStringLiteral {
  /// Creates the choice of the application with this ID.
  public init(stringLiteral id: String) { self = .application(id) }
}

extension RouteCondition {
  /// The names of the conditions that the broker supports.
  public enum Name {
    /// The desktop-file ID of the source application; empty if it is unknown.
    public static let source = "source"
    /// The assurance of the source application: `sandbox`, `unit`, `executable`, `claimed` or `unknown`.
    public static let assurance = "assurance"
    /// The web origin of the page that contained the link, such as `https://example.org`; empty if there is none.
    public static let origin = "origin"
    /// The user activation of the request: `clicked`, `allowed`, or empty.
    public static let userActivation = "user-activation"
    /// `yes` if the caller runs or may run in a sandbox, otherwise empty.
    public static let sandboxed = "sandboxed"
    /// The machine from which the request came through a relay, such as `build.example.org`; empty for a program on this machine.
    public static let remote = "remote"

    /// Returns whether a text is the name of a machine: 1 to 255 lower-case ASCII letters, digits and `. _ : -`, of which the first is a
    /// letter or a digit.
    package static func isMachine(_ text: String) -> Bool {
      guard let first = text.utf8.first, text.utf8.count <= 255, !"._:-".utf8.contains(first) else {
        return false
      }
      return text.utf8.allSatisfy { $0.isLowercaseLetterOrDigit || "._:-".utf8.contains($0) }
    }

    /// The account that can modify the source application's installed files.
    ///
    /// `system` if only root can, `user` if the user can, empty if this is unknown.
    public static let installed = "installed"

    /// The running applications, as ``RunningApplications/value(of:)`` returns them; empty if none runs or they are unknown.
    public static let running = "running"

    /// Returns the name of the condition on a running application, whose value is `running` or empty.
    ///
    /// - Parameter application: the application's ID, or `nil` for the application that the caller named or that would receive
    ///   the URL if there were no routes.
    public static func target(_ application: String?) -> String {
      application.map { "target:\($0)" } ?? "target"
    }
  }

  /// The application whose state the condition tests; `nil` if it is a condition on another property.
  ///
  /// An application's ID, or `""` for the application that would receive the URL.
  public var target: String? { Self.target(ofName: name) }

  /// Returns the application whose state a condition of this name tests, as the property `target` does.
  public static func target(ofName name: String) -> String? {
    if name == "target" { return "" }
    return name.hasPrefix("target:") ? String(name.dropFirst("target:".count)) : nil
  }
}

extension UInt8 {
  fileprivate var isLowercaseLetterOrDigit: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}
