public import Freedesktop
public import RouteTables

/// What a person has to say before a URL is opened.
public struct Question: Hashable, Sendable, CustomStringConvertible {
  /// Why a person is asked.
  public enum Reason: Hashable, Sendable {
    /// This route says so.
    case route(PromptingRoute)
    /// A sandboxed application asks, and no route says anything of it.
    case sandbox
    /// A page of the web asks, and nothing shows that a person's click is behind it.
    case web(WebOrigin)
  }

  /// Why it is asked.
  public let reason: Reason
  /// The applications to choose among; empty where the question is whether it may be opened at all.
  public let choices: [ApplicationID]
  /// The URL it is about.
  public let url: URLString
  /// Who wants it opened.
  public let source: SourceApplication
  /// What the answer is kept for; `nil` for nothing else.
  public private(set) var scope: GrantScope?
  /// The file by which the administrator has switched grants off, so that the answer counts for this request alone.
  private var grantsLockedBy: String?

  /// The answer that allows, to a question without choices.
  public static let consent = "yes"
  /// The answer that refuses.
  public static let refusal = "no"

  /// A question about `url`.
  public init(
    _ reason: Reason, about url: URLString, from source: SourceApplication, choices: [ApplicationID] = [],
    keptFor scope: GrantScope? = nil
  ) {
    self.reason = reason
    self.url = url
    self.source = source
    self.choices = choices
    self.scope = scope
  }

  /// The question, whose answer is not stored because of a file that switches grants off.
  func unstored(because file: String) -> Question {
    var copy = self
    (copy.scope, copy.grantsLockedBy) = (nil, file)
    return copy
  }

  /// What makes two questions one: the answer to either is the answer to both.
  public struct Identity: Hashable, Sendable {
    private let reason: Reason
    private let choices: [ApplicationID]
    private let scope: GrantScope?
    private let url: URLString?
    private let source: SourceApplication?
    private let assurance: Assurance

    fileprivate init(_ question: Question) {
      reason = question.reason
      choices = question.choices
      scope = question.scope
      url = question.scope == nil ? question.url : nil
      source = question.scope?.source == nil ? question.source : nil
      // An answer about a program that claims a name is none about one that is known to have it.
      assurance = question.source.assurance
    }
  }

  /// What makes two questions one.
  public var identity: Identity { Identity(self) }

  /// Who asks, for a log: the route, or Usher's own rule.
  public var asker: String {
    switch reason {
    case .route(let route): "the route “\(route.name)”"
    case .sandbox: "the rule for sandboxed applications"
    case .web: "the rule for links of the web"
    }
  }

  /// What is asked, in a sentence.
  public var description: String {
    let what =
      choices.isEmpty
      ? "whether it may be opened" : "which of \(choices.map(\.rawValue).joined(separator: ", ")) opens it"
    return "\(asker) asks \(what)"
  }

  /// The sentence a person reads where nobody could be asked.
  public var unaskedMessage: String { "\(self), and nobody can be asked here: \(remedy)" }

  private var remedy: String {
    let scheme = url.scheme
    if let file = grantsLockedBy {
      if case .web = reason { return "click the link; grants are switched off by \(file)" }
      if case .sandbox = reason {
        return "grants are switched off by \(file), so no answer can be given before"
      }
    }
    switch reason {
    case .route: return "open it with “usher open” in a terminal"
    case .sandbox:
      guard let id = source.id?.rawValue else { return "nobody can say who wants it" }
      return "“usher grants allow --source \(id) --scheme \(scheme)” answers it for \(Grant.days) days"
    case .web(let origin):
      guard origin != .opaque else { return "click the link" }
      return
        "click the link, or answer for \(Grant.days) days: “usher grants allow --origin \(origin) --scheme \(scheme)”"
    }
  }

  /// Whether `answer` is one that can be given to it.
  public func takes(_ answer: Answer) -> Bool {
    switch answer {
    case .no: true
    case .yes: choices.isEmpty
    // Whoever has chosen by what such links are opened has said that they may be.
    case .application(let id): choices.isEmpty || choices.contains(id)
    }
  }
}
