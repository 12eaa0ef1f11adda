// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The envelope of a delivery: one request with everything that is known about it.
///
/// The keys are identical on the bus (`Application1.Deliver`), in the file named by `USHER_ENVELOPE`, and on the
/// lines of `usher listen`. A missing value is absent, never empty; unknown keys are preserved and passed on.
public struct Envelope: Hashable, Sendable {
  /// `request-id` s: the ID of the delivery; a second delivery with the same ID is a repetition.
  public var requestID: String
  /// `caller-request-id` s: the ID of the request for its caller, in its receipt, the history and the log of the broker.
  public var callerRequestID: String?
  /// `urls` as: in the caller's order, unchanged; empty only for other reasons than `url`.
  public var urls: [String]
  /// `application` s: the target's desktop-file ID.
  public var application: String?
  /// `source-application` s: the source application, as reliable as ``assurance``.
  public var sourceApplication: String?
  /// `assurance` s: the reliability of the source application.
  public var assurance: Assurance?
  /// `sandboxed` b: whether the caller is, or may be, in a sandbox, so that its own statements, such as its origin, are claims.
  public var isSandboxed: Bool
  /// `remote` s: the machine from which the request came through a relay; `nil` for a program on this machine.
  public var remote: String?
  /// `user-activation` s: the user activation; `nil` if none is known.
  public var userActivation: UserActivation?
  /// `annotation` v: the annotation from the caller.
  public var annotation: PropertyList?
  /// `origin` s: the web origin of the page with the link, in the form that routes compare: without a path.
  public var origin: String?
  /// `activation-token` s: allows the target to bring its window to the front, once.
  public var activationToken: String?
  /// `startup-id` s: the ID of the startup sequence on X11, if it differs from ``activationToken``.
  public var startupID: String?
  /// `reason` s: the launch reason; absent means `url`.
  public var reason: LaunchReason
  /// `payload` v: the payload of another reason than `url`.
  public var payload: PropertyList?
  /// `delivery` s: whether the target was running or is started for the request.
  public var delivery: Delivery.Kind?
  /// `redelivered` b: whether the target exited while it had the request, so that it may have handled a part of it.
  public var isRedelivered = false
  /// `repeated` b: whether an earlier broker, or this one before the bus was lost, may have sent the request.
  public var isRepeated = false
  /// `hops` u: the number of hops of the request.
  public var hops: UInt32
  /// `via` s: the intermediary that hides the source.
  public var via: String?
  /// `desktop-action` s: the action of the desktop entry to perform.
  public var desktopAction: String?
  /// `open-in-place` b: whether the file may be modified in place.
  public var openInPlace: Bool?
  /// `target-content-id` s: the content that determines the scene.
  public var targetContentID: String?
  /// Keys that Usher does not define, unchanged.
  public let others: [String: Variant]

  /// Creates an envelope for `urls`; set the other properties afterwards.
  ///
  /// Keys in `others` that Usher defines are dropped, because they could contradict the properties.
  public init(requestID: String, urls: [String], others: [String: Variant] = [:]) {
    self.requestID = requestID
    self.urls = urls
    self.others = others.foreign
    isSandboxed = false
    reason = .url
    hops = 0
  }
}

extension Envelope {
  /// The `a{sv}` on the bus.
  public var entries: [String: Variant] {
    var entries = others.with(roomFor: 7)
    entries.set(.requestID, .string(requestID))
    entries.set(.callerRequestID, callerRequestID.map(Variant.string))
    entries.set(.urls, urls.isEmpty ? nil : .strings(urls))
    entries.set(.application, application.map(Variant.string))
    entries.set(.sourceApplication, sourceApplication.map(Variant.string))
    entries.set(.assurance, assurance.map { .string($0.rawValue) })
    entries.set(.sandboxed, isSandboxed ? .boolean(true) : nil)
    entries.set(.remote, remote.map(Variant.string))
    entries.set(.userActivation, userActivation.map { .string($0.rawValue) })
    entries.set(.annotation, annotation?.variant)
    entries.set(.origin, origin.map(Variant.string))
    entries.set(.activationToken, activationToken.map(Variant.string))
    entries.set(.startupID, startupID.map(Variant.string))
    entries.set(.reason, reason == .url ? nil : .string(reason.rawValue))
    entries.set(.payload, payload?.variant)
    entries.set(.delivery, delivery.map { .string($0.rawValue) })
    entries.set(.redelivered, isRedelivered ? .boolean(true) : nil)
    entries.set(.repeated, isRepeated ? .boolean(true) : nil)
    entries.set(.hops, hops == 0 ? nil : .uint32(hops))
    entries.set(.via, via.map(Variant.string))
    entries.set(.desktopAction, desktopAction.map(Variant.string))
    entries.set(.openInPlace, openInPlace.map(Variant.boolean))
    entries.set(.targetContentID, targetContentID.map(Variant.string))
    return entries
  }

  /// Reads the `a{sv}` of the bus.
  ///
  /// An unknown assurance is read as `unknown`, and an unknown user activation as none, because less trust is safe.
  /// - Throws: ``MessageError`` with the key.
  public init(_ entries: [String: Variant]) throws(MessageError) {
    var fields = DictionaryDecoder(entries)
    guard let requestID = try fields.requestID() else {
      throw MessageError(.missing, at: MessageKey.requestID.rawValue)
    }
    let urls = try fields.texts(.urls) ?? []
    self.init(requestID: requestID, urls: urls, others: entries)
    reason = try fields.word(.reason).map(LaunchReason.init(rawValue:)) ?? .url
    guard !urls.isEmpty || reason != .url else { throw MessageError(.missing, at: MessageKey.urls.rawValue) }
    callerRequestID = try fields.word(.callerRequestID)
    application = try fields.word(.application)
    sourceApplication = try fields.word(.sourceApplication)
    assurance = try fields.word(.assurance).map { Assurance(rawValue: $0) ?? .unknown }
    isSandboxed = try fields.boolean(.sandboxed) ?? false
    remote = try fields.word(.remote)
    userActivation = try fields.word(.userActivation).flatMap(UserActivation.init(rawValue:))
    annotation = try fields.propertyList(.annotation)
    origin = try fields.word(.origin)
    activationToken = try fields.word(.activationToken)
    startupID = try fields.word(.startupID)
    payload = try fields.propertyList(.payload)
    delivery = try fields.choice(.delivery, of: Delivery.Kind.self)
    isRedelivered = try fields.boolean(.redelivered) ?? false
    isRepeated = try fields.boolean(.repeated) ?? false
    hops = try fields.hops()
    via = try fields.word(.via)
    desktopAction = try fields.word(.desktopAction)
    openInPlace = try fields.boolean(.openInPlace)
    targetContentID = try fields.word(.targetContentID)
  }
}

extension Envelope {
  /// The envelope as one line of JSON, with the keys of the bus.
  public var json: String { JSONText.line(entries) }

  /// Parses ``json``.
  /// - Throws: ``MessageError``, with line and column if the text is not JSON.
  public init(json text: String) throws(MessageError) {
    try self.init(try [String: Variant](json: text))
  }
}
