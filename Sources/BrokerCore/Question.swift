// SPDX-License-Identifier: Apache-2.0
public import Freedesktop
public import RouteTables

/// A question that the user must answer before a URL is opened.
public struct Question: Hashable, Sendable, CustomStringConvertible {
  /// The reason for a question.
  public enum Reason: Hashable, Sendable {
    /// The action of this route is `ask`.
    case route(PromptingRoute)
    /// The caller may be sandboxed, and no route authorizes it.
    case sandbox
    /// The link is on a web page, and nothing shows that the user clicked it.
    case web(WebOrigin)
    /// A program of another machine signs in, and its site redirects the browser to a port of that machine.
    case signIn(LoopbackRedirect)
  }

  /// The reason for which the user is asked about each link of another machine, and no consent is stored.
  enum EachLinkReason: Hashable, Sendable {
    /// The link leads into the local network.
    case localNetwork
    /// A sign-in of the machine waits for its answer, and the page could lead the browser to another site that answers.
    case waitingSignIn
  }

  /// The reason for the question.
  public let reason: Reason
  /// The applications to choose from; empty if the question is whether the URL may be opened.
  public let choices: [ApplicationID]
  /// The URL in question.
  public let url: URLString
  /// The source application.
  public let source: SourceApplication
  /// The container or other sandbox of a source that no application identifies.
  public let container: CallerContainer?
  /// The scope for which the answer is stored; `nil` if it is not stored.
  public private(set) var scope: GrantScope?
  /// A Boolean value that indicates whether a route would store the answer if the source and the host were known.
  var isUnstorable = false
  /// The application that the caller names; `nil` if the broker chooses it.
  ///
  /// The prompt names it as the one that opens the URL.
  var target: ApplicationID?
  /// The scope of stored answers that refuse the URL without a prompt, for a question whose own answer is not stored.
  var refusingScope: GrantScope?
  /// The reason for which the user is asked about each such link of another machine; `nil` if stored answers apply.
  private(set) var eachLinkReason: EachLinkReason?
  /// The scopes whose stored answers may answer the question.
  public var answeringScopes: [GrantScope] { [scope, refusingScope].compactMap(\.self) }
  /// The file with which the administrator disables grants, so that the answer applies to this request only.
  private var grantsLockedBy: String?

  /// The positive answer to a question without choices.
  public static let consent = "yes"
  /// The negative answer.
  public static let refusal = "no"

  /// Creates a question about `url`.
  public init(
    _ reason: Reason, about url: URLString, from source: SourceApplication,
    in container: CallerContainer? = nil, choices: [ApplicationID] = [], keptFor scope: GrantScope? = nil
  ) {
    self.reason = reason
    self.url = url
    self.source = source
    self.container = source.id == nil ? container : nil
    self.choices = choices
    self.scope = scope
  }

  /// Returns the question without a grant scope, because of a file that disables grants.
  func unstored(because file: String) -> Question {
    var copy = self
    (copy.scope, copy.refusingScope, copy.grantsLockedBy) = (nil, nil, file)
    return copy
  }

  /// Returns the question about a link to which consent applies to this link alone; a stored refusal still applies.
  func askedEachTime(because reason: EachLinkReason) -> Question {
    var copy = self
    copy.refusingScope = scope ?? refusingScope
    (copy.scope, copy.isUnstorable, copy.eachLinkReason) = (nil, false, reason)
    return copy
  }

  /// The identity of a question: equal questions share one answer.
  public struct Identity: Hashable, Sendable {
    private let reason: Reason
    private let choices: [ApplicationID]
    private let scope: GrantScope?
    private let url: URLString?
    private let target: ApplicationID?
    private let source: SourceApplication?
    private let container: CallerContainer?
    private let assurance: Assurance

