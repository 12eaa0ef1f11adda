public import Freedesktop
public import RouteTables

/// One request to open URLs, as far as the decision needs it.
///
/// The message on the wire is another type on purpose: who asked comes from the bus, never from the message.
public struct OpenRequest: Hashable, Sendable {
  /// The URLs in the caller's order; none only where `reason` is another than `urlReason`.
  public var urls: [URLString]
  /// Why it is made, in the words of the envelope.
  public var reason = urlReason
  /// The reason of a request that is about its URLs alone.
  public static let urlReason = "url"
  /// Whether only an application may open its URLs that a route, or its own entry, gives that very URL to; no browser.
  public var isUniversalLinksOnly = false
  /// Who asked.
  public var source: SourceApplication
  /// The application whose sandbox the caller is in, where `source` names a part of it: it may claim to be any part, and is
  /// asked about as the one that it is.
  public var sandbox: ApplicationID?
  /// The application the caller wants, `nil` to have it found.
  public var target: ApplicationID?
  /// How many times the request went round already.
  public var hops: UInt32
  /// The place inside the source that the link stood in, as the caller says.
  public var origin: String?
  /// What a person said to the questions about a URL, a word for each in the order in which they come: an application, or
  /// `Question.consent`.
  public var answer: String?
  /// What a person said to the broker's own questions about this request.
  public var answers: [Question.Identity: Answer] = [:]
  /// The broker's own questions about this request that nobody answered, and why.
  public var unanswered: [Question.Identity: String] = [:]
  /// What people said before that still holds, for the scopes that this request has come to.
  public var grants: [Grant] = []
  /// Whether an activation token came along: a person has just clicked or pressed something where it comes from.
  public var isByClick = false
  /// Whether that is to be believed: what a sandboxed application says about a person is its own word.
  public var isByPerson: Bool { isByClick && !source.mayBeSandboxed }
  /// The action of the application's desktop entry that the caller wants.
  public var desktopAction: String?
  /// The applications that run, where `Broker.asksWhatRuns`: those that own their name on the bus.
  public var running: Set<ApplicationID> = []
  /// What was found out about local files, by the bytes of their paths.
  ///
  /// Without it each is looked at while the decision is made; with it none is, and one that it lacks is refused as
  /// `Refusal.notLookedAt`.
  public var fileTypes: [[UInt8]: FileTypeOutcome]?

  /// A request to open `urls`.
  public init(
    urls: [URLString], source: SourceApplication = .unknown, target: ApplicationID? = nil, hops: UInt32 = 0
  ) {
    self.urls = urls
    self.source = source
    self.target = target
    self.hops = hops
  }

  /// The application that questions are about, and answers are kept for.
  public var questioner: ApplicationID? { sandbox ?? source.id }

  /// The word of `answer` for the question of this number about a URL, counted from 0.
  func answer(toQuestion number: Int) -> String? {
    let words = answer?.split(separator: " ") ?? []
    return words.indices.contains(number) ? String(words[number]) : nil
  }

  /// The request without the unverified claims of a sandboxed caller (its origin, and a name that it only claims), or `nil` if the request
  /// has none.
  var withoutUnverifiedClaims: OpenRequest? {
    guard source.mayBeSandboxed, origin != nil || source.assurance == .claimed else { return nil }
    var request = self
    request.origin = nil
    if source.assurance == .claimed { request.source = .unseen }
    return request
  }

  /// The hops of a request that is made in the place of this one; the largest number stays what it is.
  public var nextHop: UInt32 { hops == .max ? .max : hops + 1 }

  /// The most times a request may go round.
  public static let maximumHops: UInt32 = 8

  /// What routes may ask about the request, but for what runs.
  var context: [String: String] {
    [
      RouteCondition.Name.source: source.id?.rawValue ?? "",
      RouteCondition.Name.assurance: source.assurance.rawValue, RouteCondition.Name.origin: origin ?? "",
      RouteCondition.Name.person: isByPerson ? "clicked" : "",
      RouteCondition.Name.sandboxed: source.mayBeSandboxed ? "yes" : "",
      RouteCondition.Name.installed: source.installedBy?.rawValue ?? "",
    ]
  }
}
