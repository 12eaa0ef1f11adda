// SPDX-License-Identifier: Apache-2.0
public import Freedesktop
public import RouteTables

/// The URLs of one request that have the same verdict.
public struct RequestGroup: Hashable, Sendable {
  /// One URL of a group.
  public struct Link: Hashable, Sendable {
    /// The URL as the caller sent it.
    public let requested: URLString
    /// The URL after rewriting, which is opened.
    public let url: URLString
    /// A Boolean value that indicates whether a route declares a part of it secret.
    public let hasSecret: Bool

    /// Creates a link.
    public init(requested: URLString, url: URLString, hasSecret: Bool) {
      self.requested = requested
      self.url = url
      self.hasSecret = hasSecret
    }

    /// The URL in a form that is safe to log, without the path if a part of it is secret.
    public var redacted: String { url.redacted(hidingPath: hasSecret) }
  }

  /// The URLs in the caller's order.
  public internal(set) var links: [Link]
  /// The common verdict.
  public let verdict: Decision.Verdict
  /// The user's answers from the request.
  public internal(set) var answered: [AnsweredQuestion] = []
  /// A Boolean value that indicates whether the user was prompted for this request and allowed all URLs of the group.
  public internal(set) var isAllowedByUser: Bool
  /// The application that opens the URLs if the user consents to ``question``; `nil` if there is no question, or if another rule decides then.
  public let applicationAfterConsent: ApplicationID?

  /// Creates a group.
  public init(
    links: [Link], verdict: Decision.Verdict, answered: [AnsweredQuestion] = [],
    isAllowedByUser: Bool = false, applicationAfterConsent: ApplicationID? = nil
  ) {
    self.links = links
    self.verdict = verdict
    self.answered = answered
    self.isAllowedByUser = isAllowedByUser
    self.applicationAfterConsent = applicationAfterConsent
  }

  /// The URLs after rewriting, in the caller's order.
  public var urls: [URLString] { links.map(\.url) }
  /// The question that the user must answer first; `nil` if there is none.
  public var question: Question? { if case .ask(let question) = verdict { question } else { nil } }
  /// The URLs as text.
  public var texts: [String] { links.map(\.url.text) }
  /// The ID of the application that receives the URLs; `nil` if none does.
  public var application: String? {
    if case .deliver(let target) = verdict { target.id.rawValue } else { nil }
  }
}

/// The groups of a request while its URLs are decided one after the other.
public struct RequestGroupList: Sendable {
  /// The dictionary key of a target's group, because hashing a whole desktop entry takes too long.
  private struct Target: Hashable, Sendable {
    let id: ApplicationID
    let desktopAction: String?
  }

  /// The groups in the order of their first URLs.
  private(set) var groups: [RequestGroup] = []
  private var indices: [Target: Int] = [:]

  /// Decides URLs of a request, or the request if it has none, and adds them.
  mutating func add(
    _ urls: ArraySlice<URLString>, of request: OpenRequest, decidedBy broker: Broker
  ) {
    if request.urls.isEmpty {
      groups = [RequestGroup(links: [], verdict: broker.decideWithoutURL(request).verdict)]
    }
    for url in urls { add(url, broker.decider.decide(url, of: request, DecisionTrace(tellsSteps: false))) }
  }

  /// Adds a URL to its target's group, or as a new group if no application receives it.
  private mutating func add(_ requested: URLString, _ decision: Decision) {
    let link = RequestGroup.Link(
      requested: requested, url: decision.url, hasSecret: decision.hasSecret)
    if case .deliver(let application) = decision.verdict {
      let target = Target(id: application.id, desktopAction: application.desktopAction)
      // The entry may have changed since the last URL was decided.
      if let index = indices[target], groups[index].verdict == decision.verdict {
        groups[index].links.append(link)
        groups[index].answered += decision.answered
        if !decision.isAllowedByUser { groups[index].isAllowedByUser = false }
        return
      }
      indices[target] = groups.count
    }
    groups.append(
      RequestGroup(
        links: [link], verdict: decision.verdict, answered: decision.answered,
        isAllowedByUser: decision.isAllowedByUser, applicationAfterConsent: decision.applicationAfterConsent))
  }
}

extension RequestGroup {
  /// The reason why the group is not opened, for logs and the history; `nil` if it is opened.
  ///
  /// It names the route that rejects or asks, and contains no more of the URLs than logs do.
  package var loggedReason: String? {
    switch verdict {
    case .deliver, .run: nil
    case .ask(let question): "\(question.asker) requires a prompt, and no prompt was shown"
    case .refuse(let refusal): refusal.loggedDescription
    }
  }
}
