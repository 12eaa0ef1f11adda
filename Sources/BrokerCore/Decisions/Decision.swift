// SPDX-License-Identifier: Apache-2.0
public import Freedesktop
public import RouteTables

/// The decision on one URL, with its explanation.
public struct Decision: Hashable, Sendable {
  /// The result of a decision.
  public enum Verdict: Hashable, Sendable {
    /// The application receives the URL.
    case deliver(TargetApplication)
    /// The broker runs a program for the URL.
    case run(RouteCommand)
    /// The user must answer a question first.
    case ask(Question)
    /// The URL is rejected.
    case refuse(Refusal)
  }

  /// The URL that is opened: the requested one, or the result of `rewrite` routes.
  public let url: URLString
  /// The result of the decision.
  public let verdict: Verdict
  /// The steps of the decision, in order.
  public let explanation: [ExplanationStep]
  /// The route that decides, those over which it wins, and those that nearly match.
  ///
  /// Empty if the decision did not record reasons. For a caller that may be sandboxed it has at most the route that decides.
  public let routes: [InvolvedRoute]
  /// The answers of the user from the request.
  ///
  /// They are stored if their question has a grant scope.
  public let answered: [AnsweredQuestion]
  /// A Boolean value that indicates whether the user was prompted for this request and allowed it.
  ///
  /// A stored grant does not count.
  public let isAllowedByUser: Bool
  /// A Boolean value that indicates whether a route declares a part of the URL, or of one that led to it, secret.
  public let hasSecret: Bool
  /// The application that opens the URL if the user consents; `nil` if the verdict is not `ask`, or if another rule decides then.
  public let applicationAfterConsent: ApplicationID?
  /// The requested URL, with `…` for parts that a route declares secret.
  ///
  /// `nil` if the decision did not record reasons, and for a caller that may be sandboxed.
  public let shownURL: String?
  /// The URL that is opened, in full, if it is not the requested one.
  ///
  /// It is for the caller of an explanation, not for logs. `nil` if ``shownURL`` is, if a part of any of the URLs is
  /// secret, and if no application opens it.
  public let openedURL: String?
}

extension Decision.Verdict {
  /// A Boolean value that indicates whether the verdict opens the URL.
  var opens: Bool {
    switch self {
    case .deliver, .run: true
    case .ask, .refuse: false
    }
  }
}

extension Decision.Verdict: CustomStringConvertible {
  /// The verdict as a sentence.
  public var description: String {
    switch self {
    case .deliver(let target):
      target.desktopAction.map { "\(target.id) performs “\($0)”" }
        ?? target.machine.map { "\(target.id) opens it \($0.place), while that is connected" }
        ?? "\(target.id) opens it"
    case .run(let command): "the route “\(command.route)” runs \(command.arguments.first ?? "") for it"
    case .ask(let question): question.description
    case .refuse(let refusal): refusal.description
    }
  }
}

