// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The options of a request besides its URLs: the `options` of `org.usher.Broker1.Open`.
///
/// ```swift
/// var options = OpenOptions()
/// options.annotation = ["from": "demo"]
/// options.wait = .handled
/// ```
public struct OpenOptions: Hashable, Sendable {
  /// The outcome that a request must reach before its caller gets the receipt.
  public enum Wait: String, CaseIterable, Sendable {
    /// The broker has accepted it.
    case accepted
    /// The target has replied, or its program was started.
    case delivered
    /// The target has handled it.
    case handled

    /// The outcome that the caller waits for.
    public var outcome: Outcome {
      switch self {
      case .accepted: .accepted
      case .delivered: .delivered
      case .handled: .handled
      }
    }
  }

  /// The behaviour of a caller while the user is asked about its request.
  public enum Prompting: String, CaseIterable, Sendable {
    /// It waits for the answer, at most for the timeout.
    case wait
    /// It waits like `wait`, and is informed that a prompt is shown.
    case announce
    /// It leaves the request to the broker, so that the answer opens the URLs even after the timeout.
    case leave
  }

  /// The range of `timeout` in microseconds: one millisecond to one day.
  public static let timeoutRange: ClosedRange<Int64> = 1_000...86_400_000_000
  /// The default timeout, shorter than the 25 seconds after which callers on the bus give up.
  public static let defaultTimeout: Duration = .seconds(20)

  /// `annotation` v: the annotation for the target.
  public var annotation: PropertyList?
  /// `source-application` s: the application for which the caller claims to act.
  public var sourceApplication: String?
  /// `activation-token` s: the activation token for one target.
  public var activationToken: String?
  /// `startup-id` s: the ID of the startup sequence on X11, if it differs from the activation token.
  public var startupID: String?
  /// `target` s: the desktop-file ID of the application to open with.
  public var target: String?
  /// `wait` s: the outcome to wait for; absent means `delivered`.
  public var wait: Wait = .delivered
  /// `timeout` t: the timeout, on the bus in microseconds within ``timeoutRange``.
  public var timeout: Duration = OpenOptions.defaultTimeout
  /// `prompt` s: what the caller does while the user is asked; absent means `wait`.
  public var prompt = Prompting.wait
  /// `fallback` s: the URL to open in place of deliveries that failed, and certainly had no effect.
  public var fallback: String?
  /// `answer` s: the user's answer to the question in a delivery's `choices`: one of them, or `yes` if they are empty.
  ///
  /// If the next delivery has another question about the URL, its answer is appended after a space.
  public var answer: String?
  /// `remote` s: the machine from which the request came; only the relay (`usher-remote`) may state it.
  public var remote: String?
  /// `sign-in-waits` b: whether a sign-in of that machine waits for its answer, so that the user is asked about other web links of it.
  public var signInWaits = false
  /// `origin` s: the web origin of the page with the link, from the browser.
  public var origin: String?
  /// `hops` u: the number of hops of the request.
  public var hops: UInt32 = 0
  /// `request-id` s: requests of one caller with one ID are one request.
  public var requestID: String?
  /// `reason` s: the launch reason; absent means `url`.
  public var reason: LaunchReason = .url
  /// `payload` v: the payload of another reason than `url`.
  public var payload: PropertyList?
  /// `desktop-action` s: the action of the desktop entry to perform.
  public var desktopAction: String?
  /// `open-in-place` b: whether the file may be modified in place.
  public var openInPlace: Bool?
  /// `target-content-id` s: the content that determines the scene.
  public var targetContentID: String?
  /// `universal-links-only` b: whether only an application may open the URL to which a route or its own entry assigns it.
  ///
  /// A browser does not open it then.
  public var universalLinksOnly = false
  /// `launch` b: whether an application may be started for the request.
  ///
  /// If it is `false`, only a running instance that implements `org.usher.Application1` receives the request.
  public var launch = true
  /// `session` a{sv}: the variables of the caller's session, by their names; `nil` if it sent none.
  public var session: [String: String]?
  /// `reattach` b: whether the call only queries the outcome of a request that was sent before.
  ///
  /// A broker that does not know the request opens nothing. All other options are as in the first call.
  public var isAgain = false
  /// `first-attempt` b: whether the caller states that it has not sent a request with this ID before.
  public var isFirstAttempt = false
  /// `plain-errors` b: whether an error has only its message as the body, which GLib requires to read the message.
  public var plainErrors = false
  /// Keys that are not options of this version, unchanged; they are passed on in envelopes.
  public var others: [String: Variant] = [:]

  /// The key of ``isAgain``, which is not part of the request's identity.
  public static let againKey = MessageKey.reattach.rawValue

  /// The key of ``isFirstAttempt``, which is not part of the request's identity.
  public static let firstAttemptKey = MessageKey.firstAttempt.rawValue

  /// The key of ``plainErrors``, which is not part of the request's identity.
  public static let plainErrorsKey = MessageKey.plainErrors.rawValue

  /// The key of ``signInWaits``, which is not part of the request's identity.
  public static let signInWaitsKey = MessageKey.signInWaits.rawValue

  /// The key of ``session``.
  public static let sessionKey = MessageKey.session.rawValue

  /// Creates the default options.
  public init() {}
}

