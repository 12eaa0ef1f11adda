import Freedesktop
public import RouteTables

/// The URLs of one request that go the same way.
public struct RequestGroup: Hashable, Sendable {
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
  public func shares(of request: OpenRequest) -> [RequestGroup] {
    guard !request.urls.isEmpty else { return [shareWithoutURL(of: request)] }
    var shares = RequestGroupList()
    shares.add(request.urls[...], of: request, decidedBy: self)
    return shares.shares
  }

  /// Decides a whole request like `shares(of:)`, some URLs at a time, so that others have their turn in between.
  ///
  /// - Parameters:
  ///   - count: the number of URLs that are decided in one turn.
  ///   - turn: runs a turn, and returns its value.
  public func shares(
    of request: OpenRequest, urlsPerTurn count: Int,
    turn: (_ body: @escaping @Sendable () -> RequestGroupList) async -> RequestGroupList
  ) async -> [RequestGroup] {
    guard !request.urls.isEmpty else { return [shareWithoutURL(of: request)] }
    var shares = RequestGroupList()
    for start in stride(from: 0, to: request.urls.count, by: count) {
      let before = shares
      shares = await turn {
        var shares = before
        shares.add(request.urls[start...].prefix(count), of: request, decidedBy: self)
        return shares
      }
    }
    return shares.shares
  }

  private func shareWithoutURL(of request: OpenRequest) -> RequestGroup {
    RequestGroup(urls: [], verdict: decideWithoutURL(request).verdict)
  }
}

/// The shares of a request while its URLs are decided one after the other.
public struct RequestGroupList: Sendable {
  /// What a target's share is found by: a whole desktop entry takes too long to hash.
  private struct Target: Hashable, Sendable {
    let id: ApplicationID
    let desktopAction: String?
  }

  /// The shares in the order of their first URLs.
  private(set) var shares: [RequestGroup] = []
  private var indices: [Target: Int] = [:]

  /// Decides URLs of a request and adds them.
  fileprivate mutating func add(
    _ urls: ArraySlice<URLString>, of request: OpenRequest, decidedBy broker: Broker
  ) {
    for url in urls { add(broker.decide(url, of: request, DecisionTrace(tellsSteps: false))) }
  }

  /// Adds a URL to its target's share; one that no application gets is a share of its own.
  private mutating func add(_ decision: Decision) {
    if case .deliver(let application) = decision.verdict {
      let target = Target(id: application.id, desktopAction: application.desktopAction)
      // The entry may have changed since the last URL.
      if let index = indices[target], shares[index].verdict == decision.verdict {
        shares[index].urls.append(decision.url)
        shares[index].answered += decision.answered
        if !decision.isAllowedByPerson { shares[index].isAllowedByPerson = false }
        return
      }
      indices[target] = shares.count
    }
    shares.append(
      RequestGroup(
        urls: [decision.url], verdict: decision.verdict, answered: decision.answered,
        isAllowedByPerson: decision.isAllowedByPerson))
  }
}

extension Broker {
  /// The files that have to be looked at before `shares` can be what they are to be: those that a decision lacked.
  public func filesToLookAt(for shares: [RequestGroup]) -> [[UInt8]] {
    shares.compactMap { if case .refuse(.notLookedAt(let path)) = $0.verdict { path } else { nil } }
  }
}
