// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import FoundationEssentials

/// One request to open URLs, as the application received it.
///
/// ```swift
/// for url in request.urlStrings { … }
/// request.sourceApplication   // "org.example.Mail", if identified
/// request.assurance           // .unit, the reliability
/// request.annotation?["page"]?.integer
/// ```
public struct SceneRequest: Sendable {
  /// The request that the current task handles.
  @TaskLocal public static var current: SceneRequest?

  /// The complete envelope, including its unknown keys.
  public internal(set) var envelope: Envelope
  /// The reporter of progress to the caller; `nil` if the caller cannot receive progress.
  let reporter: ProgressReporter?
  /// The callback of a caller in the form of x-callback-url.
  ///
  /// `nil` unless the application answers such callers (``SceneApplication/answersCallbacks``) and the request has a
  /// callback.
  public internal(set) var callback: RequestCallback?
  /// The request of the application itself.
  let directive: ApplicationDirective?
  /// A Boolean value that is `true` if the ID was generated in this process, so that the request is never repeated.
  let isLocal: Bool
  /// Records that the request begins once more; `nil` outside of a handler.
  var restart: (@Sendable () async throws(CrashedTwice) -> Void)?
  /// Receives the error of the handler, of which the reply has only the text; `nil` if the application does not wait for it.
  var receiveError: (@Sendable (any Error) -> Void)?

  /// Creates a request from an envelope.
  public init(_ envelope: Envelope) { self.init(envelope, isLocal: false) }

  init(
    _ envelope: Envelope, reporter: ProgressReporter? = nil, directive: ApplicationDirective? = nil,
    isLocal: Bool
  ) {
    self.envelope = envelope
    self.reporter = reporter
    self.directive = directive
    self.isLocal = isLocal
  }

  /// Returns a copy of the request with some of its URLs.
  func only(_ urls: [String]) -> SceneRequest {
    var envelope = envelope
    envelope.urls = urls
    return SceneRequest(envelope, reporter: reporter, directive: directive, isLocal: isLocal)
  }

  /// Records that the handler passes the request on once more, because the program to which it passed it has crashed.
  ///
  /// The reply is marked as redelivered then. This is recorded before the program gets the request, so that a crash of
  /// this process counts as the second one.
  /// - Throws: ``CrashedTwice`` if the request was begun twice already. The handler must not pass it on, and throws
  ///   this error, too.
  package nonisolated(nonsending) func beginAgain() async throws(CrashedTwice) { try await restart?() }

  /// Reports the progress of the handling to the caller; frequent calls are cheap, because the rate is limited.
  ///
  /// ```swift
  /// for (number, page) in pages.enumerated() {
  ///   try Task.checkCancellation()   // the caller may have cancelled it
  ///   request.report(UInt64(number), of: UInt64(pages.count), "importing")
  /// }
  /// ```
  public func report(_ completed: UInt64? = nil, of total: UInt64? = nil, _ message: String? = nil) {
    reporter?.report(RequestProgress(completed: completed, of: total, message: message))
  }

  /// The URLs in the caller's order, byte for byte as the caller sent them.
  ///
  /// A request may have several; the array is empty only for launch reasons other than `url`.
  public var urlStrings: [String] { envelope.urls }

  /// The first URL, or an empty string if there is none.
  ///
  /// An application whose desktop entry contains `%U` reads ``urlStrings`` instead.
  public var urlString: String { envelope.urls.first ?? "" }

  /// The first URL as Foundation parses it; `nil` if Foundation cannot.
  ///
  /// Foundation may normalize the URL, so that decisions should be based on ``urlString``.
  public var url: URL? { URL(string: urlString) }

  /// The URLs as Foundation parses them, in order; URLs that it cannot parse are omitted.
  public var urls: [URL] { urlStrings.compactMap(URL.init(string:)) }

  /// The ID of the request; generated locally if the request did not pass the broker.
  public var requestID: String { envelope.requestID }

  /// The source application, by desktop-file ID if there is one; trust it according to ``assurance``.
  public var sourceApplication: String? { envelope.sourceApplication }

  /// The reliability of ``sourceApplication``.
  public var assurance: Assurance { envelope.assurance ?? .unknown }

  /// A Boolean value that is `true` if the caller is, or may be, sandboxed, so that its statements about itself are unverified.
  public var isSandboxed: Bool { envelope.isSandboxed }

  /// The user activation of the request; `nil` if none is known.
  ///
  /// A click is reported by the calling program and is as reliable as that program. Only `UserActivation.allowed` is
  /// an answer to a prompt.
  public var userActivation: UserActivation? { envelope.userActivation }

  /// The ID of the request in the caller's receipt, `usher history` and the log of the broker; `nil` without a broker.
  public var callerRequestID: String? { envelope.callerRequestID }

  /// The intermediary that hides ``sourceApplication``, if known: a portal, or another opener.
  public var via: String? { envelope.via }
  /// The machine from which the request came through a relay, such as `build.example.org`; `nil` for a program on this machine.
  public var remote: String? { envelope.remote }

  /// The caller's annotation.
  public var annotation: PropertyList? { envelope.annotation }

  /// The web origin of the page that contained the link, such as `https://example.org`.
  ///
  /// The caller states it, and the broker writes it in the form that routes compare. The statement of a caller for which ``isSandboxed``
  /// is `true` is unverified.
  public var origin: String? { envelope.origin }

  /// The token that allows the application to bring its window to the front once.
  public var activationToken: String? { envelope.activationToken }

  /// The launch reason of the request.
  public var reason: LaunchReason { envelope.reason }

  /// The payload of a launch reason other than `url`.
  public var payload: PropertyList? { envelope.payload }

  /// The kind of delivery: to a program that was started for the request, or to a running one.
  public var delivery: Delivery.Kind { envelope.delivery ?? .running }

  /// A Boolean value that is `true` if a crash interrupted the request, and its handler is called once more.
  ///
  /// Effects that must not happen twice, such as a payment, need a check before they are repeated.
  public var isRedelivered: Bool { envelope.isRedelivered }

  /// A Boolean value that is `true` if the request may have been sent before, to this instance or an earlier one.
  var mayBeInJournal: Bool { envelope.isRedelivered || envelope.isRepeated }

  /// A copy of the request for a handler that handles it once more.
  package var redelivered: SceneRequest {
    var request = self
    request.envelope.isRedelivered = true
    return request
  }

  /// The action of the desktop entry to perform.
  public var desktopAction: String? { envelope.desktopAction }

  /// A Boolean value that is `true` if a file may be modified in place; otherwise copy it first.
  public var openInPlace: Bool { envelope.openInPlace ?? false }

  /// The identifier of the content, by which the scene is chosen.
  public var targetContentID: String? { envelope.targetContentID }
}

extension SceneRequest: Hashable {
  /// Returns `true` if the requests have equal content.
  public static func == (one: SceneRequest, other: SceneRequest) -> Bool {
    one.envelope == other.envelope && one.directive == other.directive
  }

  /// Hashes the ID, which differs between requests.
  public func hash(into hasher: inout Hasher) {
    // Each of up to 512 contexts contains the request, whose URLs may have 4 MiB.
    hasher.combine(requestID)
  }
}
