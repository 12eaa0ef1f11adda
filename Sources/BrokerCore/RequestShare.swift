import Freedesktop
public import RouteTables

/// The URLs of one request that go the same way.
public struct RequestShare: Hashable, Sendable {
  /// The URLs, in the caller's order, as routes have rewritten them.
  public internal(set) var urls: [URLString]
  /// What becomes of them.
  public let verdict: Decision.Verdict
  /// What a person answered on the way, as the request says.
  public internal(set) var answered: [AnsweredQuestion] = []
  /// Whether a person was asked about this request, and allowed all of them.
  public internal(set) var isAllowedByPerson: Bool
  /// URLs that go one way.
  public init(
    urls: [URLString], verdict: Decision.Verdict, answered: [AnsweredQuestion] = [],
    isAllowedByPerson: Bool = false
  ) {
    self.urls = urls
    self.verdict = verdict
    self.answered = answered
    self.isAllowedByPerson = isAllowedByPerson
  }

  /// What a person has to say first, if that is all that is missing.
  public var question: Question? { if case .ask(let question) = verdict { question } else { nil } }
  /// The URLs as text.
  public var texts: [String] { urls.map(\.text) }
  /// The application that gets them, if one does.
  public var application: String? {
    if case .deliver(let target) = verdict { target.id.rawValue } else { nil }
  }
}

extension Broker {
  /// Decides a whole request and splits it by target, in the order of its URLs.
  ///
  /// A URL that no application gets is a share of its own. A request without URLs is one share.
  public func shares(of request: OpenRequest) -> [RequestShare] {
    guard !request.urls.isEmpty else {
      return [RequestShare(urls: [], verdict: decideWithoutURL(request).verdict)]
    }
    var shares: [RequestShare] = []
    for url in request.urls {
      let decision = decide(url, of: request, Course(tellsSteps: false))
      let index = shares.firstIndex { $0.verdict == decision.verdict }
      if case .deliver = decision.verdict, let index {
        shares[index].urls.append(decision.url)
        shares[index].answered += decision.answered
        if !decision.isAllowedByPerson { shares[index].isAllowedByPerson = false }
      } else {
        shares.append(
          RequestShare(
            urls: [decision.url], verdict: decision.verdict, answered: decision.answered,
            isAllowedByPerson: decision.isAllowedByPerson))
      }
    }
    return shares
  }
}

extension Broker {
  /// The files that have to be looked at before `shares` can be what they are to be: those that a decision lacked.
  public func filesToLookAt(for shares: [RequestShare]) -> [[UInt8]] {
    shares.compactMap { if case .refuse(.notLookedAt(let path)) = $0.verdict { path } else { nil } }
  }
}
