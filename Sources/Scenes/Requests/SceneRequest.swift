public import BusInterfaces
public import FoundationEssentials

/// One request to open URLs, as it reached this application.
///
/// ```swift
/// for url in request.urlStrings { … }
/// request.sourceApplication   // "org.example.Mail", when somebody is named
/// request.assurance           // .unit: how surely
/// request.annotation?["page"]?.integer
/// ```
public struct SceneRequest: Sendable {
  /// The request that the current task handles.
  @TaskLocal public static var current: SceneRequest?

  /// All that came, keys of tomorrow included.
  public let envelope: Envelope
  /// How its caller is told of its progress.
  let reporter: ProgressReporter?
  /// The caller who hears of the end by a URL of its own, where the application answers such callers
  /// (``SceneApplication/answersCallbacks``) and this is one.
  public internal(set) var callback: RequestCallback?
  /// What the application itself wants of its scenes.
  let directive: SceneDirective?

  /// A request as it came in `envelope`.
  public init(_ envelope: Envelope) { self.init(envelope, reporter: nil) }

  init(_ envelope: Envelope, reporter: ProgressReporter?, directive: SceneDirective? = nil) {
    self.envelope = envelope
    self.reporter = reporter
    self.directive = directive
  }

  /// The same request with one of its URLs or some.
  func only(_ urls: [String]) -> SceneRequest {
    var envelope = envelope
    envelope.urls = urls
    return SceneRequest(envelope, reporter: reporter, directive: directive)
  }

  /// Tells the caller how far the handling has come; it costs nothing to call it often.
  ///
  /// ```swift
  /// for (number, page) in pages.enumerated() {
  ///   try Task.checkCancellation()   // the caller may have given it up
  ///   request.report(UInt64(number), of: UInt64(pages.count), "importing")
  /// }
  /// ```
  public func report(_ completed: UInt64? = nil, of total: UInt64? = nil, _ message: String? = nil) {
    reporter?.report(RequestProgress(completed: completed, of: total, message: message))
  }

  /// The URLs in the caller's order, each as the bytes that came.
  ///
  /// One request may have several; empty only for other reasons than `url`.
  public var urlStrings: [String] { envelope.urls }

  /// The first URL, or an empty string where there is none.
  ///
  /// An application whose desktop entry says `%U` looks at ``urlStrings``.
  public var urlString: String { envelope.urls.first ?? "" }

  /// The first URL as Foundation sees it, or `nil` where it cannot.
  ///
  /// A view: Foundation rewrites what it takes for mistakes, so decide by ``urlString``.
  public var url: URL? { URL(string: urlString) }

  /// Every URL as Foundation sees it, in order; those it cannot see are left out.
  public var urls: [URL] { urlStrings.compactMap(URL.init(string:)) }

  /// The ID of the request; made here where it did not come through the broker.
  public var requestID: String { envelope.requestID }

  /// Who asked, by desktop-file ID where there is one; believe it as far as ``assurance`` goes.
  public var sourceApplication: String? { envelope.sourceApplication }

  /// How surely ``sourceApplication`` is known.
  public var assurance: Assurance { envelope.assurance ?? .unknown }

  /// Whether the caller is in a sandbox, or may be: what it says of itself is its own word.
  public var isSandboxed: Bool { envelope.isSandboxed }

  /// What a person did for this; `nil` where nobody is known to have done anything.
  ///
  /// A click is as good as the word of the program it came from; only `UserActivation.allowed` is an answer to a question.
  public var person: UserActivation? { envelope.person }

  /// The middleman that hid ``sourceApplication``, where it is known: a portal, or another opener.
  public var via: String? { envelope.via }

  /// What the caller attached.
  public var annotation: PropertyList? { envelope.annotation }

  /// The place inside the source the link stood in, as a browser names it.
  public var origin: String? { envelope.origin }

  /// Allows this application to come to the front, once.
  public var activationToken: String? { envelope.activationToken }

  /// Why the request was made.
  public var reason: LaunchReason { envelope.reason }

  /// What came with another reason than `url`.
  public var payload: PropertyList? { envelope.payload }

  /// Whether the program was started for this request or was running.
  public var delivery: Delivery.Kind { envelope.delivery ?? .running }

  /// The desktop entry's action to perform.
  public var desktopAction: String? { envelope.desktopAction }

  /// Whether a file may be changed where it is; copy it first otherwise.
  public var openInPlace: Bool { envelope.openInPlace ?? false }

  /// Which scene this is for.
  public var targetContentID: String? { envelope.targetContentID }
}

extension SceneRequest: Hashable {
  /// Whether they are the same request, with the same content.
  public static func == (one: SceneRequest, other: SceneRequest) -> Bool {
    one.envelope == other.envelope && one.directive == other.directive
  }

  /// Hashes the content.
  public func hash(into hasher: inout Hasher) { hasher.combine(envelope) }
}
