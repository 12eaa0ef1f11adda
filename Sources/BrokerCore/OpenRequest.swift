// SPDX-License-Identifier: Apache-2.0
public import Freedesktop
public import RouteTables

/// A request to open URLs, as far as the decision needs it.
///
/// The message on the wire has another type, because the source is derived from the bus connection and never from the
/// message.
public struct OpenRequest: Hashable, Sendable {
  /// The URLs in the caller's order.
  ///
  /// The array is empty only if `reason` is not `urlReason`.
  public var urls: [URLString]
  /// The launch reason, as in the envelope.
  public var reason = urlReason
  /// The launch reason of a request that consists of its URLs.
  public static let urlReason = "url"
  /// A Boolean value that indicates whether only a dedicated application may open the URLs, and no browser.
  ///
  /// A dedicated application is one to which a route or its own entry assigns the URLs.
  public var isUniversalLinksOnly = false
  /// The source application.
  public var source: SourceApplication
  /// The application whose sandbox the caller is in, as the broker identified it; `nil` outside a sandbox.
  ///
  /// `source` may be a part of it. The caller may claim to be any part, so `source` then grants nothing, and prompts and grants use this
  /// application.
  public var sandbox: SourceApplication?
  /// The container or other sandbox of the caller, if it reveals no application.
  ///
  /// Prompts describe it, and answers are stored for its scope.
  public var container: CallerContainer?
  /// A Boolean value that indicates whether a sign-in of the machine from which the request comes waits for its answer, as its relay states.
  public var signInWaits = false
  /// The application that the caller names; `nil` to let the broker choose.
  public var target: ApplicationID?
  /// The number of hops that the request has made already.
  public var hops: UInt32
  /// The origin of the link inside the source, as the caller claims.
  public var origin: String? {
    didSet { comparedOrigin = origin.map(WebOrigin.compared) }
  }
  /// The origin in the form that routes compare.
  ///
  /// It is made once, because mapping its host may take a millisecond, and each table compares it with each URL.
  private var comparedOrigin: String?
  /// The user's answers to the questions about a URL, separated by spaces, in the order of the questions.
  ///
  /// Each is an application ID, `Question.consent` or `Question.refusal`.
  public var answer: String?
  /// The user's answers to the broker's own prompts for this request.
  public var answers: [Question.Identity: Answer] = [:]
  /// The broker's own prompts for this request that had no answer, with the reason.
  public var unanswered: [Question.Identity: String] = [:]
  /// The reasons for which the user is not asked these questions, because an answer would have no effect.
  public var obstacles: [Question.Identity: String] = [:]
  /// The valid grants for the scopes of this request.
  public var grants: [Grant] = []
  /// A Boolean value that indicates whether the request has an activation token that no earlier request had.
  ///
  /// Such a token shows that the user clicked or pressed something in the source.
  public var isByClick = false
  /// A Boolean value that indicates whether the request has a credible user activation.
  ///
  /// The claim of a caller that may be sandboxed does not count.
  public var isByUser: Bool { isByClick && !source.mayBeSandboxed }
  /// The action of the application's desktop entry that the caller requests.
  public var desktopAction: String?
  /// The running applications, which own their bus names.
  ///
  /// Set only if `Broker.asksWhatRuns`.
  public var running: Set<ApplicationID> = []
  /// A Boolean value that indicates whether the routes that unwrap or first clean URLs have no effect, and the broker's own policy does
  /// not ask.
  ///
  /// A URL is decided so before it is unwrapped or cleaned.
  var ignoresUnwrapping = false
  /// A Boolean value that indicates whether the conditions of routes disregard the unverified claims of a sandboxed caller.
  var ignoresClaims = false
  /// A Boolean value that indicates whether the URL names a file of another machine by its path here, to which a route has rewritten it.
  var isSharedFile = false
  /// The MIME types of local files, by the bytes of their paths.
  ///
  /// If it is `nil`, the broker inspects each file during the decision. Otherwise it inspects none, and rejects a URL
  /// whose file is missing here with `Refusal.notExamined`.
  public var fileTypes: [[UInt8]: FileTypeOutcome]?

  /// The installed browsers with their profiles, most preferred first.
  ///
  /// If it is `nil`, a broker with a `BrowserList` lists them during the decision. Any other broker rejects a URL that needs them with
  /// `Refusal.browsersNotListed`.
  public var browsers: [InstalledBrowser]?

  /// Creates a request to open `urls`.
  public init(
    urls: [URLString], source: SourceApplication = .unknown, target: ApplicationID? = nil, hops: UInt32 = 0
  ) {
    self.urls = urls
    self.source = source
    self.target = target
    self.hops = hops
  }

  /// The source without the claim of a sandboxed caller to be a part of its application.
  ///
  /// Prompts name it.
  public var identifiedSource: SourceApplication { sandbox ?? source }

  /// The application that prompts name and grants are stored for.
  public var questioner: ApplicationID? { identifiedSource.id }

  /// The application that prompts name, if it is verified; otherwise `nil`.
  ///
  /// Limits apply to it, because an unverified name could change with each request, or be that of another application.
  public var verifiedQuestioner: ApplicationID? { source.assurance > .claimed ? questioner : nil }

  /// The application that routes insert into arguments and URLs; `nil` if the source is not known.
  ///
  /// A name that only a sandboxed caller states is not inserted, because another route may grant something to the new URL. In place of a
  /// part that the caller claims to be, its application is inserted.
  var placeholderSource: ApplicationID? {
    source.mayBeSandboxed && source.assurance == .claimed ? nil : questioner
  }

  /// Returns the answer to the question about a URL at index `number`, from 0; `nil` if there is none.
  func answer(toQuestion number: Int) -> String? {
    let words = answer?.split(separator: " ") ?? []
    return words.indices.contains(number) ? String(words[number]) : nil
  }

  /// The request whose routes disregard the unverified claims of a sandboxed caller; `nil` if it has none, or disregards them already.
  ///
  /// These claims are its origin, a name without verification, and the name of a part of its application.
  var withoutUnverifiedClaims: OpenRequest? {
    guard !ignoresClaims, source.mayBeSandboxed,
      origin != nil || source.assurance == .claimed || source.id != questioner
    else { return nil }
    var request = self
    request.ignoresClaims = true
    return request
  }

  /// The source without its unverified claims: unidentified if only the caller states its name.
  private var verifiedSource: SourceApplication {
    identifiedSource.assurance == .claimed ? .unseen : identifiedSource
  }

  /// The hop count of a request that is derived from this one.
  ///
  /// It does not overflow.
  public var nextHop: UInt32 { hops == .max ? .max : hops + 1 }

  /// The maximum number of hops.
  public static let maximumHops: UInt32 = 8

  /// The values of the route conditions by name, without those on running applications.
  var context: [String: String] {
    let source = ignoresClaims ? verifiedSource : source
    let origin = ignoresClaims ? nil : comparedOrigin
    return [
      RouteCondition.Name.source: source.id?.rawValue ?? "",
      RouteCondition.Name.assurance: source.assurance.rawValue,
      RouteCondition.Name.origin: origin ?? "",
      RouteCondition.Name.userActivation: isByUser ? "clicked" : "",
      RouteCondition.Name.sandboxed: source.mayBeSandboxed ? "yes" : "",
      RouteCondition.Name.remote: source.machine?.name ?? "",
      RouteCondition.Name.installed: source.installedBy?.rawValue ?? "",
    ]
  }
}
