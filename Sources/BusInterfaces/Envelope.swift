public import DBus

/// What a target receives: one request with everything that is known about it.
///
/// The same on the bus (`Application1.Deliver`), in the file named by `USHER_ENVELOPE`, and on the lines of
/// `usher listen`. Absent is absent, never empty; keys this version does not know are kept and passed on.
public struct Envelope: Hashable, Sendable {
  /// `request-id` s: a target that sees it again has the same request before it.
  public var requestID: String
  /// `urls` as: in the caller's order, as the bytes that came; empty only for other reasons than `url`.
  public var urls: [String]
  /// `application` s: the target, by its desktop-file ID.
  public var application: String?
  /// `source-application` s: who asked, as surely as ``assurance`` says.
  public var sourceApplication: String?
  /// `assurance` s.
  public var assurance: Assurance?
  /// `sandboxed` b: whether the caller is in a sandbox, or may be: what it says of itself, its origin too, is its own word.
  public var isSandboxed: Bool
  /// `person` s: what a person did for this; `nil` where nobody is known to have done anything.
  public var person: UserActivation?
  /// `annotation` v: what the caller attached.
  public var annotation: PropertyList?
  /// `origin` s: the place inside the source the link stood in, as a browser names it.
  public var origin: String?
  /// `activation-token` s: allows the target to come to the front, once.
  public var activationToken: String?
  /// `reason` s: `url` unless told otherwise.
  public var reason: LaunchReason
  /// `payload` v: of the other reasons.
  public var payload: PropertyList?
  /// `delivery` s: whether the target was running or is started for this.
  public var delivery: Delivery.Kind?
  /// `hops` u: how many brokers' rounds the request has made.
  public var hops: UInt32
  /// `via` s: a middleman that hid the source.
  public var via: String?
  /// `desktop-action` s: the desktop entry's action to perform.
  public var desktopAction: String?
  /// `open-in-place` b: whether the file may be changed where it is.
  public var openInPlace: Bool?
  /// `target-content-id` s: which scene this is for.
  public var targetContentID: String?
  /// Keys that are not Usher's own, as they came; none of Usher's own stands here.
  public let others: [String: Variant]

  /// An envelope for `urls`; set what else is known.
  ///
  /// Of `others`, keys of Usher's own are dropped: they would speak for what was left absent here.
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
    var entries = others.with(roomFor: 6)
    entries.set(.requestID, .string(requestID))
    entries.set(.urls, urls.isEmpty ? nil : .strings(urls))
    entries.set(.application, application.map(Variant.string))
    entries.set(.sourceApplication, sourceApplication.map(Variant.string))
    entries.set(.assurance, assurance.map { .string($0.rawValue) })
    entries.set(.sandboxed, isSandboxed ? .boolean(true) : nil)
    entries.set(.person, person.map { .string($0.rawValue) })
    entries.set(.annotation, annotation?.variant)
    entries.set(.origin, origin.map(Variant.string))
    entries.set(.activationToken, activationToken.map(Variant.string))
    entries.set(.reason, reason == .url ? nil : .string(reason.rawValue))
    entries.set(.payload, payload?.variant)
    entries.set(.delivery, delivery.map { .string($0.rawValue) })
    entries.set(.hops, hops == 0 ? nil : .uint32(hops))
    entries.set(.via, via.map(Variant.string))
    entries.set(.desktopAction, desktopAction.map(Variant.string))
    entries.set(.openInPlace, openInPlace.map(Variant.boolean))
    entries.set(.targetContentID, targetContentID.map(Variant.string))
    return entries
  }

  /// Reads the `a{sv}` of the bus.
  ///
  /// An assurance this version does not know is read as `unknown`, a person's part as none: trusting less is safe.
  /// - Throws: ``MessageError`` naming the key.
  public init(_ entries: [String: Variant]) throws(MessageError) {
    var fields = DictionaryDecoder(entries)
    guard let requestID = try fields.requestID() else {
      throw MessageError(.missing, at: MessageKey.requestID.rawValue)
    }
    let urls = try fields.texts(.urls) ?? []
    self.init(requestID: requestID, urls: urls, others: entries)
    reason = try fields.word(.reason).map(LaunchReason.init(rawValue:)) ?? .url
    guard !urls.isEmpty || reason != .url else { throw MessageError(.missing, at: MessageKey.urls.rawValue) }
    application = try fields.word(.application)
    sourceApplication = try fields.word(.sourceApplication)
    assurance = try fields.word(.assurance).map { Assurance(rawValue: $0) ?? .unknown }
    isSandboxed = try fields.boolean(.sandboxed) ?? false
    person = try fields.word(.person).flatMap(UserActivation.init(rawValue:))
    annotation = try fields.propertyList(.annotation)
    origin = try fields.word(.origin)
    activationToken = try fields.word(.activationToken)
    payload = try fields.propertyList(.payload)
    delivery = try fields.choice(.delivery, of: Delivery.Kind.self)
    hops = try fields.hops()
    via = try fields.word(.via)
    desktopAction = try fields.word(.desktopAction)
    openInPlace = try fields.boolean(.openInPlace)
    targetContentID = try fields.word(.targetContentID)
  }
}

extension Envelope {
  /// The envelope as one line of JSON, the same keys as on the bus.
  public var json: String { JSONText.line(entries) }

  /// Reads ``json``.
  /// - Throws: ``MessageError``, with line and column where the text is no JSON.
  public init(json text: String) throws(MessageError) {
    try self.init(try [String: Variant](json: text))
  }
}