/// The reason why a URL is not opened.
public enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// No application handles this scheme.
  case noHandler(scheme: String)
  /// Only a dedicated application may open the URL, and there is none.
  case noUniversalLink
  /// No application handles files of this MIME type.
  case noHandlerOfType(MIMEType)
  /// The file does not exist, or cannot be inspected.
  case noFile(path: String, reason: String)
  /// The decision needs the MIME type of a file that is missing in the request's `DesktopSnapshot.fileTypes`, and must be repeated with it.
  case notExamined(path: [UInt8])
  /// The decision needs the installed browsers, which are missing in the request's `DesktopSnapshot.browsers`, and must be repeated with them.
  case browsersNotListed
  /// The named application is not installed or cannot open anything.
  case noApplication(String, reason: String)
  /// The program of the application cannot be started.
  case noProgram(String, reason: String)
  /// The request is incomplete; the sentence names what is missing.
  case incomplete(String)
  /// The host or path of the URL is ambiguous, so that no rule can be applied.
  case unreadable(reason: String)
  /// A rule forbids the URL.
  case denied(reason: String)
  /// The user was asked about the URL and did not consent.
  case declined(reason: String)
  /// The request exceeds the maximum number of hops.
  case tooManyHops(hops: UInt32)
  /// These routes rewrite the URL again and again.
  case endlessRewrite([String])
  /// The URL contains a URL that contains another one, and so on, more often than a request may have hops.
  case wrappedTooDeeply
  /// The URL would return to an application of its redirect chain, given in order.
  case redirectLoop([ApplicationID])
  /// The source exceeds its rate limit.
  case tooOften(source: String)

  /// The sentence for the user.
  public var description: String {
    switch self {
    case .noHandler(let scheme):
      "no application opens \(scheme.shortened()): links" + Self.remedy(forScheme: scheme)
    case .noUniversalLink:
      "universal-links-only requires a route that names the application for this link or, except for http, https and file, a desktop entry of the application that declares the scheme; add a route, or omit --universal-links-only"
    case .incomplete(let sentence): sentence
    case .noHandlerOfType(let type):
      "no application opens \(type) files; run: gio mime \(ShellWord.quoted("\(type)")) ID.desktop"
    case .noFile(let path, let reason): "\(path.shortened())\(Self.noFile)\(reason)"
    case .notExamined(let path):
      "the MIME type of \(String(decoding: path, as: UTF8.self)) was not determined"
    case .browsersNotListed: "the installed browsers were not listed"
    case .noApplication(let id, let reason): "\(id) cannot be used: \(reason)"
    case .noProgram(let id, let reason): "\(id) cannot be started: \(reason)"
    case .unreadable(let reason):
      "the link is rejected, because programs may parse it differently: \(reason)"
    case .denied(let reason), .declined(let reason): reason
    case .tooManyHops(let hops):
      "redirect loop: the link was passed back to Usher \(hops == 1 ? "once" : "\(hops) times"); "
        + "click the link to open it anyway"
    case .endlessRewrite(let routes):
      "redirect loop: \(routes.count == 1 ? "the route" : "the routes") \(routes.map { "“\($0)”" }.joined(separator: ", ")) "
        + "\(routes.count == 1 ? "rewrites" : "rewrite") the link without end; change \(routes.count == 1 ? "its" : "one") `rewrite`"
    case .wrappedTooDeeply:
      "the link contains more than \(OpenRequest.maximumHops) links inside one another; copy the innermost one, and open it"
    case .redirectLoop(let chain):
      "redirect loop (\(chain.map(\.rawValue).joined(separator: " → "))); click the link to open it anyway"
    case .tooOften(let source):
      """
      \(source) exceeded its limit of \(RateLimiter.maximumCount) links within \(RateLimiter.interval.components.seconds) s; \
      try again later, or open fewer links at once
      """
    }
  }
}

extension Refusal {
  /// Returns the advice for a scheme without a handler.
  private static func remedy(forScheme text: String) -> String {
    // `C:\notes.txt` is a valid URL.
    guard text.utf8.count > 1 else {
      return "; if “\(text):” is a Windows drive, give the path of the file on this machine"
    }
    guard let scheme = URLScheme(text) else { return "" }
    if URLScheme.web.contains(scheme) {
      return "; install a browser, or run: usher register ID --web"
    }
    guard scheme.refusal == nil else {
      return "; install one, or run: gio mime \(scheme.mimeType) ID.desktop"
    }
    return "; to choose one, run: usher register ID --scheme \(scheme)"
  }

  /// The text between the path of a file and the reason why it is not opened.
  private static let noFile = " cannot be opened: "

  /// Returns the sentence about a file that is not opened without the path of the file, and any other sentence unchanged.
  package static func withoutPath(_ sentence: String) -> String {
    guard sentence.utf8.first == UInt8(ascii: "/"),
      let range = sentence.utf8.ranges(of: noFile.utf8).last
    else { return sentence }
    return "the file" + String(sentence.unicodeScalars[range.lowerBound...])
  }

  /// The sentence for logs: without the path of a file, which the redacted URL before it may hide, and short.
  package var loggedDescription: String {
    switch self {
    case .noFile(_, let reason): "the file\(Self.noFile)\(reason)".shortened()
    case .notExamined: "the MIME type of the file was not determined"
    default: description.shortened()
    }
  }
}

extension Refusal {
  /// A Boolean value that indicates whether the decision is repeated with the type of a file.
  var isProvisional: Bool {
    switch self {
    case .notExamined, .browsersNotListed: true
    default: false
    }
  }

  /// A Boolean value that indicates whether a rule or the user rejected the URL, and not the lack of an application.
  var isByRule: Bool {
    switch self {
    case .denied, .declined, .unreadable: true
    default: false
    }
  }
}

/// One step of a decision, for explanations.
public struct ExplanationStep: Hashable, Sendable, CustomStringConvertible {
  /// The object of the step.
  public enum Subject: String, Sendable {
    /// The request itself.
    case request
    /// A layer of route files.
    case routes
    /// An application that the desktop's files name.
    case candidate
    /// The result.
    case verdict
  }
  /// The object of the step.
  public let subject: Subject
  /// The finding, with file and line if there is one.
  public let text: String

  init(_ subject: Subject, _ text: String) {
    self.subject = subject
    self.text = text
  }

  /// The finding.
  public var description: String { text }
}
