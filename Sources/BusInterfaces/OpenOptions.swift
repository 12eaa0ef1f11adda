public import DBus

/// What a caller asks for beside the URLs: the `options` of `org.usher.Broker1.Open`.
///
/// ```swift
/// var options = OpenOptions()
/// options.annotation = ["from": "demo"]
/// options.wait = .handled
/// ```
public struct OpenOptions: Hashable, Sendable {
  /// How far a request must get before its caller is answered.
  public enum Wait: String, CaseIterable, Sendable {
    /// The broker has it.
    case accepted
    /// The target's answer, or the program's start, was seen.
    case delivered
    /// The target dealt with it.
    case handled

    /// The outcome that is waited for.
    public var outcome: Outcome {
      switch self {
      case .accepted: .accepted
      case .delivered: .delivered
      case .handled: .handled
      }
    }
  }

  /// The shortest and the longest `timeout`, in microseconds: one millisecond to one day.
  public static let timeoutRange: ClosedRange<Int64> = 1_000...86_400_000_000
  /// What is waited where nothing else is said; openers on the bus give up after 25 seconds.
  public static let defaultTimeout: Duration = .seconds(20)

  /// `annotation` v: for the target.
  public var annotation: PropertyList?
  /// `source-application` s: who the caller says it acts for; a claim.
  public var sourceApplication: String?
  /// `activation-token` s: passed to one target.
  public var activationToken: String?
  /// `target` s: the application to open with, by its desktop-file ID.
  public var target: String?
  /// `wait` s: `delivered` unless told otherwise.
  public var wait: Wait = .delivered
  /// `timeout` t, in microseconds within ``timeoutRange``.
  public var timeout: Duration = OpenOptions.defaultTimeout
  /// `fallback` s: the URL to open when it is certain that nothing arrived.
  public var fallback: String?
  /// `answer` s: what a person said to the question of a delivery's `choices`: one of them, or `yes` where there are none.
  ///
  /// Where the next delivery has another question about the same URL, its answer follows behind a space.
  public var answer: String?
  /// `origin` s: the place inside the source the link stood in, as a browser names it.
  public var origin: String?
  /// `hops` u: how many brokers' rounds the request has made.
  public var hops: UInt32 = 0
  /// `request-id` s: the same ID from the same caller is the same request.
  public var requestID: String?
  /// `reason` s: `url` unless told otherwise.
  public var reason: LaunchReason = .url
  /// `payload` v: of the other reasons.
  public var payload: PropertyList?
  /// `desktop-action` s: the desktop entry's action to perform.
  public var desktopAction: String?
  /// `open-in-place` b: whether the file may be changed where it is.
  public var openInPlace: Bool?
  /// `target-content-id` s: which scene this is for.
  public var targetContentID: String?
  /// `universal-links-only` b: whether it is opened only by an application that a route or its own entry gives this very link,
  /// and by no browser.
  public var universalLinksOnly = false
  /// `again` b: whether the request was sent before, and is only asked about.
  ///
  /// What became of it is answered; a broker that does not know it opens nothing. All else is as it was then.
  public var isAgain = false
  /// Keys that are not options of this version, as they came; envelopes pass them on.
  public var others: [String: Variant] = [:]

  /// The key of ``isAgain``, which makes no other request of it.
  public static let againKey = MessageKey.again.rawValue

  /// The options of a caller that asks for nothing.
  public init() {}
}

extension OpenOptions {
  /// The `a{sv}` on the bus; what has its usual value is left out.
  public var entries: [String: Variant] {
    var entries = others
    entries.set(.annotation, annotation?.variant)
    entries.set(.sourceApplication, sourceApplication.map(Variant.string))
    entries.set(.activationToken, activationToken.map(Variant.string))
    entries.set(.target, target.map(Variant.string))
    entries.set(.wait, wait == .delivered ? nil : .string(wait.rawValue))
    entries.set(.timeout, timeout == OpenOptions.defaultTimeout ? nil : .uint64(timeout.microseconds))
    entries.set(.fallback, fallback.map(Variant.string))
    entries.set(.answer, answer.map(Variant.string))
    entries.set(.origin, origin.map(Variant.string))
    entries.set(.hops, hops == 0 ? nil : .uint32(hops))
    entries.set(.requestID, requestID.map(Variant.string))
    entries.set(.reason, reason == .url ? nil : .string(reason.rawValue))
    entries.set(.payload, payload?.variant)
    entries.set(.desktopAction, desktopAction.map(Variant.string))
    entries.set(.openInPlace, openInPlace.map(Variant.boolean))
    entries.set(.targetContentID, targetContentID.map(Variant.string))
    entries.set(.universalLinksOnly, universalLinksOnly ? .boolean(true) : nil)
    entries.set(.again, isAgain ? .boolean(true) : nil)
    return entries
  }

  /// Reads the `a{sv}` of the bus.
  /// - Throws: ``MessageError`` naming the key; the broker answers `org.usher.Error.InvalidRequest`.
  public init(_ entries: [String: Variant]) throws(MessageError) {
    var fields = DictionaryDecoder(entries)
    // First what most callers say, who say no more.
    wait = try fields.choice(.wait, of: Wait.self) ?? .delivered
    annotation = try fields.propertyList(.annotation)
    sourceApplication = try fields.word(.sourceApplication)
    activationToken = try fields.word(.activationToken)
    target = try fields.word(.target)
    if let timeout = try fields.integer(
      .timeout, in: OpenOptions.timeoutRange, of: "microseconds", type: "t")
    {
      self.timeout = .microseconds(timeout)
    }
    fallback = try fields.text(.fallback)
    answer = try fields.word(.answer)
    origin = try fields.word(.origin)
    hops = try fields.hops()
    requestID = try fields.requestID()
    reason = try fields.word(.reason).map(LaunchReason.init(rawValue:)) ?? .url
    payload = try fields.propertyList(.payload)
    desktopAction = try fields.word(.desktopAction)
    openInPlace = try fields.boolean(.openInPlace)
    targetContentID = try fields.word(.targetContentID)
    universalLinksOnly = try fields.boolean(.universalLinksOnly) ?? false
    isAgain = try fields.boolean(.again) ?? false
    others = fields.rest
  }
}

extension Duration {
  /// Whole microseconds, none below zero; what is beyond any time-out is the largest number.
  fileprivate var microseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < 1_000_000_000_000 else { return .max }
    return UInt64(seconds) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000)
  }
}
