public import DBus

/// What became of the part of a request that went to one target.
public struct Delivery: Hashable, Sendable {
  /// How the target was reached.
  public enum Kind: String, CaseIterable, Sendable {
    /// The live instance was signalled.
    case running
    /// The program was started for it.
    case launch
  }

  /// `application` s: the target; absent where none was found.
  public var application: String?
  /// `outcome` s.
  public var outcome: Outcome
  /// `delivery` s: absent where it did not come to that.
  public var kind: Kind?
  /// `value` v: what the target's handler answered.
  public var value: PropertyList?
  /// `error` s: the D-Bus name of what went wrong.
  public var error: ErrorName?
  /// `message` s: the sentence a person reads about the error.
  public var message: String?
  /// `choices` as: where a person has to say first, the applications to choose among; empty where the question is
  /// whether the URLs may be opened at all, absent where there is no question.
  public var choices: [String]?
  /// `urls` as: what the question is about.
  public var urls: [String]?
  /// `repeated` b: whether a crash had cut the target's handler off before, and it ran once more; absent is `false`.
  public var isRepeated = false
  /// Keys that are not Usher's own, as they came.
  public let others: [String: Variant]

  /// A delivery with what is known of it.
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
  /// The `a{sv}` in a receipt.
  public var entries: [String: Variant] {
    var entries = others.with(roomFor: 3)
    entries.set(.application, application.map(Variant.string))
    entries.set(.outcome, .string(outcome.rawValue))
    entries.set(.delivery, kind.map { .string($0.rawValue) })
    entries.set(.value, value?.variant)
    entries.set(.error, error.map { .string($0.rawValue) })
    entries.set(.message, message.map(Variant.string))
    entries.set(.choices, choices.map(Variant.strings))
    entries.set(.urls, urls.map(Variant.strings))
    entries.set(.repeated, isRepeated ? .boolean(true) : nil)
    return entries
  }

  /// Reads the `a{sv}` of a receipt.
  /// - Throws: ``MessageError`` naming the key.
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
    urls = entries[.urls]?.strings
    isRepeated = try fields.boolean(.repeated) ?? false
  }
}
