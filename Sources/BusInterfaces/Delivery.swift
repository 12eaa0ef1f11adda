// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The part of a request that goes to one target, and its outcome.
public struct Delivery: Hashable, Sendable {
  /// The state of the target before the delivery.
  public enum Kind: String, CaseIterable, Sendable {
    /// The target was running.
    case running
    /// The target was started for the request.
    case launch
  }

  /// `application` s: the target; absent if none was found.
  public var application: String?
  /// `outcome` s: the outcome of the delivery.
  public var outcome: Outcome
  /// `delivery` s: absent if nothing was delivered.
  public var kind: Kind?
  /// `value` v: the value of the target's reply.
  public var value: PropertyList?
  /// `error` s: the D-Bus name of the error.
  public var error: ErrorName?
  /// `message` s: the error as a sentence for users.
  public var message: String?
  /// `choices` as: the applications of a question to the user; absent if there is no question.
  ///
  /// Empty if the question is whether the URLs may be opened at all.
  public var choices: [String]?
  /// `titles` as: the titles of the choices, in the same order; absent if there are none.
  public var titles: [String]?
  /// `question` s: the question as text for the user; absent if there is no question.
  public var question: String?
  /// `asked` b: whether the user was asked about the URLs and did not consent; absent means `false`.
  public var wasAsked = false
  /// `asking` b: whether the user is being asked, so that the broker has no target yet; absent means `false`.
  public var isAsking = false
  /// `urls` as: the URLs of the question.
  public var urls: [String]?
  /// `redelivered` b: whether the target's handler ran again after a crash had interrupted it; absent means `false`.
  public var isRedelivered = false
  /// Keys that Usher does not define, unchanged.
  public let others: [String: Variant]

  /// Creates a delivery.
  public init(
    application: String?, outcome: Outcome, kind: Kind? = nil, value: PropertyList? = nil,
    error: ErrorName? = nil, message: String? = nil, others: [String: Variant] = [:]
  ) {
    self.application = application
    self.outcome = outcome
    self.kind = kind
    self.value = value
    self.error = error
    self.message = message
    self.others = others.foreign
  }
}

extension Delivery {
  /// The maximum length in bytes of a text that an application or another machine states, such as its error; the rest is cut off.
  package static let maximumText = DictionaryDecoder.maximumText
}

extension Delivery {
  /// The `a{sv}` of a receipt.
  public var entries: [String: Variant] {
    var entries = others.with(roomFor: 3)
    entries.set(.application, application.map(Variant.string))
    entries.set(.outcome, .string(outcome.rawValue))
    entries.set(.delivery, kind.map { .string($0.rawValue) })
    entries.set(.value, value?.variant)
    entries.set(.error, error.map { .string($0.rawValue) })
    entries.set(.message, message.map(Variant.string))
    entries.set(.choices, choices.map(Variant.strings))
    entries.set(.titles, titles.map(Variant.strings))
    entries.set(.question, question.map(Variant.string))
    entries.set(.asked, wasAsked ? .boolean(true) : nil)
    entries.set(.asking, isAsking ? .boolean(true) : nil)
    entries.set(.urls, urls.map(Variant.strings))
    entries.set(.redelivered, isRedelivered ? .boolean(true) : nil)
    return entries
  }

  /// Reads the `a{sv}` of a receipt.
  /// - Throws: ``MessageError`` with the key.
  public init(_ entries: [String: Variant]) throws(MessageError) {
    var fields = DictionaryDecoder(entries)
    guard let outcome = try fields.choice(.outcome, of: Outcome.self) else {
      throw MessageError(.missing, at: MessageKey.outcome.rawValue)
    }
    self.init(
      application: try fields.word(.application), outcome: outcome,
      kind: try fields.choice(.delivery, of: Kind.self), value: try fields.propertyList(.value),
      error: try fields.errorName(.error), message: try fields.text(.message), others: entries)
    choices = entries[.choices]?.strings
    titles = entries[.titles]?.strings
    question = try fields.text(.question)
    wasAsked = try fields.boolean(.asked) ?? false
    isAsking = try fields.boolean(.asking) ?? false
    urls = entries[.urls]?.strings
    isRedelivered = try fields.boolean(.redelivered) ?? false
  }
}

extension Delivery {
  /// The outcome as a clause, whose subject is the target.
  public var progressText: String {
    switch (outcome, kind) {
    case (.accepted, _): "will receive it"
    case (.handled, _): "handled it"
    case (.delivered, .running): "received it in its running instance"
    case (.delivered, _): "was started for it"
    default: "has an unknown outcome"
    }
  }
}