extension OpenOptions {
  /// The `a{sv}` on the bus, without default values.
  public var entries: [String: Variant] {
    var entries = others
    entries.set(.annotation, annotation?.variant)
    entries.set(.sourceApplication, sourceApplication.map(Variant.string))
    entries.set(.activationToken, activationToken.map(Variant.string))
    entries.set(.startupID, startupID.map(Variant.string))
    entries.set(.target, target.map(Variant.string))
    entries.set(.wait, wait == .delivered ? nil : .string(wait.rawValue))
    entries.set(.timeout, timeout == OpenOptions.defaultTimeout ? nil : .uint64(timeout.microseconds))
    entries.set(.prompt, prompt == .wait ? nil : .string(prompt.rawValue))
    entries.set(.fallback, fallback.map(Variant.string))
    entries.set(.answer, answer.map(Variant.string))
    entries.set(.remote, remote.map(Variant.string))
    entries.set(.signInWaits, signInWaits ? .boolean(true) : nil)
    entries.set(.origin, origin.map(Variant.string))
    entries.set(.hops, hops == 0 ? nil : .uint32(hops))
    entries.set(.requestID, requestID.map(Variant.string))
    entries.set(.reason, reason == .url ? nil : .string(reason.rawValue))
    entries.set(.payload, payload?.variant)
    entries.set(.desktopAction, desktopAction.map(Variant.string))
    entries.set(.openInPlace, openInPlace.map(Variant.boolean))
    entries.set(.targetContentID, targetContentID.map(Variant.string))
    entries.set(.universalLinksOnly, universalLinksOnly ? .boolean(true) : nil)
    entries.set(.launch, launch ? nil : .boolean(false))
    entries.set(.session, session.map { .dictionary($0.mapValues(Variant.string)) })
    entries.set(.reattach, isAgain ? .boolean(true) : nil)
    entries.set(.firstAttempt, isFirstAttempt ? .boolean(true) : nil)
    entries.set(.plainErrors, plainErrors ? .boolean(true) : nil)
    return entries
  }

  /// Reads the `a{sv}` of the bus.
  /// - Throws: ``MessageError`` with the key; the broker replies `org.usher.Error.InvalidRequest`.
  public init(_ entries: [String: Variant]) throws(MessageError) {
    var fields = DictionaryDecoder(entries)
    // The most common keys come first, because decoding stops early when no entries are left.
    wait = try fields.choice(.wait, of: Wait.self) ?? .delivered
    annotation = try fields.propertyList(.annotation)
    sourceApplication = try fields.word(.sourceApplication)
    activationToken = try fields.word(.activationToken)
    startupID = try fields.word(.startupID)
    target = try fields.word(.target)
    if let timeout = try fields.integer(
      .timeout, in: OpenOptions.timeoutRange, of: "microseconds", type: "t")
    {
      self.timeout = .microseconds(timeout)
    }
    prompt = try fields.choice(.prompt, of: Prompting.self) ?? .wait
    fallback = try fields.text(.fallback)
    answer = try fields.word(.answer)
    remote = try fields.word(.remote)
    signInWaits = try fields.boolean(.signInWaits) ?? false
    origin = try fields.word(.origin)
    hops = try fields.hops()
    requestID = try fields.requestID()
    reason = try fields.word(.reason).map(LaunchReason.init(rawValue:)) ?? .url
    payload = try fields.propertyList(.payload)
    desktopAction = try fields.word(.desktopAction)
    openInPlace = try fields.boolean(.openInPlace)
    targetContentID = try fields.word(.targetContentID)
    universalLinksOnly = try fields.boolean(.universalLinksOnly) ?? false
    launch = try fields.boolean(.launch) ?? true
    session = try fields.strings(.session)
    isAgain = try fields.boolean(.reattach) ?? false
    isFirstAttempt = try fields.boolean(.firstAttempt) ?? false
    plainErrors = try fields.boolean(.plainErrors) ?? false
    others = fields.rest
    // A stored request, and the envelope of a plain program, could not be read from JSON again.
    for (key, value) in others {
      guard key != PropertyList.dataKey else { throw MessageError(.reservedKey, at: key) }
      do { try value.validateForJSON() } catch { throw error.inside(key) }
    }
  }
}

extension Variant {
  /// Checks that the value can be read again from its JSON.
  fileprivate func validateForJSON() throws(MessageError) {
    switch self {
    case .array(_, let values), .structure(let values):
      for value in values { try value.validateForJSON() }
    case .dictionary(_, _, let entries):
      for (key, value) in entries {
        guard key != .string(PropertyList.dataKey) else { throw MessageError(.reservedKey) }
        try key.validateForJSON()
        try value.validateForJSON()
      }
    case .variant(let value): try value.validateForJSON()
    case .double(let number) where !number.isFinite: throw MessageError(.notFinite)
    case .uint64(let number) where Int64(exactly: number) == nil: throw MessageError(.integerOutOfRange)
    case .unixFD:
      throw MessageError(.wrongType(found: "of type h", expected: "a value that JSON can represent"))
    default: break
    }
  }
}

extension Duration {
  /// The duration in whole microseconds, 0 if it is negative, and `UInt64.max` beyond any timeout.
  fileprivate var microseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < 1_000_000_000_000 else { return .max }
    return UInt64(seconds) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000)
  }
}