    fileprivate init(_ question: Question) {
      reason = question.reason
      choices = question.choices
      scope = question.scope
      url = question.scope == nil ? question.url : nil
      // An answer that is not stored applies to the link and the application that the prompt names.
      target = question.scope == nil && question.choices.isEmpty ? question.target : nil
      source = question.scope?.source == nil ? question.source : nil
      // Claims of a program in a container do not make the question a different one, because the answer is stored for the container.
      container = question.scope == nil ? question.container : nil
      // An answer about a program that claims a name must not apply to one whose name is verified.
      assurance = question.source.assurance
    }
  }

  /// The identity of the question.
  public var identity: Identity { Identity(self) }

  /// The rule that prompts, for messages: the route, or the broker's own policy.
  public var asker: String {
    switch reason {
    case .route(let route): "the route “\(route.name)”"
    case .sandbox:
      source.machine == nil ? "the rule for sandboxed applications" : "the rule for links of other machines"
    case .web: "the rule for links from web pages"
    case .signIn: "the rule for sign-ins of other machines"
    }
  }

  /// The question in one sentence.
  public var description: String {
    let what =
      choices.isEmpty
      ? "whether it may be opened" : "which of \(choices.map(\.rawValue).joined(separator: ", ")) opens it"
    return "\(asker) asks \(what)"
  }

  /// The error message if the user could not be prompted.
  public var unaskedMessage: String { "\(self), but no prompt can be shown here: \(remedy)" }

  /// The way to answer the question where no prompt can be shown, as a clause.
  public var remedy: String {
    let scheme = url.scheme
    if let file = grantsLockedBy {
      if case .web = reason { return "click the link; grants are disabled by \(file)" }
      if case .sandbox = reason {
        return "grants are disabled by \(file), so no answer can be stored in advance"
      }
    }
    switch reason {
    case .route:
      guard let scope else {
        guard !source.mayBeSandboxed else { return "start a notification server that supports buttons" }
        return
          "run the command in a terminal without redirecting standard input and standard error, or start a notification server that supports buttons"
      }
      let command = "usher grants allow \(scope.options)\(scope.isSandboxed ? " --sandboxed" : "")"
      guard let first = choices.first else { return "to allow it for \(Grant.days) days, run: \(command)" }
      return
        "to let \(first) open it for \(Grant.days) days, run: \(command) --app \(ShellWord.quoted(first.rawValue))"
    case .sandbox:
      if let machine = source.machine {
        guard scope != nil else {
          let (each, what) =
            switch eachLinkReason {
            case .localNetwork: ("link into the local network", "the link")
            case .waitingSignIn: ("web link while a sign-in of the machine waits for its answer", "the link")
            case nil: ("file", "the path here")
            }
          return
            "the user is asked about each \(each), so start a notification server that supports buttons, install zenity, or add a route with "
            + "allow = true for \(what) and source = { remote = \"\(machine)\" }"
        }
        return
          "to allow it for \(Grant.days) days, run: usher grants allow --remote \(ShellWord.quoted("\(machine)")) --scheme \(scheme)"
      }
      guard let id = source.id?.rawValue else {
        return container?.scope.map {
          "to allow it for \(Grant.days) days, run: usher grants allow --container \(ShellWord.quoted("\($0.unit)")) --scheme \(scheme)"
        } ?? "the caller cannot be identified"
      }
      return
        "to allow it for \(Grant.days) days, run: usher grants allow --source \(ShellWord.quoted(id)) --scheme \(scheme)"
    case .web(let origin):
      guard origin != .opaque else { return "click the link" }
      return
        "click the link, or to allow it for \(Grant.days) days, run: usher grants allow --origin \(ShellWord.quoted("\(origin)")) --scheme \(scheme)"
    case .signIn:
      return
        "the user is asked each time, so start a notification server that supports buttons, or install zenity"
    }
  }

  /// Returns whether `answer` is a valid answer to the question.
  public func takes(_ answer: Answer) -> Bool {
    switch answer {
    case .no: true
    case .yes: choices.isEmpty
    // A question without choices takes no application, because a misspelled `no`, such as `No`, is the ID of an application.
    case .application(let id): choices.contains(id)
    }
  }
}
